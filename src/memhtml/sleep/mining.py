"""Memories that belong near one another though no link says so: what edges are typed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.vocabulary import RelClass, rel_class
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.likeness import Pair, near

FLOOR: Final = 0.85
DEEP_FLOOR: Final = 0.75
NEIGHBORS: Final = 5
NEWEST: Final = 2000


def mined(corpus: Corpus) -> tuple[Pair, ...]:
    """The pairs of which one is among the five nearest of the other and that no link joins, in path order.

    Looked at are the 2,000 newest memories, from a cosine of 0.85 on; in a deep night from 0.75 on, and then each has
    five neighbours among those that name the same thing as well.
    """
    newest = sorted(corpus.memories.values(), key=lambda memory: memory.path)
    newest.sort(key=lambda memory: memory.row.moment, reverse=True)
    newest = newest[:NEWEST]
    found = near(newest, DEEP_FLOOR if corpus.night.deep else FLOOR, NEIGHBORS)
    if corpus.night.deep:
        alike = [pair for group in _naming_the_same(newest) for pair in near(group, DEEP_FLOOR, NEIGHBORS)]
        found = tuple(sorted({*found, *alike}))
    joined = {
        frozenset((tie.source, tie.resolved))
        for tie in corpus.ties
        if tie.resolved is not None and rel_class(tie.rel) is RelClass.MEMORY
    }
    return tuple(pair for pair in found if frozenset((pair.first, pair.second)) not in joined)


def _naming_the_same(memories: Sequence[Remembered]) -> Iterator[list[Remembered]]:
    naming: dict[Entity, dict[MemoryPath, Remembered]] = {}
    for memory in memories:
        for entity in memory.row.entities:
            naming.setdefault(entity, {})[memory.path] = memory
    return (list(group.values()) for group in naming.values() if len(group) > 1)
