"""Operation `recall`: what the store knows about something, as a pack of quotations for a context window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.arguments import bounded
from memhtml.ops.rows_finding import LEAST_BUDGET
from memhtml.ops.scopes import scope
from memhtml.ops.search import index_at
from memhtml.retrieve.answer import Degraded, Reason
from memhtml.retrieve.recall import RecallRequest
from memhtml.retrieve.recall import recall as retrieve
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class RecallPack(Struct, frozen=True):
    """The pack, and what it holds.

    Attributes:
        pack: at most ``budget`` characters, ready for a context window; empty when nothing was found.
        quoted: memories that are quoted, in the order of the pack.
        listed: memories that have one line each, in the order of the pack.
        left_out: how many more were found.
        reason: why nothing was; ``None`` when something was.
        degraded: arms of the search that could not take part.
        known_at: the commit whose store was asked, if an earlier one was wanted.
    """

    query: str
    pack: str
    characters: int
    budget: int
    quoted: tuple[MemoryPath, ...]
    listed: tuple[MemoryPath, ...]
    left_out: int
    reason: Reason | None
    degraded: tuple[Degraded, ...]
    known_at: CommitId | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> RecallPack:
    """The `recall` operation."""
    request = RecallRequest(
        query=arguments.needed("query"),
        scope=scope(arguments),
        budget=arguments.count("budget"),
        bar=not arguments.flag("no_bar"),
    )
    return recall(workspace, request, known_at=arguments.text("known_at"))


def recall(workspace: Workspace, request: RecallRequest, *, known_at: str | None = None) -> RecallPack:
    """Quote what answers ``request``, within its budget.

    Args:
        workspace: the store.
        request: what is asked, of which memories, and how long the pack may be.
        known_at: an instant or a commit: what the store knew then.

    Raises:
        PathNotFoundError: the store has no commit so old, or none with that id.
        InvalidFlagError: the budget is too small for a pack.
    """
    bounded("budget", request.budget, LEAST_BUDGET)
    warnings = workspace.catch_up()
    embedder, more = workspace.searching_embedder()
    commit = None if known_at is None else workspace.repository.commit_at(known_at)
    with index_at(workspace, commit) as index:
        recalled = retrieve(index, embedder, request, workspace.clock.now())
    pack = recalled.pack
    return RecallPack(
        query=request.query,
        pack=pack.text,
        characters=len(pack.text),
        budget=pack.budget,
        quoted=pack.quoted,
        listed=pack.listed,
        left_out=pack.left_out,
        reason=recalled.reason,
        degraded=recalled.degraded,
        known_at=commit,
        warnings=(*warnings, *more),
    )
