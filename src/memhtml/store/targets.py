"""The memory that a change is about: found, read, and refused where the change would go astray."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.errors import InvalidMemoryError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import Facts, Instant, MemoryPath
from memhtml.domain.paths import archive_path, is_archived, memory_path
from memhtml.store.resolving import archived_at, resolve
from memhtml.store.transaction import Transaction

LAST_YEAR = 9999


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
    """Where ``path`` goes when it is archived at ``now``: to that year.

    Only by hand can there be another memory in the archive that came from ``path``. Then it is a later year than that
    one's, whatever the calendar says: ``path`` leads to the one that was archived last, and each goes back to ``path``.

    Raises:
        WriteConflictError: no year is left.
    """
    before = archived_at(tx, path)
    earliest = 0 if before is None else int(before.split("/")[1]) + 1
    places = (archive_path(path, year) for year in range(max(int(now[:4]), earliest), LAST_YEAR + 1))
    free = next((place for place in places if not tx.taken(place)), None)
    if free is None:
        raise WriteConflictError(f"the archive has no year left for {path}", suggestions=(f"move {before} by hand",))
    return free


def _not_found(tx: Transaction, path: MemoryPath) -> PathNotFoundError:
    try:
        current = resolve(tx, path).path
    except PathNotFoundError:
        return PathNotFoundError(f"there is no memory at {path}", suggestions=("memhtml list shows what there is",))
    return PathNotFoundError(f"{path} has moved, and {current} is what it became", suggestions=(f"use {current}",))
