"""What the rows say is wrong with the files they were made of: the index's part of `doctor`."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from memhtml.domain.memory import MemoryPath

# Each gives the path of a file and what to say of it, by path.
_CHECKS = {
    "unreadable-file": """
        SELECT path, 'breaks the format and is not indexed: ' || reason FROM unreadable ORDER BY path
    """,
    "duplicate-content": """
        SELECT duplicates.path, 'holds the same article as ' || files.path || ' and is not indexed beside it'
        FROM duplicates JOIN files ON files.content_hash = duplicates.content_hash
          AND files.archived = 0 AND files.type <> 'task'
        ORDER BY duplicates.path
    """,
    "status-and-place": """
        SELECT path, CASE archived
          WHEN 1 THEN 'lies in the archive, but its status is active'
          ELSE 'is marked as archived, but does not lie in the archive'
        END
        FROM files WHERE (status = 'archived') <> archived ORDER BY path
    """,
    "stale-hash": """
        SELECT path, 'its memhtml-content-hash is not that of its article'
        FROM files WHERE claimed_hash IS NOT NULL AND claimed_hash <> content_hash ORDER BY path
    """,
    # A session is no memory, so nothing is expected at the end of that link.
    "dangling-link": """
        SELECT files.path, 'its link ' || links.rel || ' leads to ' || links.target || ', where nothing is'
        FROM links JOIN files ON files.id = links.file
        WHERE links.rel <> 'from_session'
          AND NOT EXISTS (SELECT 1 FROM files AS other WHERE other.path = links.target)
          AND NOT EXISTS (SELECT 1 FROM files AS other WHERE other.original = links.target AND other.archived = 1)
          AND NOT (links.target GLOB 'archive/[0-9][0-9][0-9][0-9]/*'
            AND (EXISTS (SELECT 1 FROM files AS other WHERE other.path = substr(links.target, 14))
              OR EXISTS (SELECT 1 FROM files AS other
                WHERE other.original = substr(links.target, 14) AND other.archived = 1)))
          AND NOT EXISTS (SELECT 1 FROM duplicates WHERE duplicates.path = links.target)
          AND NOT EXISTS (SELECT 1 FROM unreadable WHERE unreadable.path = links.target)
        ORDER BY files.path, links.position
    """,
}


class Problem(Struct, frozen=True):
    """Something wrong with one file.

    Attributes:
        code: stable name of the kind: a key of this module's table.
        message: the rest of a sentence that begins with the path.
    """

    code: str
    path: MemoryPath
    message: str


def problems(connection: sqlite3.Connection) -> tuple[Problem, ...]:
    """All of them, by kind (the worst first), then by path; ``()`` when every file is well."""
    return tuple(
        Problem(code, MemoryPath(path), message)
        for code, statement in _CHECKS.items()
        for path, message in connection.execute(statement)
    )
