"""Which conversations the memories themselves name, and what those did: what a file's own head and links say.

A trailer says the same as the file that its commit wrote; the file is in the index already, wherever it was moved to.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from msgspec import Struct

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.vocabulary import SessionRel

# A link names the path that its target had then; where nothing is now, the target went to the archive.
_NOW = """coalesce(
  (SELECT files.path FROM files WHERE files.path = {path}),
  (SELECT files.path FROM files WHERE files.original = {path} AND files.archived = 1
    ORDER BY files.archived_at DESC, files.path DESC LIMIT 1)
)"""
_TARGET = _NOW.format(path="links.target")
_OF_SESSION = f"""
SELECT f.session AS session, 'wrote' AS rel, f.path AS memory, f.created AS at FROM files AS f
WHERE f.session = :session
UNION ALL
SELECT f.session, 'corrected', coalesce({_TARGET}, links.target), f.created
FROM files AS f JOIN links ON links.file = f.id
WHERE f.session = :session AND links.rel = 'supersedes'
ORDER BY memory, rel, at
"""  # noqa: S608 - put together from constants
_OF_MEMORY = f"""
SELECT f.session AS session, 'wrote' AS rel, f.path AS memory, f.created AS at FROM files AS f
WHERE f.path = :path AND f.session IS NOT NULL
UNION ALL
SELECT other.session, 'corrected', f.path, other.created
FROM files AS f JOIN links ON links.target IN (f.path, f.original) JOIN files AS other ON other.id = links.file
WHERE f.path = :path AND links.rel = 'supersedes' AND other.session IS NOT NULL AND {_TARGET} = :path
ORDER BY session, rel, at
"""  # noqa: S608 - put together from constants
_LOCATED = f"""
SELECT wanted.value, {_NOW.format(path="wanted.value")} FROM json_each(:paths) AS wanted
"""  # noqa: S608 - put together from constants


class Authored(Struct, frozen=True):
    """What a session did with a memory.

    Attributes:
        memory: where it is now.
        at: when.
    """

    session: str
    rel: SessionRel
    memory: MemoryPath
    at: Instant


def of_session(connection: sqlite3.Connection, session: str) -> list[Authored]:
    """What ``session`` wrote and corrected, by memory."""
    return _authored(connection, _OF_SESSION, {"session": session})


def of_memory(connection: sqlite3.Connection, path: MemoryPath) -> list[Authored]:
    """Which sessions wrote and corrected the memory at ``path``, by session."""
    return _authored(connection, _OF_MEMORY, {"path": path})


def located(connection: sqlite3.Connection, paths: Iterable[MemoryPath]) -> dict[MemoryPath, MemoryPath]:
    """Where the files of ``paths`` are now: there, or in the archive; those that are nowhere are left out."""
    rows = connection.execute(_LOCATED, {"paths": json.dumps(list(paths))})
    return {MemoryPath(path): MemoryPath(now) for path, now in rows if now is not None}


def _authored(connection: sqlite3.Connection, statement: str, parameters: dict[str, str]) -> list[Authored]:
    rows = connection.execute(statement, parameters)
    return [Authored(session, SessionRel(rel), MemoryPath(memory), Instant(at)) for session, rel, memory, at in rows]
