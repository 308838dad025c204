"""The memory that a change is about: found, read, and refused where the change would go astray."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.errors import InvalidMemoryError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import Facts, Instant, MemoryPath
from memhtml.domain.paths import archive_path, is_archived, memory_path
from memhtml.domain.slugs import numbered
from memhtml.store.resolving import resolve
from memhtml.store.transaction import Transaction


class Target(Struct, frozen=True):
    """A memory of the branch."""

    path: MemoryPath
    data: bytes
    facts: Facts


def target(tx: Transaction, text: str) -> Target:
    """The memory at the path that a caller wrote.

    A memory that was moved or superseded is not taken in place of the one that was asked for: whoever read the old
    one decides. Where it lives now is the error's suggestion.

    Raises:
        InvalidPathError: the text is no path.
        PathNotFoundError: nothing is there.
        InvalidMemoryError: what is there breaks the format.
        UnsafeFileError: a symbolic link is there.
    """
    from memhtml.page.read import read

    path = memory_path(text)
    data = tx.read(path)
    if data is None:
        raise _not_found(tx, path)
    reading = read(data)
    if reading.facts is None:
        raise InvalidMemoryError(
            tuple(f"{path}: {violation}" for violation in reading.violations),
            suggestions=("edit the file until doctor has nothing to say of it",),
        )
    return Target(path, data, reading.facts)


def active_target(tx: Transaction, text: str) -> Target:
    """Like `target`, and not archived.

    Raises:
        WriteConflictError: it is archived; names its successor, or says how to bring it back.
        MemhtmlError: as `target` says.
    """
    found = target(tx, text)
    if is_archived(found.path):
        current = resolve(tx, found.path).path
        if current != found.path:
            raise WriteConflictError(
                f"{found.path} is archived; {current} has taken its place",
                suggestions=(f"read {current} and change that one",),
            )
        raise WriteConflictError(
            f"{found.path} is archived",
            suggestions=(f"memhtml restore {found.path} brings it back",),
        )
    return found


def free_archive_path(tx: Transaction, path: MemoryPath, now: Instant) -> MemoryPath:
    """Where ``path`` goes when it is archived at ``now``.

    Only a path that was used, archived and used again in one year finds its place taken: then a number follows.
    """
    place = archive_path(path, int(now[:4]))
    stem = place.removesuffix(".html")
    folder, _, name = stem.rpartition("/")
    ordinal = 1
    while tx.taken(place):
        ordinal += 1
        place = MemoryPath(f"{folder}/{numbered(name, ordinal)}.html")
    return place


def _not_found(tx: Transaction, path: MemoryPath) -> PathNotFoundError:
    try:
        current = resolve(tx, path).path
    except PathNotFoundError:
        return PathNotFoundError(f"there is no memory at {path}", suggestions=("memhtml list shows what there is",))
    return PathNotFoundError(f"{path} has moved, and {current} is what it became", suggestions=(f"use {current}",))
