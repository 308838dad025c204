"""The two embedders without a model keep the protocol like any other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.embedder import Embedder, Identity, Space
from memhtml.models.fakes import AlwaysFailing, HashedWords

texts = st.lists(st.text(max_size=40), max_size=6)


@given(texts, st.integers(1, 40))
def test_every_text_has_a_row_of_length_one(given_texts: list[str], dimension: int) -> None:
    """Any text, no words and half surrogates included, in any dimension."""
    rows = HashedWords(dimension).embed(given_texts)
    assert rows.shape == (len(given_texts), dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


@given(texts)
def test_a_row_depends_on_its_text_alone(given_texts: list[str]) -> None:
    """The same bits alone and in company."""
    embedder = HashedWords()
    rows = embedder.embed(given_texts)
    assert all((embedder.embed([text])[0] == row).all() for text, row in zip(given_texts, rows, strict=True))


@given(st.lists(st.sampled_from(["rotate", "token", "daily", "never", "7"]), max_size=8), st.randoms())
def test_order_and_case_of_words_do_not_matter(words: list[str], chance: object) -> None:
    """It is a bag."""
    shuffled = sorted(words, key=lambda _: chance.random())
    a, b = HashedWords().embed([" ".join(words), ", ".join(shuffled).upper()])
    assert (a == b).all()


def test_a_vector_worked_out() -> None:
    """Fixed by the hash of each word, so the same on every machine and in every process."""
    rows = HashedWords(8).embed(["deploy failed", "deploy deploy failed", ""])
    assert [[round(float(number), 4) for number in row] for row in rows] == [
        [0.0, 0.0, -0.7071, -0.7071, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, -0.4472, -0.8944, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]


def test_texts_that_share_words_are_near() -> None:
    """Nine words of ten in common are nearer than none."""
    one, twin, other = HashedWords(512).embed(
        [
            "the checkout service retries failed payments three times before it gives up",
            "the checkout service retries failed payments four times before it gives up",
            "sourdough needs a warm corner and patience",
        ]
    )
    assert one @ twin > 0.9
    assert abs(one @ other) < 0.3


def test_words_that_cancel_out_still_have_a_direction() -> None:
    """In one dimension every other word undoes the one before; the row has length 1 all the same."""
    embedder = HashedWords(1)
    words = [f"w{number}" for number in range(20)]
    signs = {word: float(embedder.embed([word])[0, 0]) for word in words}
    up = next(word for word in words if signs[word] > 0)
    down = next(word for word in words if signs[word] < 0)
    assert embedder.embed([f"{up} {down}"]).tolist() == [[1.0]]


def test_no_texts_are_no_rows() -> None:
    """An empty call has an empty answer of the right width."""
    assert HashedWords(16).embed([]).shape == (0, 16)


def test_the_failing_one_fails_always() -> None:
    """Also for nothing; the message carries no text of the caller's."""
    for given_texts in ([], ["a secret body"]):
        with pytest.raises(ModelUnavailableError, match="always fails") as caught:
            AlwaysFailing().embed(given_texts)
        assert "secret" not in caught.value.message
        assert caught.value.suggestions


def test_both_say_that_they_are_fakes() -> None:
    """Nobody takes one for a model."""
    fakes: list[Embedder] = [HashedWords(64), AlwaysFailing(32)]
    assert [fake.space for fake in fakes] == ["fake-words@64", "fake-failing@32"]
    assert [fake.describe() for fake in fakes] == [
        Identity(Space("fake-words@64"), "fake: hashed words, no model"),
        Identity(Space("fake-failing@32"), "fake: always fails"),
    ]
    assert [HashedWords().space, AlwaysFailing().space] == ["fake-words@256", "fake-failing@256"]
