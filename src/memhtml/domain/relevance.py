"""Whether anything found is an answer at all.

A rank never says "nothing", and neither does a fused score: the best of a hundred unrelated memories is first as well.
What says it is how much of the question the best hits hold, and how near they are in absolute terms.
"""

from __future__ import annotations

import math

COVERED = 0.2
"""What holding all of the question's words adds to a cosine."""

_NEAR_ENOUGH_OF_ONE = 0.15
_RISE = 0.045  # for each e-fold of memories
_NEAR_ENOUGH = 0.45

HELD_ENOUGH = 0.25
"""Bar without vectors, on `lexical_relevance`."""

_FEW = 2


def near_enough(memories: int) -> float:
    """The bar with vectors, on `relevance`, where ``memories`` are compared with the question.

    The nearest of many unrelated texts is nearer than the nearest of a few, about as the logarithm of how many they
    are: with the built-in model 95 in 100 questions about other matters stay under a cosine of 0.18 among 3 memories,
    0.25 among 30, 0.33 among 300 and 0.39 among 700. Above that the bar rises no further: real questions have their
    answer above 0.45 there.

    >>> [round(near_enough(memories), 3) for memories in (0, 1, 10, 100, 10_000)]
    [0.15, 0.15, 0.254, 0.357, 0.45]
    """
    return min(_NEAR_ENOUGH, _NEAR_ENOUGH_OF_ONE + _RISE * math.log(max(1, memories)))


def relevance(cosine: float, coverage: float) -> float:
    """How relevant a hit is, 0 to 1, from its cosine and the share of the question's words that it holds.

    >>> relevance(0.5, 1.0), relevance(-0.1, 0.0), relevance(1.0, 1.0)
    (0.7, 0.0, 1.0)
    """
    return round(min(1.0, max(0.0, cosine + COVERED * coverage)), 5)


def lexical_relevance(coverage: float, held: int, asked: int) -> float:
    """How relevant a hit is, 0 to 1, by its words alone.

    One shared word out of several says little, however rare: it counts half.

    Args:
        coverage: the share of the question's words that the hit holds, by their rarity.
        held: how many that are.
        asked: how many the question has.

    >>> lexical_relevance(0.6, 1, 3), lexical_relevance(0.6, 2, 3), lexical_relevance(1.0, 1, 1)
    (0.3, 0.6, 1.0)
    """
    alone = held < min(_FEW, asked)
    return round(min(1.0, max(0.0, coverage / 2 if alone else coverage)), 5)
