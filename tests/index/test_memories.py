"""What the index knows of given memories."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import Citation, Entity, Facet
from memhtml.domain.vocabulary import MemoryType, Status, TaskStatus
from memhtml.index.index import Index
from memhtml.index.memories import Texts

Remember = Callable[..., str]


def test_a_row_says_what_the_file_says(index: Index, remember: Remember) -> None:
    """Everything that a hit shows, with a neighbour whose parts are its own."""
    remember("areas/n.html", "neighbour", tags=("other",), entities=("a:b",), facets=(("x", "y"),))
    path = remember(
        "projects/shop/a.html",
        "A body.\nMore.",
        title="T",
        gist="A body.",
        event_at="2026-02-03",
        valid_from="2026-01-01",
        valid_until="2027-01-01",
        tags=("b", "a"),
        aliases=("z",),
        entities=("service:shop", "person:Ada"),
        facets=(("size", "four", 4.0), ("size", "five")),
    )
    with index.reading() as view:
        row = view.rows([path])[path]
    assert (row.path, row.title, row.gist, row.type, row.status) == (
        path,
        "T",
        "A body.",
        MemoryType.SEMANTIC,
        Status.ACTIVE,
    )
    assert (row.archived, row.workspace, row.event_at, row.moment) == (False, "shop", "2026-02-03", "2026-02-03")
    assert (row.valid_from, row.valid_until) == ("2026-01-01", "2027-01-01")
    assert (row.tags, row.aliases) == (("b", "a"), ("z",))
    assert row.entities == (Entity("service", "shop"), Entity("person", "Ada"))
    assert row.facets == (Facet("size", "four", 4.0), Facet("size", "five", None))
    assert (row.task_status, row.confidence, row.needs_revision, row.superseded_by, row.contradicts) == (
        None,
        None,
        None,
        None,
        (),
    )


def test_rows_come_in_the_order_asked_for(index: Index, remember: Remember) -> None:
    """Those that are not indexed are left out."""
    a, b = remember("areas/a.html", "1"), remember("areas/b.html", "2", type="task")
    with index.reading() as view:
        assert list(view.rows([b, "areas/none.html", a])) == [b, a]
        assert view.rows([b])[b].task_status is TaskStatus.TODO
        assert view.rows([]) == {}


def test_a_claim_is_contested_by_live_memories_from_either_side(index: Index, remember: Remember) -> None:
    """Whoever says so; the archive contests nothing any more, and one that is contested there is by its old path."""
    a = remember("areas/a.html", "1", links=(("contradicts", "areas/b.html"), ("relates_to", "areas/e.html")))
    b = remember("areas/b.html", "2")
    c = remember("areas/c.html", "3", links=(("contradicts", "areas/b.html"), ("contradicts", "areas/d.html")))
    remember("archive/2026/areas/x.html", "4", links=(("contradicts", "areas/b.html"),))
    d = remember("archive/2026/areas/d.html", "5")
    e = remember("areas/e.html", "6")
    with index.reading() as view:
        contests = {path: row.contradicts for path, row in view.rows([a, b, c, d, e]).items()}
    assert contests == {a: (b,), b: (a, c), c: (b,), d: (c,), e: ()}


def test_what_took_its_place_is_said_by_the_stamp_or_by_the_others_link(index: Index, remember: Remember) -> None:
    """The stamp first; of several links the newest."""
    stamped = remember("archive/2026/areas/a.html", "1", superseded_by="areas/s.html")
    linked = remember("archive/2026/areas/b.html", "2")
    remember("areas/x.html", "3", links=(("supersedes", linked),), updated="2026-01-02T00:00:00Z")
    y = remember(
        "areas/y.html", "4", links=(("supersedes", linked), ("supersedes", stamped)), updated="2026-01-03T00:00:00Z"
    )
    with index.reading() as view:
        rows = view.rows([stamped, linked, y])
    assert [rows[path].superseded_by for path in (stamped, linked, y)] == ["areas/s.html", y, None]


def test_texts_citations_and_pieces_are_those_of_each_path(index: Index, remember: Remember) -> None:
    """A long article comes in its pieces, in order, without their white space."""
    words = f"one {'word ' * 250}two.\n\nthree four."
    long = remember(
        "areas/long.html", words, disclosure="one", citations=(Citation("a", "https://a.example"), Citation("b"))
    )
    short = remember("areas/short.html", "five")
    with index.reading() as view:
        assert view.texts([short, long]) == {short: Texts("five", "five"), long: Texts(words, "one")}
        assert view.citations([short, long]) == {
            short: (),
            long: (Citation("a", "https://a.example"), Citation("b", None)),
        }
        pieces = view.chunks([short, long])
    assert pieces[short] == ("five",)
    assert len(pieces[long]) == 2
    assert pieces[long][0].startswith("one word")
    assert pieces[long][-1].endswith("three four.")
