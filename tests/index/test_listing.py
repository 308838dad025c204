"""Memories, entities and links without a query."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import Entity
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import Rel
from memhtml.index import listing
from memhtml.index.index import Index
from memhtml.index.listing import EntityCount, Neighbor, Tied

Remember = Callable[..., str]


def test_the_newest_are_listed_first_a_page_at_a_time(index: Index, remember: Remember) -> None:
    """By event, else by last change; equal ones by path."""
    remember("areas/b.html", "1", updated="2026-01-02T00:00:00Z")
    remember("areas/a.html", "2", updated="2026-01-02T00:00:00Z")
    remember("areas/c.html", "3", updated="2026-03-01T00:00:00Z", event_at="2025-12-31")
    remember("areas/d.html", "4", event_at="2026-01-03")
    with index.reading() as view:
        assert view.listed(Scope()) == ["areas/d.html", "areas/a.html", "areas/b.html", "areas/c.html"]
        assert view.listed(Scope(), 2, 1) == ["areas/a.html", "areas/b.html"]
        assert view.listed(Scope(), 2, 9) == []


def test_an_empty_index_lists_nothing(index: Index) -> None:
    """No memory, no entity, no neighbour, and no error."""
    with index.reading() as view:
        assert view.listed(Scope()) == []
        assert view.entities(Scope()) == []
        assert view.neighbors("areas/a.html") == ()
        assert (view.total, view.count(Scope()), view.holds(Scope())) == (0, 0, False)


def test_entities_are_counted_in_scope(index: Index, remember: Remember) -> None:
    """The most named first, then by type and name; what a task names is no part of it."""
    remember("areas/a.html", "1", entities=("service:shop", "person:Ada"))
    remember("areas/b.html", "2", entities=("service:shop", "person:Bob"))
    remember("areas/t.html", "3", type="task", entities=("service:shop", "person:Eve"))
    expected = [
        EntityCount(Entity("service", "shop"), 2),
        EntityCount(Entity("person", "Ada"), 1),
        EntityCount(Entity("person", "Bob"), 1),
    ]
    with index.reading() as view:
        assert view.entities(Scope()) == expected
        assert view.entities(Scope(), 1) == expected[:1]


def test_links_are_followed_both_ways(index: Index, remember: Remember) -> None:
    """Its own in document order, then those that lead to it by path; a neighbour's links are not its own."""
    remember("areas/a.html", "1", links=(("relates_to", "areas/c.html"), ("part_of", "areas/b.html")))
    remember("areas/b.html", "2")
    remember("areas/c.html", "3", links=(("supports", "areas/a.html"), ("caused_by", "areas/b.html")))
    with index.reading() as view:
        assert view.neighbors("areas/a.html") == (
            Neighbor("areas/c.html", Rel.RELATES_TO, outgoing=True, resolved="areas/c.html"),
            Neighbor("areas/b.html", Rel.PART_OF, outgoing=True, resolved="areas/b.html"),
            Neighbor("areas/c.html", Rel.SUPPORTS, outgoing=False, resolved="areas/c.html"),
        )


def test_every_link_of_what_is_in_use_comes_by_file(index: Index, remember: Remember) -> None:
    """In document order, as it is named and where that is now; the archive's own links are left out."""
    remember("areas/b.html", "1", links=(("supports", "areas/c.html"), ("part_of", "areas/a.html")))
    remember("areas/a.html", "2", links=(("relates_to", "areas/none.html"),))
    gone = remember("archive/2026/areas/c.html", "3", links=(("relates_to", "areas/a.html"),))
    with index.reading() as view:
        assert view.links() == (
            Tied("areas/a.html", Rel.RELATES_TO, "areas/none.html", None),
            Tied("areas/b.html", Rel.SUPPORTS, "areas/c.html", gone),
            Tied("areas/b.html", Rel.PART_OF, "areas/a.html", "areas/a.html"),
        )
        assert view.links(archived=True) == (Tied(gone, Rel.RELATES_TO, "areas/a.html", "areas/a.html"), *view.links())


def test_a_link_finds_what_went_to_the_archive(index: Index, remember: Remember) -> None:
    """The last time that it went; what is at the path now comes before; what is nowhere is nowhere."""
    remember("areas/a.html", "1", links=(("relates_to", "areas/b.html"), ("relates_to", "areas/none.html")))
    old = remember("archive/2025/areas/b.html", "2")
    new = remember("archive/2026/areas/b.html", "3")
    with index.reading() as view:
        assert [neighbor.resolved for neighbor in view.neighbors("areas/a.html")] == [new, None]
        assert [neighbor.path for neighbor in view.neighbors(new)] == ["areas/a.html"]
        assert view.neighbors(old) == ()
    there = remember("areas/b.html", "4")
    with index.reading() as view:
        assert [neighbor.resolved for neighbor in view.neighbors("areas/a.html")] == [there, None]
        assert view.neighbors(new) == ()
        assert [neighbor.path for neighbor in view.neighbors(there)] == ["areas/a.html"]


def test_a_link_finds_what_came_back_from_the_archive(index: Index, remember: Remember) -> None:
    """By any place that it had there; archived anew it is found where it is; what never was is nowhere."""
    links = (("supersedes", "archive/2025/areas/b.html"), ("relates_to", "archive/2026/areas/none.html"))
    remember("areas/a.html", "1", links=links)
    back = remember("areas/b.html", "2")
    for place in (back, remember("archive/2027/areas/c.html", "3")):
        with index.reading() as view:
            assert [one.resolved for one in view.neighbors("areas/a.html")] == [back, None]
            assert [one.path for one in view.neighbors(back)] == ["areas/a.html"]
            assert place == back or view.neighbors(place) == ()


def test_a_link_finds_what_went_to_the_archive_again(index: Index, remember: Remember) -> None:
    """In another year than the link says, and only where nothing is in the place that it says."""
    remember("areas/a.html", "1", links=(("supersedes", "archive/2025/areas/b.html"),))
    again = remember("archive/2026/areas/b.html", "2")
    with index.reading() as view:
        assert [one.resolved for one in view.neighbors("areas/a.html")] == [again]
        assert [one.path for one in view.neighbors(again)] == ["areas/a.html"]
    first = remember("archive/2025/areas/b.html", "3")
    with index.reading() as view:
        assert [one.resolved for one in view.neighbors("areas/a.html")] == [first]
        assert view.neighbors(again) == ()


def test_what_links_here_is_looked_up_and_not_looked_through(index: Index) -> None:
    """Ways of every path that a memory is known by, in one index."""
    with index.reading() as view:
        plan = [row[3] for row in view._connection.execute(f"EXPLAIN QUERY PLAN {listing._INCOMING}", {"path": "x"})]
    assert any("SEARCH links USING INDEX links_target (target=?)" in step for step in plan)
    assert not any(step.startswith(("SCAN links", "SCAN f", "SCAN files")) for step in plan)
