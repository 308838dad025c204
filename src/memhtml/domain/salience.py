"""How much a memory has been used lately, and to what end."""

from __future__ import annotations

from math import exp, log1p

_DECAY_AN_HOUR = 0.01


def salience(hours_since_open: float | None, opens: int, outcome: float) -> float:
    """``exp(-0.01 * hours since the last open) + ln(1 + opens) + max(0, outcome)``; higher is more salient.

    A memory that was never opened has no first term. An open in the future, by a clock that went back, counts as now.

    >>> salience(None, 0, -0.5), round(salience(0.0, 1, 0.3), 4)
    (0.0, 1.9931)
    """
    recent = 0.0 if hours_since_open is None else exp(-_DECAY_AN_HOUR * max(0.0, hours_since_open))
    return recent + log1p(opens) + max(0.0, outcome)
