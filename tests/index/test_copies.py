"""Which files hold the same content."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import ContentHash, MemoryPath
from memhtml.index.copies import _LIVE, copies
from memhtml.index.database import Kind
from memhtml.index.index import Index

NOWHERE = ContentHash("sha256:" + "0" * 64)


def test_live_memories_and_their_copies_hold_a_content_and_nothing_else_does(
    index: Index, remember: Callable[..., MemoryPath]
) -> None:
    """Archived memories, tasks and a neighbour with another content are no copies; nothing has no copies."""
    remember("areas/m.html", "Drain the queue.")
    remember("areas/neighbour.html", "Fill the queue.")
    remember("archive/2026/areas/old.html", "Drain the queue.")
    remember("tasks/t.html", "Drain the queue.", type="task")
    with index._connections.writing(Kind.INDEX) as connection:
        (content,) = connection.execute("SELECT content_hash FROM files WHERE path = 'areas/m.html'").fetchone()
        connection.execute("INSERT INTO duplicates VALUES ('areas/a.html', 'b', ?)", (content,))
        assert copies(connection, ContentHash(content)) == ["areas/a.html", "areas/m.html"]
        assert copies(connection, NOWHERE) == []
    assert index.duplicates(ContentHash(content)) == ["areas/a.html", "areas/m.html"]


def test_a_content_is_looked_up_by_its_index(index: Index) -> None:
    """A write asks for each memory: never by a look at every row."""
    with index._connections.writing(Kind.INDEX) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {_LIVE}", {"content": NOWHERE})]
    assert sum(step.startswith("SEARCH") for step in plan) == 2
    assert not any(step.startswith("SCAN") for step in plan)
