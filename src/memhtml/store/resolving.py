"""From any path that a memory ever had to where it lives now: read from the tree alone, without an index."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from memhtml.domain.errors import PathNotFoundError, UnsafeFileError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import ARCHIVE, is_archived, original_path


class Reader(Protocol):
    """Files by path: a transaction, or a snapshot."""

    def read(self, path: str) -> bytes | None:
        """The bytes at ``path``; ``None`` when nothing is there."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file is there."""
        ...

    def names(self, folder: str) -> tuple[str, ...]:
        """Names in ``folder``, sorted."""
        ...


class Resolution(Struct, frozen=True):
    """Where a memory lives now.

    Attributes:
        asked: the path that was asked for.
        path: where the chain ends: a file that is there.
        steps: every path on the way, ``asked`` first, ``path`` last.
    """

    asked: MemoryPath
    path: MemoryPath
    steps: tuple[MemoryPath, ...]


def resolve(reader: Reader, path: MemoryPath) -> Resolution:
    """Follow moves to and from the archive, and supersessions, to the end; a cycle ends before it repeats itself.

    A chain that leads to nothing ends at the last file that is there.

    Raises:
        PathNotFoundError: no memory is at ``path``, nor was one moved from it.
    """
    steps = [path]
    place = located(reader, path)
    if place is None:
        raise PathNotFoundError(f"there is no memory at {path}, and none was moved from there")
    while place is not None and place not in steps[:-1]:
        if place != steps[-1]:
            steps.append(place)
        successor = _successor(reader, place)
        place = None if successor is None or successor in steps else located(reader, successor)
        if successor is not None and place is not None and successor != place:
            steps.append(successor)
    last = next(step for step in reversed(steps) if reader.exists(step))
    return Resolution(path, last, tuple(steps))


def located(reader: Reader, path: MemoryPath) -> MemoryPath | None:
    """Where the file of ``path`` lies: there, in the archive (the latest year), or back where it was archived from."""
    if reader.exists(path):
        return path
    archived = archived_at(reader, path)
    if archived is not None:
        return archived
    if is_archived(path) and original_path(path) != path:
        return located(reader, original_path(path))
    return None


def archived_at(reader: Reader, path: MemoryPath) -> MemoryPath | None:
    """Where in the archive ``path`` lies, the latest year first; ``None`` when it does not."""
    years = [name for name in reader.names(ARCHIVE) if len(name) == len("2026") and name.isdecimal()]
    places = (MemoryPath(f"{ARCHIVE}/{year}/{path}") for year in reversed(years))
    return next((place for place in places if reader.exists(place)), None)


def _successor(reader: Reader, path: MemoryPath) -> MemoryPath | None:
    from memhtml.page.read import read

    try:
        data = reader.read(path)
    except UnsafeFileError:
        return None
    facts = None if data is None else read(data).facts
    return None if facts is None else facts.head.superseded_by
