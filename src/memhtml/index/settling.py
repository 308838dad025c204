"""Bringing the rows of given paths to given contents: what every update and rebuild comes down to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct, field

from memhtml.domain.errors import PathNotFoundError, UnsafeFileError
from memhtml.domain.memory import BlobId, ContentHash, MemoryPath
from memhtml.index import tables
from memhtml.index.projection import Projected, Unreadable, project
from memhtml.index.source import Source
from memhtml.store.objects import blob_id

BATCH = 512
"""Files in memory at once."""

_KNOWN = """
SELECT path, blob, content_hash FROM files WHERE path = :path
UNION ALL SELECT path, blob, content_hash FROM duplicates WHERE path = :path
UNION ALL SELECT path, blob, NULL FROM unreadable WHERE path = :path
"""
_LIVE = "SELECT path, blob FROM files WHERE content_hash = ? AND archived = 0 AND type <> 'task'"
_FIRST_DUPLICATE = "SELECT path, blob FROM duplicates WHERE content_hash = ? ORDER BY path LIMIT 1"
_SEEN_IN_WORK = "UPDATE work SET blob = ? WHERE path = ?"
_IN_WORK = "SELECT count(*) FROM work WHERE path = ?"


class Settled(Struct):
    """What was done to the rows.

    Attributes:
        added, changed, removed: the paths, in the order in which they were settled.
        gone, come: paths that left or came with the contents that they had or have, from which moves are told.
    """

    added: list[MemoryPath] = field(default_factory=list[MemoryPath])
    changed: list[MemoryPath] = field(default_factory=list[MemoryPath])
    removed: list[MemoryPath] = field(default_factory=list[MemoryPath])
    gone: dict[MemoryPath, ContentHash | None] = field(default_factory=dict[MemoryPath, ContentHash | None])
    come: dict[MemoryPath, ContentHash | None] = field(default_factory=dict[MemoryPath, ContentHash | None])


def settle(connection: sqlite3.Connection, source: Source, wanted: Mapping[MemoryPath, BlobId | None]) -> Settled:
    """Make the rows of each path in ``wanted`` those of its blob (``None``: no rows); blobs that are there stay.

    Rows are taken out before any are put in, and put in by path order, so that the first of several files with the
    same content is the memory and the others are named beside it, whatever the history was.
    """
    done = Settled()
    touched: set[ContentHash] = set()
    todo: list[tuple[MemoryPath, BlobId]] = []
    for path in sorted(wanted):
        blob = wanted[path]
        known: tuple[str, str, str | None] | None = connection.execute(_KNOWN, {"path": path}).fetchone()
        if (known and known[1]) == blob:
            continue
        if known is not None:
            touched |= _taken_out(connection, path, blob, known[2], done)
        if blob is not None:
            todo.append((path, blob))
            if known is None:
                done.added.append(path)
    fresh = set(done.added)
    for row in projected(connection, source, todo):
        content = _put(connection, row)
        if content is not None:
            touched.add(content)
        if row.path in fresh:
            done.come[row.path] = content
    for content in sorted(touched):
        _elect(connection, source, content)
    return done


def _taken_out(
    connection: sqlite3.Connection, path: MemoryPath, blob: BlobId | None, content: str | None, done: Settled
) -> set[ContentHash]:
    """Delete the rows of ``path``, which was known with ``content`` and is to hold ``blob``; gives that content."""
    tables.delete(connection, path)
    was = None if content is None else ContentHash(content)
    if blob is None:
        done.removed.append(path)
        done.gone[path] = was
    else:
        done.changed.append(path)
    return set() if was is None else {was}


def projected(
    connection: sqlite3.Connection, source: Source, todo: Iterable[tuple[MemoryPath, BlobId]]
) -> Iterator[Projected | Unreadable]:
    """The rows of each file in ``todo``, in its order; none of a file that vanished meanwhile."""
    pending = iter(todo)
    while batch := list(islice(pending, BATCH)):
        in_work = {path for path, _ in batch if connection.execute(_IN_WORK, (path,)).fetchone() != (0,)}
        contents = dict(source.blobs(list(dict.fromkeys(blob for path, blob in batch if path not in in_work))))
        for path, blob in batch:
            if path not in in_work:
                yield project(contents[blob], path, blob)
                continue
            read = _read_work(source, path, blob)
            if read is None or read[0] != blob:
                # Saved again, or gone, since it was looked at: the next look must see a difference from this one.
                connection.execute(_SEEN_IN_WORK, (None if read is None else read[0], path))
            if read is not None:
                yield project(read[1], path, read[0])


def _read_work(source: Source, path: MemoryPath, like: BlobId) -> tuple[BlobId, bytes] | None:
    """The file in the work tree and the blob that it is now; ``None`` when no ordinary file is there any more."""
    try:
        data = source.read_work(path)
    except (PathNotFoundError, UnsafeFileError):
        return None
    return blob_id(data, like), data


def _put(connection: sqlite3.Connection, row: Projected | Unreadable) -> ContentHash | None:
    """Insert a row where it belongs; gives its content, if it has one."""
    if isinstance(row, Unreadable):
        tables.insert_unreadable(connection, row)
        return None
    content = row.facts.content_hash
    if row.live and connection.execute(_LIVE, (content,)).fetchone() is not None:
        tables.insert_duplicate(connection, row)
    else:
        tables.insert(connection, row)
    return content


def _elect(connection: sqlite3.Connection, source: Source, content: ContentHash) -> None:
    """Of the live files with this content, let the first by path be the memory and the others its duplicates."""
    duplicate: tuple[str, str] | None = connection.execute(_FIRST_DUPLICATE, (content,)).fetchone()
    live: tuple[str, str] | None = connection.execute(_LIVE, (content,)).fetchone()
    if duplicate is None or (live is not None and live[0] < duplicate[0]):
        return
    files: Sequence[tuple[str, str]] = [duplicate] if live is None else [duplicate, live]
    rows = list(projected(connection, source, [(MemoryPath(path), BlobId(blob)) for path, blob in files]))
    for path, _ in files:
        tables.delete(connection, MemoryPath(path))
    for row in rows:
        _put(connection, row)
