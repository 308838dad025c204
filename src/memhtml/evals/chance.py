"""Chance that is the same everywhere: numbers from a seed, by arithmetic alone.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Python's
own promises the same floats from version to version, but not the same choices and shuffles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Chance:
    """A stream of choices. The same seed gives the same ones on every machine and version of Python."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 up to, and without, ``bound``, which must be above 0."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        # The bias of the remainder is below 2**-50 for any list that is held in memory.
        return (mixed ^ (mixed >> 31)) % bound

    def pick(self, given: Sequence[T]) -> T:
        """One of ``given``, which must not be empty."""
        return given[self.below(len(given))]

    def shuffled(self, given: Sequence[T]) -> list[T]:
        """All of ``given`` in another order (Fisher and Yates)."""
        mixed = list(given)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
