"""Operation `read`: memories opened by path, which is what counts as use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError, PathNotFoundError
from memhtml.domain.memory import Citation, Entity, Facet, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus
from memhtml.ops.resolve import Place, where
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.domain.memory import Facts
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class LinkTo(Struct, frozen=True):
    """A link of the memory, as its file says it."""

    rel: Rel
    target: MemoryPath


class Content(Struct, frozen=True):
    """What a memory's file says.

    Attributes:
        text: everything in the article, blocks parted by newlines.
        gist: the claim.
    """

    title: str
    gist: str
    text: str
    type: MemoryType
    status: Status
    created: Instant
    updated: Instant
    event_at: Instant | None
    valid_from: Instant | None
    valid_until: Instant | None
    importance: int | None
    confidence: float | None
    author: str | None
    session: str | None
    task_status: TaskStatus | None
    due: Instant | None
    superseded_by: MemoryPath | None
    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    facets: tuple[Facet, ...]
    citations: tuple[Citation, ...]
    links: tuple[LinkTo, ...]


class Opened(Struct, frozen=True):
    """One memory.

    Attributes:
        path: where it is.
        requested: the path that was asked for.
        moved: the two differ: it was archived or superseded meanwhile.
        counted: the open was counted.
        memory: what it says; ``None`` when the file breaks the format.
        violations: how it does.
        html: the file itself, if it was asked for, or if it could not be read otherwise.
    """

    path: MemoryPath
    requested: str
    moved: bool
    counted: bool
    memory: Content | None
    violations: tuple[str, ...]
    html: str | None


class ReadMemories(Struct, frozen=True):
    """In the order asked."""

    memories: tuple[Opened, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> ReadMemories:
    """The `read` operation."""
    return read(
        workspace,
        arguments.texts("path"),
        html=arguments.flag("html"),
        count=not arguments.flag("no_count"),
    )


def read(workspace: Workspace, paths: Sequence[str], *, html: bool = False, count: bool = True) -> ReadMemories:
    """The memories at ``paths`` as they are in the work tree, hand edits included; old paths resolved.

    Raises:
        PathNotFoundError: one of them is nowhere, or only in the branch; none is counted then.
        UnsafeFileError: a link, a device or a FIFO is there.
    """
    repository = workspace.repository
    repository.recover_if_needed()
    places = [where(workspace, path) for path in paths]
    files = [_file(workspace, place) for place in places]
    counted, warnings = _count(workspace, [place.path for place in places] if count else [])
    return ReadMemories(
        tuple(
            _opened(place, data, html=html, counted=place.path in counted)
            for place, data in zip(places, files, strict=True)
        ),
        warnings,
    )


def _file(workspace: Workspace, place: Place) -> bytes:
    repository = workspace.repository
    try:
        return repository.read_work(place.path)
    except PathNotFoundError as error:  # the branch has it, or there would be no place
        from memhtml.store.checking import restoring  # for a loss alone

        raise PathNotFoundError(
            f"{place.path} is in the branch, but its file is not in the work tree",
            suggestions=(restoring(repository.layout, place.path), "commit that it is deleted, if that was meant"),
        ) from error


def _count(workspace: Workspace, paths: Sequence[MemoryPath]) -> tuple[frozenset[MemoryPath], tuple[Notice, ...]]:
    now = workspace.clock.now()
    counted: set[MemoryPath] = set()
    try:
        for path in dict.fromkeys(paths):
            if workspace.index.state.open_memory(path, now) is not None:
                counted.add(path)
    except MemhtmlError as error:  # what was asked for is there; that the open is not counted is the smaller loss
        return frozenset(counted), (Notice(error.code, f"the open was not counted: {error.message}"),)
    return frozenset(counted), ()


def _opened(place: Place, data: bytes, *, html: bool, counted: bool) -> Opened:
    from memhtml.page.read import read as read_page  # costs more than finding the file

    reading = read_page(data)
    facts = reading.facts
    return Opened(
        path=place.path,
        requested=place.requested,
        moved=place.moved,
        counted=counted,
        memory=None if facts is None else content(facts),
        violations=tuple(str(violation) for violation in reading.violations),
        html=data.decode("utf-8", "replace") if html or facts is None else None,
    )


def content(facts: Facts) -> Content:
    """What a file says, as an answer shows it."""
    head = facts.head
    return Content(
        title=facts.title,
        gist=facts.gist,
        text=facts.body,
        type=head.type,
        status=head.status,
        created=head.created,
        updated=head.updated,
        event_at=facts.event_at,
        valid_from=head.valid_from,
        valid_until=head.valid_until,
        importance=head.importance,
        confidence=head.confidence,
        author=head.author,
        session=head.session,
        task_status=head.task_status,
        due=head.due,
        superseded_by=head.superseded_by,
        entities=facts.entities,
        tags=head.tags,
        aliases=head.aliases,
        facets=facts.facets,
        citations=facts.citations,
        links=tuple(LinkTo(link.rel, link.target) for link in facts.links),
    )
