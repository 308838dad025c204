"""Operation `search`: the memories that answer, best first; none, with a reason, when none does."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId
from memhtml.ops.arguments import bounded
from memhtml.ops.scopes import scope
from memhtml.retrieve.answer import Degraded, Hit, Reason, Request
from memhtml.retrieve.search import search as retrieve
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Hits(Struct, frozen=True):
    """What a search found.

    Attributes:
        query: as it was asked.
        hits: best first.
        reason: why there are none; ``None`` when there are.
        degraded: arms that could not take part, and what to do about it.
        rejected: the best hit under the bar, when it was asked for and nothing was above.
        known_at: the commit whose store was searched, if an earlier one was asked for.
    """

    query: str
    hits: tuple[Hit, ...]
    reason: Reason | None
    degraded: tuple[Degraded, ...]
    rejected: Hit | None
    known_at: CommitId | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Hits:
    """The `search` operation."""
    request = Request(
        query=arguments.needed("query"),
        scope=scope(arguments),
        limit=arguments.count("limit"),
        bar=not arguments.flag("no_bar"),
        rejected=arguments.flag("rejected"),
        explain=arguments.flag("explain"),
    )
    return search(workspace, request, known_at=arguments.text("known_at"))


def search(workspace: Workspace, request: Request, *, known_at: str | None = None) -> Hits:
    """The memories that answer ``request``.

    Args:
        workspace: the store.
        request: what is asked, of which memories, and how much is told.
        known_at: an instant or a commit: what the store knew then.

    Raises:
        PathNotFoundError: the store has no commit so old, or none with that id.
        InvalidFlagError: the limit is below 1.
    """
    bounded("limit", request.limit, 1)
    warnings = workspace.catch_up()
    embedder, more = workspace.searching_embedder()
    commit = None if known_at is None else workspace.repository.commit_at(known_at)
    with index_at(workspace, commit) as index:
        answer = retrieve(index, embedder, request, workspace.clock.now())
    return Hits(
        query=answer.query,
        hits=answer.hits,
        reason=answer.reason,
        degraded=answer.degraded,
        rejected=answer.rejected,
        known_at=commit,
        warnings=(*warnings, *more),
    )


def index_at(workspace: Workspace, commit: CommitId | None) -> AbstractContextManager[Index]:
    """The store's index, or one of the store as it was at ``commit``."""
    if commit is None:
        return nullcontext(workspace.index)
    return workspace.index.at_commit(workspace.repository, commit)
