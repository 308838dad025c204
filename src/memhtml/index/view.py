"""What a reader sees: one generation of the index, through one read transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memhtml.domain.memory import Citation, CommitId, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import Term, fold
from memhtml.index import lexical, memories, state
from memhtml.index.generation import held
from memhtml.index.lexical import ColumnWeights, LexicalHit
from memhtml.index.memories import MemoryRow, Texts
from memhtml.index.state import Access

# Not every reader compares vectors or lists: what only some need is imported by the methods that need it.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.index.listing import EntityCount, Neighbor, Tied
    from memhtml.index.matrix import Matrices
    from memhtml.index.sessions import Authored
    from memhtml.index.vectors import VectorHit

_TOTAL = "SELECT count(*) FROM files"


class View:
    """One generation. Get it from `Index.reading`, and use it there only.

    All answers are in a total order, so they are the same on every machine and after any history.
    """

    def __init__(self, connection: sqlite3.Connection, matrices: Callable[[], Matrices]) -> None:
        self._connection = connection
        self._matrices = matrices
        now = held(connection)
        self.generation: int = now.generation
        self.commit: CommitId | None = now.head

    @cached_property
    def total(self) -> int:
        """How many memories there are, archived ones and tasks included. Counted once: it takes a walk of them all."""
        row: tuple[int] = self._connection.execute(_TOTAL).fetchone()
        return row[0]

    def count(self, scope: Scope) -> int:
        """How many memories are in ``scope``."""
        from memhtml.index import listing

        return listing.counted(self._connection, scope)

    def holds(self, scope: Scope) -> bool:
        """Whether any memory is in ``scope``; looks no further than the first."""
        from memhtml.index import listing

        return bool(listing.listed(self._connection, scope, 1))

    def lexical(
        self,
        terms: Sequence[Term],
        scope: Scope,
        limit: int,
        weights: ColumnWeights | None = None,
    ) -> list[LexicalHit]:
        """The best memories in ``scope`` that hold any of ``terms``: see `lexical.ranked`."""
        return lexical.ranked(self._connection, terms, scope, limit, weights or ColumnWeights())

    def document_frequency(self, terms: Iterable[Term], cap: int = -1) -> dict[Term, int]:
        """How many memories, of all scopes, hold each term, after stemming; counting stops at ``cap`` (-1: never)."""
        return lexical.document_frequency(self._connection, terms, cap)

    def matched(self, terms: Iterable[Term], paths: Sequence[MemoryPath]) -> dict[MemoryPath, frozenset[Term]]:
        """Which of ``terms`` each of ``paths`` holds, after stemming."""
        return lexical.matched(self._connection, terms, paths)

    def exact(self, names: Iterable[str], scope: Scope, limit: int) -> list[MemoryPath]:
        """Memories in ``scope`` with an entity, an entity's name, a tag or an alias that is one of ``names``.

        Case, accents and spaces do not count. Newer first, then by path.
        """
        folded = [name.encode("utf-8", "replace").decode("utf-8") for name in map(fold, names) if name]
        return lexical.exact(self._connection, folded, scope, limit)

    def worded(self, digest: int, scope: Scope, limit: int) -> list[MemoryPath]:
        """Memories in ``scope`` whose title, claim or body has this digest: see `domain.wordings`. Newer first."""
        return lexical.worded(self._connection, digest, scope, limit)

    def phrased(self, phrase: str, scope: Scope, most: int) -> list[MemoryPath]:
        """Memories in ``scope`` that hold ``phrase``, made by `domain.terms.phrase`: see `lexical.phrased`."""
        return lexical.phrased(self._connection, phrase, scope, most)

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[VectorHit]:
        """The memories in ``scope`` whose best chunk is nearest to ``vector``: see `vectors.nearest`."""
        from memhtml.index import vectors

        return vectors.nearest(self._connection, self._matrices(), vector, scope, limit)

    def vectors(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, NDArray[np.float32]]:
        """The vectors of each path's chunks, in the order of the chunks; paths without any are left out."""
        from memhtml.index import vectors

        return vectors.of_paths(self._connection, paths)

    @property
    def space(self) -> str | None:
        """The space of the vectors; ``None`` while none was ever recorded."""
        from memhtml.index import vectors

        return vectors.space(self._connection)

    def require_space(self, space: str) -> None:
        """Make sure that vectors of ``space`` may be compared with these.

        Raises:
            EmbedModelMismatchError: they are of another space; the message names the command that changes it.
        """
        from memhtml.index import vectors

        vectors.require_space(self._connection, space)

    def coverage(self) -> float:
        """The share of chunks that have a vector; 1.0 when there are no chunks."""
        from memhtml.index import vectors

        return vectors.coverage(self._connection)

    def rows(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, MemoryRow]:
        """The memories at ``paths``, in the order of ``paths``; those that are not indexed are left out."""
        return memories.rows(self._connection, paths)

    def texts(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, Texts]:
        """The texts of the memories at ``paths``."""
        return memories.texts(self._connection, paths)

    def citations(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, tuple[Citation, ...]]:
        """The sources of the memories at ``paths``, in document order."""
        return memories.citations(self._connection, paths)

    def chunks(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, tuple[str, ...]]:
        """The pieces of the memories at ``paths``, in order."""
        return memories.pieces(self._connection, paths)

    def state(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, Access]:
        """How those of ``paths`` that were ever used have been used."""
        return state.accesses(self._connection, paths)

    def listed(self, scope: Scope, limit: int = -1, offset: int = 0) -> list[MemoryPath]:
        """The memories in ``scope``, newer first, then by path."""
        from memhtml.index import listing

        return listing.listed(self._connection, scope, limit, offset)

    def neighbors(self, path: MemoryPath) -> tuple[Neighbor, ...]:
        """What ``path`` links to, then what links to it: see `listing.neighbors`."""
        from memhtml.index import listing

        return listing.neighbors(self._connection, path)

    def links(self, *, archived: bool = False) -> tuple[Tied, ...]:
        """Every link of every file in use, and of those in the archive if wanted, by file: see `listing.links`."""
        from memhtml.index import listing

        return listing.links(self._connection, archived=archived)

    def entities(self, scope: Scope, limit: int = -1) -> list[EntityCount]:
        """The entities that memories in ``scope`` name, the most named first: see `listing.entities`."""
        from memhtml.index import listing

        return listing.entities(self._connection, scope, limit)

    def written_by(self, session: str) -> list[Authored]:
        """What a conversation wrote and corrected, by memory: see `sessions.of_session`."""
        from memhtml.index import sessions

        return sessions.of_session(self._connection, session)

    def writers_of(self, path: MemoryPath) -> list[Authored]:
        """The conversations that wrote and corrected the memory at ``path``: see `sessions.of_memory`."""
        from memhtml.index import sessions

        return sessions.of_memory(self._connection, path)

    def located(self, paths: Iterable[MemoryPath]) -> dict[MemoryPath, MemoryPath]:
        """Where the files of ``paths`` are now, in the archive or not; those that are nowhere are left out."""
        from memhtml.index import sessions

        return sessions.located(self._connection, paths)
