"""A change of the store, staged as it was proposed: the one place where proposals become files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.memory import ContentHash, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.sleep.changes import AUTHOR, Archived, Change, Created, Edited, Folded, Generated, Moved, put_away, touched
from memhtml.store.archiving import stamped
from memhtml.store.targets import Target, active_target, free_archive_path
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
        RefusedError: the store does not take it; nothing of it is staged.
        MemhtmlError: the store refuses something else; the transaction may then hold half of it, and is to be left.
    """
    try:
        ready = _ready(staging, change)
    except MemhtmlError as error:
        raise RefusedError(error.message) from error
    match change:
        case Edited():
            staging.tx.put(change.path, ready.data)
            return change.path
        case Archived():
            _put_away(staging, ready, change.superseded_by)
            return change.path
        case Folded():
            _put_away(staging, ready, change.keep)
            staging.tx.put(change.keep, ready.data)
            return change.drop
        case Created():
            return _create(staging, ready, change)
        case Moved():
            staging.tx.move(change.path, change.to, ready.found[change.path].data)
            return change.path
        case Generated():
            return _generate(staging, change)
        case _:
            assert_never(change)


class _Ready(Struct, frozen=True):
    """What a change is about, as it was before.

    Attributes:
        found: the memories that it touches.
        places: where those that it puts away go, by where they are.
        data: the file that it edits, with its edits.
    """

    found: Mapping[MemoryPath, Target]
    places: Mapping[MemoryPath, MemoryPath]
    data: bytes = b""


def _ready(staging: Staging, change: Change) -> _Ready:
    """Everything that can be looked at before anything is staged.

    Raises:
        RefusedError: the change would change nothing, or goes where something is.
        MemhtmlError: the store refuses it.
    """
    from memhtml.page.splice import AddLink, apply

    tx = staging.tx
    if isinstance(change, Moved) and tx.taken(change.to):
        raise RefusedError(f"{change.to} is taken")
    found = {path: active_target(tx, path) for path in touched(change)}
    places = {path: free_archive_path(tx, path, staging.now) for path in put_away(change)}
    data = b""
    if isinstance(change, Edited):
        before = found[change.path].data
        data = apply(before, change.edits)
        if data == before:
            raise RefusedError(f"{change.path} says this already")
    if isinstance(change, Folded):
        link = Link(Rel.SUPERSEDES, places[change.drop])
        data = apply(found[change.keep].data, (*change.edits, AddLink(link)))
    return _Ready(found, places, data)


def _create(staging: Staging, ready: _Ready, change: Created) -> str:
    from memhtml.page.splice import AddLink, apply

    draft = replace(change.draft, author=AUTHOR)
    try:
        written = stage_write(staging.tx, draft, now=staging.now, duplicates=staging.duplicates)
    except MemhtmlError as error:
        raise RefusedError(error.message) from error
    if written.deduped:
        raise RefusedError(f"{written.path} says this already")
    _put_away(staging, ready, written.path)
    data = staging.tx.read(written.path)
    if ready.places and data is not None:
        links = [AddLink(Link(Rel.SUPERSEDES, place)) for place in ready.places.values()]
        staging.tx.put(written.path, apply(data, links))
    return written.path


def _put_away(staging: Staging, ready: _Ready, heir: MemoryPath | None) -> None:
    """Move to the archive what the change puts away."""
    for path, place in ready.places.items():
        found = ready.found[path]
        staging.tx.move(path, place, stamped(found.data, found.facts.head, staging.now, superseded_by=heir))


def _generate(staging: Staging, change: Generated) -> str:
    if change.data is not None:
        staging.tx.put(change.path, change.data)
    elif staging.tx.exists(change.path):
        staging.tx.remove(change.path)
    return change.path
