"""A memory as one entry of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.gists import listed
from memhtml.domain.memory import Entity, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType, TaskStatus

if TYPE_CHECKING:
    from memhtml.index.memories import MemoryRow
    from memhtml.index.view import View


class Summary(Struct, frozen=True):
    """What every listing shows of a memory.

    Attributes:
        gist: the claim as one line.
        archived: it lies in the archive.
        superseded_by: what took its place.
        contradicts: live memories that contest it, in path order.
    """

    path: MemoryPath
    title: str
    gist: str
    type: MemoryType
    archived: bool
    workspace: str | None
    created: Instant
    updated: Instant
    event_at: Instant | None
    valid_from: Instant | None
    valid_until: Instant | None
    importance: int | None
    confidence: float | None
    task_status: TaskStatus | None
    due: Instant | None
    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    superseded_by: MemoryPath | None
    contradicts: tuple[MemoryPath, ...]


def summaries(view: View, paths: Sequence[MemoryPath]) -> tuple[Summary, ...]:
    """The memories at ``paths``, in that order; what the index does not hold is left out."""
    return tuple(summary(row) for row in view.rows(paths).values())


def summary(row: MemoryRow) -> Summary:
    """One entry."""
    return Summary(
        path=row.path,
        title=row.title,
        gist=listed(row.gist),
        type=row.type,
        archived=row.archived,
        workspace=row.workspace,
        created=row.created,
        updated=row.updated,
        event_at=row.event_at,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        importance=row.importance,
        confidence=row.confidence,
        task_status=row.task_status,
        due=row.due,
        entities=row.entities,
        tags=row.tags,
        superseded_by=row.superseded_by,
        contradicts=row.contradicts,
    )
