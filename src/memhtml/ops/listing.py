"""Operation `list`: memories without a question, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.scope import Scope
from memhtml.ops.arguments import bounded
from memhtml.ops.scopes import scope
from memhtml.ops.summary import Summary, summaries
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

LIMIT = 50


class MemoryList(Struct, frozen=True):
    """One page of memories, newest first (by event, else by last change), then by path.

    Attributes:
        total: how many there are in all.
        offset: how many come before this page.
    """

    total: int
    offset: int
    memories: tuple[Summary, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> MemoryList:
    """The `list` operation."""
    return list_memories(workspace, scope(arguments), limit=arguments.count("limit"), offset=arguments.count("offset"))


def list_memories(workspace: Workspace, wanted: Scope, *, limit: int = LIMIT, offset: int = 0) -> MemoryList:
    """The memories in ``wanted``: ``limit`` of them after the first ``offset``; none when there are no more.

    Raises:
        InvalidFlagError: ``limit`` is below 1, or ``offset`` below 0.
    """
    bounded("limit", limit, 1)
    bounded("offset", offset, 0)
    warnings = workspace.catch_up()
    with workspace.index.reading() as view:
        paths = view.listed(wanted, limit=limit, offset=offset)
        return MemoryList(view.count(wanted), offset, summaries(view, paths), warnings)
