"""A new memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import DirtyTreeError, InvalidEdgeError, InvalidPathError, WriteConflictError
from memhtml.domain.instants import normalised
from memhtml.domain.memory import ContentHash, Draft, Instant, Link, Memory, MemoryPath
from memhtml.domain.paths import is_archived
from memhtml.domain.placement import candidates
from memhtml.domain.vocabulary import PROVENANCE_RELS, MemoryType, Status
from memhtml.store.resolving import archived_at
from memhtml.store.transaction import Transaction

Duplicates = Callable[[ContentHash], Iterable[MemoryPath]]
"""Paths of memories that may have this content hash: candidates, each of which is then looked at in the branch."""


class Written(Struct, frozen=True):
    """A memory that is in the store.

    Attributes:
        deduped: it was there before with the same content, and nothing changes.
        title: its title; of the memory that was there, when it was.
    """

    path: MemoryPath
    deduped: bool
    content_hash: ContentHash
    title: str


def stage_write(tx: Transaction, draft: Draft, *, now: Instant, duplicates: Duplicates) -> Written:
    """Put the memory that ``draft`` describes, unless its content is an active memory already.

    Tasks are outside deduplication in both directions. Everything is checked before anything is put.

    Raises:
        InvalidMemoryError: with everything that is wrong with the draft.
        InvalidPathError: its path or workspace can be no path, or is in the archive.
        WriteConflictError: its path is taken, or has a twin, or belongs to an archived memory.
        DirtyTreeError: something uncommitted is at its path.
        PathNotFoundError: a link leads to nothing.
        InvalidEdgeError: a link joins what must not be joined.
        UnsafeFileError: a symbolic link is on the way.
    """
    composed = compose_checked(tx, draft, now)
    found = None if draft.type is MemoryType.TASK else duplicate(tx, composed.content_hash, duplicates)
    if found is not None:
        return found
    path = free_path(tx, _places(draft, composed.memory, now), explicit=draft.path is not None)
    put_memory(tx, path, composed)
    return Written(path, deduped=False, content_hash=composed.content_hash, title=composed.memory.title)


class Composed(Struct, frozen=True):
    """A memory with its hash; its links lead to files that are there."""

    memory: Memory
    content_hash: ContentHash


def compose_checked(tx: Transaction, draft: Draft, now: Instant) -> Composed:
    """The memory of ``draft``, its links led to where their targets live now.

    Raises:
        MemhtmlError: as `stage_write` says of the draft and its links.
    """
    from memhtml.page.canonical import content_hash
    from memhtml.page.compose import compose

    memory = compose(draft, now=now)
    links = tuple(dict.fromkeys(checked_link(tx, link, draft.type) for link in memory.links))
    return Composed(replace(memory, links=links), content_hash(memory.article))


def checked_link(tx: Transaction, link: Link, source: MemoryType) -> Link:
    """``link`` led to where its target lives now; what a memory came from need not be in the store.

    Raises:
        PathNotFoundError: the target is nowhere.
        InvalidEdgeError: the vocabulary does not allow it between these two.
        InvalidMemoryError: the target breaks the format.
    """
    from memhtml.domain.edges import ends_refusal
    from memhtml.store.resolving import resolve
    from memhtml.store.targets import target

    if link.rel in PROVENANCE_RELS:
        return link
    place = link.target if tx.exists(link.target) else resolve(tx, link.target).path
    found = target(tx, place)
    refusal = ends_refusal(link.rel, source, found.facts.head.type)
    if refusal is not None:
        raise InvalidEdgeError(refusal)
    return Link(link.rel, found.path)


def duplicate(tx: Transaction, content_hash: ContentHash, duplicates: Duplicates) -> Written | None:
    """The active memory, no task, that has this content in the branch or was put by ``tx``; ``None`` when none has."""
    from memhtml.page.read import read

    own = tx.hashes.get(content_hash)
    for path in (*(() if own is None else (own,)), *duplicates(content_hash)):
        data = None if is_archived(path) else tx.read(path)
        facts = None if data is None else read(data).facts
        if facts is None or facts.head.type is MemoryType.TASK or facts.head.status is not Status.ACTIVE:
            continue
        if facts.content_hash == content_hash:
            return Written(path, deduped=True, content_hash=content_hash, title=facts.title)
    return None


def free_path(tx: Transaction, places: Iterator[MemoryPath], *, explicit: bool) -> MemoryPath:
    """The first of ``places`` that nothing has, and that no archived memory had: a path is an id, and is not reused.

    Raises:
        WriteConflictError: the explicit path is taken, or a twin of it is, or an archived memory had it.
        DirtyTreeError: something uncommitted is at the explicit path.
        InvalidPathError: it is in the archive.
    """
    for place in places:
        if explicit:
            _refuse_taken(tx, place)
            return place
        if not tx.taken(place) and archived_at(tx, place) is None:
            return place
    raise WriteConflictError("no path is free for this memory")


def put_memory(tx: Transaction, path: MemoryPath, composed: Composed) -> None:
    """Put a composed memory, and remember its content for the rest of the batch."""
    from memhtml.page.render import render

    tx.put(path, render(composed.memory))
    if composed.memory.head.type is not MemoryType.TASK:
        tx.hashes.setdefault(composed.content_hash, path)


def _places(draft: Draft, memory: Memory, now: Instant) -> Iterator[MemoryPath]:
    return candidates(draft, title=memory.title, day=event_day(draft, memory, now))


def event_day(draft: Draft, memory: Memory, now: Instant) -> Instant:
    """The day that stands in front of an episodic name: of the event, if the memory has one, else of the writing."""
    if draft.type is not MemoryType.EPISODIC:
        return now
    given = None if draft.event_at is None else normalised(draft.event_at)
    if given is None and draft.article_html is not None:
        from memhtml.page.read import read
        from memhtml.page.render import render

        facts = read(render(memory)).facts
        given = None if facts is None else facts.event_at
    return given or now


def _refuse_taken(tx: Transaction, path: MemoryPath) -> None:
    if is_archived(path):
        raise InvalidPathError(
            f"{path} is in the archive, where only archived memories go",
            suggestions=("write it elsewhere, and archive it then",),
        )
    if tx.exists(path):
        raise WriteConflictError(
            f"{path} is taken",
            suggestions=(f"memhtml correct {path} replaces what is there", "or choose another path"),
        )
    if tx.untracked(path):
        raise DirtyTreeError(
            f"an uncommitted file is at {path}",
            paths=(path,),
            suggestions=("commit it (git add and git commit in the store), or choose another path",),
        )
    tx.taken(path)
    archived = archived_at(tx, path)
    if archived is not None:
        raise WriteConflictError(
            f"{path} belongs to the archived memory {archived}, and old links would lead to another one",
            suggestions=("choose another path", f"memhtml restore {archived} brings that one back"),
        )
