"""Operations `link` and `unlink`: typed edges between memories."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.ops.drafts import rel
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.linking import Linked
    from memhtml.store.transaction import Transaction
    from memhtml.workspace.workspace import Workspace


class LinkedMemories(Struct, frozen=True):
    """An edge as it is now.

    Attributes:
        target: the target as it stands in the source, or stood.
        linked: the edge is there; after `unlink` it is not.
        changed: it was not so before.
    """

    source: MemoryPath
    rel: Rel
    target: MemoryPath
    linked: bool
    changed: bool
    commit: CommitId | None
    warnings: tuple[Notice, ...]


def run_link(workspace: Workspace, arguments: Arguments) -> LinkedMemories:
    """The `link` operation."""
    return link(workspace, arguments.needed("source"), rel(arguments.needed("rel")), arguments.needed("target"))


def run_unlink(workspace: Workspace, arguments: Arguments) -> LinkedMemories:
    """The `unlink` operation."""
    return unlink(workspace, arguments.needed("source"), rel(arguments.needed("rel")), arguments.needed("target"))


def link(workspace: Workspace, source: str, kind: Rel, target: str) -> LinkedMemories:
    """Say in ``source`` that it is ``kind`` to ``target``; nothing changes when it says so.

    Raises:
        PathNotFoundError: one of the two is nowhere.
        InvalidEdgeError: the two cannot be joined so.
    """
    from memhtml.store.linking import stage_link

    return _linked(workspace, "link", lambda tx: stage_link(tx, source, kind, target))


def unlink(workspace: Workspace, source: str, kind: Rel, target: str) -> LinkedMemories:
    """Take that back; nothing changes when ``source`` does not say so.

    Raises:
        PathNotFoundError: the source is nowhere.
    """
    from memhtml.store.linking import stage_unlink

    return _linked(workspace, "unlink", lambda tx: stage_unlink(tx, source, kind, target))


def _linked(workspace: Workspace, verb: str, stage: Callable[[Transaction], Linked]) -> LinkedMemories:
    def staged(desk: Desk) -> Staged[Linked]:
        from memhtml.store.message import subject

        edge = stage(desk.transaction)
        return Staged(edge, Told(subject(verb, f"{edge.title} ({edge.rel.value})")))

    done = change(workspace, staged)
    edge = done.value
    return LinkedMemories(edge.source, edge.rel, edge.target, verb == "link", edge.changed, done.commit, done.warnings)
