"""Which files hold the same content: all that a write asks of the index."""

from __future__ import annotations

import sqlite3

from memhtml.domain.memory import ContentHash, MemoryPath

_LIVE = """
SELECT path FROM files WHERE content_hash = :content AND archived = 0 AND type <> 'task'
UNION ALL SELECT path FROM duplicates WHERE content_hash = :content
ORDER BY path
"""


def copies(connection: sqlite3.Connection, content: ContentHash) -> list[MemoryPath]:
    """The live files, no tasks, with this content: the memory first, then its hand-made copies, by path.

    Some may be in the work tree only.
    """
    return [MemoryPath(path) for (path,) in connection.execute(_LIVE, {"content": content})]
