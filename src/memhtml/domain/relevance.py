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

AT_HOME = 0.1
"""What holding a word that many of the memories hold adds to the share of words held."""

_HELD_ENOUGH_OF_ONE = 0.03
_HELD_RISE = 0.03  # for each e-fold of memories
_HELD_ENOUGH = 0.3

_FEW = 2
_ALONE = 0.4  # what one shared word out of several counts
_HOMES = 10  # a word of more than one memory in so many tells what the store is about
_FEWEST_HOMES = 2


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


def held_enough(memories: int) -> float:
    """The bar without vectors, on `lexical_relevance`, where ``memories`` are looked at.

    It rises as that on cosines does, and for the same reason: 95 in 100 questions about other matters find no more than
    0.07 of their words in any of 10 memories, 0.1 in any of 30, 0.15 in any of 300 and 0.2 in any of 1,000.

    >>> [round(held_enough(memories), 3) for memories in (0, 1, 30, 1000, 100_000)]
    [0.03, 0.03, 0.132, 0.237, 0.3]
    """
    return min(_HELD_ENOUGH, _HELD_ENOUGH_OF_ONE + _HELD_RISE * math.log(max(1, memories)))


def is_at_home(held_by: int, memories: int) -> bool:
    """Whether a word that ``held_by`` of ``memories`` hold is one of those that they are about.

    A question about other matters may share a rare word with some memory by accident; it hardly names the project or
    the person that memory after memory speaks of.

    >>> is_at_home(31, 300), is_at_home(30, 300), is_at_home(2, 3)
    (True, False, False)
    """
    return held_by > max(_FEWEST_HOMES, memories // _HOMES)


def lexical_relevance(coverage: float, held: int, asked: int, *, at_home: bool = False) -> float:
    """How relevant a hit is, 0 to 1, by its words alone.

    One shared word out of several says little, however rare, and counts less than half.

    Args:
        coverage: the share of the question's words that the hit holds, by their rarity.
        held: how many that are.
        asked: how many the question has.
        at_home: whether one of them is a word that the memories are about, which its rarity counts for little.

    >>> lexical_relevance(0.5, 1, 3), lexical_relevance(0.6, 2, 3), lexical_relevance(1.0, 1, 1)
    (0.2, 0.6, 1.0)
    >>> lexical_relevance(0.5, 1, 3, at_home=True)
    0.3
    """
    alone = held < min(_FEW, asked)
    return round(min(1.0, max(0.0, _ALONE * coverage if alone else coverage) + AT_HOME * at_home), 5)
