"""Every memory of main is in the result, and says what it said; nobody is believed on a name alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.memory import BlobId, ContentHash, MemoryPath
from memhtml.sleep.merge.ledger import Entry, Fault, Finding, audit, given_way, whereabouts
from memhtml.sleep.veto import Words

A, B, C = (MemoryPath(f"areas/{name}.html") for name in "abc")
OLD_A, OLD_B = (MemoryPath(f"archive/2026/{path}") for path in (A, B))


def entry(path: MemoryPath, says: str = "", *, protected: bool = False) -> Entry:
    """A memory that says something of its own, or what is given; its file is like no other."""
    text = says or f"This is what {path.rpartition('/')[2]} says."
    return Entry(path, BlobId(f"{path}: {text}"), ContentHash(text), Words(text, text, text), protected=protected)


def side(*entries: Entry) -> dict[MemoryPath, Entry]:
    """The memories of a side."""
    return {one.path: one for one in entries}


def moved(one: Entry, path: MemoryPath, superseded_by: MemoryPath | None = None) -> Entry:
    """The same memory elsewhere, with what took its place in its head."""
    return replace(one, path=path, blob=BlobId(f"{one.blob} at {path}"), superseded_by=superseded_by)


def faults(
    before: dict[MemoryPath, Entry], after: dict[MemoryPath, Entry]
) -> list[tuple[Fault, MemoryPath, MemoryPath]]:
    """What is found: the fault, the memory, and the path that is to be taken out."""
    return [(one.fault, one.path, one.remedy) for one in audit(before, after)]


PLAIN = side(entry(A), entry(B))


@pytest.mark.parametrize(
    "after",
    [
        PLAIN,
        side(entry(A), entry(B), entry(C)),
        side(entry(A), replace(entry(B), blob=BlobId("edited"))),
        side(entry(A), moved(entry(B), OLD_B)),
        side(entry(A), moved(entry(B), OLD_B, superseded_by=C), entry(C, "This is what b.html says. It says more.")),
        side(entry(A), moved(entry(B), MemoryPath("resources/b.html"))),
        side(moved(entry(A), OLD_A), moved(entry(B), MemoryPath("resources/b.html"))),
    ],
)
def test_what_is_kept_elsewhere_or_with_another_head_adds_up(after: dict[MemoryPath, Entry]) -> None:
    """Nothing at all, a new one, an edited head, the archive with and without a successor, moves."""
    assert audit(PLAIN, after) == ()


def test_what_comes_back_from_the_archive_is_there() -> None:
    """At its original place, from whichever depth of it."""
    assert audit(side(entry(OLD_B)), side(moved(entry(OLD_B), B))) == ()
    deep = MemoryPath(f"archive/2027/{OLD_B}")
    assert audit(side(entry(deep)), side(moved(entry(deep), OLD_B))) == ()


def test_what_is_nowhere_has_vanished() -> None:
    """Also from the archive; a name in another does not stand for it."""
    assert faults(PLAIN, side(entry(A))) == [(Fault.VANISHED, B, B)]
    assert faults(side(entry(A), entry(OLD_B)), side(entry(A))) == [(Fault.VANISHED, OLD_B, OLD_B)]
    named = side(replace(entry(A), blob=BlobId("k"), supersedes=(OLD_B,)))
    assert audit(PLAIN, named) == (
        Finding(Fault.VANISHED, B, B, f"{B} is nowhere in the result, but for its name in {A}"),
        Finding(Fault.DANGLING, A, A, f"{A} supersedes {OLD_B}, and that is not there"),
    )


def test_two_memories_that_say_the_same_are_two() -> None:
    """One file stands for one of them."""
    twins = side(entry(A, "Same."), entry(B, "Same."))
    assert faults(twins, side(entry(A, "Same."))) == [(Fault.VANISHED, B, B)]
    assert faults(twins, side(moved(entry(A, "Same."), C))) == [(Fault.VANISHED, B, B)]
    assert audit(twins, side(entry(A, "Same."), moved(entry(B, "Same."), OLD_B))) == ()
    assert whereabouts(twins, side(moved(entry(A, "Same."), C), moved(entry(B, "Same."), OLD_B))) == {A: C, B: OLD_B}


def test_another_article_in_its_place_is_found() -> None:
    """Where it was, in the archive, and also where its old article is kept elsewhere: a path is an id."""
    other = entry(B, "Something else.")
    assert audit(PLAIN, side(entry(A), other)) == (
        Finding(Fault.OVERWRITTEN, B, B, f"the article of {B} says something else than on main"),
    )
    assert audit(PLAIN, side(entry(A), moved(other, OLD_B))) == (
        Finding(Fault.OVERWRITTEN, B, B, f"the article of {B} says something else in {OLD_B} than on main"),
    )
    assert audit(PLAIN, side(entry(A), other, moved(entry(B), OLD_B))) == (
        Finding(Fault.OVERWRITTEN, B, B, f"{B} went to {OLD_B}, and something else is at its path"),
    )


def test_a_file_that_breaks_the_format_may_stay_and_go_as_it_is() -> None:
    """It has no article to compare; one that comes to break it is overwritten."""
    broken = Entry(B, BlobId("broken"))
    assert audit(side(broken), side(broken)) == ()
    assert audit(side(broken), side(replace(broken, path=OLD_B))) == ()
    assert faults(side(broken), side(replace(broken, blob=BlobId("more")))) == [(Fault.OVERWRITTEN, B, B)]
    assert faults(side(entry(B)), side(broken)) == [(Fault.OVERWRITTEN, B, B)]


def test_what_is_a_persons_stays_byte_for_byte() -> None:
    """Neither its head nor its place is another."""
    own = entry(B, protected=True)
    assert audit(side(own), side(own)) == ()
    for after in (replace(own, blob=BlobId("edited")), moved(own, OLD_B), moved(own, C)):
        assert faults(side(own), side(after)) == [(Fault.TOUCHED, B, B)]


def test_nothing_goes_for_what_says_otherwise() -> None:
    """By number, here; for what the run made, nothing of it may be lost; what went before is no news."""
    week, fortnight = entry(A, "Letters are kept for 7 days."), entry(B, "Letters are kept for 14 days.")
    gone = moved(fortnight, OLD_B, superseded_by=A)
    assert audit(side(week, fortnight), side(week, gone)) == (
        Finding(Fault.DIVERGED, B, B, f"{B} gives way to {A}, which says otherwise: they differ by number"),
    )
    made = moved(fortnight, OLD_B, superseded_by=C)
    said = f"{B} gives way to {C}, which does not say all of it: a number is lost"
    after = side(week, made, entry(C, "Letters are kept for days."))
    assert audit(side(week, fortnight), after) == (Finding(Fault.DIVERGED, B, B, said),)
    both = "Letters are kept for 14 days. Parcels are kept for 3 days."
    assert audit(side(week, fortnight), side(week, made, entry(C, both))) == ()
    assert audit(side(week, gone), side(week, gone)) == ()


def test_nothing_gives_way_by_a_link_alone() -> None:
    """A memory that another supersedes is found no more, also where its file is as it was."""
    week, fortnight = entry(A, "Letters are kept for 7 days."), entry(B, "Letters are kept for 14 days.")
    linked = replace(week, blob=BlobId("k"), supersedes=(B,))
    said = f"{B} gives way to {A}, which says otherwise: they differ by number"
    assert audit(side(week, fortnight), side(linked, fortnight)) == (Finding(Fault.DIVERGED, B, A, said),)
    assert audit(side(linked, fortnight), side(linked, fortnight)) == ()
    assert given_way(side(week, fortnight), side(linked, fortnight)) == {B}
    assert given_way(side(linked, fortnight), side(moved(linked, C), fortnight)) == frozenset()
    assert given_way(side(week, fortnight), side(week, moved(fortnight, OLD_B, superseded_by=A))) == {B}
    assert given_way(side(week, moved(fortnight, OLD_B)), side(linked, moved(fortnight, OLD_B))) == frozenset()


def test_supersession_leads_somewhere() -> None:
    """A keeper of what stayed, a memory that went for what is not there; what main has so already is no news."""
    keeper = replace(entry(A), blob=BlobId("k"), supersedes=(OLD_B,))
    assert faults(PLAIN, side(keeper, entry(B))) == [(Fault.DANGLING, A, A)]
    gone = moved(entry(B), OLD_B, superseded_by=C)
    assert faults(PLAIN, side(entry(A), gone)) == [(Fault.DANGLING, B, OLD_B)]
    assert audit(side(keeper), side(keeper)) == ()
    assert audit(side(keeper), side(moved(keeper, C))) == ()
    told = replace(entry(A), supersedes=(B,))
    elsewhere = moved(entry(B), MemoryPath("resources/b.html"))
    assert faults(side(told, entry(B)), side(told, elsewhere)) == [(Fault.DANGLING, A, B)]
    assert audit(side(told, entry(B)), side(told, moved(entry(B), OLD_B))) == ()


def test_nothing_takes_its_own_place() -> None:
    """Each of two went for the other: neither is in use any more."""
    twins = side(entry(A, "Same."), entry(B, "Same."))
    circle = side(moved(twins[A], OLD_A, superseded_by=B), moved(twins[B], OLD_B, superseded_by=A))
    assert faults(twins, circle) == [(Fault.CIRCULAR, A, A), (Fault.CIRCULAR, B, B)]
    assert audit(circle, circle) == ()
    chain = side(moved(twins[A], OLD_A, superseded_by=B), moved(twins[B], OLD_B))
    assert audit(twins, chain) == ()


paths = st.sampled_from([A, B, C, OLD_A, OLD_B, MemoryPath("resources/b.html")])
sides = st.dictionaries(paths, st.sampled_from(["x", "y", "z"])).map(
    lambda found: side(*(entry(path, says) for path, says in found.items()))
)


@given(sides)
def test_a_side_is_in_itself(one: dict[MemoryPath, Entry]) -> None:
    """Each memory where it is."""
    assert audit(one, one) == ()
    assert whereabouts(one, one) == {path: path for path in one}


@given(sides, sides)
def test_a_memory_has_one_place_with_its_article_and_the_rest_is_told(
    before: dict[MemoryPath, Entry], after: dict[MemoryPath, Entry]
) -> None:
    """No two share a place, and none that has no place is passed over; the order of the sides does not matter."""
    where = whereabouts(before, after)
    assert len(set(where.values())) == len(where)
    assert all(before[path].says_what(after[place]) for path, place in where.items())
    missed = {one.path for one in audit(before, after) if one.fault in {Fault.VANISHED, Fault.OVERWRITTEN}}
    assert before.keys() - where.keys() <= missed
    shuffled = dict(reversed(list(before.items()))), dict(reversed(list(after.items())))
    assert audit(*shuffled) == audit(before, after)
    assert whereabouts(*shuffled) == where
