"""Where memories that are not filed yet belong: near which filed ones they lie, and in what folder those are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.sleep.corpus import Remembered
from memhtml.sleep.likeness import BLOCK, DECIMALS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR: Final = 0.6
"""Cosine above which, and not at which, two memories are neighbours."""
NEAREST: Final = 5
"""How many neighbours are asked."""
ENOUGH: Final = 3
"""How many of them must be in one folder."""

_LANGUAGE: Final = "lang"
"""Entities of this type say how a snippet is written, and nothing of what it is about."""


class Neighbor(Struct, frozen=True):
    """A filed memory that is near to one that is not.

    Attributes:
        cosine: of the two, when it is above the floor, else 0.
        shared: how many entities both name; looked at only where the cosine is not above the floor.
    """

    path: MemoryPath
    cosine: float = 0.0
    shared: int = 0

    @property
    def nearness(self) -> tuple[float, int]:
        """What is greater is nearer: any that is above the floor comes before what only shares entities."""
        return self.cosine, self.shared

    @property
    def said(self) -> str:
        """The figure that speaks for it."""
        return f"cosine {self.cosine:.{DECIMALS}f}" if self.cosine else f"entities in common: {self.shared}"


class Clear(Struct, frozen=True):
    """A place that has become clear.

    Attributes:
        folder: where the neighbours are.
        sure: how many of the nearest are there, whichever of equally near ones are counted.
        asked: how many are counted, 5 at most.
        neighbors: some that are there, nearest first, then by path.
    """

    folder: str
    sure: int
    asked: int
    neighbors: tuple[Neighbor, ...]


class Neighborhood:
    """Memories that are not filed, and the filed ones around them.

    Args:
        strangers: those that are not filed.
    """

    def __init__(self, strangers: Iterable[Remembered]) -> None:
        self._strangers = {memory.path: memory for memory in sorted(strangers, key=lambda memory: memory.path)}
        self._near: dict[MemoryPath, list[Neighbor]] = {path: [] for path in self._strangers}
        self._naming: dict[Entity, list[MemoryPath]] = {}
        self._homes: dict[MemoryPath, str] = {}

    def file(self, memories: Mapping[MemoryPath, Remembered]) -> None:
        """Let these be filed, each at the path that is its key from now on; the order does not matter."""
        newcomers = [memories[place] for place in sorted(memories)]
        self._homes.update((memories[place].path, place.rpartition("/")[0]) for place in memories)
        for memory in newcomers:
            self._near.pop(memory.path, None)
            for entity in _telling(memory):
                self._naming.setdefault(entity, []).append(memory.path)
        waiting = [self._strangers[path] for path in self._near if self._strangers[path].vector is not None]
        for path, found in _alike(waiting, [memory for memory in newcomers if memory.vector is not None]):
            self._near[path] = _nearest([*self._near[path], *found])

    def clear(self, path: MemoryPath) -> Clear | None:
        """The place of a memory that is not filed; ``None`` while at least 3 of the 5 nearest do not agree on one.

        Of equally near ones at the end of the five, those count that speak against a folder: nothing is clear that
        depends on which of them are asked.
        """
        found = self._near[path]
        if len(found) < NEAREST:
            found = _nearest([*found, *self._sharing(self._strangers[path], {one.path for one in found})])
        sure: Counter[str] = Counter()
        left = NEAREST
        for _, group in groupby(found, key=lambda one: one.nearness):
            there = Counter(self._homes[one.path] for one in group)
            others = there.total() - left
            for folder, count in there.items():
                sure[folder] += count if others <= 0 else max(0, count - others)
            left = max(0, -others)
        folder = max(sorted(sure), key=lambda each: sure[each], default="")
        if sure[folder] < ENOUGH:
            return None
        there_now = tuple(one for one in found if self._homes[one.path] == folder)
        return Clear(folder, sure[folder], NEAREST - left, there_now[:NEAREST])

    def _sharing(self, memory: Remembered, known: set[MemoryPath]) -> Iterator[Neighbor]:
        shared = Counter(path for entity in _telling(memory) for path in self._naming.get(entity, ()))
        return (Neighbor(path, shared=count) for path, count in shared.items() if path not in known)


def _telling(memory: Remembered) -> frozenset[Entity]:
    return frozenset(entity for entity in memory.row.entities if entity.type != _LANGUAGE)


def _nearest(found: Iterable[Neighbor]) -> list[Neighbor]:
    """The 5 nearest and what is as near as the fifth, nearest first, then by path."""
    ranked = sorted(found, key=lambda one: (-one.cosine, -one.shared, one.path))
    if len(ranked) <= NEAREST:
        return ranked
    last = ranked[NEAREST - 1].nearness
    return [one for one in ranked if one.nearness >= last]


def _alike(
    strangers: Sequence[Remembered], newcomers: Sequence[Remembered]
) -> Iterator[tuple[MemoryPath, list[Neighbor]]]:
    """For each stranger that has neighbours among the newcomers: the nearest of them."""
    if not strangers or not newcomers:
        return
    import numpy as np

    matrix = np.stack([memory.vector for memory in newcomers if memory.vector is not None])
    for start in range(0, len(strangers), BLOCK):
        block = strangers[start : start + BLOCK]
        rows = np.stack([memory.vector for memory in block if memory.vector is not None])
        cosines = (rows @ matrix.T).astype(np.float64).round(DECIMALS)
        for number in np.flatnonzero((cosines > FLOOR).any(axis=1)).tolist():
            yield (
                block[number].path,
                [Neighbor(newcomers[place].path, float(cosines[number, place])) for place in _best(cosines[number])],
            )


def _best(cosines: NDArray[np.float64]) -> list[int]:
    """The places of the 5 highest above the floor, and of those as high as the fifth."""
    import numpy as np

    last = np.partition(cosines, -NEAREST)[-NEAREST] if len(cosines) > NEAREST else FLOOR
    return [int(place) for place in np.flatnonzero((cosines > FLOOR) & (cosines >= last))]
