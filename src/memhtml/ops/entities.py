"""Operation `entity`: the things that memories name, and the memories that name one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import Entity
from memhtml.domain.scope import Scope
from memhtml.ops.arguments import bounded
from memhtml.ops.drafts import entity
from memhtml.ops.summary import Summary, summaries
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

LIMIT = 50


class EntityUse(Struct, frozen=True):
    """An entity, as ``type:name``, and how many memories name it."""

    entity: Entity
    memories: int


class Entities(Struct, frozen=True):
    """What is named, and by what.

    Attributes:
        entities: the most named first, then by type and name; only the one asked about, if one was.
        memories: those that name it, newest first; empty when none was asked about.
    """

    entities: tuple[EntityUse, ...]
    memories: tuple[Summary, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Entities:
    """The `entity` operation."""
    named, limit = arguments.text("entity"), arguments.count("limit")
    archived = arguments.flag("archived")
    if named is None:
        return entities(workspace, kind=arguments.text("kind"), archived=archived, limit=limit)
    return entity_memories(workspace, entity(named), archived=archived, limit=limit)


def entities(workspace: Workspace, *, kind: str | None = None, archived: bool = False, limit: int = LIMIT) -> Entities:
    """The entities of memories that are no tasks; of one ``kind`` only, if it is given."""
    bounded("limit", limit, 1)
    warnings = workspace.catch_up()
    with workspace.index.reading() as view:
        counts = view.entities(Scope(archived=archived))
    wanted = None if kind is None else " ".join(kind.split())
    found = [EntityUse(each.entity, each.memories) for each in counts if wanted is None or each.entity.type == wanted]
    return Entities(tuple(found[:limit]), (), warnings)


def entity_memories(workspace: Workspace, named: Entity, *, archived: bool = False, limit: int = LIMIT) -> Entities:
    """The memories that name exactly this entity, newest first."""
    bounded("limit", limit, 1)
    warnings = workspace.catch_up()
    wanted = Scope(entity=named, archived=archived)
    with workspace.index.reading() as view:
        use = EntityUse(named, view.count(wanted))
        return Entities((use,), summaries(view, view.listed(wanted, limit=limit)), warnings)
