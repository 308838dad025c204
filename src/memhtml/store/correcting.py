"""A memory that takes another's place."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.edges import ends_refusal
from memhtml.domain.errors import DuplicateContentError, InvalidEdgeError
from memhtml.domain.memory import ContentHash, Draft, Instant, Link, MemoryPath
from memhtml.domain.paths import is_memory_path
from memhtml.domain.placement import candidates
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.store.archiving import stamped
from memhtml.store.targets import Target, active_target, free_archive_path
from memhtml.store.transaction import Transaction
from memhtml.store.writing import Composed, Duplicates, compose_checked, duplicate, event_day, free_path, put_memory


class Corrected(Struct, frozen=True):
    """A correction.

    Attributes:
        path: the new memory.
        superseded: where the old one lies now, in the archive.
        previous: where the old one was.
    """

    path: MemoryPath
    superseded: MemoryPath
    previous: MemoryPath
    content_hash: ContentHash
    title: str


def stage_correct(
    tx: Transaction,
    text: str,
    draft: Draft,
    *,
    now: Instant,
    duplicates: Duplicates,
) -> Corrected:
    """Put the memory of ``draft``, which supersedes the one at ``text``, and move that one to the archive.

    Without a path or a workspace of its own the new memory goes beside the old one. A target that was superseded or
    archived already is refused, with what has taken its place: whoever read the old one has not seen that.

    Raises:
        PathNotFoundError: nothing is at ``text``; says where it went.
        WriteConflictError: the target is archived, or the new path is taken.
        DuplicateContentError: the new content is the target's own, or another active memory's.
        InvalidEdgeError: one of the two is a task.
        MemhtmlError: as `memhtml.store.writing.stage_write` says of the draft.
    """
    found = active_target(tx, text)
    refusal = ends_refusal(Rel.SUPERSEDES, draft.type, found.facts.head.type)
    if refusal is not None:
        raise InvalidEdgeError(refusal, suggestions=("archive the task and add another",))
    composed = compose_checked(tx, draft, now)
    _refuse_duplicate(tx, found, composed, duplicates)
    place = free_archive_path(tx, found.path, now)
    path = free_path(tx, _places(draft, composed, found, now), explicit=draft.path is not None)
    superseding = Link(Rel.SUPERSEDES, place)
    memory = composed.memory
    links = (superseding, *(link for link in memory.links if link.target != found.path))
    archived = stamped(found.data, found.facts.head, now, superseded_by=path)
    put_memory(tx, path, replace(composed, memory=replace(memory, links=links)))
    tx.move(found.path, place, archived)
    return Corrected(path, place, found.path, composed.content_hash, memory.title)


def _refuse_duplicate(tx: Transaction, found: Target, composed: Composed, duplicates: Duplicates) -> None:
    if composed.content_hash == found.facts.content_hash:
        raise DuplicateContentError(f"the correction says word for word what {found.path} says")
    other = duplicate(tx, composed.content_hash, duplicates)
    if other is not None:
        raise DuplicateContentError(
            f"{other.path} says this already",
            suggestions=(f"memhtml archive {found.path}, and use {other.path}",),
        )


def _places(draft: Draft, composed: Composed, found: Target, now: Instant) -> Iterator[MemoryPath]:
    places = candidates(draft, title=composed.memory.title, day=event_day(draft, composed.memory, now))
    if draft.path is not None or draft.workspace is not None or draft.type is MemoryType.ARC:
        return places
    folder = found.path.rpartition("/")[0]
    return (_beside(folder, place) for place in places)


def _beside(folder: str, place: MemoryPath) -> MemoryPath:
    """``place`` moved to ``folder``, unless that makes it longer than a path may be."""
    path = f"{folder}/{place.rpartition('/')[2]}"
    return MemoryPath(path) if is_memory_path(path) else place
