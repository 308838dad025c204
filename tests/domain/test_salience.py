"""How much a memory has been used lately."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.salience import salience

HOURS = st.floats(0, 1e6)
OPENS = st.integers(0, 10**6)
OUTCOMES = st.floats(-1, 1)


def test_a_worked_example() -> None:
    """100 hours ago, 3 opens, an outcome of 0.5: e^-1 + ln 4 + 0.5."""
    assert salience(100.0, 3, 0.5) == pytest.approx(0.36787944 + log(4) + 0.5)


def test_what_was_never_opened_has_only_its_outcome() -> None:
    """And a bad outcome is no less than none."""
    assert salience(None, 0, -1.0) == 0.0
    assert salience(None, 0, 0.25) == 0.25


@given(HOURS, HOURS, OPENS, OUTCOMES)
def test_longer_ago_is_never_more(one: float, other: float, opens: int, outcome: float) -> None:
    """All else equal."""
    early, late = sorted((one, other))
    assert salience(late, opens, outcome) <= salience(early, opens, outcome)


@given(HOURS, OPENS, OUTCOMES)
def test_more_opens_are_more(hours: float, opens: int, outcome: float) -> None:
    """All else equal."""
    assert salience(hours, opens + 1, outcome) > salience(hours, opens, outcome)


def test_an_open_in_the_future_counts_as_now() -> None:
    """A clock that went back makes nothing more salient than just opened."""
    assert salience(-5.0, 1, 0.0) == salience(0.0, 1, 0.0) == 1.0 + log(2)
    assert salience(1.0, 1, 0.0) < salience(0.5, 1, 0.0) < 1.0 + log(2)
