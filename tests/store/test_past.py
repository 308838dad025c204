"""History, and the branch as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import PathNotFoundError
from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.store.branches import Runs
from memhtml.store.landing import land
from memhtml.store.repository import Repository

from .conftest import Person

Put = Callable[[str, bytes], CommitId]
BODY = b"".join(b"line %d\n" % number for number in range(30))


def test_history_reads_through_every_move(store: Repository, person: Person) -> None:
    """Newest first, with path, author, session and kind of each change; a neighbour's commits are left out."""
    path, there = "areas/a.html", "archive/2026/areas/a.html"
    with store.transaction() as tx:
        tx.put(path, BODY)
        first = tx.commit("memory(write): a", [("Memhtml-Session", "s"), ("Memhtml-Prompt", "p")])
        tx.put("areas/neighbour.html", BODY + b"neighbour\n")
        tx.commit("memory(write): neighbour")
    person.commit(path, BODY.decode() + "by hand\n")
    with store.transaction() as tx:
        tx.move(path, there, BODY + b"by hand\nstamp\n")
        last = tx.commit("memory(archive): a")
        tx.put("areas/b.html", BODY)
        tx.commit("memory(write): b")
    found = store.history(MemoryPath(there))
    assert [(one.kind, one.path) for one in found] == [("moved", there), ("modified", path), ("added", path)]
    assert (found[0].commit, found[2].commit) == (last, first)
    assert (found[2].session, found[2].prompt, found[2].author) == ("s", "p", "memhtml")
    assert (found[1].session, found[1].author, found[1].subject) == (None, "Ada", f"by hand: {path}")
    assert found[0].when.endswith("Z")
    assert store.history(MemoryPath("areas/none.html")) == ()


@pytest.mark.parametrize("body", [BODY, b"short\n" * 4])
def test_a_correction_is_added_and_what_it_corrects_goes_on(store: Repository, body: bytes) -> None:
    """However alike the two are: a memory's history is not its predecessor's."""
    old, there, new = "areas/old.html", "archive/2026/areas/old.html", "areas/new.html"
    with store.transaction() as tx:
        tx.put(old, body)
        tx.commit("memory(write): old")
        tx.put(new, body + b"a word\n")
        tx.move(old, there, body + b"stamp\n" * 3)
        corrected = tx.commit("memory(correct): new")
    assert [(one.kind, one.commit) for one in store.history(MemoryPath(new))] == [("added", corrected)]
    assert store.history(MemoryPath(there))[-1].subject == "memory(write): old"


def test_a_path_that_is_used_again_has_the_history_of_its_memory(store: Repository) -> None:
    """What was archived from there has its own."""
    path, there = "areas/a.html", "archive/2026/areas/a.html"
    with store.transaction() as tx:
        tx.put(path, BODY)
        tx.commit("memory(write): first")
        tx.move(path, there, BODY)
        tx.commit("memory(archive): first")
        tx.put(path, b"another\n")
        tx.commit("memory(write): second")
    assert [one.subject for one in store.history(MemoryPath(path))] == ["memory(write): second"]
    assert [one.subject for one in store.history(MemoryPath(there))] == [
        "memory(archive): first",
        "memory(write): first",
    ]


def test_a_file_that_a_person_renamed_keeps_its_history(store: Repository, person: Person) -> None:
    """Nothing of it went to the archive, so it is a move."""
    with store.transaction() as tx:
        tx.put("areas/a.html", BODY)
        tx.commit("memory(write): a")
    (store.root / "projects").mkdir()
    person.git("mv", "areas/a.html", "projects/b.html")
    person.git("commit", "--quiet", "-m", "by hand")
    assert [one.kind for one in store.history(MemoryPath("projects/b.html"))] == ["moved", "added"]


def test_a_moment_names_a_commit(store: Repository) -> None:
    """The newest one not after it; a date means its end; an id means itself."""
    with store.transaction() as tx:
        commits = []
        for day in ("01", "02", "03"):
            tx.put("areas/a.html", day.encode())
            commits.append(tx.commit(f"memory(write): {day}", when=Instant(f"2101-01-{day}T12:00:00Z")))
    assert store.commit_at("2101-01-02T12:00:00Z") == commits[1]
    assert store.commit_at("2101-01-02T11:59:59Z") == commits[0]
    assert store.commit_at("2101-01-02") == commits[1]
    assert store.commit_at("2101-01-02T14:30:00+02:00") == commits[1]
    assert store.commit_at("2199-01-01") == commits[2]
    assert store.commit_at(commits[0][:10]) == commits[0]


def test_a_moment_is_one_of_this_branch(store: Repository) -> None:
    """What a run proposed in the night was nobody's memory until it landed in the morning."""

    def at(clock: str) -> Instant:
        return Instant(f"2101-01-01T{clock}:00Z")

    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        evening = tx.commit("memory(write): a", when=at("01:00"))
    with Runs(store).begin("2101-01-01") as opened:
        with opened.repository.transaction() as tx:
            tx.put("areas/b.html", b"b")
            tx.commit("sleep(test): b", when=at("02:00"))
        landed = land(opened, opened.run(), when=at("07:00"))
    assert store.commit_at(at("03:00")) == evening
    assert store.commit_at(at("07:00")) == landed.commit


@pytest.mark.parametrize("moment", ["1999-01-01", "yesterday", "HEAD~1", "--all", "1234567", "abc", "", "main:areas"])
def test_what_names_no_commit_is_not_found(store: Repository, moment: str) -> None:
    """Before the first commit, no instant, no id; never read as an option or a revision expression."""
    with pytest.raises(PathNotFoundError):
        store.commit_at(moment)


@pytest.mark.parametrize("moment", ["HEAD", "HEAD~1", "main"])
def test_a_name_of_a_commit_is_refused_with_the_way_to_its_hash(store: Repository, moment: str) -> None:
    """A commit is named by its hash alone."""
    with pytest.raises(PathNotFoundError, match="no commit, which is named by its hash") as caught:
        store.commit_at(moment)
    assert any(one.startswith("git rev-parse HEAD") for one in caught.value.suggestions)
