"""Stretches of text change, and what then reads as no sentence is told."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.evals.grammar.sentence import article, lowered, placed, reads_as_sentence, replaced


@pytest.mark.parametrize(
    "text",
    [
        "The worker does not retry.",
        "No deploys run on Fridays",
        "It isn't kept (yet).",
        "Use `a b` always, never twice.",
    ],
)
def test_sentences_read_as_sentences(text: str) -> None:
    """Denials, brackets and code are no faults."""
    assert reads_as_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Not so.",
        "It does not not wait.",
        "The the worker waits.",
        "It does is kept.",
        "The does import of it waits.",
        "It never always never waits.",
        "It can is kept.",
        "It will wait without.",
        "It is kept (at night.",
        "The worker always always waits.",
        "Use `a b always.",
    ],
)
def test_broken_ones_do_not(text: str) -> None:
    """Too short, said twice, words that cannot meet, cut off, or open at the end."""
    assert not reads_as_sentence(text)


@pytest.mark.parametrize(
    ("text", "place", "new", "made"),
    [
        ("Never retry it.", (0, 5), "", "Retry it."),
        ("Use it.", (0, 3), "do not use", "Do not use it."),
        ("It never waits.", (3, 8), "", "It waits."),
        ("It never waits.", (3, 8), "always", "It always waits."),
    ],
)
def test_a_stretch_is_replaced(text: str, place: tuple[int, int], new: str, made: str) -> None:
    """The capital of the start stays at the start, and no second space is left."""
    assert replaced(text, *place, new) == made


def test_articles_go_by_sound() -> None:
    """Not by the letter."""
    heard = {word: article(word) for word in ("owner", "user", "hour", "SQL", "URL", "8-core", "one-off", "`id`", "")}
    assert heard == {
        "owner": "an",
        "user": "a",
        "hour": "an",
        "SQL": "an",
        "URL": "a",
        "8-core": "an",
        "one-off": "a",
        "`id`": "an",
        "": "a",
    }


def test_a_capital_of_the_start_is_taken_away() -> None:
    """Names that show that they are names keep theirs."""
    assert [lowered(word) for word in ("Use", "A", "I", "API", "GitHub", "use")] == [
        "use",
        "a",
        "I",
        "API",
        "GitHub",
        "use",
    ]


@given(st.text(alphabet="ab. \n!A", max_size=40))
def test_sentences_are_where_they_are_said_to_be(text: str) -> None:
    """In order, without overlap."""
    found = list(placed(text))
    assert all(text[place : place + len(sentence)] == sentence for place, sentence in found)
    assert all(one[0] + len(one[1]) <= other[0] for one, other in pairwise(found))
