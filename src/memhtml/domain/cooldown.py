"""When an open or a reinforcement counts, and how an outcome moves a score. The SQL is held to say the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memhtml.domain.instants import of_datetime
from memhtml.domain.memory import Instant

COOLDOWN_SECONDS = 900
"""For so long after one that counted, another open (or reinforcement) of the same path does not count."""

OUTCOME_GRID = 10_000
"""Scores are kept as whole ten-thousandths, so that no machine rounds them otherwise."""

_WEIGHT_TENTHS = 3  # alpha 0.3
_TENTHS = 10


def counts(last: Instant | None, now: Instant) -> bool:
    """Whether something done ``now`` counts, when it ``last`` counted then; a clock that went back counts nothing.

    >>> counts(Instant("2026-03-01T10:00:00Z"), Instant("2026-03-01T10:14:59Z"))
    False
    >>> counts(Instant("2026-03-01T10:00:00Z"), Instant("2026-03-01T10:15:00Z")), counts(None, Instant("2026-03-01"))
    (True, True)
    """
    return last is None or last <= threshold(now)


def threshold(now: Instant) -> Instant:
    """The latest instant whose cool-down is over ``now``; instants compare as text.

    >>> threshold(Instant("2026-03-01T00:00:00Z"))
    '2026-02-28T23:45:00Z'
    """
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    return of_datetime(moment - timedelta(seconds=COOLDOWN_SECONDS))


def moved_outcome(score: int, outcome: int) -> int:
    """The exponentially weighted mean of ``score`` and a new ``outcome``, both in ten-thousandths, rounded down.

    >>> moved_outcome(0, 10_000), moved_outcome(3000, -10_000), moved_outcome(-1, 0)
    (3000, -900, -1)
    """
    return (_WEIGHT_TENTHS * outcome + (_TENTHS - _WEIGHT_TENTHS) * score) // _TENTHS


def on_grid(outcome: float) -> int:
    """``outcome`` in ten-thousandths, rounded down.

    >>> on_grid(0.5), on_grid(-1.0)
    (5000, -10000)

    Raises:
        ValueError: it is outside -1 to 1, or no number.
    """
    if not -1.0 <= outcome <= 1.0:
        raise ValueError(f"an outcome is from -1 to 1, not {outcome}")
    # A double such as 0.29 lies a hair below its decimal: half a millionth of the grid brings it back.
    return int((outcome * OUTCOME_GRID + 1e-6) // 1)
