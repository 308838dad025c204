"""How the confidence in a memory that nobody confirms wears off."""

from __future__ import annotations

from typing import Final

GRID: Final = 10_000
"""Steps between 0 and 1; whole numbers, so that a night gives the same on every machine."""

FLOOR: Final = 2_000
"""0.2: doubt, not disbelief. Only a person or a contradiction takes a memory lower."""

SMALLEST_CHANGE: Final = 50
"""0.005: a smaller change is not worth a commit."""


def decayed(confidence: float) -> float:
    """Confidence after one night: a tenth of the way to 0.2, rounded down to the grid.

    Never higher than before; at or below 0.2 it stays what it is. Above 1 counts as 1.

    >>> decayed(1.0), decayed(0.92), decayed(0.2), decayed(0.05)
    (0.92, 0.848, 0.2, 0.05)
    """
    above = min(GRID, round(confidence * GRID)) - FLOOR
    return confidence if above <= 0 else (FLOOR + above * 9 // 10) / GRID


def worth_committing(before: float, after: float) -> bool:
    """Whether a change of confidence is at least 0.005, either way.

    >>> worth_committing(0.25, 0.245), worth_committing(0.249, 0.2441)
    (True, False)
    """
    return abs(round(before * GRID) - round(after * GRID)) >= SMALLEST_CHANGE
