"""What the index knows of given memories: their metadata, their texts, what they cite and how they are cut."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from memhtml.domain.memory import Citation, ContentHash, Entity, Facet, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Status, TaskStatus

_ROWS = """
SELECT f.id, f.path, f.title, f.gist, f.type, f.status, f.archived, f.workspace, f.created, f.updated, f.event_at,
  f.valid_from, f.valid_until, f.confidence, f.importance, f.author, f.session, f.needs_revision, f.task_status,
  f.due, f.content_hash, f.superseded_by
FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value
"""
_ENTITIES = """
SELECT file, type, name FROM entities WHERE file IN (SELECT value FROM json_each(:files)) ORDER BY file, position
"""
_TAGS = "SELECT file, tag FROM tags WHERE file IN (SELECT value FROM json_each(:files)) ORDER BY file, position"
_ALIASES = "SELECT file, alias FROM aliases WHERE file IN (SELECT value FROM json_each(:files)) ORDER BY file, position"
_FACETS = """
SELECT file, name, value, number FROM facets WHERE file IN (SELECT value FROM json_each(:files))
ORDER BY file, position
"""
# A claim is contested by the live memories that contradict it, whichever of the two says so.
_CONTESTED = """
SELECT f.id AS file, other.path AS path
FROM json_each(:files) AS wanted JOIN files AS f ON f.id = wanted.value
JOIN links ON links.file = f.id AND links.rel = 'contradicts'
JOIN files AS other ON other.path = links.target AND other.archived = 0
UNION
SELECT f.id, other.path
FROM json_each(:files) AS wanted JOIN files AS f ON f.id = wanted.value
JOIN links ON links.target IN (f.path, f.original) AND links.rel = 'contradicts'
JOIN files AS other ON other.id = links.file AND other.archived = 0
ORDER BY file, path
"""
# The stamp in the file says it; without one, the link of the memory that took its place does.
_SUPERSEDED = """
SELECT f.id AS file, other.path AS path
FROM json_each(:files) AS wanted JOIN files AS f ON f.id = wanted.value
JOIN links ON links.target = f.path AND links.rel = 'supersedes'
JOIN files AS other ON other.id = links.file
WHERE f.superseded_by IS NULL
ORDER BY f.id, other.moment, other.path
"""
_TEXTS = """
SELECT f.path, texts.body, texts.disclosure
FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value JOIN texts ON texts.file = f.id
"""
_CITATIONS = """
SELECT f.path, citations.text, citations.uri
FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value JOIN citations ON citations.file = f.id
ORDER BY f.path, citations.position
"""
# Cut here, so that a long article is not carried along whole for a piece of it.
_PIECES = """
SELECT f.path, trim(substr(texts.body, chunks.start + 1, chunks.stop - chunks.start), char(32, 10, 9))
FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value JOIN texts ON texts.file = f.id
JOIN chunks ON chunks.file = f.id
ORDER BY f.path, chunks.position
"""


_KINDS = {
    "type": MemoryType,
    "status": Status,
    "archived": bool,
    "needs_revision": bool,
    "task_status": TaskStatus,
}


class MemoryRow(Struct, frozen=True):
    """A memory as listings and hits show it.

    Attributes:
        archived: by its place.
        superseded_by: what took its place, as its stamp says, else as the other's link says.
        contradicts: live memories that contest it, whichever side says so, in path order.
    """

    path: MemoryPath
    title: str
    gist: str
    type: MemoryType
    status: Status
    archived: bool
    workspace: str | None
    created: Instant
    updated: Instant
    event_at: Instant | None
    valid_from: Instant | None
    valid_until: Instant | None
    confidence: float | None
    importance: int | None
    author: str | None
    session: str | None
    needs_revision: bool | None
    task_status: TaskStatus | None
    due: Instant | None
    content_hash: ContentHash
    superseded_by: MemoryPath | None
    contradicts: tuple[MemoryPath, ...]
    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    facets: tuple[Facet, ...]

    @property
    def moment(self) -> Instant:
        """When it happened, else when it was last written: what "newer" means."""
        return self.event_at or self.updated


class Texts(Struct, frozen=True):
    """All searchable text of an article, and what of it may be quoted."""

    body: str
    disclosure: str


def rows(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, MemoryRow]:
    """The memories at ``paths``, in the order of ``paths``; those that are not indexed are left out."""
    cursor = connection.execute(_ROWS, {"paths": json.dumps(list(paths))})
    names = [column[0] for column in cursor.description]
    files: list[dict[str, Any]] = [dict(zip(names, file, strict=True)) for file in cursor]
    wanted = {"files": json.dumps([file["id"] for file in files])}
    entities: dict[int, list[Entity]] = {}
    for file, kind, name in connection.execute(_ENTITIES, wanted):
        entities.setdefault(file, []).append(Entity(kind, name))
    facets: dict[int, list[Facet]] = {}
    for file, name, value, number in connection.execute(_FACETS, wanted):
        facets.setdefault(file, []).append(Facet(name, value, number))
    tags = _grouped(connection, _TAGS, wanted)
    aliases = _grouped(connection, _ALIASES, wanted)
    contested = _grouped(connection, _CONTESTED, wanted)
    superseded = _grouped(connection, _SUPERSEDED, wanted)
    found: dict[MemoryPath, MemoryRow] = {}
    for values in files:
        file = values.pop("id")
        # The last to take its place is the one to go to.
        successor = values["superseded_by"] or next(reversed(superseded.get(file, [])), None)
        many: dict[str, Any] = {
            "superseded_by": successor,
            "contradicts": tuple(contested.get(file, ())),
            "entities": tuple(entities.get(file, ())),
            "tags": tuple(tags.get(file, ())),
            "aliases": tuple(aliases.get(file, ())),
            "facets": tuple(facets.get(file, ())),
        }
        read: dict[str, Any] = {
            name: None if values[name] is None else kind(values[name]) for name, kind in _KINDS.items()
        }
        found[values["path"]] = MemoryRow(**{**values, **read, **many})
    return {path: found[path] for path in paths if path in found}


def texts(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, Texts]:
    """The texts of the memories at ``paths``."""
    found = connection.execute(_TEXTS, {"paths": json.dumps(list(paths))})
    return {MemoryPath(path): Texts(body, disclosure) for path, body, disclosure in found}


def citations(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, tuple[Citation, ...]]:
    """The sources of the memories at ``paths``, in document order; ``()`` for one without, or one not indexed."""
    found: dict[MemoryPath, list[Citation]] = {path: [] for path in paths}
    for path, text, uri in connection.execute(_CITATIONS, {"paths": json.dumps(list(paths))}):
        found[path].append(Citation(text, uri))
    return {path: tuple(cited) for path, cited in found.items()}


def pieces(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, tuple[str, ...]]:
    """The chunks of the memories at ``paths``, in order, so that a chunk's number is its place here."""
    found: dict[MemoryPath, list[str]] = {}
    for path, text in connection.execute(_PIECES, {"paths": json.dumps(list(paths))}):
        found.setdefault(MemoryPath(path), []).append(text)
    return {path: tuple(cut) for path, cut in found.items()}


def _grouped(connection: sqlite3.Connection, statement: str, parameters: dict[str, str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for file, value in connection.execute(statement, parameters):
        found.setdefault(file, []).append(value)
    return found
