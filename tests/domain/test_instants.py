"""Dates and instants: what is read, what is written, how they compare."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.instants import compact_day, days_between, hours_between, is_empty_window, normalised, of_datetime
from memhtml.domain.memory import Instant

MOMENTS = st.datetimes(timezones=st.just(UTC))


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-07-28", "2026-07-28"),
        ("2024-02-29", "2024-02-29"),
        ("0001-01-01", "0001-01-01"),
        ("9999-12-31", "9999-12-31"),
        ("2026-07-28T10:11:12Z", "2026-07-28T10:11:12Z"),
        ("2026-07-28 10:11:12Z", "2026-07-28T10:11:12Z"),
        ("2026-07-28T10:11", "2026-07-28T10:11:00Z"),
        ("2026-07-28T10:11Z", "2026-07-28T10:11:00Z"),
        ("2026-07-28T10:11:12", "2026-07-28T10:11:12Z"),
        ("2026-07-28T10:11:12.9", "2026-07-28T10:11:12Z"),
        ("2026-07-28T10:11:12.123456789012Z", "2026-07-28T10:11:12Z"),
        ("2026-07-28T00:30:00+01:00", "2026-07-27T23:30:00Z"),
        ("2026-12-31 23:30-00:30", "2027-01-01T00:00:00Z"),
        ("2026-07-28T10:00:00-00:00", "2026-07-28T10:00:00Z"),
        ("2026-07-28T23:59:59+23:59", "2026-07-28T00:00:59Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ],
)
def test_what_is_read_becomes_one_of_two_forms(text: str, instant: str) -> None:
    """In UTC, fractions cut off, a time without a zone taken as UTC."""
    assert normalised(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "2026-07",
        "2026-8-9",
        "2026-13-45",
        "2026-02-30",
        "2025-02-29",
        "0000-01-01",
        "Aug 9",
        "20260728",
        "2026-W31-1",
        "26-07-28",
        "12026-07-28",
        " 2026-07-28",
        "2026-07-28 ",
        "2026-07-28\n",
        "2026-07-28T",
        "2026-07-28T10",
        "2026-07-28T1:00",
        "2026-07-28T24:00",
        "2026-07-28T10:60",
        "2026-07-28T10:00:60",
        "2026-07-28T10:00:00.",
        "2026-07-28T10:00:00,5",
        "2026-07-28T10:00.5",
        "2026-07-28t10:00:00Z",
        "2026-07-28T10:00:00z",
        "2026-07-28  10:00",
        "2026-07-28T10:00:00 Z",
        "2026-07-28T10:00:00+1:00",
        "2026-07-28T10:00:00+0100",
        "2026-07-28T10:00:00+01",
        "2026-07-28T10:00:00+24:00",
        "2026-07-28T10:00:00+01:60",
        "2026-07-28T10:00:00ZZ",
        "2026-07-28Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "\u0662\u0660\u0662\u0666-07-28",
        "2026\u201107\u201128",
    ],
    ids=ascii,
)
def test_what_is_outside_the_grammar_is_nothing(text: str) -> None:
    """No guess, no rounding, no other digits, and never an exception."""
    assert normalised(text) is None


@given(MOMENTS, st.sampled_from("T "), st.integers(-1439, 1439), st.integers(0, 999_999))
def test_a_moment_has_one_form_in_every_zone(moment: datetime, separator: str, minutes: int, micro: int) -> None:
    """Written with any offset and fraction it comes back as itself, in whole seconds."""
    zone = timezone(timedelta(minutes=minutes))
    try:
        local = moment.astimezone(zone)
    except OverflowError:
        return
    clock = local.replace(tzinfo=None, microsecond=0).isoformat(sep=separator)
    sign = "-" if minutes < 0 else "+"
    text = f"{clock}.{micro}{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    assert normalised(text) == of_datetime(moment)


@given(st.text(st.sampled_from("0123456789-:TZ+. "), max_size=30))
def test_what_comes_out_comes_out_again(text: str) -> None:
    """A normalised instant is its own normalised form, whatever was read."""
    instant = normalised(text)
    assert instant is None or normalised(instant) == instant


@given(MOMENTS, MOMENTS)
def test_text_order_is_time_order(one: datetime, other: datetime) -> None:
    """Instants are compared as strings, everywhere."""
    first, second = of_datetime(one), of_datetime(other)
    assert (first < second) == (one.replace(microsecond=0) < other.replace(microsecond=0))


def test_a_date_comes_before_every_instant_of_its_day() -> None:
    """A date sorts as the beginning of its day."""
    assert Instant("2026-07-27T23:59:59Z") < Instant("2026-07-28") < Instant("2026-07-28T00:00:00Z")


def test_a_datetime_without_a_zone_is_refused() -> None:
    """Nobody knows when it is."""
    with pytest.raises(ValueError, match=r"^a datetime without a time zone is no instant$"):
        of_datetime(datetime(2026, 7, 28, 10))  # noqa: DTZ001 - the mistake under test


def test_the_zone_of_the_machine_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """An instant is UTC in Tokyo too."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no way to change its zone")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert of_datetime(datetime(2026, 7, 28, 10, tzinfo=UTC)) == "2026-07-28T10:00:00Z"
        assert normalised("2026-07-28 10:00") == "2026-07-28T10:00:00Z"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_day_in_a_file_name() -> None:
    """Of a date and of an instant alike."""
    assert compact_day(Instant("2026-07-28")) == "20260728"
    assert compact_day(Instant("0031-01-02T03:04:05Z")) == "00310102"


@pytest.mark.parametrize(
    ("start", "end", "empty"),
    [
        ("2026-05-01", "2026-05-01", True),
        ("2026-05-01", "2026-05-01T00:00:00Z", True),
        ("2026-05-01T00:00:00Z", "2026-05-01", True),
        ("2026-05-01", "2026-05-01T00:00:01Z", False),
        ("2026-05-01T00:00:01Z", "2026-05-01", True),
        ("2026-05-01T23:59:59Z", "2026-05-02", False),
        ("2026-05-02", "2026-05-01", True),
        (None, "2026-05-01", False),
        ("2026-05-01", None, False),
        (None, None, False),
    ],
)
def test_a_window_is_empty_when_its_end_is_not_after_its_start(
    start: str | None, end: str | None, *, empty: bool
) -> None:
    """A date is the first second of its day, in whichever form the two are written; an open side is never empty."""
    first, last = (None if each is None else Instant(each) for each in (start, end))
    assert is_empty_window(first, last) is empty


@pytest.mark.parametrize(
    ("then", "days"),
    [
        ("2026-07-28", 0.0),
        ("2026-07-28T00:00:00Z", 0.0),
        ("2026-07-27T12:00:00Z", 0.5),
        ("2025-07-28", 365.0),
        ("2026-08-01", -4.0),
    ],
)
def test_what_lies_between_is_counted_from_instants_and_dates(then: str, days: float) -> None:
    """A date is the first second of its day; what is yet to come is less than nothing."""
    now = Instant("2026-07-28T00:00:00Z")
    assert days_between(Instant(then), now) == days
    assert hours_between(Instant(then), now) == 24 * days
