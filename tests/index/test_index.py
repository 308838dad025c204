"""An index as its users hold it: opening, damage, use, and what a search imports."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.errors import IndexTooNewError, StorageError, UnsafeFileError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.index.matrix import LONGEST_TAIL
from memhtml.index.usage import ImportReport
from memhtml.models.fakes import HashedWords

Remember = Callable[..., str]
NOW = Instant("2026-03-01T10:00:00Z")
LATER = Instant("2026-03-01T10:15:00Z")


def words(index: Index, query: str) -> list[str]:
    """The paths that hold any word of ``query``."""
    with index.reading() as view:
        return [hit.path for hit in view.lexical(terms(query), Scope(), 10)]


def test_opening_makes_what_is_missing_and_opens_it_again(
    tmp_path: Path, remembering: Callable[[Index], Remember]
) -> None:
    """What was written is there the next time; closing twice is harmless."""
    with Index.open(tmp_path / "deep" / "store") as index:
        remembering(index)("areas/a.html", "The queue.")
        assert index.incidents == ()
    index.close()
    with Index.open(tmp_path / "deep" / "store") as index:
        assert words(index, "queue") == ["areas/a.html"]
    assert sorted(path.name for path in (tmp_path / "deep" / "store" / ".memhtml").iterdir()) == [
        "index.db",
        "state.db",
    ]


@pytest.mark.parametrize("name", ["index.db", "state.db"])
def test_a_newer_database_is_refused(tmp_path: Path, name: str) -> None:
    """Whichever of the two."""
    Index.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / ".memhtml" / name)
    connection.execute("INSERT INTO ledger VALUES (9, 'later')")
    connection.commit()
    connection.close()
    with pytest.raises(IndexTooNewError, match=name):
        Index.open(tmp_path)


def test_a_damaged_index_is_moved_aside_and_the_state_stays(tmp_path: Path) -> None:
    """It says so, and starts empty: the next update fills it."""
    with Index.open(tmp_path) as index:
        index.state.open_memory(MemoryPath("areas/a.html"), NOW)
    (tmp_path / ".memhtml" / "index.db").write_bytes(b"not a database, by no means" * 100)
    with Index.open(tmp_path) as index:
        assert index.incidents == ("index.db was damaged; it is kept as index.db.corrupt-1",)
        with index.reading() as view:
            assert (view.generation, view.commit) == (0, None)
            assert view.state(["areas/a.html"])["areas/a.html"].opens == 1


def test_a_damaged_state_is_restored_from_the_sidecar(tmp_path: Path) -> None:
    """And said, with the lines that were no rows."""
    with Index.open(tmp_path) as index:
        index.state.open_memory(MemoryPath("areas/a.html"), NOW)
        index.state.reinforce(MemoryPath("areas/a.html"), 1.0, NOW)
        sidecar = index.state.export()
    folder = tmp_path / ".memhtml"
    (folder / "state").mkdir()
    (folder / "state" / "access.jsonl").write_bytes(sidecar + b"nonsense\n")
    (folder / "state.db").write_bytes(b"not a database, by no means" * 100)
    with Index.open(tmp_path) as index:
        assert index.incidents == (
            "state.db was damaged; it is kept as state.db.corrupt-1",
            "the state was restored from its sidecar: 1 memories, and 1 bad lines were left out",
        )
        assert index.state.export() == sidecar
    (folder / "state" / "access.jsonl").rename(tmp_path / "elsewhere.jsonl")
    (folder / "state" / "access.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    (folder / "state.db").write_bytes(b"not a database, by no means" * 100)
    with Index.open(tmp_path) as index:
        assert "never followed" in index.incidents[1]
        assert index.state.export() == b""
    (folder / "state" / "access.jsonl").unlink()
    (folder / "state.db").write_bytes(b"not a database, by no means" * 100)
    with Index.open(tmp_path) as index:
        assert "there is no sidecar" in index.incidents[1]
        assert index.state.export() == b""


def test_damage_that_only_a_read_meets_is_an_error_that_says_what_to_do(
    tmp_path: Path, remembering: Callable[[Index], Remember]
) -> None:
    """Not an answer, and not SQLite's error."""
    with Index.open(tmp_path) as index:
        for number in range(200):
            remembering(index)(f"areas/{number}.html", f"The queue number {number} {'word ' * 100}")
    path = tmp_path / ".memhtml" / "index.db"
    connection = sqlite3.connect(path)
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'search_data'").fetchone()[0]
    connection.close()
    data = path.read_bytes()
    path.write_bytes(data[: (page - 1) * 4096] + b"\xff" * 4096 + data[page * 4096 :])
    with Index.open(tmp_path) as index, pytest.raises(StorageError, match="damaged") as failure:
        words(index, "queue")
    assert "memhtml index rebuild" in failure.value.suggestions


def test_a_place_that_takes_no_folder_is_a_storage_error(tmp_path: Path) -> None:
    """A file is in the way."""
    (tmp_path / ".memhtml").write_text("in the way")
    with pytest.raises(StorageError, match="is a file, and a folder belongs there"):
        Index.open(tmp_path)


def test_importing_twice_changes_nothing_more(index: Index) -> None:
    """Counters by maximum; what this store knows beyond the sidecar stays."""
    a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    index.state.open_memory(a, NOW)
    data = index.state.export()
    index.state.open_memory(a, LATER)
    index.state.open_memory(b, NOW)
    before = index.state.export()
    for _ in range(2):
        assert index.state.import_lines(data + b"{}\n") == ImportReport(1, 1)
        assert index.state.export() == before


def test_opens_within_the_cool_down_are_not_counted(index: Index) -> None:
    """The second of two is told apart by its answer."""
    path = MemoryPath("areas/a.html")
    first = index.state.open_memory(path, NOW)
    assert first is not None
    assert index.state.open_memory(path, Instant("2026-03-01T10:14:59Z")) is None
    second = index.state.open_memory(path, LATER)
    assert second is not None
    assert (first.opens, second.opens) == (1, 2)


def test_a_reader_sees_nothing_of_what_is_written_meanwhile(
    tmp_path: Path, remembering: Callable[[Index], Remember]
) -> None:
    """Rows, words and state are of one moment; the next reader sees the new ones."""
    path = MemoryPath("areas/a.html")
    with Index.open(tmp_path) as index:
        remember = remembering(index)
        remember(path, "The queue.")
        with index.reading() as view:
            remember("areas/b.html", "Another queue.")
            index.state.open_memory(path, NOW)
            assert view.total == 1
            assert [hit.path for hit in view.lexical(terms("queue"), Scope(), 10)] == [path]
            assert view.state([path]) == {}
        with index.reading() as view:
            assert view.total == 2
            assert view.state([path])[path].opens == 1


def test_threads_share_an_index(tmp_path: Path, remembering: Callable[[Index], Remember]) -> None:
    """Readers side by side with a writer; each sees whole generations; every open counts once."""
    failures: list[str] = []
    with Index.open(tmp_path) as index:
        remember = remembering(index)

        def read() -> None:
            for _ in range(30):
                with index.reading() as view:
                    if view.total != len(view.listed(Scope())):
                        failures.append("half a generation")

        def use(number: int) -> None:
            for step in range(10):
                index.state.open_memory(MemoryPath(f"areas/{number}-{step}.html"), NOW)

        threads = [threading.Thread(target=read) for _ in range(3)]
        threads += [threading.Thread(target=use, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for number in range(30):
            remember(f"areas/{number}.html", f"queue {number}")
        for thread in threads:
            thread.join()
        assert failures == []
        assert index.state.export().count(b"\n") == 30


def test_a_search_without_vectors_imports_little(tmp_path: Path, remembering: Callable[[Index], Remember]) -> None:
    """No numpy, no event loop, no parser, no git, and nothing that writes an index."""
    with Index.open(tmp_path) as index:
        remembering(index)("areas/a.html", "The queue.")
    script = """
import sys
from pathlib import Path
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.index.index import Index
with Index.open(Path(sys.argv[1])) as index, index.reading() as view:
    hits = view.lexical(terms("queue"), Scope(), 10)
    assert view.rows([hit.path for hit in hits])
    assert view.vectors([hit.path for hit in hits]) == {}
    assert view.coverage() == 0.0
heavy = {"numpy", "asyncio", "pydantic", "turbohtml", "subprocess", "memhtml.page.read", "memhtml.index.update"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(os.name != "posix", reason="links and FIFOs as POSIX has them")
@pytest.mark.parametrize("made", ["link", "dangling", "fifo"])
@pytest.mark.parametrize(
    "name",
    [f"{name}{ending}" for name in ("index.db", "state.db") for ending in ("", "-wal", "-shm", "-journal")]
    + ["vectors.f32"],
)
def test_no_database_nor_what_lies_beside_one_is_opened_through_a_link_or_a_fifo(
    tmp_path: Path, name: str, made: str
) -> None:
    """A clone may bring them: what they lead to is neither made nor changed, and the error says what to do."""
    outside = tmp_path / "outside"
    root = tmp_path / "store"
    Index.open(root).close()
    place = root / ".memhtml" / name
    place.unlink(missing_ok=True)
    if made == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to(outside)
    if made == "link":
        outside.write_bytes(b"mine")
    with pytest.raises(UnsafeFileError, match=name.replace(".", r"\.")) as caught:
        Index.open(root)
    assert f"remove {place}" in caught.value.suggestions[0]
    if name == "index.db":
        assert "memhtml index rebuild" in caught.value.suggestions[0]
    assert [outside.read_bytes()] == [b"mine"] if made == "link" else not outside.exists()


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_a_folder_of_databases_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """And nothing is made where it leads."""
    outside, root = tmp_path / "outside", tmp_path / "store"
    outside.mkdir()
    root.mkdir()
    (root / ".memhtml").symlink_to(outside)
    with pytest.raises(UnsafeFileError):
        Index.open(root)
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_a_link_that_comes_while_the_index_is_open_is_not_followed_either(tmp_path: Path) -> None:
    """Each new connection looks again; so does a look at the pages."""
    outside = tmp_path / "outside"
    with Index.open(tmp_path / "store") as index:
        place = tmp_path / "store" / ".memhtml" / "state.db"
        place.unlink()
        place.symlink_to(outside)
        with pytest.raises(UnsafeFileError), index.reading():
            pass
    assert not outside.exists()


def test_a_copy_has_everything_and_keeps_what_is_done_to_it(
    tmp_path: Path, remembering: Callable[[Index], Remember]
) -> None:
    """Index, vectors and state; neither of the two sees what is written to the other, not even in the matrix file."""
    with Index.open(tmp_path) as index:
        path = MemoryPath(remembering(index)("areas/a.html", "The queue."))
        fill(index, HashedWords(32))
        index.state.open_memory(path, NOW)
        house = {file.name: file.read_bytes() for file in (tmp_path / ".memhtml").iterdir() if "-shm" not in file.name}
        with index.copied() as copy:
            assert words(copy, "queue") == [path]
            with copy.reading() as view:
                assert (view.coverage(), view.space) == (1.0, "fake-words@32")
                assert view.state([path])[path].opens == 1
            for number in range(LONGEST_TAIL + 2):  # more vectors than a matrix keeps out of its file
                remembering(copy)(f"areas/n{number}.html", f"Number {number} waits.")
            fill(copy, HashedWords(32))
            copy.state.open_memory(path, LATER)
            with copy.reading() as view:
                assert view.nearest(HashedWords(32).embed(["number 7 waits"])[0], Scope(), 1)
                assert view.state([path])[path].opens == 2
            assert words(index, "number") == []
            with index.reading() as view:
                assert view.state([path])[path].opens == 1
        assert house == {
            file.name: file.read_bytes() for file in (tmp_path / ".memhtml").iterdir() if "-shm" not in file.name
        }
        with index.reading() as view:
            assert view.total == 1
