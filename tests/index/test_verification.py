"""Comparing an index with a rebuilt one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.verification import MOST_NAMED, VerifyReport, compared

Remember = Callable[..., str]


def verified(held: Index, made: Index) -> VerifyReport:
    """The report on ``held`` beside ``made``."""
    with held._connections.writing(Kind.INDEX) as ours, made._connections.reading() as theirs:
        return compared(ours, theirs)


@pytest.fixture
def pair(index: Index, remembering: Callable[[Index], Remember]) -> Iterator[tuple[Index, Index]]:
    """Two indexes of the same memories, put in in another order."""
    other = Index.in_memory()
    memories = [
        (f"areas/{number}.html", f"Text {number} of the queue.", {"tags": (f"t{number}",), "entities": ("a:b",)})
        for number in range(4)
    ]
    for target, order in ((index, memories), (other, memories[::-1])):
        for path, body, more in order:
            remembering(target)(path, body, **more)
    yield index, other
    other.close()


def test_the_same_memories_are_the_same_whatever_their_order(pair: tuple[Index, Index]) -> None:
    """Ids differ, rows do not."""
    report = verified(*pair)
    assert report.sound
    assert report.named == ()
    assert report.rows > 40


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("UPDATE files SET gist = 'x' WHERE path = 'areas/1.html'", "files"),
        ("UPDATE texts SET body = 'x' WHERE file = 1", "texts"),
        ("DELETE FROM tags WHERE file = 1", "tags"),
        ("UPDATE entities SET folded = 'x' WHERE file = 1", "entities"),
        ("UPDATE chunks SET text_hash = 'x' WHERE file = 1", "chunks"),
        ("INSERT INTO links VALUES (1, 0, 'supports', 'areas/2.html')", "links"),
        ("INSERT INTO facets VALUES (1, 0, 'a', 'b', NULL)", "facets"),
        ("INSERT INTO aliases VALUES (1, 0, 'a', 'a')", "aliases"),
        ("INSERT INTO citations VALUES (1, 0, 'a', NULL)", "citations"),
        ("INSERT INTO branch VALUES ('areas/9.html', 'b')", "branch"),
        ("INSERT INTO work VALUES ('areas/9.html', NULL)", "work"),
        ("INSERT INTO duplicates VALUES ('areas/9.html', 'b', 'c')", "duplicates"),
        ("INSERT INTO unreadable VALUES ('areas/9.html', 'b', 'c')", "unreadable"),
        ("INSERT INTO search (search) VALUES ('delete-all')", "search"),
        ("UPDATE documents SET body = 'x' WHERE id = 1", "documents"),
        ("UPDATE coverage SET chunks = 9", "coverage"),
    ],
)
def test_a_row_that_differs_is_found_and_named(pair: tuple[Index, Index], statement: str, table: str) -> None:
    """In whichever table, on whichever side it is missing."""
    with pair[0]._connections.writing(Kind.INDEX) as connection:
        connection.execute(statement)
    report = verified(*pair)
    assert not report.sound
    assert table in {name for name, _ in report.named}
    if table not in {"coverage", "documents", "search"}:
        assert table in {name for name, _ in verified(pair[1], pair[0]).named}


def test_many_differences_are_all_counted_and_some_named(
    index: Index, remembering: Callable[[Index], Remember]
) -> None:
    """An empty index beside a full one."""
    for number in range(2 * MOST_NAMED):
        remembering(index)(f"areas/{number}.html", f"Text {number}.")
    with Index.in_memory() as empty:
        report = verified(index, empty)
    assert report.differences == report.rows > 2 * MOST_NAMED
    assert len(report.named) == MOST_NAMED
