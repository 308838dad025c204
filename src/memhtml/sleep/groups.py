"""Which memories belong together: by their links, by their likeness, and in a deep night by what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memhtml.domain.graph import SMALLEST_COMMUNITY, Community, communities
from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.worth import edges


def groups(corpus: Corpus) -> tuple[Community, ...]:
    """Groups of at least three memories that are no arcs, each in path order, the first members in path order.

    They are the communities of the store's graph; in a deep night what names the same thing is a group as well, and
    one memory may then be in several.
    """
    memories = {path: one for path, one in corpus.memories.items() if one.row.type is not MemoryType.ARC}
    joined = [(one, other) for one, other in edges(corpus) if one in memories and other in memories]
    found = set(communities(joined))
    if corpus.night.deep:
        found.update(_naming_the_same(memories.values()))
    return tuple(sorted(found))


def _naming_the_same(memories: Iterable[Remembered]) -> Iterator[Community]:
    naming: dict[Entity, set[MemoryPath]] = {}
    for memory in memories:
        for entity in memory.row.entities:
            naming.setdefault(entity, set()).add(memory.path)
    return (tuple(sorted(members)) for members in naming.values() if len(members) >= SMALLEST_COMMUNITY)
