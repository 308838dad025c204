"""Forms of one word are told from words that merely look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.inflection import roots, same_word

words = st.text("adeginorstuy", min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("retry", "retries"), ("retried", "retrying"), ("box", "boxes"), ("cache", "caches"), ("stop", "stopped"),
        ("run", "running"), ("rotate", "rotation"), ("rotated", "rotating"), ("deploy", "deployment"),
        ("deploys", "deployments"), ("configuration", "configurations"), ("quick", "quickly"), ("host", "hosts"),
        ("migrate", "migrations"), ("keys", "key"), ("agree", "agreed"), ("echoes", "echo"),
        ("tax", "taxes"), ("dish", "dishes"), ("branch", "branches"), ("class", "classes"), ("waltz", "waltzes"),
        ("add", "adding"), ("use", "used"), ("try", "trying"), ("get", "getting"), ("skim", "skimming"),
    ],
)  # fmt: skip
def test_forms_of_one_word_are_the_same(first: str, second: str) -> None:
    """Number, tense, and what makes a noun or an adverb of it."""
    assert same_word(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("import", "important"), ("intern", "internal"), ("plan", "plane"), ("work", "worker"), ("own", "owner"),
        ("general", "generate"), ("universe", "university"), ("class", "clas"), ("bus", "bu"), ("this", "thi"),
        ("sing", "s"), ("ring", "r"), ("red", "r"), ("by", "b"), ("café", "cafés"), ("past", "paste"),
        ("bring", "bre"), ("planting", "plan"), ("seeing", "se"), ("focus", "focu"), ("basis", "basi"),
    ],
)  # fmt: skip
def test_other_words_are_others(first: str, second: str) -> None:
    """Even where a stemmer joins them."""
    assert not same_word(first, second)


@given(words, words)
def test_it_is_symmetric(first: str, second: str) -> None:
    """And every word is its own root."""
    assert same_word(first, second) == same_word(second, first)
    assert same_word(first, first)
    assert first in roots(first) or len(first) < 2


def test_a_single_letter_has_no_roots() -> None:
    """It is the same as itself all the same."""
    assert roots("a") == frozenset()
    assert same_word("a", "a")


@pytest.mark.parametrize(
    ("word", "of"),
    [
        ("rotations", {"rotations", "rotation", "rotat", "rotate", "rot", "rote"}),
        ("stopped", {"stopped", "stopp", "stoppe", "stop"}),
        ("boxes", {"boxes", "boxe", "box"}),
        ("cares", {"cares", "care"}),
        ("eed", {"eed"}),
    ],
)
def test_a_word_has_these_roots_and_no_others(word: str, of: set[str]) -> None:
    """Worked: two endings, one of two consonants, an e or none before an s, and an ending that would leave a letter."""
    assert roots(word) == of
