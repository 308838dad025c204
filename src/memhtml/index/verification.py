"""The first law of the index, put to the test: what updates made, row by row, beside what a rebuild makes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from msgspec import Struct

MOST_NAMED = 50
"""Differences that a report spells out; all are counted."""

# Every table that the tree gives back, and how many of its first columns order it; ids depend on the history and are
# left out.
_TABLES: dict[str, tuple[int, str]] = {
    "branch": (1, "SELECT path, blob FROM branch ORDER BY path"),
    "work": (1, "SELECT path, blob FROM work ORDER BY path"),
    "files": (
        1,
        """
        SELECT path, blob, content_hash, claimed_hash, type, status, archived, original, workspace, created, updated,
          event_at, valid_from, valid_until, superseded_by, task_status, due, confidence, importance, reprieves,
          needs_revision, archived_at, author, session, prompt, turn, title, gist
        FROM files ORDER BY path
    """,
    ),
    "duplicates": (1, "SELECT path, blob, content_hash FROM duplicates ORDER BY path"),
    "unreadable": (1, "SELECT path, blob, reason FROM unreadable ORDER BY path"),
    "texts": (
        1,
        """
        SELECT files.path, texts.body, texts.disclosure FROM files JOIN texts ON texts.file = files.id ORDER BY path
    """,
    ),
    "entities": (
        2,
        """
        SELECT files.path, position, entities.type, entities.name, folded, folded_name
        FROM files JOIN entities ON entities.file = files.id ORDER BY path, position
    """,
    ),
    "tags": (
        2,
        """
        SELECT files.path, position, tag, folded FROM files JOIN tags ON tags.file = files.id ORDER BY path, position
    """,
    ),
    "aliases": (
        2,
        """
        SELECT files.path, position, alias, folded FROM files JOIN aliases ON aliases.file = files.id
        ORDER BY path, position
    """,
    ),
    "facets": (
        2,
        """
        SELECT files.path, position, name, value, number FROM files JOIN facets ON facets.file = files.id
        ORDER BY path, position
    """,
    ),
    "citations": (
        2,
        """
        SELECT files.path, position, text, uri FROM files JOIN citations ON citations.file = files.id
        ORDER BY path, position
    """,
    ),
    "links": (
        2,
        """
        SELECT files.path, position, rel, target FROM files JOIN links ON links.file = files.id ORDER BY path, position
    """,
    ),
    "chunks": (
        2,
        """
        SELECT files.path, position, start, stop, text_hash FROM files JOIN chunks ON chunks.file = files.id
        ORDER BY path, position
    """,
    ),
    "wordings": (
        2,
        """
        SELECT files.path, position, digest FROM files JOIN wordings ON wordings.file = files.id
        ORDER BY path, position
    """,
    ),
    "documents": (
        1,
        """
        SELECT files.path, documents.title, claim, body, tags, entities
        FROM files JOIN documents ON documents.id = files.id ORDER BY path
    """,
    ),
}
# The words of the lexical index with how often they stand where: equal words and equal documents rank equally.
_MAKE_WORDS = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab (main, search, col)"
_WORDS = "SELECT term, col, doc, cnt FROM temp.words ORDER BY term, col"
_DROP_WORDS = "DROP TABLE temp.words"
_INTEGRITY = "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)"
_COVERAGE = "SELECT chunks, covered FROM coverage"
_COUNTED = """
SELECT count(*), count(vectors.id) FROM chunks
LEFT JOIN vectors ON vectors.space = (SELECT name FROM space) AND vectors.text_hash = chunks.text_hash
"""

_Row = tuple[str | int | float | None, ...]


class VerifyReport(Struct, frozen=True):
    """Whether the index is what a rebuild would make.

    Attributes:
        rows: how many rows were compared.
        differences: how many are on one side only, or differ.
        named: the first of them: the table, and the path (or the word) of the row.
    """

    rows: int
    differences: int
    named: tuple[tuple[str, str], ...]

    @property
    def sound(self) -> bool:
        """Whether nothing differs."""
        return self.differences == 0


def compared(held: sqlite3.Connection, made: sqlite3.Connection) -> VerifyReport:
    """Compare the tables of an index, in a write transaction, with those of a rebuilt one.

    Generations and vectors are no part of it.
    """
    rows = differences = 0
    named: list[tuple[str, str]] = []
    for table, keys, left, right in _sides(held, made):
        for ours, theirs in _paired(left, right, keys):
            rows += 1
            if ours != theirs:
                differences += 1
                if len(named) < MOST_NAMED:
                    named.append((table, str((ours or theirs or ("",))[0])))
    for connection in (held, made):
        connection.execute(_DROP_WORDS)
    if held.execute(_COVERAGE).fetchone() != held.execute(_COUNTED).fetchone():
        differences += 1
        named.append(("coverage", ""))
    if not _intact(held):
        differences += 1
        named.append(("search", ""))
    return VerifyReport(rows, differences, tuple(named))


def _intact(connection: sqlite3.Connection) -> bool:
    """Whether the lexical index is made of the documents that it is said to be made of."""
    try:
        connection.execute(_INTEGRITY)
    except sqlite3.DatabaseError:
        return False
    return True


def _sides(
    held: sqlite3.Connection, made: sqlite3.Connection
) -> Iterator[tuple[str, int, Iterator[_Row], Iterator[_Row]]]:
    for table, (keys, statement) in _TABLES.items():
        yield table, keys, held.execute(statement), made.execute(statement)
    for connection in (held, made):
        connection.execute(_MAKE_WORDS)
    yield "search", 2, held.execute(_WORDS), made.execute(_WORDS)


def _paired(left: Iterator[_Row], right: Iterator[_Row], keys: int) -> Iterator[tuple[_Row | None, _Row | None]]:
    """Rows of two ordered runs side by side; ``None`` where one of them has no row with the other's key."""
    ours, theirs = next(left, None), next(right, None)
    while ours is not None or theirs is not None:
        if theirs is None or (ours is not None and _key(ours, keys) < _key(theirs, keys)):
            yield ours, None
            ours = next(left, None)
        elif ours is None or _key(theirs, keys) < _key(ours, keys):
            yield None, theirs
            theirs = next(right, None)
        else:
            yield ours, theirs
            ours, theirs = next(left, None), next(right, None)


def _key(row: _Row, keys: int) -> tuple[bytes, ...]:
    # SQLite orders text by its bytes; the numbers here are positions, far below ten digits.
    return tuple(
        f"{column:010d}".encode() if isinstance(column, int) else str(column).encode() for column in row[:keys]
    )
