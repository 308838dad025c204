"""An open index: the projection of one store, and the state beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memhtml.domain.errors import StorageError
from memhtml.domain.memory import CommitId, ContentHash, MemoryPath
from memhtml.index.connections import Connections
from memhtml.index.database import VECTORS_FILE, Kind, is_damage, is_sound, move_aside
from memhtml.index.generation import PROJECTION, held
from memhtml.store.plain import require_plain

# A search of an index that is up to date imports none of what writes or checks one: each module costs it a
# millisecond. So the methods below import what only they need.
if TYPE_CHECKING:
    from typing import Self

    from memhtml.index.freshness import Freshness
    from memhtml.index.inspection import Problem
    from memhtml.index.matrix import Matrices
    from memhtml.index.source import Source
    from memhtml.index.update import Followed, UpdateReport
    from memhtml.index.usage import Usage
    from memhtml.index.vectors import Pending
    from memhtml.index.verification import VerifyReport
    from memhtml.index.view import View

FOLDER = ".memhtml"

_T = TypeVar("_T")


class Index:
    """The databases of one store. Safe to share between threads; close it, or use it as a context manager.

    Attributes:
        incidents: what was found damaged at opening and what was done about it, one sentence each.
    """

    def __init__(self, connections: Connections, folder: Path | None) -> None:
        self._connections = connections
        self._folder = folder
        self.incidents: tuple[str, ...] = ()

    @classmethod
    def open(cls, root: Path) -> Index:
        """Open the index of the store at ``root``, making what is missing.

        A damaged index is moved aside, and filled again at the next update. A damaged state is moved aside, and what
        the sidecar has of it restored.

        Raises:
            IndexTooNewError: a later memhtml made one of the databases.
            StorageError: one cannot be read or written.
            UnsafeFileError: a link, a device or a FIFO stands in the place of one, of their folder, or of the matrix.
        """
        folder = root / FOLDER
        require_plain(folder, "put a real folder there")
        require_plain(folder / VECTORS_FILE, f"remove {folder / VECTORS_FILE}: it is made anew")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unmade(folder, error) from error
        connections, aside = Connections.on_disk(folder)
        index = cls(connections, folder)
        index._tell(aside)
        return index

    def stands(self) -> bool:
        """Whether its databases still are the files at their places: nobody took them away or put others there."""
        return self._connections.stand()

    @classmethod
    def in_memory(cls) -> Index:
        """An empty index that is gone when it is closed. It has one connection: do not write while you read."""
        return cls(Connections.in_memory(), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the databases; harmless when done twice."""
        self._connections.close()
        # A mapped file cannot be deleted on Windows.
        self.__dict__.pop("_matrices", None)

    @contextmanager
    def reading(self) -> Generator[View, None, None]:
        """A view of one generation, for as long as the context lasts; writers neither wait for it nor change it."""
        with self._connections.reading() as connection:
            from memhtml.index.view import View

            yield View(connection, lambda: self._matrices)

    def catch_up(self, source: Source) -> Followed | None:
        """Follow the branch; ``None`` when it has not moved, which costs a look at its head and one at the database.

        Uncommitted edits that were seen earlier stay, except where the branch changed the same path.

        Raises:
            IndexStaleError: another process is writing the index for longer than the wait.
            StorageError: the index cannot be written.
        """
        head = source.head()
        with self._connections.reading() as connection:
            now = held(connection)
        if now.head == head and now.projection == PROJECTION:
            return None
        return self._healed(lambda: self._followed(source, head, work=False))

    def update(self, source: Source) -> UpdateReport:
        """Follow the branch and the work tree, so that a saved file is found before it is committed.

        Raises:
            IndexStaleError: another process is writing the index for longer than the wait.
            StorageError: the index cannot be written.
        """
        return self._written(source, source.head(), work=True)

    def rebuild(self, source: Source) -> UpdateReport:
        """Make every row anew from the branch and the work tree; vectors are kept by the texts that they are of.

        Readers see the old generation until all of it is there. A damaged database is moved aside first.

        Raises:
            IndexStaleError: another process is writing the index for longer than the wait.
            StorageError: the index cannot be written.
        """
        damaged = self._damaged()
        if damaged:
            self._replace(damaged)
        return self._report(self._healed(lambda: self._remade(source)))

    @cached_property
    def _matrices(self) -> Matrices:
        from memhtml.index.matrix import Matrices

        return Matrices(self._folder)

    @property
    def state(self) -> Usage:
        """What was used, and counting it."""
        from memhtml.index.usage import Usage

        return Usage(self._connections)

    def duplicates(self, content: ContentHash) -> list[MemoryPath]:
        """The live files, no tasks, with this content, by path: see `copies.copies`."""
        from memhtml.index.copies import copies

        with self._connections.reading() as connection:
            return copies(connection, content)

    def pending(self, space: str, limit: int) -> list[Pending]:
        """Texts without a vector in ``space``, those of newer memories first: see `vectors.pending`.

        Raises:
            EmbedModelMismatchError: the index holds vectors of another space.
        """
        from memhtml.index import vectors

        with self._connections.reading() as connection:
            vectors.require_space(connection, space)
            return vectors.pending(connection, space, limit)

    def missing_vectors(self) -> int:
        """How many chunks have no vector."""
        from memhtml.index import vectors

        with self._connections.reading() as connection:
            return vectors.missing(connection)

    def store_vectors(self, space: str, rows: Iterable[tuple[str, bytes]]) -> int:
        """Keep (text hash, float32 bytes) pairs; those that are there already are passed over. Gives how many were new.

        Raises:
            EmbedModelMismatchError: the index holds vectors of another space.
            ValueError: a vector has another dimension than the space.
        """
        from memhtml.index import vectors

        with self._connections.writing(Kind.INDEX) as connection:
            return vectors.store(connection, space, rows)

    def replace_space(self, space: str) -> None:
        """Drop the vectors of any other space, so that those of ``space`` can be filled in."""
        from memhtml.index import vectors

        with self._connections.writing(Kind.INDEX) as connection:
            if vectors.space(connection) != space:
                vectors.drop_space(connection)
                vectors.record_space(connection, space)

    def freshness(self, source: Source) -> Freshness:
        """How the index differs from the store. Costs a look at every file of the work tree.

        Raises:
            GitError: git refused.
        """
        from memhtml.index.freshness import freshness

        with self._connections.reading() as connection:
            return freshness(connection, source)

    def problems(self) -> tuple[Problem, ...]:
        """What the indexed files have wrong with them, by code, then by path: see `inspection.problems`."""
        from memhtml.index.inspection import problems

        with self._connections.reading() as connection:
            return problems(connection)

    def verify(self, source: Source) -> VerifyReport:
        """Update the index, make another one anew in memory, and compare them row by row.

        Raises:
            IndexStaleError: another process is writing the index for longer than the wait.
            StorageError: the index cannot be written.
        """
        from memhtml.index.pinned import Pinned
        from memhtml.index.verification import compared

        still = Pinned(source, source.head(), source.uncommitted())
        self._written(still, still.head(), work=True)
        made = Index(Connections.in_memory(), None)
        with made:
            made.rebuild(still)
            with self._connections.writing(Kind.INDEX) as held, made._connections.reading() as other:
                return compared(held, other)

    @contextmanager
    def copied(self) -> Generator[Index, None, None]:
        """A copy in memory, index and state, for as long as the context lasts. Whatever is done to it stays in it."""
        with Index(Connections.in_memory(), None) as copy:
            with self._connections.reading() as connection:
                copy._connections.copy_from(connection)
            copy.state.import_lines(self.state.export())
            yield copy

    @contextmanager
    def at_commit(self, source: Source, commit: CommitId) -> Generator[Index, None, None]:
        """An index of the store as it was at ``commit``, in memory, for as long as the context lasts.

        It starts as a copy of this one and is brought to ``commit`` by the difference, so a commit near the branch
        is cheap; vectors come along by the texts that they are of. It has no state: what was used then is not known.

        Raises:
            GitError: there is no such commit.
        """
        from memhtml.index.pinned import Clean, Pinned

        past = Index(Connections.in_memory(), None)
        past._matrices = self._matrices
        with past:
            with self._connections.reading() as connection:
                past._connections.copy_from(connection)
            past._written(Pinned(source, commit, Clean()), commit, work=True)
            yield past

    def _written(self, source: Source, head: CommitId | None, *, work: bool) -> UpdateReport:
        return self._report(self._healed(lambda: self._followed(source, head, work=work)))

    def _followed(self, source: Source, head: CommitId | None, *, work: bool) -> Followed:
        from memhtml.index.update import follow

        with self._connections.writing(Kind.INDEX) as connection:
            followed = follow(connection, source, head, work=work)
            self._carry(followed)
        return followed

    def _remade(self, source: Source) -> Followed:
        from memhtml.index.update import remake

        with self._connections.writing(Kind.INDEX) as connection:
            followed = remake(connection, source, source.head())
            self._carry(followed)
        return followed

    def _carry(self, followed: Followed) -> None:
        if followed.moves:
            self.state.carry(followed.moves)

    def _healed(self, work: Callable[[], _T]) -> _T:
        """Do ``work``; if a database turns out to be damaged, once more with a new one in its place."""
        try:
            return work()
        except StorageError as error:
            if self._folder is None or not is_damage(error):
                raise
        # What a look at the pages does not find is in the lexical index.
        self._replace(self._damaged() or (Kind.INDEX,))
        return work()

    def _damaged(self) -> tuple[Kind, ...]:
        folder = self._folder
        return () if folder is None else tuple(kind for kind in Kind if not is_sound(folder / kind.file_name))

    def _replace(self, damaged: Iterable[Kind]) -> None:
        """Move databases aside and open new ones in their place."""
        folder = self._folder
        if folder is None:
            return
        self._connections.close()
        aside = {kind: move_aside(folder / kind.file_name) for kind in damaged}
        self._connections, _ = Connections.on_disk(folder)
        self._tell(aside)

    def _tell(self, aside: Mapping[Kind, Path]) -> None:
        """Say what was moved aside, and give the state back what its durable copy has."""
        self.incidents += tuple(
            f"{kind.file_name} was damaged; it is kept as {path.name}" for kind, path in aside.items()
        )
        if Kind.STATE in aside and self._folder is not None:
            from memhtml.index.usage import restored

            self.incidents += (restored(self.state, self._folder),)

    def _report(self, followed: Followed) -> UpdateReport:
        from memhtml.index.update import reported

        with self._connections.reading() as connection:
            return reported(connection, followed)


def _unmade(folder: Path, error: OSError) -> StorageError:
    """What it means that the index's folder cannot be made."""
    if isinstance(error, FileExistsError):
        return StorageError(
            f"{folder} is a file, and a folder belongs there",
            suggestions=(f"move {folder} away, then memhtml init",),
        )
    return StorageError(f"{folder.name} cannot be made in the store: {error.strerror}")
