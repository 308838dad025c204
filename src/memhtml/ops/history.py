"""Operation `history`: the commits that made a memory what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.ops.arguments import bounded
from memhtml.ops.resolve import same_memory

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

LIMIT = 50


class HistoryEntry(Struct, frozen=True):
    """One commit that changed the memory.

    Attributes:
        path: where it lived after this commit.
        change: ``added``, ``modified``, ``moved`` or ``deleted``.
        session: the conversation that made it, where that is known.
    """

    commit: CommitId
    when: Instant
    author: str
    subject: str
    path: MemoryPath
    change: str
    session: str | None
    prompt: str | None


class History(Struct, frozen=True):
    """The commits, newest first, through every move.

    Attributes:
        path: where the memory is now.
        total: how many commits there are in all.
    """

    path: MemoryPath
    total: int
    commits: tuple[HistoryEntry, ...]


def run(workspace: Workspace, arguments: Arguments) -> History:
    """The `history` operation."""
    return history(workspace, arguments.needed("path"), limit=arguments.count("limit"))


def history(workspace: Workspace, path: str, *, limit: int = LIMIT) -> History:
    """The newest ``limit`` commits of the memory at ``path``, an old path resolved through the archive.

    Raises:
        PathNotFoundError: there is no such memory.
    """
    bounded("limit", limit, 1)
    here = same_memory(workspace, path).path
    revisions = workspace.repository.history(here)
    entries = tuple(
        HistoryEntry(
            commit=each.commit,
            when=each.when,
            author=each.author,
            subject=each.subject,
            path=each.path,
            change=each.kind,
            session=each.session,
            prompt=each.prompt,
        )
        for each in revisions[:limit]
    )
    return History(here, len(revisions), entries)
