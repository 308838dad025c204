"""What the store holds, committed and not."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from memhtml.domain.errors import GitError, PathNotFoundError, UnsafeFileError
from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.store.objects import blob_id
from memhtml.store.reading import Change, UncommittedChanges
from memhtml.store.repository import Repository

from .conftest import Person

Put = Callable[[str, bytes], CommitId]


def test_the_tree_is_the_memories_of_a_commit(store: Repository, person: Person, put: Put) -> None:
    """In path order; listings, foreign files, links and names that no memory may have are left out."""
    first = put("areas/b.html", b"b")
    put("areas/a b ä.html", b"a")
    put("areas/index.html", b"listing")
    person.commit("areas/notes.txt", "x")
    person.commit("areas/con.html", "x")
    (store.root / "areas/link.html").symlink_to("b.html")
    person.git("add", "areas/link.html")
    person.git("commit", "--quiet", "-m", "link")
    assert [(entry.path, entry.blob) for entry in store.tree()] == [
        ("areas/a b ä.html", blob_id(b"a", None)),
        ("areas/b.html", blob_id(b"b", None)),
    ]
    assert [entry.path for entry in store.tree(first)] == ["areas/b.html"]


def test_changes_are_told_path_by_path(store: Repository, person: Person, put: Put) -> None:
    """Added, edited, gone, and moved: a move is the old path gone and the new one with where it came from."""
    body = b"line\n" * 30
    put("areas/moved.html", body)
    put("areas/edited.html", b"e")
    old = put("areas/gone.html", b"g")
    person.git("rm", "--quiet", "areas/gone.html")
    person.git("commit", "--quiet", "-m", "gone")
    put("areas/edited.html", b"e2")
    put("projects/x/added.html", b"n")
    person.commit("areas/other.txt", "x")
    with store.transaction() as tx:
        tx.move("areas/moved.html", "archive/2026/areas/moved.html", body + b"stamp\n")
        new = tx.commit("memory(archive): moved")
    assert set(store.changes(old, new)) == {
        Change(MemoryPath("areas/moved.html"), None),
        Change(
            MemoryPath("archive/2026/areas/moved.html"),
            blob_id(body + b"stamp\n", None),
            MemoryPath("areas/moved.html"),
        ),
        Change(MemoryPath("areas/edited.html"), blob_id(b"e2", None)),
        Change(MemoryPath("areas/gone.html"), None),
        Change(MemoryPath("projects/x/added.html"), blob_id(b"n", None)),
    }
    assert list(store.changes(new, new)) == []


def test_a_memory_that_becomes_a_link_is_gone(store: Repository, person: Person, put: Put) -> None:
    """And one that becomes a file again is there."""
    old = put("areas/a.html", b"a")
    (store.root / "areas/a.html").unlink()
    (store.root / "areas/a.html").symlink_to("/etc/hostname")
    person.git("add", "areas/a.html")
    person.git("commit", "--quiet", "-m", "link")
    new = store.head()
    assert new is not None
    assert list(store.changes(old, new)) == [Change(MemoryPath("areas/a.html"), None)]
    assert list(store.changes(new, old)) == [Change(MemoryPath("areas/a.html"), blob_id(b"a", None))]


def test_a_commit_that_is_not_there_is_a_git_error(store: Repository) -> None:
    """Whoever remembers it must compare trees instead."""
    head = store.head()
    assert head is not None
    with pytest.raises(GitError):
        list(store.changes(CommitId("1" * 40), head))
    with pytest.raises(GitError):
        list(store.tree(CommitId("1" * 40)))
    with pytest.raises(GitError):
        list(store.blobs([BlobId("1" * 40)]))


def test_uncommitted_changes_carry_their_blobs(store: Repository, person: Person, put: Put) -> None:
    """Edited, staged, untracked and deleted memories; what is unsafe is named and not opened."""
    for name in ("edited", "staged", "deleted", "same", "link"):
        put(f"areas/{name}.html", name.encode())
    assert store.uncommitted() == UncommittedChanges()
    person.write("areas/edited.html", "edit")
    person.write("areas/staged.html", "stage")
    person.git("add", "areas/staged.html")
    (store.root / "areas/deleted.html").unlink()
    person.write("projects/new/ä.html", "new")
    person.write("areas/other.txt", "no memory")
    (store.root / "areas/link.html").unlink()
    (store.root / "areas/link.html").symlink_to("/etc/hostname")
    os.mkfifo(store.root / "areas/fifo.html")
    (store.root / "resources").symlink_to("/etc")
    found = store.uncommitted()
    assert found.present == {
        "areas/edited.html": blob_id(b"edit", None),
        "areas/staged.html": blob_id(b"stage", None),
        "projects/new/ä.html": blob_id(b"new", None),
    }
    assert found.deleted == {"areas/deleted.html"}
    assert found.unsafe == {"areas/link.html"}
    assert "areas/deleted.html" in found.paths


def test_a_new_file_staged_and_taken_away_is_nothing(store: Repository, person: Person) -> None:
    """The branch never had it, the work tree has not."""
    person.write("areas/a.html", "x")
    person.git("add", "areas/a.html")
    (store.root / "areas/a.html").unlink()
    assert store.uncommitted() == UncommittedChanges()


def test_blobs_come_in_the_order_asked(store: Repository) -> None:
    """Any number of them, with any bytes, and the same one twice."""
    contents = [b"", b"\n\n", b"\0\r\n" * 50, *(f"{number}\n".encode() * number for number in range(600))]
    with store.transaction() as tx:
        for number, data in enumerate(contents):
            tx.put(f"areas/{number}.html", data)
        tx.commit("memory(apply): many")
    ids = [blob_id(data, None) for data in contents] * 2
    assert list(store.blobs(ids)) == list(zip(ids, contents * 2, strict=True))
    assert list(store.blobs([])) == []


def test_reading_a_file_says_what_is_wrong(store: Repository, person: Person) -> None:
    """Nothing there, and nothing safe there, are two errors."""
    person.write("areas/a.html", "a")
    assert store.read_work(MemoryPath("areas/a.html")) == b"a"
    with pytest.raises(PathNotFoundError):
        store.read_work(MemoryPath("areas/b.html"))
    (store.root / "areas/c.html").symlink_to("a.html")
    with pytest.raises(UnsafeFileError):
        store.read_work(MemoryPath("areas/c.html"))
