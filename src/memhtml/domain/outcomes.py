"""How well it went after a memory was used, as a score that moves. The SQL is held to say the same."""

from __future__ import annotations

OUTCOME_GRID = 10_000
"""Scores are kept as whole ten-thousandths, so that no machine rounds them otherwise."""

_WEIGHT_TENTHS = 3  # alpha 0.3
_TENTHS = 10


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
