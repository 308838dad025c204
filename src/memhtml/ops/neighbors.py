"""Operation `neighbors`: what a memory links to, and what links to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.gists import listed
from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.ops.drafts import rel
from memhtml.ops.resolve import where
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Neighbor(Struct, frozen=True):
    """The other end of a link.

    Attributes:
        rel: what the source of the link is to its target.
        outgoing: the link is in the memory asked about; otherwise in the other one.
        path: where the other one is now; where the link says, when it is nowhere.
        linked: the path in the link.
        found: the other one exists.
    """

    rel: Rel
    outgoing: bool
    path: MemoryPath
    linked: MemoryPath
    found: bool
    title: str | None
    gist: str | None
    type: MemoryType | None
    archived: bool | None


class Neighbors(Struct, frozen=True):
    """What stands next to a memory: its own links in document order, then those that lead to it, by path."""

    path: MemoryPath
    neighbors: tuple[Neighbor, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Neighbors:
    """The `neighbors` operation."""
    rels = tuple(rel(text) for text in arguments.texts("rel"))
    return neighbors(workspace, arguments.needed("path"), rels=rels)


def neighbors(workspace: Workspace, path: str, *, rels: tuple[Rel, ...] = ()) -> Neighbors:
    """The neighbours of the memory at ``path``, an old path resolved; of these ``rels`` only, if any are given.

    Raises:
        PathNotFoundError: there is no such memory.
    """
    warnings = workspace.catch_up()
    here = where(workspace, path).path
    with workspace.index.reading() as view:
        found = [each for each in view.neighbors(here) if not rels or each.rel in rels]
        rows = view.rows([each.resolved for each in found if each.resolved is not None])
    entries: list[Neighbor] = []
    for each in found:
        row = None if each.resolved is None else rows.get(each.resolved)
        entries.append(
            Neighbor(
                rel=each.rel,
                outgoing=each.outgoing,
                path=each.resolved or each.path,
                linked=each.path,
                found=row is not None,
                title=None if row is None else row.title,
                gist=None if row is None else listed(row.gist),
                type=None if row is None else row.type,
                archived=None if row is None else row.archived,
            )
        )
    return Neighbors(here, tuple(entries), warnings)
