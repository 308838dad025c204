"""Which memories are alike: pairs over a floor, found a block of rows at a time, and the groups that they form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from memhtml.domain.memory import MemoryPath
from memhtml.sleep.corpus import Remembered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK: Final = 256
"""Rows that are held against all others at once: 5 MB of cosines for 5,000 memories, in place of 100."""

DECIMALS: Final = 5
"""Of a cosine: processors differ in the sixth."""


_EDGE: Final = 1e-4


class Pair(Struct, frozen=True, order=True):
    """Two memories, the first of them first in path order, and the cosine of their vectors."""

    first: MemoryPath
    second: MemoryPath
    cosine: float


def near(memories: Iterable[Remembered], floor: float, most: int) -> tuple[Pair, ...]:
    """The pairs in which one is among the ``most`` nearest of the other, at ``floor`` or above; in path order.

    Cosines are rounded to 5 decimals before they are compared. Of equally near ones the first in path order count.
    A memory without a vector is near to none. The order of ``memories`` does not matter.
    """
    known = sorted((memory for memory in memories if memory.vector is not None), key=lambda memory: memory.path)
    if len(known) < 2 or most < 1:  # noqa: PLR2004 - a pair
        return ()
    import numpy as np

    paths = [memory.path for memory in known]
    matrix = np.stack([memory.vector for memory in known if memory.vector is not None])
    found: dict[tuple[int, int], float] = {}
    for row, others, cosines in _rows(matrix, floor):
        for place in np.lexsort((others, -cosines))[:most].tolist():
            other = int(others[place])
            found[min(row, other), max(row, other)] = float(cosines[place])
    return tuple(Pair(paths[first], paths[second], found[first, second]) for first, second in sorted(found))


def cosine(one: Remembered, other: Remembered) -> float | None:
    """The cosine of two memories, rounded to 5 decimals; ``None`` when one of them has no vector."""
    if one.vector is None or other.vector is None:
        return None
    import numpy as np

    return round(float(np.dot(one.vector, other.vector)), DECIMALS)


def components(pairs: Iterable[tuple[MemoryPath, MemoryPath]]) -> tuple[tuple[MemoryPath, ...], ...]:
    """Memories that are joined by pairs, directly or through others; each group and the groups in path order.

    >>> a, b, c, d, e = map(MemoryPath, "abcde")
    >>> components([(c, b), (d, e), (b, a)])
    (('a', 'b', 'c'), ('d', 'e'))
    """
    leader: dict[MemoryPath, MemoryPath] = {}

    def lead(member: MemoryPath) -> MemoryPath:
        leader.setdefault(member, member)
        while leader[member] != member:
            leader[member] = leader[leader[member]]
            member = leader[member]
        return member

    for first, second in pairs:
        one, other = sorted((lead(first), lead(second)))
        leader[other] = one
    groups: dict[MemoryPath, list[MemoryPath]] = {}
    for member in sorted(leader):
        groups.setdefault(lead(member), []).append(member)
    return tuple(sorted(tuple(group) for group in groups.values()))


def _rows(matrix: NDArray[np.float32], floor: float) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.float64]]]:
    """Each row that has a neighbour: its number, theirs, and the cosines."""
    import numpy as np

    for start in range(0, len(matrix), BLOCK):
        block = matrix[start : start + BLOCK] @ matrix.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -np.inf
        # Few are near: only those that may be are rounded and looked at.
        likely = block >= floor - _EDGE
        for offset in np.flatnonzero(likely.any(axis=1)).tolist():
            others = np.flatnonzero(likely[offset])
            cosines = block[offset, others].astype(np.float64).round(DECIMALS)
            yield start + offset, others[cosines >= floor], cosines[cosines >= floor]
