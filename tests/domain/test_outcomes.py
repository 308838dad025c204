"""How a score moves."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.outcomes import OUTCOME_GRID, moved_outcome, on_grid

SCORES = st.integers(-OUTCOME_GRID, OUTCOME_GRID)


@given(SCORES, SCORES)
def test_a_score_moves_three_tenths_of_the_way_rounded_down(score: int, outcome: int) -> None:
    """The exact mean, and never more than a grid step above the floor."""
    exact = Decimal(3 * outcome + 7 * score) / 10
    assert moved_outcome(score, outcome) == int(exact.to_integral_value(rounding="ROUND_FLOOR"))
    assert min(score, outcome) - 1 <= moved_outcome(score, outcome) <= max(score, outcome)


@pytest.mark.parametrize(
    ("score", "outcome", "moved"), [(0, 10_000, 3000), (3000, 10_000, 5100), (0, -1, -1), (-1, -1, -1), (5, 0, 3)]
)
def test_worked_examples(score: int, outcome: int, moved: int) -> None:
    """Rounding goes down, below zero too."""
    assert moved_outcome(score, outcome) == moved


@given(SCORES)
def test_a_score_on_the_grid_stays_on_it(score: int) -> None:
    """Through a float and back."""
    assert on_grid(score / OUTCOME_GRID) == score


@pytest.mark.parametrize(("outcome", "grid"), [(0.29, 2900), (0.00019, 1), (-0.00001, -1), (1.0, 10_000)])
def test_an_outcome_is_rounded_down_to_the_grid(outcome: float, grid: int) -> None:
    """0.29 as a double is a hair below its decimal, and still 2900."""
    assert on_grid(outcome) == grid


@pytest.mark.parametrize("outcome", [1.0001, -2.0, float("nan"), float("inf")])
def test_what_is_no_outcome_is_refused(outcome: float) -> None:
    """From -1 to 1, and a number."""
    with pytest.raises(ValueError, match="from -1 to 1"):
        on_grid(outcome)
