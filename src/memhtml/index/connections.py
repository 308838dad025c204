"""The connections of one open index: as many readers as there are threads that read, one writer at a time.

On disk a write uses a connection of its own to the one database that it changes, so that counting an open never waits
for a rebuild. In memory there is a single connection for everything, which one thread uses at a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock

from memhtml.index.database import MEMORY, Kind, attach, connect, migrate, open_file, storage_errors, transaction

_SNAPSHOT = "SELECT number FROM main.generation"
_STATE_SNAPSHOT = "SELECT count(*) FROM state.ledger"


class Connections:
    """Hands out connections; safe to share between threads. Use `on_disk` or `in_memory` to make one."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._idle: list[sqlite3.Connection] = []
        self._writers: dict[Kind, sqlite3.Connection] = {}
        self._lock = Lock()
        self._writing = {Kind.INDEX: RLock(), Kind.STATE: RLock()}
        self._alone = RLock()
        self._memory: sqlite3.Connection | None = None
        self._files: tuple[tuple[int, int], ...] = ()

    @classmethod
    def in_memory(cls) -> Connections:
        """Both databases in memory, gone when closed."""
        made = cls(None)
        state = connect(MEMORY)
        migrate(state, Kind.STATE)
        memory = connect(MEMORY)
        migrate(memory, Kind.INDEX)
        attach(memory, MEMORY)
        with storage_errors():
            # An attached database in memory can only be filled through the connection that it belongs to.
            for (statement,) in state.execute("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name"):
                memory.execute(statement.replace("CREATE TABLE ", "CREATE TABLE state.", 1))
        state.close()
        made._memory = memory
        return made

    @classmethod
    def on_disk(cls, folder: Path) -> tuple[Connections, dict[Kind, Path]]:
        """The databases in ``folder``, migrated; and where damaged ones were moved aside to.

        Raises:
            IndexTooNewError: a later memhtml made one of them.
            StorageError: one cannot be read or written.
            UnsafeFileError: a link, a device or a FIFO stands in the place of one.
        """
        made = cls(folder)
        aside: dict[Kind, Path] = {}
        try:
            for kind in Kind:
                made._writers[kind], moved = open_file(folder / kind.file_name, kind)
                if moved is not None:
                    aside[kind] = moved
            made._files = _files(folder)
        except BaseException:
            made.close()
            raise
        return made, aside

    def stand(self) -> bool:
        """Whether the databases still are the files at their places; in memory they always are."""
        return self.folder is None or self._files == _files(self.folder)

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection, None, None]:
        """A connection inside a read transaction over both databases: one generation, whatever is written meanwhile."""
        if self._memory is not None:
            with self._alone, storage_errors():
                yield self._memory
            return
        connection = self._reader()
        try:
            with storage_errors():
                # A transaction sees the state of its first read, so both are read at once.
                connection.execute("BEGIN")
                connection.execute(_SNAPSHOT).fetchone()
                connection.execute(_STATE_SNAPSHOT).fetchone()
                yield connection
                connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    @contextmanager
    def writing(self, kind: Kind) -> Generator[sqlite3.Connection, None, None]:
        """A connection inside a write transaction on one database; any exception takes it all back.

        Raises:
            IndexStaleError: another process holds the database for longer than the wait.
        """
        if self._memory is not None:
            with self._alone:
                if self._memory.in_transaction:
                    yield self._memory
                else:
                    with transaction(self._memory):
                        yield self._memory
            return
        with self._writing[kind], transaction(self._writers[kind]):
            yield self._writers[kind]

    def copy_from(self, source: sqlite3.Connection) -> None:
        """Make the index in memory a copy of the one that ``source`` reads.

        Raises:
            ValueError: these connections are to files.
        """
        if self._memory is None:
            raise ValueError("only an index in memory can be made a copy")
        with self._alone, storage_errors():
            source.backup(self._memory, name="main")

    def close(self) -> None:
        """Close everything; harmless when done twice."""
        with self._lock:
            connections = [*self._idle, *self._writers.values()]
            if self._memory is not None:
                connections.append(self._memory)
            self._idle.clear()
            self._writers.clear()
        for connection in connections:
            connection.close()

    def _reader(self) -> sqlite3.Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self.folder is None:
            raise RuntimeError("an index in memory has one connection")
        connection = connect(self.folder / Kind.INDEX.file_name)
        try:
            attach(connection, self.folder / Kind.STATE.file_name)
        except BaseException:
            connection.close()
            raise
        return connection


def _files(folder: Path) -> tuple[tuple[int, int], ...]:
    """Which files the databases in ``folder`` are; nothing when one is not there."""
    try:
        seen = [(folder / kind.file_name).stat() for kind in Kind]
    except OSError:
        return ()
    return tuple((file.st_dev, file.st_ino) for file in seen)
