"""Opening the databases: settings, migrations, and what happens to one that is newer, older or damaged.

Everything that speaks to SQLite gets its connection here, and lets its errors out through `storage_errors`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from memhtml.domain.errors import IndexStaleError, IndexTooNewError, StorageError
from memhtml.store.plain import require_plain

MEMORY = ":memory:"
VECTORS_FILE = "vectors.f32"
"""The cache of all vectors beside the databases, see `matrix`."""

OLDEST_SQLITE = (3, 37, 0)
"""STRICT tables came with it."""

PATIENCE_SECONDS = 10.0
"""How long a writer waits for another one; readers never wait."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PRIMARY_CODE = 0xFF  # the lower byte of an extended result code

_LEDGER = """
CREATE TABLE IF NOT EXISTS ledger (
  version INTEGER PRIMARY KEY CHECK (version > 0),
  name TEXT NOT NULL
) STRICT
"""
_HAS_LEDGER = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'ledger'"
_NEWEST = "SELECT coalesce(max(version), 0) FROM ledger"
_ENTER = "INSERT INTO ledger (version, name) VALUES (:version, :name)"


class Database(Enum):
    """The value is the name of the file, and of the folder of its migrations, without their endings."""

    @property
    def file_name(self) -> str:
        """The file below ``.memhtml/``."""
        return f"{self.value}.db"


class Kind(Database):
    """The two that are opened and read together."""

    INDEX = "index"
    STATE = "state"


class Apart(Database):
    """One that no index attaches, so that no query over memories can name its tables."""

    TRACES = "traces"


_BESIDE = ("-wal", "-shm", "-journal")
_ADVICE = {
    Kind.INDEX.file_name: "then run memhtml index rebuild",
    Kind.STATE.file_name: "then run memhtml state import, which brings back what was exported",
    Apart.TRACES.file_name: "then run memhtml trace index",
}


class _UnusableError(Exception):
    """SQLite cannot make anything of the file."""


@contextmanager
def storage_errors() -> Generator[None, None, None]:
    """Turn SQLite's errors into those of the tree; their messages name no SQL.

    Raises:
        IndexStaleError: another process held the database for longer than the wait.
        StorageError: the file is no database or a broken one (see `is_damage`), the disk is full or read-only, or
            SQLite failed in another way.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = _code(error)
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise IndexStaleError(
                "another process is writing the index and did not finish in time",
                suggestions=("try again in a moment", "memhtml index status"),
            ) from error
        if code in _DAMAGED:
            raise _damage() from error
        raise StorageError(_explained(code)) from error
    except UnicodeDecodeError as error:
        # SQLite quotes the broken bytes in its message, and the binding cannot read that.
        raise _damage() from error


def is_damage(error: StorageError) -> bool:
    """Whether ``error``, from `storage_errors`, says that the file is no database, or a broken one."""
    cause = error.__cause__
    return isinstance(cause, UnicodeDecodeError | _UnusableError) or (
        isinstance(cause, sqlite3.DatabaseError) and _code(cause) in _DAMAGED
    )


def _damage() -> StorageError:
    return StorageError("the index is damaged", suggestions=("memhtml index rebuild", "memhtml doctor"))


def _code(error: sqlite3.DatabaseError) -> int:
    # Errors that the binding raises itself carry no code.
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE


def _explained(code: int) -> str:
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full: the index could not be written; free some space and run memhtml index update"
    if code == sqlite3.SQLITE_READONLY:
        return "the index cannot be written: its files or folder are read-only; change their permissions"
    if code == sqlite3.SQLITE_CANTOPEN:
        return "the index cannot be opened: check that .memhtml is a folder that you may read and write"
    if code == sqlite3.SQLITE_IOERR:
        return "the disk failed, or is full, while the index was read or written; check it, then memhtml index rebuild"
    return f"the index failed (SQLite code {code}); run memhtml index verify"


def refuse_unless_plain(path: Path) -> None:
    """See that the database at ``path``, and what SQLite keeps beside it, is no way out of the store.

    Raises:
        UnsafeFileError: a symbolic link, a device or a FIFO is there.
        StorageError: a folder is.
    """
    then = _ADVICE.get(path.name, "then repeat the command")
    for file in (path, *(path.with_name(path.name + ending) for ending in _BESIDE)):
        require_plain(file, f"remove {file}, {then}")
        if file.is_dir():
            raise StorageError(
                f"{file} cannot be opened: it is a folder, and a file belongs there",
                suggestions=(f"remove it, {then}",),
            )


def connect(path: Path | str, *, durable: bool = False, patience: float = PATIENCE_SECONDS) -> sqlite3.Connection:
    """A connection in autocommit mode, so that every transaction is begun by its own words.

    ``durable`` waits for the disk at every commit (state); without it a power cut may take back the last commits of
    the index, which then catches up, but never breaks it.

    Raises:
        StorageError: this SQLite is too old, or the file cannot be opened.
        UnsafeFileError: a link, a device or a FIFO is there, or beside it where SQLite keeps its journals.
    """
    if isinstance(path, Path):
        refuse_unless_plain(path)
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StorageError(
            f"SQLite {sqlite3.sqlite_version} is too old for memhtml; use a Python with SQLite 3.37 or later",
        )
    with storage_errors():
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            # A rebuild leaves a log as large as the index; the next checkpoint gives that back.
            connection.execute("PRAGMA journal_size_limit = 8388608")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        except BaseException:
            connection.close()
            raise
    return connection


def attach(connection: sqlite3.Connection, path: Path | str) -> None:
    """Attach the state database at ``path`` as ``state``.

    Raises:
        StorageError: it cannot be opened.
        UnsafeFileError: as `connect`.
    """
    if isinstance(path, Path):
        refuse_unless_plain(path)
    with storage_errors():
        connection.execute("ATTACH DATABASE ? AS state", (str(path),))
        connection.execute("PRAGMA state.synchronous = FULL")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None, None, None]:
    """A write transaction that holds the write lock from its beginning; any exception takes it all back.

    Raises:
        IndexStaleError: the lock was not free within the connection's patience.
        StorageError: the transaction could not be written.
    """
    with storage_errors():
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            # A full disk has rolled back already; asking again would be an error of its own.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def migrate(connection: sqlite3.Connection, kind: Database, migrations: Path = _MIGRATIONS) -> None:
    """Bring a database to the newest version: each migration and its ledger row in one transaction of their own.

    A second process that does the same waits, and finds nothing left to do.

    Raises:
        IndexTooNewError: a later memhtml made it.
        StorageError: it could not be written.
    """
    known = _known_migrations(migrations / kind.value)
    with storage_errors():
        version = _version(connection)
    if version > len(known):
        raise IndexTooNewError(
            f"{kind.file_name} was made by a later memhtml (version {version} of its tables, this one knows "
            f"{len(known)}); update memhtml",
            suggestions=("install the newer memhtml again",),
        )
    for number, script in enumerate(known[version:], version + 1):
        with transaction(connection):
            connection.execute(_LEDGER)
            if _version(connection) >= number:
                continue
            for statement in _statements(script.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute(_ENTER, {"version": number, "name": script.stem.partition("_")[2]})


def open_file(path: Path, kind: Database) -> tuple[sqlite3.Connection, Path | None]:
    """A migrated connection to the database at ``path``, and where a damaged file in its place was put, if any.

    Raises:
        IndexTooNewError: a later memhtml made it.
        StorageError: it cannot be read or written, or the damaged file cannot be moved.
    """
    try:
        return _migrated(path, kind), None
    except StorageError as error:
        if not is_damage(error):
            raise
    aside = move_aside(path)
    return _migrated(path, kind), aside


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with the pages of the database at ``path``. Reads all of it."""
    try:
        connection = connect(path)
    except StorageError:
        return False
    try:
        with storage_errors():
            return bool(connection.execute("PRAGMA quick_check (1)").fetchone() == ("ok",))
    except StorageError:
        return False
    finally:
        connection.close()


def move_aside(path: Path) -> Path:
    """Rename a database out of the way, with its journals, to the first free ``<name>.corrupt-<n>``.

    Raises:
        StorageError: it cannot be renamed.
    """
    number = 1
    # A link that leads nowhere is not free either.
    while os.path.lexists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    try:
        # The journals go first: a new database beside an old journal would be damaged at once.
        for ending in _BESIDE:
            journal = path.with_name(path.name + ending)
            if os.path.lexists(journal):
                journal.replace(aside.with_name(aside.name + ending))
        path.replace(aside)
    except OSError as error:
        raise StorageError(
            f"{path.name} is damaged and could not be moved aside; end the processes that use it and try again",
        ) from error
    return aside


def _migrated(path: Path, kind: Database) -> sqlite3.Connection:
    connection = _readable(path, durable=kind is Kind.STATE)
    try:
        migrate(connection, kind)
    except BaseException:
        connection.close()
        raise
    return connection


def _readable(path: Path, *, durable: bool) -> sqlite3.Connection:
    """A connection to a database of which a first look can be taken.

    Raises:
        StorageError: `is_damage` when SQLite cannot make anything of the file.
    """
    connection = None
    try:
        connection = connect(path, durable=durable)
        with storage_errors():
            _version(connection)
    except StorageError as error:
        if connection is not None:
            connection.close()
        # A header from nowhere, or a schema that cannot be parsed, is an ordinary error to SQLite.
        cause = error.__cause__
        if isinstance(cause, sqlite3.DatabaseError) and _code(cause) == sqlite3.SQLITE_ERROR:
            raise _damage() from _UnusableError()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    if connection.execute(_HAS_LEDGER).fetchone() == (0,):
        return 0
    row: tuple[int] = connection.execute(_NEWEST).fetchone()
    return row[0]


def _known_migrations(folder: Path) -> list[Path]:
    """The scripts in order; their numbers run from 1 without a gap, so the count is the newest version."""
    return sorted(path for path in folder.iterdir() if path.suffix == ".sql")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
