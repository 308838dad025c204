"""Which conversations the memories themselves name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import SessionRel
from memhtml.index.database import Kind
from memhtml.index.index import Index

Remember = Callable[..., MemoryPath]
OLD, NEW = "archive/2026/areas/limit.html", "areas/limit-is-5.html"


@pytest.fixture
def corrected(index: Index, remember: Remember) -> Index:
    """A memory that one session wrote and another corrected, and a neighbour's."""
    remember(OLD, "The limit is 3.")
    remember(NEW, "The limit is 5.", links=[("supersedes", OLD)])
    remember("areas/queue.html", "Drain the queue.", links=[("supports", NEW)])
    with index._connections.writing(Kind.INDEX) as connection:
        for session, path in (("s1", OLD), ("s2", NEW), ("s3", "areas/queue.html")):
            connection.execute("UPDATE files SET session = ? WHERE path = ?", (session, path))
    return index


def test_a_session_wrote_a_file_and_corrected_what_that_supersedes(corrected: Index) -> None:
    """By memory; other links are no corrections."""
    with corrected.reading() as view:
        found = [(each.rel, each.memory, each.at) for each in view.written_by("s2")]
        assert [each.memory for each in view.written_by("s3")] == ["areas/queue.html"]
        assert view.written_by("s9") == []
    assert found == [
        (SessionRel.CORRECTED, OLD, "2026-01-01T00:00:00Z"),
        (SessionRel.WROTE, NEW, "2026-01-01T00:00:00Z"),
    ]


def test_a_memory_knows_who_wrote_and_who_corrected_it(corrected: Index) -> None:
    """The other way round, the same."""
    with corrected.reading() as view:
        assert [(each.session, each.rel) for each in view.writers_of(MemoryPath(OLD))] == [
            ("s1", SessionRel.WROTE),
            ("s2", SessionRel.CORRECTED),
        ]
        assert [(each.session, each.rel) for each in view.writers_of(MemoryPath(NEW))] == [("s2", SessionRel.WROTE)]


def test_both_directions_tell_the_same(corrected: Index) -> None:
    """Every link that one side knows, the other knows."""
    with corrected.reading() as view:
        ours = {
            (each.session, each.rel, each.memory) for session in ("s1", "s2", "s3") for each in view.written_by(session)
        }
        theirs = {
            (each.session, each.rel, each.memory)
            for path in (OLD, NEW, "areas/queue.html")
            for each in view.writers_of(MemoryPath(path))
        }
    assert ours == theirs
    assert len(ours) == 4


def test_a_link_by_the_old_path_is_followed_to_the_archive(index: Index, remember: Remember) -> None:
    """A file that names where its target was."""
    remember(OLD, "The limit is 3.")
    remember(NEW, "The limit is 5.", links=[("supersedes", "areas/limit.html")])
    with index._connections.writing(Kind.INDEX) as connection:
        connection.execute("UPDATE files SET session = 's2' WHERE path = ?", (NEW,))
    with index.reading() as view:
        assert [each.memory for each in view.written_by("s2")] == [OLD, NEW]
        assert [each.rel for each in view.writers_of(MemoryPath(OLD))] == [SessionRel.CORRECTED]


def test_files_are_located_where_they_are_or_in_the_archive(corrected: Index) -> None:
    """What is nowhere is left out."""
    asked = [MemoryPath(path) for path in ("areas/limit.html", NEW, "areas/none.html")]
    with corrected.reading() as view:
        assert view.located(asked) == {"areas/limit.html": OLD, NEW: NEW}
        assert view.located([]) == {}
