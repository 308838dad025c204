"""Following the store: from the state that the tables hold to the one that the branch and the work tree hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from msgspec import Struct

from memhtml.domain.errors import GitError
from memhtml.domain.memory import BlobId, CommitId, ContentHash, MemoryPath
from memhtml.index import tables
from memhtml.index.generation import PROJECTION, held
from memhtml.index.settling import settle
from memhtml.index.source import Source

_ADVANCE = "UPDATE generation SET number = number + 1, head = :head, projection = :projection"
_ALL_BRANCH = "SELECT path, blob FROM branch"
_SET_BRANCH = "INSERT INTO branch (path, blob) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET blob = excluded.blob"
_DROP_BRANCH = "DELETE FROM branch WHERE path = ?"
_IN_BRANCH = "SELECT blob FROM branch WHERE path = ?"
_ALL_WORK = "SELECT path, blob FROM work"
_SET_WORK = "INSERT INTO work (path, blob) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET blob = excluded.blob"
_IN_WORK = "SELECT blob FROM work WHERE path = ?"
_DROP_WORK = "DELETE FROM work WHERE path = ?"
_OLD_CONTENTS = """
SELECT path, content_hash FROM files
UNION ALL SELECT path, content_hash FROM duplicates
UNION ALL SELECT path, NULL FROM unreadable
"""

_UNREADABLE = "SELECT path, reason FROM unreadable ORDER BY path"
_DUPLICATES = """
SELECT duplicates.path, files.path FROM duplicates
JOIN files ON files.content_hash = duplicates.content_hash AND files.archived = 0 AND files.type <> 'task'
ORDER BY duplicates.path
"""

_Blobs = dict[MemoryPath, BlobId | None]


class Followed(Struct, frozen=True):
    """What following the store did.

    Attributes:
        generation: the number of the state that the tables hold now.
        moves: (old path, new path) of memories that went elsewhere, each path at most once on its side.
    """

    generation: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    moves: tuple[tuple[MemoryPath, MemoryPath], ...] = ()


class UpdateReport(Struct, frozen=True):
    """What an update, a rebuild or a catching-up did.

    Attributes:
        generation: the number of the state that readers see from now on; unchanged when nothing had to be done.
        added, changed, removed: how many files got rows, got other rows, or lost them. A move is one of each.
        moved: (old path, new path) of memories that went elsewhere.
        unreadable: (path, reason) of every file of the store that breaks the format, by path.
        duplicates: (path, path of the memory) of every live file whose content another one holds, by path.
    """

    generation: int
    added: int
    changed: int
    removed: int
    moved: tuple[tuple[MemoryPath, MemoryPath], ...]
    unreadable: tuple[tuple[MemoryPath, str], ...]
    duplicates: tuple[tuple[MemoryPath, MemoryPath], ...]


def follow(connection: sqlite3.Connection, source: Source, head: CommitId | None, *, work: bool) -> Followed:
    """Bring the tables to ``head`` and, with ``work``, to what the work tree has otherwise. In a write transaction.

    Without ``work`` what was seen uncommitted stays, except at the paths that ``head`` changed. Tables that other
    rules made are made anew, work tree included.
    """
    before = held(connection)
    if before.projection != PROJECTION:
        return remake(connection, source, head)
    changed, renames = _follow_branch(connection, source, before.head, head)
    affected = set(changed)
    if work:
        affected |= _follow_work(connection, source)
    else:
        connection.executemany(_DROP_WORK, [(path,) for path in changed])
    done = settle(connection, source, {path: _wanted(connection, path) for path in affected})
    if not affected and head == before.head:
        return Followed(before.generation)
    connection.execute(_ADVANCE, {"head": head, "projection": PROJECTION})
    return Followed(
        before.generation + 1,
        len(done.added),
        len(done.changed),
        len(done.removed),
        _moves(done.gone, done.come, renames),
    )


def remake(connection: sqlite3.Connection, source: Source, head: CommitId | None) -> Followed:
    """Empty the tables and fill them from ``head`` and the work tree. In a write transaction."""
    before = held(connection)
    old: dict[MemoryPath, ContentHash | None] = dict(connection.execute(_OLD_CONTENTS))
    tables.delete_everything(connection)
    _follow_branch(connection, source, None, head)
    _follow_work(connection, source)
    blobs: _Blobs = dict(connection.execute(_ALL_BRANCH))
    blobs.update(connection.execute(_ALL_WORK))
    done = settle(connection, source, blobs)
    connection.execute(_ADVANCE, {"head": head, "projection": PROJECTION})
    gone = {path: content for path, content in old.items() if path not in done.come}
    come = {path: content for path, content in done.come.items() if path not in old}
    return Followed(before.generation + 1, len(done.added), 0, 0, _moves(gone, come, {}))


def _follow_branch(
    connection: sqlite3.Connection, source: Source, old: CommitId | None, new: CommitId | None
) -> tuple[_Blobs, dict[MemoryPath, MemoryPath]]:
    """Bring the table of the branch to ``new``; gives what changed, and git's renames as new path to old path."""
    changed: _Blobs
    renames: dict[MemoryPath, MemoryPath] = {}
    if old == new:
        return {}, renames
    try:
        if old is None or new is None:
            changed = _compared(connection, source, new)
        else:
            changes = list(source.changes(old, new))
            changed = {change.path: change.blob for change in changes}
            renames = {change.path: change.previous for change in changes if change.previous is not None}
    except GitError:
        # The old commit may be gone: a rewritten history, or another clone's index.
        changed = _compared(connection, source, new)
    for path, blob in changed.items():
        if blob is None:
            connection.execute(_DROP_BRANCH, (path,))
        else:
            connection.execute(_SET_BRANCH, (path, blob))
    return changed, renames


def _compared(connection: sqlite3.Connection, source: Source, new: CommitId | None) -> _Blobs:
    """What the tree of ``new`` holds otherwise than the table of the branch."""
    old: _Blobs = dict(connection.execute(_ALL_BRANCH))
    tree: _Blobs = {} if new is None else {entry.path: entry.blob for entry in source.tree(new)}
    changed = {path: blob for path, blob in tree.items() if old.get(path) != blob}
    changed.update(dict.fromkeys(old.keys() - tree.keys()))
    return changed


def _follow_work(connection: sqlite3.Connection, source: Source) -> set[MemoryPath]:
    """Bring the table of the work tree to what it holds; gives the paths where it differs from before."""
    seen = source.uncommitted()
    new: _Blobs = {**seen.present, **dict.fromkeys((*seen.deleted, *seen.unsafe))}
    old: _Blobs = dict(connection.execute(_ALL_WORK))
    connection.executemany(_DROP_WORK, [(path,) for path in old.keys() - new.keys()])
    connection.executemany(_SET_WORK, [(path, blob) for path, blob in new.items() if _differs(old, path, blob)])
    return {path for path in old.keys() | new.keys() if _differs(old, path, new.get(path)) or path not in new}


def _differs(old: Mapping[MemoryPath, BlobId | None], path: MemoryPath, blob: BlobId | None) -> bool:
    return path not in old or old[path] != blob


def _wanted(connection: sqlite3.Connection, path: MemoryPath) -> BlobId | None:
    """What the tables should hold of ``path``: the work tree's content where it has its own, else the branch's."""
    for statement in (_IN_WORK, _IN_BRANCH):
        row: tuple[str | None] | None = connection.execute(statement, (path,)).fetchone()
        if row is not None:
            return None if row[0] is None else BlobId(row[0])
    return None


def _moves(
    gone: Mapping[MemoryPath, ContentHash | None],
    come: Mapping[MemoryPath, ContentHash | None],
    renames: Mapping[MemoryPath, MemoryPath],
) -> tuple[tuple[MemoryPath, MemoryPath], ...]:
    """Which memories went where: by equal content first, in path order, then as git says."""
    by_content: dict[ContentHash, list[MemoryPath]] = {}
    for path in sorted(gone, reverse=True):
        content = gone[path]
        if content is not None:
            by_content.setdefault(content, []).append(path)
    moves: dict[MemoryPath, MemoryPath] = {}
    for path in sorted(come):
        content = come[path]
        if content is not None and by_content.get(content):
            moves[path] = by_content[content].pop()
    taken = set(moves.values())
    for path in sorted(come):
        old = renames.get(path)
        if old is not None and path not in moves and old in gone and old not in taken:
            moves[path] = old
            taken.add(old)
    return tuple(sorted((old, new) for new, old in moves.items()))


def reported(connection: sqlite3.Connection, followed: Followed) -> UpdateReport:
    """What was done, and what is wrong with the files as they are now."""
    unreadable = tuple((MemoryPath(path), reason) for path, reason in connection.execute(_UNREADABLE))
    duplicates = tuple((MemoryPath(path), MemoryPath(of)) for path, of in connection.execute(_DUPLICATES))
    return UpdateReport(
        followed.generation,
        followed.added,
        followed.changed,
        followed.removed,
        followed.moves,
        unreadable,
        duplicates,
    )
