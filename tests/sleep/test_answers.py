"""What is taken of an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from memhtml.sleep.answers import LONGEST_QUOTE, Quote, is_sure, line, prose, standing
from memhtml.sleep.mind import Heard, Offer


class Nothing(Struct, frozen=True):
    """An answer."""


HEARD = Heard(
    Nothing(), {"m1": Offer("areas/a.html", "Drain the  queue\nbefore a deploy."), "m2": Offer("b", "x" * 700)}
)


@pytest.mark.parametrize("text", ["", " \n", "x" * 11, "a\0b", "a\x1b[1m", "a\u202eb", "\ud800", "a\ue000b"])
def test_no_line_is_made_of_what_no_text_holds(text: str) -> None:
    """Blank, too long, controls, marks that turn the direction round, halves of characters, private ones."""
    assert line(text, 10) is None
    assert prose(text, 10) is None


@pytest.mark.parametrize("text", ["Größe", "日本語", "می\u200cشود", "x" * 10, "🙂"])
def test_a_line_in_any_script_is_one(text: str) -> None:
    """Joiners too, where a script is written with them."""
    assert line(f" {text}\n", 10) == text


def test_prose_keeps_its_paragraphs() -> None:
    """And the size counts them together."""
    assert prose("One.\n\n \n\nTwo\nlines.", 16) == "One.\n\nTwo lines."
    assert prose("One.\n\nTwo\nlines.", 15) is None


@given(st.text(), st.integers(1, 50))
def test_a_line_is_visible_within_its_length_and_stays(text: str, most: int) -> None:
    """What is taken once is taken again as it is."""
    found = line(text, most)
    if found is not None:
        assert 0 < len(found) <= most
        assert line(found, most) == found


@pytest.mark.parametrize(
    ("confidence", "sure"), [(0.7, True), (1, True), (0.6999, False), (1.0001, False), (-1, False)]
)
def test_sure_is_from_seven_tenths_to_one(confidence: float, *, sure: bool) -> None:
    """Boundaries included."""
    assert is_sure(confidence) is sure
    assert not is_sure(float("nan"))
    assert not is_sure(float("inf"))


def test_quotes_that_stand_come_back_collapsed_and_once() -> None:
    """In their order."""
    quotes = [
        Quote("m1", "queue before  a\ndeploy"),
        Quote("m1", "Drain the queue"),
        Quote("m1", "queue before a deploy"),
    ]
    assert standing(HEARD, quotes) == (Quote("m1", "queue before a deploy"), Quote("m1", "Drain the queue"))
    assert standing(HEARD, []) == ()


@pytest.mark.parametrize(
    "quote",
    [Quote("m1", "Fill the queue"), Quote("m3", "Drain the queue"), Quote("m1", "deploy."), Quote("m2", "x" * 601)],
)
def test_one_quote_that_stands_nowhere_spoils_all(quote: Quote) -> None:
    """Other words, another key, too short, too long."""
    assert standing(HEARD, [Quote("m1", "Drain the queue"), quote]) is None
    assert standing(HEARD, [quote, Quote("m1", "Drain the queue")]) is None


def test_a_quote_may_be_as_long_as_it_may_be() -> None:
    """And no more of them than there may be."""
    assert standing(HEARD, [Quote("m2", "x" * LONGEST_QUOTE)]) is not None
    assert standing(HEARD, [Quote("m1", "Drain the queue")] * 2, most=1) is None
