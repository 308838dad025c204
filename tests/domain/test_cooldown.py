"""When an open counts again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.cooldown import COOLDOWN_SECONDS, counts, threshold
from memhtml.domain.instants import of_datetime
from memhtml.domain.memory import Instant

MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds are naive here


@pytest.mark.parametrize(("seconds", "counted"), [(0, False), (899, False), (900, True), (901, True), (-1, True)])
def test_the_boundary_belongs_to_what_counts(seconds: int, counted: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """899 seconds after one that counted nothing counts, at 900 it does; nor does what is still to come keep it."""
    last = datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC)
    assert counts(of_datetime(last), of_datetime(last + timedelta(seconds=seconds))) is counted


def test_the_first_one_counts() -> None:
    """There is nothing to cool down from."""
    assert counts(None, Instant("2026-03-01T10:00:00Z"))


@given(MOMENTS, st.integers(-2000, 2000))
def test_instants_compare_as_seconds_do(last: datetime, seconds: int) -> None:
    """Text against text says what arithmetic says."""
    now = last.replace(microsecond=0) + timedelta(seconds=seconds)
    assert counts(of_datetime(last), of_datetime(now)) is (seconds >= COOLDOWN_SECONDS or seconds < 0)


def test_a_day_is_its_first_second() -> None:
    """A date alone is a moment too."""
    assert threshold(Instant("2026-03-01")) == "2026-02-28T23:45:00Z"
