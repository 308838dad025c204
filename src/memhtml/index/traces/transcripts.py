"""The database of transcripts: a file of its own, which no query over memories is ever joined to.

It can be deleted: reading the transcripts again gives it back, except for those that are gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Self

from memhtml.domain.errors import IndexStaleError, StorageError
from memhtml.index.database import (
    MEMORY,
    Apart,
    connect,
    is_damage,
    is_sound,
    migrate,
    move_aside,
    open_file,
    storage_errors,
    transaction,
)
from memhtml.store.layout import HOUSE

if TYPE_CHECKING:
    from memhtml.index.traces.reader import TraceReader
    from memhtml.index.traces.writer import TraceWriter

AGAIN = "memhtml trace index --rebuild"


class Transcripts:
    """What is known of the transcripts. Threads may share it: one of them uses it at a time.

    Attributes:
        incidents: what was found damaged, and what was done about it, a sentence each.
    """

    def __init__(self, connection: sqlite3.Connection, incidents: tuple[str, ...] = ()) -> None:
        self._connection = connection
        self._alone = RLock()
        self.incidents = incidents

    @classmethod
    def open(cls, root: Path, *, anew: bool = False) -> Transcripts:
        """The database of the store at ``root``; an empty one is made where none is, or where a damaged one was.

        ``anew`` looks through all of it for damage first.

        Raises:
            IndexTooNewError: a later memhtml made it.
            StorageError: it cannot be opened.
            UnsafeFileError: a link, a device or a FIFO stands in its place.
        """
        path = root / HOUSE / Apart.TRACES.file_name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{HOUSE} cannot be made in the store: {error.strerror}") from error
        with _plainly():
            aside = move_aside(path) if anew and path.exists() and not is_sound(path) else None
            connection, found = open_file(path, Apart.TRACES)
        moved = aside or found
        return cls(connection, (f"{path.name} was damaged; it is kept as {moved.name}",) if moved else ())

    @classmethod
    def in_memory(cls) -> Transcripts:
        """An empty one that is gone when it is closed."""
        connection = connect(MEMORY)
        migrate(connection, Apart.TRACES)
        return cls(connection)

    @contextmanager
    def reading(self) -> Generator[TraceReader, None, None]:
        """Queries that all see the same state.

        Raises:
            StorageError: it cannot be read.
        """
        from memhtml.index.traces.reader import TraceReader

        with self._alone, _plainly(), storage_errors():
            self._connection.execute("BEGIN")
            try:
                yield TraceReader(self._connection)
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Generator[TraceWriter, None, None]:
        """Changes that are made together, or, after any exception, not at all.

        Raises:
            IndexStaleError: another process is writing for longer than the wait.
            StorageError: it cannot be written.
        """
        from memhtml.index.traces.writer import TraceWriter

        with self._alone, _plainly(), transaction(self._connection):
            yield TraceWriter(self._connection)

    def close(self) -> None:
        """Close the database; harmless when done twice."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _plainly() -> Generator[None, None, None]:
    """Say what is wrong with this database, and not with the index of memories."""
    try:
        yield
    except IndexStaleError as error:
        raise IndexStaleError(
            "another process is reading the transcripts and did not finish in time",
            suggestions=("try again in a moment",),
        ) from error
    except StorageError as error:
        if error.__cause__ is None:  # it speaks of SQLite itself, or of the folder
            raise
        file = f"{HOUSE}/{Apart.TRACES.file_name}, which is made from the transcripts,"
        if is_damage(error):
            raise StorageError(f"{file} is damaged", suggestions=(AGAIN,)) from error
        raise StorageError(
            f"{file} cannot be read or written; see that the disk is not full, and that the file is yours",
            suggestions=(AGAIN,),
        ) from error
