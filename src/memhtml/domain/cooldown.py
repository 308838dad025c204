"""When an open or a reinforcement counts. The SQL is held to say the same."""

from __future__ import annotations

from datetime import timedelta

from memhtml.domain.instants import as_datetime, of_datetime
from memhtml.domain.memory import Instant

COOLDOWN_SECONDS = 900
"""For so long after one that counted, another open (or reinforcement) of the same path does not count."""


def counts(last: Instant | None, now: Instant) -> bool:
    """Whether something done ``now`` counts, when it ``last`` counted then.

    A ``last`` that is still to come is no cool-down: one clock that ran ahead once would keep a memory from being
    counted until then.

    >>> counts(Instant("2026-03-01T10:00:00Z"), Instant("2026-03-01T10:14:59Z"))
    False
    >>> counts(Instant("2026-03-01T10:00:00Z"), Instant("2026-03-01T10:15:00Z")), counts(None, Instant("2026-03-01"))
    (True, True)
    """
    return last is None or last <= threshold(now) or last > now


def threshold(now: Instant) -> Instant:
    """The latest instant whose cool-down is over ``now``; instants compare as text.

    >>> threshold(Instant("2026-03-01T00:00:00Z"))
    '2026-02-28T23:45:00Z'
    """
    return of_datetime(as_datetime(now) - timedelta(seconds=COOLDOWN_SECONDS))
