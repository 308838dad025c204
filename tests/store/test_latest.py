"""What a process remembers of its own commit is what git would say of it."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import Draft, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.store import reading
from memhtml.store.archiving import stage_archive
from memhtml.store.correcting import stage_correct
from memhtml.store.latest import MOST
from memhtml.store.repository import Repository
from memhtml.store.writing import stage_write

from .conftest import NOW, nothing_else

Write = Callable[..., MemoryPath]


def said_by_git(store: Repository) -> tuple[set[reading.Change], set[reading.Change]]:
    """The changes of the last commit: as the store answers, and as git does."""
    latest = store._latest
    assert latest is not None
    own = store.changes(latest.base, latest.commit)
    return set(own), set(reading.changes(store.git, latest.base, latest.commit))


def test_a_correction_is_remembered_as_git_tells_it(store: Repository, write: Write) -> None:
    """The new file, the move of the old one, and the bytes of both."""
    old = write("Deploy takes five minutes, and nobody has to look on while it does.", workspace="checkout")
    with store.transaction() as tx:
        draft = Draft(MemoryType.SEMANTIC, claim="Deploy takes six minutes, and nobody has to look on.")
        done = stage_correct(tx, old, draft, now=NOW, duplicates=nothing_else)
        tx.put("projects/index.html", b"a listing, and no memory")
        tx.commit("memory(correct): six")
    own, told = said_by_git(store)
    assert own == told
    assert {change.path for change in own} == {done.path, old, done.superseded}
    ids = [change.blob for change in own if change.blob is not None]
    assert dict(store.blobs(ids)) == dict(reading.blobs(store.git, ids))


def test_what_others_did_is_asked_of_git(store: Repository, write: Write) -> None:
    """Only the way of the last commit is remembered; a longer one, and other blobs, are looked up."""
    first = write("First.")
    base = store.head()
    second = write("Second.")
    with store.transaction() as tx:
        stage_archive(tx, second, now=NOW)
        tx.commit("memory(archive): second")
    head = store.head()
    assert base is not None
    assert head is not None
    assert {change.path for change in store.changes(base, head)} == {f"archive/2026/{second}"}
    blob = next(entry.blob for entry in store.tree() if entry.path == first)
    assert [data for _, data in store.blobs([blob])] == [store.read_work(first)]


def test_a_large_commit_is_not_kept_in_memory(store: Repository) -> None:
    """One file more than is kept."""
    with store.transaction() as tx:
        for number in range(MOST + 1):
            draft = Draft(MemoryType.SEMANTIC, claim=f"Fact number {number}.")
            stage_write(tx, draft, now=NOW, duplicates=nothing_else)
        tx.commit("memory(apply): many")
    assert store._latest is None
