"""Opening databases: new, older, newer, damaged, locked."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import IndexStaleError, IndexTooNewError, StorageError
from memhtml.index.database import Kind, connect, is_damage, migrate, move_aside, open_file, storage_errors, transaction

FIRST = "CREATE TABLE a (x TEXT) STRICT;\n-- A comment; with a semicolon.\nINSERT INTO a VALUES ('one;two');\n"
SECOND = "ALTER TABLE a ADD COLUMN y TEXT;\n"


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """Migrations of a database of its own, one so far."""
    folder = tmp_path / "migrations" / "index"
    folder.mkdir(parents=True)
    (folder / "0001_first.sql").write_text(FIRST)
    return folder.parent


def ledger(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    """What was applied."""
    return connection.execute("SELECT version, name FROM ledger ORDER BY version").fetchall()


@pytest.mark.parametrize("kind", Kind)
def test_a_new_file_gets_every_table_as_strict(tmp_path: Path, kind: Kind) -> None:
    """With its own ledger, write-ahead logging, and foreign keys."""
    connection, aside = open_file(tmp_path / kind.file_name, kind)
    assert aside is None
    assert [version for version, _ in ledger(connection)] == ([1, 2] if kind is Kind.INDEX else [1])
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert connection.execute("PRAGMA busy_timeout").fetchone()[0] >= 1000
    assert connection.execute("PRAGMA synchronous").fetchone() == (2 if kind is Kind.STATE else 1,)
    loose = [
        name
        for name, kind_of, strict in connection.execute("SELECT name, type, strict FROM pragma_table_list")
        if kind_of == "table" and not strict and not name.startswith("sqlite_")
    ]
    assert loose == []
    connection.close()


def test_it_opens_in_memory() -> None:
    """The same tables, for tests."""
    connection = connect(":memory:")
    migrate(connection, Kind.INDEX)
    assert connection.execute("SELECT number FROM generation").fetchone() == (0,)
    connection.close()


def test_an_older_database_is_migrated_from_where_it_stands(tmp_path: Path, migrations: Path) -> None:
    """Only what is missing is applied, and what it holds stays."""
    connection = connect(tmp_path / "index.db")
    migrate(connection, Kind.INDEX, migrations)
    connection.execute("INSERT INTO a VALUES ('mine')")
    (migrations / "index" / "0002_second.sql").write_text(SECOND)
    migrate(connection, Kind.INDEX, migrations)
    migrate(connection, Kind.INDEX, migrations)
    assert ledger(connection) == [(1, "first"), (2, "second")]
    assert connection.execute("SELECT x, y FROM a").fetchall() == [("one;two", None), ("mine", None)]
    connection.close()


def test_a_migration_that_fails_leaves_neither_tables_nor_a_ledger_row(tmp_path: Path, migrations: Path) -> None:
    """Each is one transaction; those before it stay."""
    (migrations / "index" / "0002_second.sql").write_text(f"{SECOND}CREATE TABLE b (z TEXT) STRICT;\nSELECT nothing;\n")
    connection = connect(tmp_path / "index.db")
    with pytest.raises(StorageError):
        migrate(connection, Kind.INDEX, migrations)
    assert ledger(connection) == [(1, "first")]
    assert connection.execute("SELECT name FROM sqlite_schema WHERE name = 'b'").fetchall() == []
    assert [column[1] for column in connection.execute("PRAGMA table_info(a)")] == ["x"]
    connection.close()


@pytest.mark.parametrize("kind", Kind)
def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path, kind: Kind) -> None:
    """Nothing in it is touched; the message says what to do."""
    path = tmp_path / kind.file_name
    connection, _ = open_file(path, kind)
    connection.execute("INSERT INTO ledger VALUES (99, 'later')")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(IndexTooNewError, match="update memhtml"):
        open_file(path, kind)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [kind.file_name]


@pytest.mark.parametrize("data", [b"no database at all, but long enough to be read as a header " * 3, b"\0" * 5000])
def test_a_damaged_file_is_moved_aside(tmp_path: Path, data: bytes) -> None:
    """Kept under the first free name, its journals with it; a new one stands in its place."""
    path = tmp_path / "index.db"
    for number in (1, 2):
        path.write_bytes(data)
        (tmp_path / "index.db-wal").write_bytes(b"left over")
        connection, aside = open_file(path, Kind.INDEX)
        assert aside == tmp_path / f"index.db.corrupt-{number}"
        assert aside.read_bytes() == data
        assert connection.execute("SELECT number FROM generation").fetchone() == (0,)
        connection.close()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(min_size=1, max_size=200), st.integers(0, 4000))
def test_whatever_bytes_are_there_a_database_is_opened(tmp_path: Path, data: bytes, at: int) -> None:
    """Overwritten anywhere near its beginning: opened as it is, or moved aside, never an error of SQLite's."""
    path = tmp_path / "state.db"
    path.unlink(missing_ok=True)
    connection, _ = open_file(path, Kind.STATE)
    connection.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + data + whole[at + len(data) :])
    try:
        connection, _ = open_file(path, Kind.STATE)
        connection.close()
    except (StorageError, IndexTooNewError):
        pass


def test_a_writer_that_waits_too_long_says_so(tmp_path: Path) -> None:
    """The other one is left alone, and the error says that trying again helps."""
    path = tmp_path / "index.db"
    holder, _ = open_file(path, Kind.INDEX)
    other = connect(path, patience=0.0)
    waiting = transaction(other)
    with transaction(holder), pytest.raises(IndexStaleError, match="another process"):
        waiting.__enter__()
    with transaction(other):
        pass
    holder.close()
    other.close()


def test_an_exception_takes_the_transaction_back(tmp_path: Path) -> None:
    """And comes out as it went in."""
    connection, _ = open_file(tmp_path / "state.db", Kind.STATE)

    def fail() -> None:
        with transaction(connection):
            connection.execute("INSERT INTO access (path, updated) VALUES ('areas/a.html', '2026-01-01')")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert connection.execute("SELECT count(*) FROM access").fetchone() == (0,)
    connection.close()


def test_closed_vocabularies_are_closed(tmp_path: Path) -> None:
    """The tables take no type, status, task status or rel that the format does not know."""
    connection, _ = open_file(tmp_path / "index.db", Kind.INDEX)
    row = {
        "path": "'a'",
        "blob": "'b'",
        "content_hash": f"'sha256:{'0' * 64}'",
        "type": "'semantic'",
        "status": "'active'",
        "archived": "0",
        "original": "'a'",
        "created": "'2026'",
        "updated": "'2026'",
        "title": "'t'",
        "gist": "'g'",
    }

    def insert(**changed: str) -> None:
        values = {**row, **changed}
        connection.execute(f"INSERT INTO files ({', '.join(values)}) VALUES ({', '.join(values.values())})")  # noqa: S608 - literals of this test

    for bad in (
        {"type": "'thing'"},
        {"status": "'deleted'"},
        {"archived": "2"},
        {"content_hash": "'md5:0'"},
        {"task_status": "'todo'"},
        {"type": "'task'"},
        {"type": "'task'", "task_status": "'later'"},
        {"confidence": "1.5"},
        {"importance": "11"},
        {"reprieves": "-1"},
        {"importance": "'high'"},
    ):
        with pytest.raises(sqlite3.IntegrityError):
            insert(**bad)
    insert()
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO links (file, position, rel, target) VALUES (1, 0, 'likes', 'b')")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO tags (file, position, tag, folded) VALUES (2, 0, 't', 't')")
    connection.close()


def test_one_live_memory_a_content_and_the_index_that_says_so_is_used(tmp_path: Path) -> None:
    """Tasks and archived memories are outside of it."""
    connection, _ = open_file(tmp_path / "index.db", Kind.INDEX)
    statement = """
        INSERT INTO files (path, blob, content_hash, type, status, archived, original, created, updated, task_status,
          title, gist) VALUES (?, 'b', 'sha256:' || printf('%064d', 0), ?, 'active', ?, 'a', '', '', ?, '', '')
    """
    connection.execute(statement, ("a", "semantic", 0, None))
    connection.execute(statement, ("b", "semantic", 1, None))
    connection.execute(statement, ("c", "task", 0, "todo"))
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        connection.execute(statement, ("d", "episodic", 0, None))
    plan = connection.execute(
        "EXPLAIN QUERY PLAN SELECT path FROM files WHERE content_hash = ? AND archived = 0 AND type <> 'task'", ("x",)
    ).fetchall()
    assert "files_live_content" in plan[0][3]
    connection.close()


def test_errors_name_no_sql_and_say_what_to_do(tmp_path: Path) -> None:
    """Whatever SQLite said."""
    connection, _ = open_file(tmp_path / "index.db", Kind.INDEX)
    with pytest.raises(StorageError) as failure, storage_errors():
        connection.execute("SELECT secret FROM nowhere")
    assert "secret" not in failure.value.message
    assert "memhtml index verify" in failure.value.message
    assert not is_damage(failure.value)
    assert not is_damage(StorageError("of another kind"))
    connection.close()


def test_a_place_that_cannot_be_opened_is_a_storage_error(tmp_path: Path) -> None:
    """A folder in place of the file."""
    (tmp_path / "index.db").mkdir()
    with pytest.raises(StorageError, match="cannot be opened"):
        open_file(tmp_path / "index.db", Kind.INDEX)


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    """And what was begun is taken back."""
    connection, _ = open_file(tmp_path / "state.db", Kind.STATE)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="the disk is full"), transaction(connection):
        connection.executemany(
            "INSERT INTO access (path, updated) VALUES (?, '2026-01-01')", ((str(n) * 100,) for n in range(1000))
        )
    assert connection.execute("SELECT count(*) FROM access").fetchone() == (0,)
    connection.close()


def test_what_cannot_be_moved_aside_is_said(tmp_path: Path) -> None:
    """Nothing is there to be moved."""
    with pytest.raises(StorageError, match="could not be moved aside"):
        move_aside(tmp_path / "index.db")


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_a_link_where_a_damaged_database_would_go_is_left_alone(tmp_path: Path) -> None:
    """Also one that leads nowhere: the name is taken."""
    path = tmp_path / "index.db"
    path.write_bytes(b"damaged")
    (tmp_path / "index.db.corrupt-1").symlink_to(tmp_path / "outside")
    assert move_aside(path) == tmp_path / "index.db.corrupt-2"
    assert (tmp_path / "index.db.corrupt-1").is_symlink()
    assert not (tmp_path / "outside").exists()
