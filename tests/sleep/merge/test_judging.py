"""What the store is asked about: all that a run takes out of use, and what it was meant to put away apart."""

from __future__ import annotations

from msgspec.structs import replace

from memhtml.domain.memory import BlobId, CommitId, ContentHash, MemoryPath
from memhtml.sleep.merge.judging import MOST_KEPT, Sides, put_away, touched
from memhtml.sleep.merge.ledger import Entry
from memhtml.store.classes import ARCHIVED, MOVED, Changed, RunCommit

A, B, C = (MemoryPath(f"areas/{name}.html") for name in "abc")


def entry(path: MemoryPath) -> Entry:
    """A memory that says something of its own."""
    return Entry(path, BlobId(path), ContentHash(path))


def elsewhere(one: Entry, path: str, superseded_by: MemoryPath | None = None) -> Entry:
    """The same memory at another place."""
    return replace(one, path=MemoryPath(path), blob=BlobId(f"{path} now"), superseded_by=superseded_by)


def side(*entries: Entry) -> dict[MemoryPath, Entry]:
    """The memories of a side."""
    return {one.path: one for one in entries}


def commit(phase: str, *changed: Changed) -> RunCommit:
    """A commit of a phase."""
    return RunCommit(CommitId("c"), "sleep", (("Memhtml-Run", "r"), ("Memhtml-Phase", phase)), changed, "sleep")


def archived(path: MemoryPath) -> Changed:
    """A memory that went to the archive."""
    return Changed(f"archive/2026/{path}", ARCHIVED, path, BlobId("o"), BlobId("n"))


def test_what_goes_out_of_use_is_always_asked_for() -> None:
    """Put away, gone, or somewhere else with another head; what is as it was is left to the sample."""
    before = side(entry(A), entry(B), entry(C), entry(MemoryPath("archive/2026/areas/old.html")))
    after = side(elsewhere(entry(B), f"archive/2026/{B}"), elsewhere(entry(C), "resources/c.html"))
    sides = Sides(before, after, ())
    assert touched(sides, 1) == (A, B, C)
    assert touched(sides, 1, besides={B}) == (A, C)
    assert touched(Sides(before, before, ()), 1) == ()


def test_what_may_be_found_no_more_is_always_asked_for() -> None:
    """Another type or validity, or another memory in its place, with a stamp or by a link alone."""
    before = side(*(replace(entry(path), standing=("semantic", "active")) for path in (A, B, C)))
    task = replace(before[A], blob=BlobId("task"), standing=("task", "active"))
    linked = replace(before[C], blob=BlobId("linked"), supersedes=(B,))
    assert touched(Sides(before, side(task, before[B], linked), ()), 1) == (A, B, C)
    assert touched(Sides(before, side(task, before[B], before[C]), ()), 1) == (A,)


def test_of_what_is_kept_with_another_head_some_are_asked_for() -> None:
    """As many as `MOST_KEPT`, as the seed draws them; all of what is put away comes before."""
    many = [entry(MemoryPath(f"areas/{number:03}.html")) for number in range(3 * MOST_KEPT)]
    gone = [elsewhere(one, f"archive/2026/{one.path}") for one in many[: MOST_KEPT + 1]]
    kept = [replace(one, blob=BlobId(f"{one.path} edited")) for one in many[MOST_KEPT + 1 :]]
    sides = Sides(side(*many), side(*gone, *kept), ())
    asked = touched(sides, 1)
    assert asked[: MOST_KEPT + 1] == tuple(one.path for one in many[: MOST_KEPT + 1])
    assert len(asked) == 2 * MOST_KEPT + 1
    assert set(asked[MOST_KEPT + 1 :]) <= {one.path for one in kept}
    assert touched(sides, 1) == asked
    assert touched(sides, 2) != asked


def test_what_was_meant_to_go_is_known_by_its_phase_and_has_no_successor() -> None:
    """By its path on main, wherever it was in between; a fold is none, whatever phase says so."""
    before = side(entry(A), entry(B), entry(C))
    moved = MemoryPath("resources/b.html")
    after = side(
        elsewhere(entry(A), f"archive/2026/{A}"),
        elsewhere(entry(B), f"archive/2026/{moved}"),
        elsewhere(entry(C), f"archive/2026/{C}", superseded_by=A),
    )
    between = Changed(moved, MOVED, B, BlobId("o"), BlobId("n"))

    def found(*commits: RunCommit) -> frozenset[MemoryPath]:
        return put_away(Sides(before, after, commits))

    assert found(commit("retention-triage", archived(A), archived(C))) == {A}
    assert found(commit("placement-triage", between), commit("reprieve", archived(moved))) == {B}
    assert found(commit("dedup-merge", archived(A)), commit("compress", archived(moved))) == frozenset()
    assert found(commit("retention-triage", between), commit("reprieve")) == frozenset()
    back = Sides(before, side(*before.values()), (commit("retention-triage", archived(A)),))
    assert put_away(back) == frozenset(), "it came back later in the run"
