"""To the archive and back: a move and a few stamps."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.errors import InvalidPathError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import Head, Instant, MemoryPath
from memhtml.domain.paths import is_archived, memory_path, original_path
from memhtml.domain.vocabulary import Status, TaskStatus
from memhtml.store.resolving import archived_at
from memhtml.store.targets import Target, active_target, free_archive_path, target
from memhtml.store.transaction import Transaction


class Moved(Struct, frozen=True):
    """A memory at its new place.

    Attributes:
        path: where it is now.
        previous: where it was.
    """

    path: MemoryPath
    previous: MemoryPath
    title: str


def stage_archive(tx: Transaction, text: str, *, now: Instant) -> Moved:
    """Move the memory at ``text`` to the archive of the year of ``now``.

    Raises:
        InvalidPathError: the text is no path.
        PathNotFoundError: nothing is there; says where it went.
        WriteConflictError: it is archived already.
        InvalidMemoryError: the file breaks the format.
        UnsafeFileError: a symbolic link is there, or on the way.
    """
    found = active_target(tx, text)
    place = free_archive_path(tx, found.path, now)
    tx.move(found.path, place, stamped(found.data, found.facts.head, now))
    return Moved(place, found.path, found.facts.title)


def stage_restore(tx: Transaction, text: str, *, now: Instant) -> Moved:
    """Move an archived memory back to where it was archived from; ``text`` is either of the two paths.

    It is nobody's past any more: what superseded it is no longer named in it. A task that was done is to do again.

    Raises:
        InvalidPathError: the text is no path, or the file has no original place.
        PathNotFoundError: nothing is in the archive for it.
        WriteConflictError: it is not archived, or another memory has its place.
        InvalidMemoryError: the file breaks the format.
        UnsafeFileError: a symbolic link is there, or on the way.
    """
    from memhtml.page.splice import SetMeta, apply

    found = _archived(tx, memory_path(text))
    place = original_path(found.path)
    if place == found.path:
        raise InvalidPathError(f"{found.path} has no original place below the year; move it by hand")
    if tx.taken(place):
        raise WriteConflictError(
            f"{place} is taken by another file",
            suggestions=("archive or move that one first",),
        )
    edits = [
        SetMeta("memhtml-status", Status.ACTIVE.value),
        SetMeta("memhtml-updated", stamp(found.facts.head, now)),
        SetMeta("memhtml-archived", None),
        SetMeta("memhtml-superseded-by", None),
    ]
    if found.facts.head.task_status is TaskStatus.DONE:
        edits.append(SetMeta("memhtml-task-status", TaskStatus.TODO.value))
    tx.move(found.path, place, apply(found.data, edits))
    return Moved(place, found.path, found.facts.title)


def stamp(head: Head, now: Instant) -> Instant:
    """When a file is said to have changed: ``now``, but never before it was made, whichever clock goes wrong."""
    return max(now, head.created)


def stamped(data: bytes, head: Head, now: Instant, *, superseded_by: MemoryPath | None = None) -> bytes:
    """The file, of which ``head`` is the head, as it goes to the archive.

    Raises:
        InvalidMemoryError: it cannot be edited safely.
    """
    from memhtml.domain.edges import href
    from memhtml.page.splice import SetMeta, apply

    edits = [
        SetMeta("memhtml-status", Status.ARCHIVED.value),
        SetMeta("memhtml-updated", stamp(head, now)),
        SetMeta("memhtml-archived", stamp(head, now)),
    ]
    if superseded_by is not None:
        edits.append(SetMeta("memhtml-superseded-by", href(superseded_by)))
    return apply(data, edits)


def _archived(tx: Transaction, path: MemoryPath) -> Target:
    if is_archived(path):
        if not tx.exists(path) and tx.exists(original_path(path)):
            raise WriteConflictError(f"{path} is restored already: it is at {original_path(path)}")
        return target(tx, path)
    place = archived_at(tx, path)
    if tx.exists(path):
        raise WriteConflictError(f"{path} is not archived")
    if place is None:
        raise PathNotFoundError(f"nothing in the archive came from {path}")
    return target(tx, place)
