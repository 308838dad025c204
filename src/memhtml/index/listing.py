"""Memories, entities and links without a query."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import Rel
from memhtml.index.scoping import condition

_LISTED = """
SELECT f.path FROM files AS f WHERE {scope} ORDER BY f.moment DESC, f.path LIMIT :limit OFFSET :offset
"""
_COUNTED = "SELECT count(*) FROM files AS f WHERE {scope}"
_ENTITIES = """
SELECT entities.type, entities.name, count(*) AS memories
FROM files AS f JOIN entities ON entities.file = f.id
WHERE {scope}
GROUP BY entities.type, entities.name
ORDER BY memories DESC, entities.type, entities.name
LIMIT :limit
"""
# A link names the path that its target had then. Where nothing is now, the target went to the archive: the last time
# that it did, if it did so more than once. Or it was there, and was restored, and perhaps archived again since.
_RESOLVED = """coalesce(
  (SELECT files.path FROM files WHERE files.path = links.target),
  (SELECT files.path FROM files WHERE files.original = links.target AND files.archived = 1
    ORDER BY files.archived_at DESC, files.path DESC LIMIT 1),
  (SELECT files.path FROM files
    WHERE links.target GLOB 'archive/[0-9][0-9][0-9][0-9]/*' AND files.path = substr(links.target, 14)),
  (SELECT files.path FROM files
    WHERE links.target GLOB 'archive/[0-9][0-9][0-9][0-9]/*' AND files.original = substr(links.target, 14)
      AND files.archived = 1
    ORDER BY files.archived_at DESC, files.path DESC LIMIT 1)
)"""
# Every path that links can know a memory by: where it is, where it was archived from, and any place in the archive.
_KNOWN_BY = """(
  SELECT f.path UNION SELECT f.original UNION
  SELECT 'archive/' || years.year || '/' || f.original
  FROM (SELECT DISTINCT substr(target, 9, 4) AS year FROM links WHERE target >= 'archive/' AND target < 'archive0')
    AS years
)"""
_OUTGOING = f"""
SELECT links.target, links.rel, {_RESOLVED}
FROM files AS f JOIN links ON links.file = f.id
WHERE f.path = :path
ORDER BY links.position
"""  # noqa: S608 - put together from constants
_INCOMING = f"""
SELECT other.path, links.rel, other.path
FROM files AS f JOIN links ON links.target IN {_KNOWN_BY} JOIN files AS other ON other.id = links.file
WHERE f.path = :path AND {_RESOLVED} = :path
ORDER BY other.path, links.position
"""  # noqa: S608 - put together from constants

_LINKS = f"""
SELECT f.path, links.rel, links.target, {_RESOLVED}
FROM files AS f JOIN links ON links.file = f.id
WHERE f.archived <= :archived
ORDER BY f.path, links.position
"""  # noqa: S608 - put together from constants


class Tied(Struct, frozen=True):
    """A link of a file.

    Attributes:
        target: as the link names it.
        resolved: where that is now; ``None`` when it is nowhere.
    """

    source: MemoryPath
    rel: Rel
    target: MemoryPath
    resolved: MemoryPath | None


class Neighbor(Struct, frozen=True):
    """A memory that a link joins to the one asked about.

    Attributes:
        path: the other one, as the link names it.
        outgoing: the link is in the one asked about.
        resolved: where the other one is now; ``None`` when it is nowhere.
    """

    path: MemoryPath
    rel: Rel
    outgoing: bool
    resolved: MemoryPath | None


class EntityCount(Struct, frozen=True):
    """An entity and how many memories name it."""

    entity: Entity
    memories: int


def listed(connection: sqlite3.Connection, scope: Scope, limit: int, offset: int = 0) -> list[MemoryPath]:
    """The memories in ``scope``, newer first (``coalesce(event_at, updated)``), then by path. -1 is no limit."""
    where = condition(scope)
    parameters = {"limit": limit, "offset": offset, **where.parameters}
    return [MemoryPath(path) for (path,) in connection.execute(_LISTED.format(scope=where.text), parameters)]


def counted(connection: sqlite3.Connection, scope: Scope) -> int:
    """How many memories are in ``scope``."""
    where = condition(scope)
    row: tuple[int] = connection.execute(_COUNTED.format(scope=where.text), where.parameters).fetchone()
    return row[0]


def entities(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[EntityCount]:
    """The entities that memories in ``scope`` name: the most named first, then by type and name. -1 is no limit."""
    where = condition(scope)
    found = connection.execute(_ENTITIES.format(scope=where.text), {"limit": limit, **where.parameters})
    return [EntityCount(Entity(kind, name), memories) for kind, name, memories in found]


def neighbors(connection: sqlite3.Connection, path: MemoryPath) -> tuple[Neighbor, ...]:
    """What ``path`` links to, in document order, then what links to it, by path; ``()`` when it is not indexed."""
    found = [
        Neighbor(MemoryPath(other), Rel(rel), outgoing, None if resolved is None else MemoryPath(resolved))
        for outgoing, statement in ((True, _OUTGOING), (False, _INCOMING))
        for other, rel, resolved in connection.execute(statement, {"path": path})
    ]
    return tuple(found)


def links(connection: sqlite3.Connection, *, archived: bool = False) -> tuple[Tied, ...]:
    """Every link of every file in use, and of those in the archive if wanted, by file, in document order."""
    return tuple(
        Tied(MemoryPath(path), Rel(rel), MemoryPath(target), None if resolved is None else MemoryPath(resolved))
        for path, rel, target, resolved in connection.execute(_LINKS, {"archived": archived})
    )
