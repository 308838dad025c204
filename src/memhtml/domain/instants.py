"""Dates and instants as text: one grammar for reading, two forms for writing, order by comparing strings."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

from memhtml.domain.memory import Instant

_GRAMMAR = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.[0-9]+)?)?"
    r"(?P<zone>Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?)?",
)

GRAMMAR_HELP = "write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"


def normalised(text: str) -> Instant | None:
    """The form of ``text`` that is stored and compared, or ``None`` when it is outside the grammar.

    Read are ``YYYY-MM-DD`` and, after ``T`` or one space, ``hh:mm`` or ``hh:mm:ss``, fractions of a second (cut off)
    and ``Z`` or ``±hh:mm``. A time without a zone is UTC. Years run from 0001 to 9999, also after the shift to UTC.

    >>> normalised("2026-07-28"), normalised("2026-07-28 01:30+02:00")
    ('2026-07-28', '2026-07-27T23:30:00Z')
    >>> normalised("2026-8-9") is None, normalised("2026-13-45") is None, normalised("Aug 9") is None
    (True, True, True)
    """
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        return None
    try:
        day = date.fromisoformat(match["date"])
        if match["hour"] is None:
            return Instant(match["date"])
        moment = datetime(
            day.year,
            day.month,
            day.day,
            int(match["hour"]),
            int(match["minute"]),
            int(match["second"] or 0),
            tzinfo=_zone(match["zone"]),
        )
        return of_datetime(moment)
    except (ValueError, OverflowError):
        # No such day or hour, or a shift to UTC that leaves the years that can be written.
        return None


def of_datetime(moment: datetime) -> Instant:
    """The instant of an aware datetime, in UTC, whole seconds, cut off.

    >>> of_datetime(datetime(2026, 7, 28, 10, 0, 0, 999999, tzinfo=UTC))
    '2026-07-28T10:00:00Z'

    Raises:
        ValueError: ``moment`` has no time zone.
        OverflowError: the year in UTC is before 1 or after 9999.
    """
    if moment.tzinfo is None:
        raise ValueError("a datetime without a time zone is no instant")
    utc = moment.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    return Instant(f"{utc.isoformat()}Z")


def is_empty_window(start: Instant | None, end: Instant | None) -> bool:
    """Whether nothing lies at or after ``start`` and before ``end``; a side that is not given is open.

    A date is the first second of its day, so that the two forms of one moment have nothing between them.

    >>> is_empty_window(Instant("2026-05-01"), Instant("2026-05-01")), is_empty_window(None, Instant("2026-05-01"))
    (True, False)
    """
    return start is not None and end is not None and as_datetime(end) <= as_datetime(start)


def compact_day(instant: Instant) -> str:
    """The day of a normalised ``instant`` as ``YYYYMMDD``, for file names.

    >>> compact_day(Instant("2026-07-28T23:59:59Z"))
    '20260728'
    """
    return instant[:10].replace("-", "")


def days_later(instant: Instant, days: int) -> Instant:
    """The instant that many days after ``instant``, or before it; held to the years that can be written.

    >>> days_later(Instant("2026-02-28T10:00:00Z"), 1), days_later(Instant("2026-03-01"), -1)
    ('2026-03-01T10:00:00Z', '2026-02-28T00:00:00Z')
    """
    try:
        return of_datetime(as_datetime(instant) + timedelta(days=days))
    except OverflowError:
        return Instant("0001-01-01T00:00:00Z") if days < 0 else Instant("9999-12-31T23:59:59Z")


def hours_between(start: Instant, end: Instant) -> float:
    """Hours from ``start`` to ``end``, negative when it is before it.

    >>> hours_between(Instant("2026-03-01"), Instant("2026-03-02T12:00:00Z"))
    36.0
    """
    return (as_datetime(end) - as_datetime(start)) / timedelta(hours=1)


def days_between(start: Instant, end: Instant) -> float:
    """Days from ``start`` to ``end``, negative when it is before it.

    >>> days_between(Instant("2026-07-26"), Instant("2026-07-28T12:00:00Z"))
    2.5
    """
    return (as_datetime(end) - as_datetime(start)) / timedelta(days=1)


def as_datetime(instant: Instant) -> datetime:
    """A normalised ``instant`` as a datetime in UTC; a date is the first second of its day.

    >>> as_datetime(Instant("2026-07-28"))
    datetime.datetime(2026, 7, 28, 0, 0, tzinfo=datetime.timezone.utc)
    """
    return datetime.fromisoformat(instant).replace(tzinfo=UTC)


def _zone(text: str | None) -> timezone:
    """The zone of ``Z``, ``±hh:mm`` or nothing."""
    if text is None or text == "Z":
        return UTC
    offset = timedelta(hours=int(text[1:3]), minutes=int(text[4:]))
    return timezone(-offset if text[0] == "-" else offset)
