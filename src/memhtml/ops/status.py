"""Operation `status`: what is in a store, and whether its index holds it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.index.view import View
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

LISTED_EDITS = 20


class PendingEdits(Struct, frozen=True):
    """What people changed by hand and did not commit.

    Attributes:
        edited: edited or new files.
        deleted: files of the branch that are gone from the folder.
        unsafe: links, devices and FIFOs, never followed.
        paths: the first of all of these, in path order.
    """

    edited: int
    deleted: int
    unsafe: int
    paths: tuple[MemoryPath, ...]


class StoreStatus(Struct, frozen=True):
    """The store at a glance.

    Attributes:
        active: memories that are in use, by type; tasks too.
        archived: how many lie in the archive.
        space: of the vectors that are there; ``None`` while there is none.
        coverage: share of the texts that have a vector, from 0 to 1.
        embed: what the settings say about vectors.
        indexed: the commit that the index holds.
        fresh: it is the branch's.
    """

    root: Path
    branch: str | None
    commit: CommitId | None
    memories: int
    active: Mapping[str, int]
    archived: int
    generation: int
    indexed: CommitId | None
    fresh: bool
    embed: str
    space: str | None
    coverage: float
    pending: PendingEdits
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> StoreStatus:
    """The `status` operation."""
    del arguments
    return status(workspace)


def status(workspace: Workspace) -> StoreStatus:
    """What is there, counted, after the index has caught up with the branch."""
    warnings = workspace.catch_up()
    repository = workspace.repository
    head = repository.head()
    uncommitted = repository.uncommitted()
    with workspace.index.reading() as view:
        active = _active(view)
        return StoreStatus(
            root=repository.root,
            branch=repository.branch(),
            commit=head,
            memories=view.total,
            active=active,
            archived=view.total - sum(active.values()),
            generation=view.generation,
            indexed=view.commit,
            fresh=view.commit == head,
            embed=workspace.settings.embed,
            space=view.space,
            coverage=view.coverage(),
            pending=PendingEdits(
                edited=len(uncommitted.present),
                deleted=len(uncommitted.deleted),
                unsafe=len(uncommitted.unsafe),
                paths=uncommitted.paths[:LISTED_EDITS],
            ),
            warnings=warnings,
        )


def _active(view: View) -> dict[str, int]:
    counts = {kind.value: view.count(Scope(types=frozenset({kind}))) for kind in MemoryType}
    return {kind: count for kind, count in counts.items() if count}
