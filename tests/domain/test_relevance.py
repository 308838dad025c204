"""Relevance says whether anything found is an answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.relevance import lexical_relevance, near_enough, relevance

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


def test_one_word_of_many_counts_half() -> None:
    """A single shared word says little; two of three count whole; a question of one word is held by it."""
    assert lexical_relevance(0.6, 1, 3) == 0.3
    assert lexical_relevance(0.6, 2, 3) == 0.6
    assert lexical_relevance(1.0, 1, 1) == 1.0


def test_nothing_held_is_not_relevant() -> None:
    """No words, no relevance."""
    assert lexical_relevance(0.0, 0, 5) == 0.0
