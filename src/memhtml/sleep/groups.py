"""Which memories belong together: by their links, by their likeness, and in a deep night by what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from memhtml.domain.graph import communities
from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.vocabulary import MemoryType, RelClass, rel_class
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.likeness import near

NEAR: Final = 0.85
NEAR_DEEP: Final = 0.75
NEIGHBORS: Final = 5
NEWEST: Final = 2000
SMALLEST: Final = 3

Group = tuple[MemoryPath, ...]


def groups(corpus: Corpus) -> tuple[Group, ...]:
    """Groups of at least three memories that are no arcs, each in path order, the first members in path order.

    Links between memories count, and so do the five nearest of each of the 2,000 newest, from a cosine of 0.85 on; in
    a deep night from 0.75 on, and what names the same thing is then a group as well. One memory may be in two groups.
    """
    memories = {path: one for path, one in corpus.memories.items() if one.row.type is not MemoryType.ARC}
    edges = [
        (tie.source, tie.resolved)
        for tie in corpus.ties
        if tie.resolved is not None
        and tie.source in memories
        and tie.resolved in memories
        and rel_class(tie.rel) is RelClass.MEMORY
    ]
    newest = sorted(memories.values(), key=lambda one: one.path)
    newest.sort(key=lambda one: one.row.moment, reverse=True)
    pairs = near(newest[:NEWEST], NEAR_DEEP if corpus.night.deep else NEAR, NEIGHBORS)
    edges += [(pair.first, pair.second) for pair in pairs]
    found: set[Group] = set(communities(edges))
    if corpus.night.deep:
        found.update(_naming_the_same(memories.values()))
    return tuple(sorted(found))


def _naming_the_same(memories: Iterable[Remembered]) -> Iterator[Group]:
    naming: dict[Entity, list[MemoryPath]] = {}
    for memory in memories:
        for entity in dict.fromkeys(memory.row.entities):
            naming.setdefault(entity, []).append(memory.path)
    return (tuple(sorted(members)) for members in naming.values() if len(members) >= SMALLEST)
