"""One place for memories that say the same thing in the same words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

SHARE = 0.5
"""How much being relevant counts against being new: lambda of maximal marginal relevance."""

_K = 60

T = TypeVar("T")


def diversify(
    ranking: Sequence[T], likeness: Callable[[T, T], float], limit: int, share: float = SHARE
) -> tuple[T, ...]:
    """Pick ``limit`` of ``ranking`` by maximal marginal relevance (Carbonell and Goldstein, 1998).

    The next one picked is the one with the most of ``share`` · relevance - ``1 - share`` · likeness to what was
    picked before; relevance falls with the rank as in rank fusion, equal ones go by rank. What is picked comes back in
    the order of ``ranking``, of which it is a subsequence, so diversity never puts the worse of two above the better.

    Args:
        ranking: best first, no repeats.
        likeness: of two members, 0.0 to 1.0, symmetric; 1.0 says that the second adds nothing.
        limit: how many at most.
        share: lambda, 0.0 to 1.0.

    >>> diversify(["a", "A", "b"], lambda x, y: float(x.lower() == y.lower()), 2)
    ('a', 'b')

    Raises:
        ValueError: ``share`` lies outside 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is a part of the whole, not {share}")
    left = list(range(len(ranking)))
    if len(left) <= limit:
        return tuple(ranking)
    nearest = [0.0] * len(ranking)
    picked: list[int] = []
    while left and len(picked) < limit:
        best = max(left, key=lambda place: (share * _K / (_K + place) - (1 - share) * nearest[place], -place))
        left.remove(best)
        picked.append(best)
        for place in left:
            nearest[place] = max(nearest[place], likeness(ranking[best], ranking[place]))
    return tuple(ranking[place] for place in sorted(picked))
