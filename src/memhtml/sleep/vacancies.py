"""Which names a folder has left for a memory that comes to it."""

from __future__ import annotations

from itertools import count

from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import SUFFIX, is_memory_path, original_path
from memhtml.domain.slugs import numbered
from memhtml.sleep.corpus import Corpus
from memhtml.store.names import twin_key

_MOST_TRIES = 100


class Vacancies:
    """The paths that are free, also of names that another system takes for one, and of what the archive may give back.

    Args:
        corpus: the store.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        known = (*corpus.memories, *corpus.tasks, *map(original_path, corpus.archived))
        self._taken = {twin_key(path) for path in known}

    def take(self, folder: str, path: MemoryPath) -> MemoryPath | None:
        """A path in ``folder`` for the memory at ``path``, which is then no longer free; ``None`` when there is none.

        It keeps its name, or gets the first number behind it that nobody has.
        """
        name = path.rpartition("/")[2].removesuffix(SUFFIX)
        there = {twin_key(f"{folder}/{each}") for each in self._corpus.files.names(folder)}
        for ordinal in count(1):
            place = f"{folder}/{numbered(name, ordinal)}{SUFFIX}"
            if ordinal > _MOST_TRIES or not is_memory_path(place):
                return None
            if twin_key(place) not in self._taken | there:
                self._taken.add(twin_key(place))
                return MemoryPath(place)
        return None
