"""Decay never raises confidence and never passes its floor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.decay import decayed, worth_committing

confidences = st.floats(0, 1)
on_grid = st.integers(0, 10_000).map(lambda steps: steps / 10_000)


@given(confidences)
def test_decay_never_increases(confidence: float) -> None:
    """Whatever it was, on the grid or not."""
    assert decayed(confidence) <= confidence


@given(confidences)
def test_decay_respects_its_floor(confidence: float) -> None:
    """From above, it stops at 0.2; what is at or under 0.2 is left alone, to the bit."""
    after = decayed(confidence)
    if confidence <= 0.2:
        assert after == confidence
    else:
        assert after >= 0.2 or after == confidence


@given(on_grid.filter(lambda confidence: confidence > 0.2))
def test_above_the_floor_every_night_takes_something(confidence: float) -> None:
    """At least one step, at least a tenth of the way, and no more than a step over it; on the grid."""
    after = decayed(confidence)
    steps, taken = round(confidence * 10_000) - 2_000, round((confidence - after) * 10_000)
    assert after == round(after, 4)
    assert steps / 10 <= taken < steps / 10 + 1


@given(on_grid, on_grid)
def test_decay_keeps_the_order(one: float, other: float) -> None:
    """What was more certain is never less certain after the night."""
    low, high = sorted([one, other])
    assert decayed(low) <= decayed(high)


def test_nights_worked_out() -> None:
    """1 → .92 → .848 → .7832 → .7248 (floor of .72488); and a memory nobody confirms ends at exactly 0.2."""
    nights = [1.0]
    for _ in range(4):
        nights.append(decayed(nights[-1]))
    assert nights == [1.0, 0.92, 0.848, 0.7832, 0.7248]
    for _ in range(100):
        nights.append(decayed(nights[-1]))
    assert nights[-1] == 0.2
    assert decayed(0.2001) == 0.2
    assert decayed(0.2011) == 0.2009


def test_nothing_happens_at_the_floor_and_below() -> None:
    """Not even a rounding."""
    for confidence in (0.2, 0.20004, 0.19996, 0.1999, 0.123456789, 0.0, -0.5):
        assert decayed(confidence) == confidence


def test_more_than_certain_counts_as_certain() -> None:
    """A file may say anything."""
    assert decayed(7.0) == decayed(1.0) == 0.92


@pytest.mark.parametrize(
    ("before", "after", "worth"),
    [(0.5, 0.495, True), (0.5, 0.4951, False), (0.495, 0.5, True), (0.3, 0.3, False), (1.0, 0.92, True)],
)
def test_a_change_under_half_a_hundredth_is_not_committed(before: float, after: float, *, worth: bool) -> None:
    """0.005 itself is; the direction does not matter."""
    assert worth_committing(before, after) is worth


def test_the_last_night_that_is_committed() -> None:
    """A tenth of the way from 0.25 is half a hundredth; from a step lower it is not."""
    assert worth_committing(0.25, decayed(0.25))
    assert not worth_committing(0.249, decayed(0.249))
