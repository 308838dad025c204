"""Relevance says whether anything found is an answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.relevance import AT_HOME, held_enough, is_at_home, lexical_relevance, near_enough, relevance

SHARES = st.floats(0, 1)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_bar_never_falls_with_more_memories(few: int, many: int) -> None:
    """Among more memories the nearest unrelated one is nearer, so the bar is as high or higher."""
    few, many = sorted((few, many))
    assert near_enough(few) <= near_enough(many)


def test_the_bar_at_some_sizes() -> None:
    """Literal: one, three, thirty, seven hundred and a hundred thousand memories."""
    assert near_enough(1) == 0.15
    assert near_enough(3) == pytest.approx(0.15 + 0.045 * math.log(3))
    assert near_enough(30) == pytest.approx(0.3031, abs=1e-4)
    assert near_enough(700) == pytest.approx(0.4448, abs=1e-4)
    assert near_enough(100_000) == 0.45


@given(st.floats(-1, 1), SHARES, SHARES)
def test_relevance_never_falls_with_more_words_held(cosine: float, less: float, more: float) -> None:
    """Holding more of the question makes nothing less relevant, and the scale is 0 to 1."""
    less, more = sorted((less, more))
    assert 0 <= relevance(cosine, less) <= relevance(cosine, more) <= 1


def test_relevance_by_both() -> None:
    """Literal: half of the words at a cosine of 0.3."""
    assert relevance(0.3, 0.5) == 0.4


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_bar_of_words_never_falls_with_more_memories(few: int, many: int) -> None:
    """Among more memories one shares a word by accident sooner."""
    few, many = sorted((few, many))
    assert 0 < held_enough(few) <= held_enough(many) <= 0.3


def test_the_bar_of_words_at_some_sizes() -> None:
    """Literal: none, one, thirty, seven hundred and a hundred thousand memories."""
    assert held_enough(0) == held_enough(1) == 0.03
    assert held_enough(30) == pytest.approx(0.1320, abs=1e-4)
    assert held_enough(700) == pytest.approx(0.2265, abs=1e-4)
    assert held_enough(100_000) == 0.3


def test_one_word_of_many_counts_less_than_half() -> None:
    """A single shared word says little; two of three count whole; a question of one word is held by it."""
    assert lexical_relevance(0.6, 1, 3) == 0.24
    assert lexical_relevance(0.6, 2, 3) == 0.6
    assert lexical_relevance(1.0, 1, 1) == 1.0


def test_a_word_that_the_store_is_about_lifts_what_holds_it() -> None:
    """By as much for a single word as for several, and never above 1."""
    assert lexical_relevance(0.05, 1, 3, at_home=True) == pytest.approx(0.4 * 0.05 + AT_HOME)
    assert lexical_relevance(0.05, 2, 3, at_home=True) == pytest.approx(0.05 + AT_HOME)
    assert lexical_relevance(1.0, 3, 3, at_home=True) == 1.0


@given(SHARES, SHARES, st.integers(0, 9), st.integers(1, 9), st.booleans())
def test_lexical_relevance_is_a_share_that_grows_with_what_is_held(
    less: float,
    more: float,
    held: int,
    asked: int,
    at_home: bool,  # noqa: FBT001 - drawn
) -> None:
    """More of the question, no less relevance; 0 to 1."""
    less, more = sorted((less, more))
    low, high = (lexical_relevance(covered, held, asked, at_home=at_home) for covered in (less, more))
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize(
    ("held_by", "memories", "at_home"),
    [(31, 300, True), (30, 300, False), (3, 29, True), (2, 3, False), (3, 3, True), (0, 0, False)],
)
def test_more_than_a_tenth_of_the_memories_and_two_of_them_are_a_home(
    held_by: int, memories: int, *, at_home: bool
) -> None:
    """In a handful of memories every word is held by a tenth of them."""
    assert is_at_home(held_by, memories) is at_home


def test_nothing_held_is_not_relevant() -> None:
    """No words, no relevance."""
    assert lexical_relevance(0.0, 0, 5) == 0.0


def test_relevance_has_five_decimals_and_no_more_than_all() -> None:
    """So that sums of floats that differ in their last digits are equal."""
    assert relevance(1 / 3, 0.0) == 0.33333
    assert lexical_relevance(2 / 3, 2, 3) == 0.66667
    assert lexical_relevance(1.00002, 3, 3) == relevance(1.00002, 0.0) == 1.0
    assert lexical_relevance(-0.00002, 3, 3) == relevance(-0.00002, 0.0) == 0.0
