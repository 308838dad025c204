"""Putting a memory's rows into the tables, and taking them out again. All inside the caller's transaction."""

from __future__ import annotations

import sqlite3

from msgspec.structs import astuple

from memhtml.domain.memory import MemoryPath
from memhtml.domain.terms import fold
from memhtml.index.projection import Projected, Unreadable

_INSERT_FILE = """
INSERT INTO files (path, blob, content_hash, claimed_hash, type, status, archived, original, workspace, created,
  updated, event_at, valid_from, valid_until, superseded_by, task_status, due, confidence, importance, reprieves,
  needs_revision, archived_at, author, session, prompt, turn, title, gist)
VALUES (:path, :blob, :content_hash, :claimed_hash, :type, :status, :archived, :original, :workspace, :created,
  :updated, :event_at, :valid_from, :valid_until, :superseded_by, :task_status, :due, :confidence, :importance,
  :reprieves, :needs_revision, :archived_at, :author, :session, :prompt, :turn, :title, :gist)
"""
_INSERT_TEXTS = "INSERT INTO texts (file, body, disclosure) VALUES (?, ?, ?)"
_INSERT_ENTITY = """
INSERT INTO entities (file, position, type, name, folded, folded_name) VALUES (?, ?, ?, ?, ?, ?)
"""
_INSERT_TAG = "INSERT INTO tags (file, position, tag, folded) VALUES (?, ?, ?, ?)"
_INSERT_ALIAS = "INSERT INTO aliases (file, position, alias, folded) VALUES (?, ?, ?, ?)"
_INSERT_FACET = "INSERT INTO facets (file, position, name, value, number) VALUES (?, ?, ?, ?, ?)"
_INSERT_CITATION = "INSERT INTO citations (file, position, text, uri) VALUES (?, ?, ?, ?)"
_INSERT_LINK = "INSERT INTO links (file, position, rel, target) VALUES (?, ?, ?, ?)"
_INSERT_CHUNK = "INSERT INTO chunks (file, position, start, stop, text_hash) VALUES (?, ?, ?, ?, ?)"
_INSERT_WORDING = "INSERT INTO wordings (file, position, digest) VALUES (?, ?, ?)"
_INSERT_DOCUMENT = "INSERT INTO documents (id, title, claim, body, tags, entities) VALUES (?, ?, ?, ?, ?, ?)"
_INDEX_DOCUMENT = "INSERT INTO search (rowid, title, claim, body, tags, entities) VALUES (?, ?, ?, ?, ?, ?)"

_FILE_ID = "SELECT id FROM files WHERE path = ?"
# An entry of the lexical index is taken out by giving it the very tokens that it was made of.
_UNINDEX_DOCUMENT = """
INSERT INTO search (search, rowid, title, claim, body, tags, entities)
SELECT 'delete', id, title, claim, body, tags, entities FROM documents WHERE id = ?
"""
_DELETE_FILE = "DELETE FROM files WHERE id = ?"
_DELETE_DUPLICATE = "DELETE FROM duplicates WHERE path = ?"
_DELETE_UNREADABLE = "DELETE FROM unreadable WHERE path = ?"
_INSERT_DUPLICATE = "INSERT INTO duplicates (path, blob, content_hash) VALUES (?, ?, ?)"
_INSERT_UNREADABLE = "INSERT INTO unreadable (path, blob, reason) VALUES (?, ?, ?)"

# Children before parents, or each deleted file would look for its rows one by one.
_EMPTY = (
    "INSERT INTO search (search) VALUES ('delete-all')",
    "DELETE FROM documents",
    "DELETE FROM wordings",
    "DELETE FROM chunks",
    "DELETE FROM links",
    "DELETE FROM citations",
    "DELETE FROM facets",
    "DELETE FROM aliases",
    "DELETE FROM tags",
    "DELETE FROM entities",
    "DELETE FROM texts",
    "DELETE FROM files",
    "DELETE FROM duplicates",
    "DELETE FROM unreadable",
    "DELETE FROM branch",
    "DELETE FROM work",
)


def insert(connection: sqlite3.Connection, row: Projected) -> None:
    """Add all rows of a memory; its path, and its content if it is live, must be free."""
    facts = row.facts
    file = connection.execute(_INSERT_FILE, _file_values(row)).lastrowid
    connection.execute(_INSERT_TEXTS, (file, facts.body, facts.disclosure))
    connection.executemany(
        _INSERT_ENTITY,
        [(file, n, e.type, e.name, fold(str(e)), fold(e.name)) for n, e in enumerate(facts.entities)],
    )
    connection.executemany(_INSERT_TAG, [(file, n, tag, fold(tag)) for n, tag in enumerate(facts.head.tags)])
    connection.executemany(_INSERT_ALIAS, [(file, n, name, fold(name)) for n, name in enumerate(facts.head.aliases)])
    connection.executemany(_INSERT_FACET, [(file, n, f.name, f.value, f.number) for n, f in enumerate(facts.facets)])
    connection.executemany(_INSERT_CITATION, [(file, n, c.text, c.uri) for n, c in enumerate(facts.citations)])
    connection.executemany(_INSERT_LINK, [(file, n, link.rel, link.target) for n, link in enumerate(facts.links)])
    connection.executemany(_INSERT_CHUNK, [(file, n, c.start, c.stop, c.text_hash) for n, c in enumerate(row.chunks)])
    connection.executemany(_INSERT_WORDING, [(file, n, digest) for n, digest in enumerate(row.wordings)])
    document = (file, *astuple(row.document))
    connection.execute(_INSERT_DOCUMENT, document)
    connection.execute(_INDEX_DOCUMENT, document)


def insert_unreadable(connection: sqlite3.Connection, row: Unreadable) -> None:
    """Name a file that breaks the format."""
    connection.execute(_INSERT_UNREADABLE, (row.path, row.blob, row.reason))


def insert_duplicate(connection: sqlite3.Connection, row: Projected) -> None:
    """Name a live file whose content another one holds already."""
    connection.execute(_INSERT_DUPLICATE, (row.path, row.blob, row.facts.content_hash))


def delete(connection: sqlite3.Connection, path: MemoryPath) -> None:
    """Take out whatever rows ``path`` has; nothing happens when it has none."""
    found: tuple[int] | None = connection.execute(_FILE_ID, (path,)).fetchone()
    if found is not None:
        connection.execute(_UNINDEX_DOCUMENT, found)
        connection.execute(_DELETE_FILE, found)
    connection.execute(_DELETE_DUPLICATE, (path,))
    connection.execute(_DELETE_UNREADABLE, (path,))


def delete_everything(connection: sqlite3.Connection) -> None:
    """Empty every table that the tree gives back; vectors stay."""
    for statement in _EMPTY:
        connection.execute(statement)


def _file_values(row: Projected) -> dict[str, str | int | float | None]:
    facts, head = row.facts, row.facts.head
    return {
        "path": row.path,
        "blob": row.blob,
        "content_hash": facts.content_hash,
        "claimed_hash": head.content_hash,
        "type": head.type,
        "status": head.status,
        "archived": row.archived,
        "original": row.original,
        "workspace": row.workspace,
        "created": head.created,
        "updated": head.updated,
        "event_at": facts.event_at,
        "valid_from": head.valid_from,
        "valid_until": head.valid_until,
        "superseded_by": head.superseded_by,
        "task_status": head.task_status,
        "due": head.due,
        "confidence": head.confidence,
        "importance": head.importance,
        "reprieves": head.reprieves,
        "needs_revision": head.needs_revision,
        "archived_at": head.archived,
        "author": head.author,
        "session": head.session,
        "prompt": head.prompt,
        "turn": head.turn,
        "title": facts.title,
        "gist": facts.gist,
    }
