"""What the rows say is wrong with the files."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.index import tables
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.inspection import Problem
from memhtml.index.projection import Unreadable

Remember = Callable[..., str]


def test_files_that_are_well_have_no_problem(index: Index, remember: Remember) -> None:
    """Links to what is there, also to what went to the archive, and to a session, which is no memory."""
    remember("areas/b.html", "2", links=(("from_session", "sessions/x.html"),))
    remember("archive/2026/areas/c.html", "3", status="archived")
    remember("areas/a.html", "1", links=(("relates_to", "areas/b.html"), ("supersedes", "areas/c.html")))
    assert index.problems() == ()


def test_a_link_to_the_archive_finds_what_came_back_or_went_again(index: Index, remember: Remember) -> None:
    """To the place that it came from, or to another year; what is in neither is missing."""
    years = ("archive/2025/areas/back.html", "archive/2025/areas/again.html", "archive/2025/areas/none.html")
    remember("areas/a.html", "1", links=tuple(("relates_to", path) for path in years))
    remember("areas/back.html", "2")
    remember("archive/2026/areas/again.html", "3", status="archived")
    found = index.problems()
    assert [(problem.code, problem.path) for problem in found] == [("dangling-link", "areas/a.html")]
    assert "archive/2025/areas/none.html" in found[0].message


def test_each_problem_is_named_once_with_its_path(index: Index, remember: Remember) -> None:
    """By kind, the worst first, then by path; a neighbour that is well is not named."""
    remember("areas/well.html", "0")
    remember("areas/b.html", "1", links=(("relates_to", "areas/nowhere.html"), ("part_of", "areas/broken.html")))
    remember("areas/c.html", "2", status="archived")
    remember("archive/2026/areas/d.html", "3")
    remember("areas/e.html", "4", claimed_hash="sha256:" + "0" * 64)
    with index._connections.writing(Kind.INDEX) as connection:
        tables.insert_unreadable(connection, Unreadable("areas/broken.html", "b", "no claim"))
        content = connection.execute("SELECT content_hash FROM files WHERE path = 'areas/well.html'").fetchone()[0]
        connection.execute("INSERT INTO duplicates VALUES ('areas/x.html', 'b', ?)", (content,))
    found = index.problems()
    assert [(problem.code, problem.path) for problem in found] == [
        ("unreadable-file", "areas/broken.html"),
        ("duplicate-content", "areas/x.html"),
        ("status-and-place", "archive/2026/areas/d.html"),
        ("status-and-place", "areas/c.html"),
        ("stale-hash", "areas/e.html"),
        ("dangling-link", "areas/b.html"),
    ]
    assert found[0] == Problem("unreadable-file", "areas/broken.html", "breaks the format and is not indexed: no claim")
    assert "areas/well.html" in found[1].message
    assert "areas/nowhere.html" in found[5].message
