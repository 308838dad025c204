"""The database of transcripts: by itself, and apart from the memories."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memhtml.domain.errors import IndexStaleError, IndexTooNewError, StorageError, UnsafeFileError
from memhtml.index.database import Apart, Kind, connect, open_file
from memhtml.index.index import Index
from memhtml.index.traces.transcripts import Transcripts

PATH = Path(".memhtml", "traces.db")


def entered(known: Transcripts) -> int:
    """A transcript; gives how many there are."""
    with known.writing() as writer:
        writer.enter("/agents", "projects/-p/s.jsonl", "-p", subagent=False)
    with known.reading() as reader:
        return reader.totals().transcripts


def test_it_is_made_where_none_is_and_found_again(tmp_path: Path) -> None:
    """With strict tables and a ledger of its own."""
    with Transcripts.open(tmp_path) as known:
        assert entered(known) == 1
    with Transcripts.open(tmp_path) as known, known.reading() as reader:
        assert reader.totals().transcripts == 1
        assert known.incidents == ()
    connection, _ = open_file(tmp_path / PATH, Apart.TRACES)
    loose = "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'"
    assert connection.execute(loose).fetchall() == []
    assert connection.execute("SELECT version, name FROM ledger").fetchall() == [(1, "transcripts")]
    connection.close()


def test_the_index_of_memories_is_opened_without_it(tmp_path: Path) -> None:
    """Neither makes the other's file, and none of the connections to memories has its tables."""
    with Index.open(tmp_path) as index:
        assert not (tmp_path / PATH).exists()
        with index.reading() as view:
            attached = view._connection.execute("PRAGMA database_list").fetchall()
    assert {Path(file).name for _, _, file in attached} == {"index.db", "state.db"}
    with Transcripts.open(tmp_path):
        assert {kind.file_name for kind in Kind} == {"index.db", "state.db"}


def test_what_fails_leaves_nothing_behind() -> None:
    """Any exception takes all of the transaction back."""
    with Transcripts.in_memory() as known:
        with pytest.raises(StorageError), known.writing() as writer:
            [writer.enter("/agents", path, "-p", subagent=False) for path in ("a", "b", "a")]
        assert entered(known) == 1


def test_all_rows_go_with_their_transcript() -> None:
    """Also out of the words that are searched."""
    from memhtml.index.traces.writer import Head, Part

    with Transcripts.in_memory() as known:
        with known.writing() as writer:
            number = writer.enter("/agents", "a", "-p", subagent=False)
            writer.count(number, {"user": 2, "blank": 0})
            writer.add(number, [Part("s", 1, 1, None, None, None, None, None)])
            writer.prompt(number, Head("s", 0, False, None, "Why is the build slow?"))  # noqa: FBT003 - in order
            writer.name(number, "title", Head("s", 1, False, None, "A slow build"))  # noqa: FBT003 - in order
            writer.name(number, "title", Head("s", 2, False, None, "A cold cache"))  # noqa: FBT003 - in order
            writer.call(number, "c1", (), tells=True)
            writer.link(number, "s", (), None)
        tables = ("fates", "parts", "heads", "calls", "memory_session_links")
        words = "SELECT count(*) FROM head_words WHERE head_words MATCH :word"
        counts = [known._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]  # noqa: S608 - names from above
        assert counts == [1, 1, 2, 1, 0]
        found = [known._connection.execute(words, {"word": word}).fetchone()[0] for word in ("slow", "cold")]
        assert found == [1, 1]
        with known.writing() as writer:
            writer.forget(number)
        counts = [known._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]  # noqa: S608 - names from above
        assert counts == [0, 0, 0, 0, 0]
        known._connection.execute("INSERT INTO head_words (head_words, rank) VALUES ('integrity-check', 1)")
        assert known._connection.execute(words, {"word": "build"}).fetchone() == (0,)


def test_a_damaged_file_is_moved_aside_and_made_anew(tmp_path: Path) -> None:
    """And that is said; everything in it can be read again from the transcripts."""
    (tmp_path / ".memhtml").mkdir()
    (tmp_path / PATH).write_bytes(b"no database at all, but long enough to be one" * 100)
    with Transcripts.open(tmp_path) as known:
        assert known.incidents == ("traces.db was damaged; it is kept as traces.db.corrupt-1",)
        assert entered(known) == 1


def test_damage_inside_is_found_when_all_is_to_be_made_anew(tmp_path: Path) -> None:
    """What a look at the first page does not show."""
    with Transcripts.open(tmp_path) as known, known.writing() as writer:
        for number in range(2000):
            writer.enter("/agents", f"projects/-p/{number}.jsonl", "-p", subagent=False)
    data = bytearray((tmp_path / PATH).read_bytes())
    data[80_000:] = bytes(len(data) - 80_000)
    (tmp_path / PATH).write_bytes(data)
    damaged = pytest.raises(StorageError, match=r"traces\.db, which is made from the transcripts, is damaged")
    with Transcripts.open(tmp_path) as known, damaged as caught, known.reading() as reader:
        reader.marks("/agents")
    assert caught.value.suggestions == ("memhtml trace index --rebuild",)
    with Transcripts.open(tmp_path, anew=True) as known:
        assert known.incidents == ("traces.db was damaged; it is kept as traces.db.corrupt-1",)
        assert entered(known) == 1


def test_a_later_database_is_refused(tmp_path: Path) -> None:
    """It is not touched."""
    Transcripts.open(tmp_path).close()
    connection = connect(tmp_path / PATH)
    connection.execute("INSERT INTO ledger (version, name) VALUES (99, 'later')")
    connection.close()
    with pytest.raises(IndexTooNewError, match=r"traces\.db was made by a later memhtml"):
        Transcripts.open(tmp_path)


@pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="no links")
def test_no_database_is_opened_through_a_link(tmp_path: Path) -> None:
    """A cloned store may bring one along."""
    (tmp_path / ".memhtml").mkdir()
    (tmp_path / PATH).symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(UnsafeFileError) as caught:
        Transcripts.open(tmp_path)
    assert "then run memhtml trace index" in caught.value.suggestions[0]
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / ".memhtml").write_bytes(b"")
    with pytest.raises(StorageError, match=r"\.memhtml cannot be made"):
        Transcripts.open(tmp_path)


def test_another_process_that_does_not_end_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message speaks of transcripts, not of the index."""
    from memhtml.index import database

    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.0)
    with Transcripts.open(tmp_path) as known:
        known._connection.execute("PRAGMA busy_timeout = 0")
        other = sqlite3.connect(tmp_path / PATH, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(IndexStaleError, match="another process is reading the transcripts"), known.writing():
            pass
        with known.reading() as reader:
            assert reader.totals().transcripts == 0
        other.execute("ROLLBACK")
        other.close()
