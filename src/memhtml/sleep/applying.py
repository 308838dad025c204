"""A change of the store, staged as it was proposed: the one place where proposals become files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.memory import ContentHash, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.sleep.changes import AUTHOR, Archived, Change, Created, Edited, Folded, Generated, Moved, put_away, touched
from memhtml.store.archiving import stamped
from memhtml.store.targets import active_target, free_archive_path
from memhtml.store.transaction import Transaction
from memhtml.store.writing import stage_write


class RefusedError(Exception):
    """The store does not take a change, and nothing of it is staged. It never leaves the night.

    Attributes:
        message: why, in a sentence.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Staging(Struct, frozen=True):
    """What changes are staged with.

    Attributes:
        tx: the transaction, of the run's own work tree.
        now: the instant of every stamp.
        duplicates: memories that may have this content.
    """

    tx: Transaction
    now: Instant
    duplicates: Callable[[ContentHash], Iterable[MemoryPath]]


def stage(staging: Staging, change: Change) -> str:
    """Put what the change does into the transaction; gives the path that the change is known by.

    That is where the file was before it, and where it is for a new one.

    Raises:
        RefusedError: a new memory is none that the store takes; nothing of it is staged.
        MemhtmlError: the store refuses something else; the transaction may then hold half of it, and is to be left.
    """
    match change:
        case Edited():
            return _edit(staging, change)
        case Archived():
            _put_away(staging, change.path, change.superseded_by)
            return change.path
        case Folded():
            return _fold(staging, change)
        case Created():
            return _create(staging, change)
        case Moved():
            found = active_target(staging.tx, change.path)
            staging.tx.move(found.path, change.to, found.data)
            return found.path
        case Generated():
            return _generate(staging, change)
        case _:
            assert_never(change)


def objection(staging: Staging, change: Change) -> str | None:
    """Why the store would not take the change, as far as that can be told without staging it."""
    try:
        return _objection(staging, change)
    except MemhtmlError as error:
        return error.message


def _objection(staging: Staging, change: Change) -> str | None:
    """As `objection`; what the store says on the way is raised."""
    from memhtml.page.compose import compose
    from memhtml.page.splice import apply

    tx = staging.tx
    if isinstance(change, Moved) and tx.taken(change.to):
        return f"{change.to} is taken"
    if isinstance(change, Created):
        compose(change.draft, now=staging.now)
    found = [active_target(tx, path) for path in touched(change)]
    for path in put_away(change):
        free_archive_path(tx, path, staging.now)
    if isinstance(change, Edited | Folded):
        data = apply(found[0].data, change.edits)
        if isinstance(change, Edited) and data == found[0].data:
            return f"{change.path} says this already"
    return None


def _edit(staging: Staging, change: Edited) -> str:
    from memhtml.page.splice import apply

    found = active_target(staging.tx, change.path)
    staging.tx.put(found.path, apply(found.data, change.edits))
    return found.path


def _fold(staging: Staging, change: Folded) -> str:
    from memhtml.page.splice import AddLink, apply

    place = _put_away(staging, change.drop, change.keep)
    keep = active_target(staging.tx, change.keep)
    staging.tx.put(keep.path, apply(keep.data, (*change.edits, AddLink(Link(Rel.SUPERSEDES, place)))))
    return change.drop


def _create(staging: Staging, change: Created) -> str:
    from memhtml.page.splice import AddLink, apply

    draft = replace(change.draft, author=AUTHOR)
    try:
        written = stage_write(staging.tx, draft, now=staging.now, duplicates=staging.duplicates)
    except MemhtmlError as error:
        raise RefusedError(error.message) from error
    if written.deduped:
        raise RefusedError(f"{written.path} says this already")
    places = [_put_away(staging, path, written.path) for path in change.absorbs]
    data = staging.tx.read(written.path)
    if places and data is not None:
        staging.tx.put(written.path, apply(data, [AddLink(Link(Rel.SUPERSEDES, place)) for place in places]))
    return written.path


def _put_away(staging: Staging, path: MemoryPath, heir: MemoryPath | None) -> MemoryPath:
    """Move a memory to the archive; gives its place there."""
    found = active_target(staging.tx, path)
    place = free_archive_path(staging.tx, found.path, staging.now)
    staging.tx.move(found.path, place, stamped(found.data, found.facts.head, staging.now, superseded_by=heir))
    return place


def _generate(staging: Staging, change: Generated) -> str:
    if change.data is not None:
        staging.tx.put(change.path, change.data)
    elif staging.tx.exists(change.path):
        staging.tx.remove(change.path)
    return change.path
