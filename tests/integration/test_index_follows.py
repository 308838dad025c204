"""The index follows a real store: what is committed, what is only saved, and what is taken back."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import StorageError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.pinned import Pinned
from memhtml.store.founding import init
from memhtml.store.repository import Repository

Git = Callable[..., str]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="memhtml-type" content="semantic">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-03-01T10:00:00Z">
<meta name="memhtml-updated" content="{updated}">
</head>
<body>
<article><p><mark>{claim}</mark></p></article>
</body>
</html>
"""


def page(claim: str, *, title: str = "A title", updated: str = "2026-03-01T10:00:00Z") -> str:
    """A memory file with this claim."""
    return PAGE.format(title=title, claim=claim, updated=updated)


@pytest.fixture
def repository(root: Path, environment: dict[str, str]) -> Repository:
    """An empty store."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


@pytest.fixture
def git(repository: Repository, environment: dict[str, str]) -> Git:
    """Git as a person uses it in the store."""

    def run(*words: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        done = subprocess.run(
            ["git", *identity, *words], cwd=repository.root, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    return run


@pytest.fixture
def index(repository: Repository) -> Iterator[Index]:
    """The index of the store."""
    with Index.open(repository.root) as opened:
        yield opened


def save(repository: Repository, path: str, text: str) -> None:
    """Write a file as an editor does."""
    place = repository.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="\n")


def found(index: Index, words: str) -> list[str]:
    """The paths that hold any of ``words``, best first."""
    with index.reading() as view:
        return [hit.path for hit in view.lexical(terms(words), Scope(), 10)]


def test_a_committed_file_is_found_after_catching_up(repository: Repository, index: Index, git: Git) -> None:
    """The branch is followed by its difference; the title alone is enough to be found."""
    save(repository, "areas/inbox/a.html", page("Drain the queue.", title="Deploying"))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    report = index.catch_up(repository)
    assert report is not None
    assert (report.added, report.changed, report.removed) == (1, 0, 0)
    assert found(index, "queue") == found(index, "deploying") == ["areas/inbox/a.html"]
    assert index.catch_up(repository) is None


def test_a_saved_file_is_found_after_an_update_and_leaves_when_it_is_deleted(
    repository: Repository, index: Index
) -> None:
    """An untracked file is read like any other; catching up with the branch does not lose it."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    index.update(repository)
    assert found(index, "queue") == ["areas/inbox/a.html"]
    index.catch_up(repository)
    assert found(index, "queue") == ["areas/inbox/a.html"]
    (repository.root / "areas/inbox/a.html").unlink()
    assert index.update(repository).removed == 1
    assert found(index, "queue") == []


def test_a_reverted_edit_gives_way_to_what_is_committed(repository: Repository, index: Index, git: Git) -> None:
    """The words of an edit are there while it is saved, and gone when it was taken back."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    save(repository, "areas/inbox/a.html", page("Flush the cache."))
    index.update(repository)
    assert (found(index, "cache"), found(index, "queue")) == (["areas/inbox/a.html"], [])
    git("checkout", "-q", "--", ".")
    index.update(repository)
    assert (found(index, "cache"), found(index, "queue")) == ([], ["areas/inbox/a.html"])


def test_a_move_takes_the_use_along(repository: Repository, index: Index, git: Git) -> None:
    """How often a memory was opened stays with it, wherever it goes, and comes back with it."""
    old, new = MemoryPath("areas/inbox/a.html"), MemoryPath("resources/ops/b.html")
    save(repository, old, page("Drain the queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    index.catch_up(repository)
    index.state.open_memory(old, now="2026-03-01T10:00:00Z")
    (repository.root / "resources/ops").mkdir(parents=True)
    git("mv", old, new)
    git("commit", "-q", "-m", "b")
    followed = index.catch_up(repository)
    assert followed is not None
    assert followed.moves == ((old, new),)
    with index.reading() as view:
        assert [access.opens for access in view.state([new]).values()] == [1]
        assert view.state([old]) == {}


def test_a_copied_file_is_named_as_a_duplicate_and_takes_over(repository: Repository, index: Index, git: Git) -> None:
    """The first by path is the memory; when it goes, the copy is the memory."""
    save(repository, "areas/inbox/b.html", page("Drain the queue."))
    save(repository, "areas/inbox/c.html", page("Drain the queue.", title="Another title"))
    assert index.update(repository).duplicates == (("areas/inbox/c.html", "areas/inbox/b.html"),)
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    assert index.update(repository).duplicates == (
        ("areas/inbox/b.html", "areas/inbox/a.html"),
        ("areas/inbox/c.html", "areas/inbox/a.html"),
    )
    assert found(index, "queue") == ["areas/inbox/a.html"]
    (repository.root / "areas/inbox/a.html").unlink()
    git("add", "-A")
    git("commit", "-q", "-m", "b and c")
    index.update(repository)
    assert found(index, "queue") == ["areas/inbox/b.html"]


def test_a_broken_file_is_counted_and_named_and_stops_nothing(repository: Repository, index: Index) -> None:
    """The others are indexed as if it were not there; mended, it is one of them."""
    save(repository, "areas/inbox/a.html", "<p>no memory</p>")
    save(repository, "areas/inbox/b.html", page("Drain the queue."))
    report = index.update(repository)
    assert [path for path, _ in report.unreadable] == ["areas/inbox/a.html"]
    assert found(index, "queue") == ["areas/inbox/b.html"]
    save(repository, "areas/inbox/a.html", page("Flush the queue."))
    assert index.update(repository).unreadable == ()
    assert len(found(index, "queue")) == 2


def test_catching_up_prefers_what_was_committed_over_an_older_edit(
    repository: Repository, index: Index, git: Git
) -> None:
    """An edit that was seen, and then committed as something else, is not shown any longer."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    index.update(repository)
    save(repository, "areas/inbox/a.html", page("Flush the cache."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    index.catch_up(repository)
    assert (found(index, "cache"), found(index, "queue")) == (["areas/inbox/a.html"], [])


def test_a_history_that_was_rewritten_is_followed_by_comparing_trees(
    repository: Repository, index: Index, git: Git
) -> None:
    """The indexed commit is gone from the repository; only what differs is read again."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    save(repository, "areas/inbox/b.html", page("Flush the cache."))
    git("add", "-A")
    git("commit", "-q", "-m", "a and b")
    index.catch_up(repository)
    (repository.root / "areas/inbox/b.html").unlink()
    save(repository, "areas/inbox/c.html", page("Call Ada."))
    git("add", "-A")
    git("commit", "-q", "--amend", "-m", "a and c")
    git("reflog", "expire", "--expire=now", "--all")
    git("gc", "-q", "--prune=now")
    fresh = index.freshness(repository)
    assert fresh.committed == ("areas/inbox/b.html", "areas/inbox/c.html")
    report = index.catch_up(repository)
    assert report is not None
    assert (report.added, report.changed, report.removed) == (1, 0, 1)
    assert sorted(found(index, "queue cache Ada")) == ["areas/inbox/a.html", "areas/inbox/c.html"]


def test_freshness_says_what_an_update_would_look_at(repository: Repository, index: Index, git: Git) -> None:
    """Committed, edited, deleted, untracked and taken back: each until the next update."""
    assert index.freshness(repository).committed == ()
    index.update(repository)
    assert index.freshness(repository).fresh
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    save(repository, "areas/inbox/b.html", page("Flush the cache."))
    git("add", "-A")
    git("commit", "-q", "-m", "a and b")
    assert index.freshness(repository).committed == ("areas/inbox/a.html", "areas/inbox/b.html")
    index.update(repository)
    save(repository, "areas/inbox/a.html", page("Drain it twice."))
    (repository.root / "areas/inbox/b.html").unlink()
    save(repository, "areas/inbox/c.html", page("Call Ada."))
    three = ("areas/inbox/a.html", "areas/inbox/b.html", "areas/inbox/c.html")
    assert index.freshness(repository).uncommitted == three
    index.update(repository)
    assert index.freshness(repository).fresh
    git("checkout", "-q", "--", ".")
    (repository.root / "areas/inbox/c.html").unlink()
    stale = index.freshness(repository)
    assert (stale.fresh, stale.committed, stale.uncommitted) == (False, (), three)
    index.update(repository)
    assert index.freshness(repository).fresh


def test_generated_files_are_no_memories(repository: Repository, index: Index, git: Git) -> None:
    """Not a folder's index.html, nor the sitemap, nor the README, however much they look like one."""
    for path in ("areas/index.html", "sitemap.xml", "README.html", "index.html"):
        save(repository, path, page(f"Made for {path}."))
    save(repository, "areas/a.html", page("A memory."))
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    assert index.update(repository).added == 1
    assert index.problems() == ()
    with index.reading() as view:
        assert view.listed(Scope()) == ["areas/a.html"]


def test_a_link_in_place_of_a_memory_is_nothing_to_the_index(repository: Repository, index: Index, git: Git) -> None:
    """What it points to is never read; a memory that becomes one leaves."""
    outside = repository.root.parent / "outside.html"
    outside.write_text(page("The secret heron."), encoding="utf-8")
    save(repository, "areas/a.html", page("The queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    index.update(repository)
    (repository.root / "areas/a.html").unlink()
    (repository.root / "areas/a.html").symlink_to(outside)
    (repository.root / "areas/b.html").symlink_to(outside)
    index.update(repository)
    assert found(index, "heron queue") == []
    git("add", "-A")
    git("commit", "-q", "-m", "links")
    index.update(repository)
    index.rebuild(repository)
    assert found(index, "heron queue") == []


def test_an_index_that_other_rules_made_is_made_anew(
    repository: Repository, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later memhtml may read files otherwise; catching up is enough to bring its rows in."""
    save(repository, "areas/a.html", page("The queue."))
    before = index.update(repository).generation
    for module in ("index", "update", "freshness"):
        monkeypatch.setattr(f"memhtml.index.{module}.PROJECTION", 99)
    assert index.freshness(repository).outdated
    report = index.catch_up(repository)
    assert report is not None
    assert (report.added, report.generation) == (1, before + 1)
    assert index.freshness(repository).fresh
    assert index.catch_up(repository) is None


def test_a_deleted_index_comes_back_as_it_was(repository: Repository, index: Index, git: Git) -> None:
    """From the tree alone: committed and uncommitted, live and archived."""
    save(repository, "areas/a.html", page("The queue."))
    save(repository, "archive/2026/areas/b.html", page("The old queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a and b")
    save(repository, "areas/c.html", page("The unsaved queue."))
    index.update(repository)
    with index.reading() as view:
        rows = view.rows(view.listed(Scope(archived=True)))
    index.close()
    (repository.root / ".memhtml" / "index.db").unlink()
    with Index.open(repository.root) as again:
        again.update(repository)
        with again.reading() as view:
            assert view.rows(view.listed(Scope(archived=True))) == rows
            assert len(rows) == 3


def test_an_index_that_is_damaged_in_use_heals_at_the_next_update(repository: Repository, index: Index) -> None:
    """Moved aside and filled again; the readers of the same index go on."""
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    index.state.open_memory(MemoryPath("areas/a.html"), now="2026-03-01T10:00:00Z")
    index.close()
    path = repository.root / ".memhtml" / "index.db"
    connection = sqlite3.connect(path)
    root_page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'files'").fetchone()[0]
    connection.close()
    data = path.read_bytes()
    path.write_bytes(data[: (root_page - 1) * 4096] + b"\xff" * 4096 + data[root_page * 4096 :])
    with Index.open(repository.root) as hurt:
        assert hurt.incidents == ()
        save(repository, "areas/b.html", page("Another queue."))
        assert hurt.update(repository).added == 2
        assert hurt.incidents == ("index.db was damaged; it is kept as index.db.corrupt-1",)
        assert found(hurt, "queue") == ["areas/a.html", "areas/b.html"]
        assert hurt.verify(repository).sound
        with hurt.reading() as view:
            assert view.state(["areas/a.html"])["areas/a.html"].opens == 1


def test_a_state_that_is_damaged_in_use_heals_at_a_rebuild(repository: Repository, index: Index) -> None:
    """From the sidecar, and the index with it."""
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    index.state.open_memory(MemoryPath("areas/a.html"), now="2026-03-01T10:00:00Z")
    (repository.root / ".memhtml" / "state").mkdir(exist_ok=True)
    (repository.root / ".memhtml" / "state" / "access.jsonl").write_bytes(index.state.export())
    index.close()
    path = repository.root / ".memhtml" / "state.db"
    connection = sqlite3.connect(path)
    root_page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'access'").fetchone()[0]
    connection.close()
    data = path.read_bytes()
    path.write_bytes(data[: (root_page - 1) * 4096] + b"\xff" * 4096 + data[root_page * 4096 :])
    with Index.open(repository.root) as hurt:
        with pytest.raises(StorageError, match="damaged") as failure:
            hurt.state.export()
        assert "memhtml index rebuild" in failure.value.suggestions
        hurt.rebuild(repository)
        assert hurt.incidents[0] == "state.db was damaged; it is kept as state.db.corrupt-1"
        assert "1 memories" in hurt.incidents[1]
        assert b'"accessCount":1' in hurt.state.export()


def test_verifying_finds_a_row_that_was_changed_behind_its_back(repository: Repository, index: Index) -> None:
    """And names it."""
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    assert index.verify(repository).sound
    with index._connections.writing(Kind.INDEX) as connection:
        connection.execute("UPDATE files SET gist = 'something else'")
    report = index.verify(repository)
    assert not report.sound
    assert report.named == (("files", "areas/a.html"),)
    index.rebuild(repository)
    assert index.verify(repository).sound


def test_all_files_with_a_content_are_given(repository: Repository, index: Index) -> None:
    """The memory and its copies by path, so that a writer can look for one in the branch; no task, no archive."""
    for path in ("areas/b.html", "areas/a.html", "archive/2026/areas/c.html"):
        save(repository, path, page("Drain the queue."))
    index.update(repository)
    with index.reading() as view:
        content = view.rows(["areas/a.html"])["areas/a.html"].content_hash
    assert index.duplicates(content) == ["areas/a.html", "areas/b.html"]
    assert index.duplicates("sha256:" + "0" * 64) == []


class Racing(Pinned):
    """A store in which somebody does something to a file between the look at it and the reading of it."""

    def __init__(self, repository: Repository, meanwhile: Callable[[Path], None]) -> None:
        super().__init__(repository, repository.head(), repository.uncommitted())
        self._repository = repository
        self._meanwhile = meanwhile

    def read_work(self, path: MemoryPath) -> bytes:
        """The file as it is after that."""
        self._meanwhile(self._repository.root / path)
        return self._repository.read_work(path)


def test_a_file_that_vanishes_meanwhile_is_left_for_the_next_update(repository: Repository, index: Index) -> None:
    """Nothing fails, nothing is there, and when it comes back as it was it is seen."""
    save(repository, "areas/a.html", page("The queue."))
    index.update(Racing(repository, lambda place: place.unlink()))
    assert found(index, "queue") == []
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    assert found(index, "queue") == ["areas/a.html"]
    assert index.verify(repository).sound


def test_a_file_that_is_saved_meanwhile_has_the_rows_of_what_was_read(repository: Repository, index: Index) -> None:
    """And they are known to be of that, whatever is done to it afterwards."""
    save(repository, "areas/a.html", page("The queue."))
    later = page("The cache.")
    index.update(Racing(repository, lambda place: place.write_text(later, encoding="utf-8", newline="\n")))
    assert found(index, "cache") == ["areas/a.html"]
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    assert found(index, "queue") == ["areas/a.html"]
    assert index.verify(repository).sound


def test_a_file_that_becomes_a_link_meanwhile_is_nothing(repository: Repository, index: Index) -> None:
    """It is not followed, and when it is a file again it is seen."""
    outside = repository.root.parent / "outside.html"
    outside.write_text(page("The secret heron."), encoding="utf-8")

    def swap(place: Path) -> None:
        place.unlink()
        place.symlink_to(outside)

    save(repository, "areas/a.html", page("The queue."))
    index.update(Racing(repository, swap))
    assert found(index, "queue heron") == []
    (repository.root / "areas/a.html").unlink()
    save(repository, "areas/a.html", page("The queue."))
    index.update(repository)
    assert found(index, "queue heron") == ["areas/a.html"]
    assert index.verify(repository).sound
