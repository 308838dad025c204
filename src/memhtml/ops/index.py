"""Operations `index`: the projection that is made from the files, and can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memhtml.domain.memory import MemoryPath
from memhtml.workspace.notice import Notice
from memhtml.workspace.workspace import DAMAGED

if TYPE_CHECKING:
    from memhtml.index.index import UpdateReport
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that breaks the format, and how."""

    path: MemoryPath
    reason: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A file with the same content as another memory."""

    path: MemoryPath
    of: MemoryPath


@dataclass(frozen=True, slots=True)
class IndexUpdated:
    """What the index holds now, and what that took.

    Attributes:
        generation: the number of the state that searches see from now on.
        memories: how many there are in it.
        added: files that got rows; a move counts as one added and one removed.
        unreadable: left out, by path.
        duplicates: left out, by path.
    """

    generation: int
    memories: int
    added: int
    changed: int
    removed: int
    moved: int
    unreadable: tuple[Unreadable, ...]
    duplicates: tuple[Duplicate, ...]
    warnings: tuple[Notice, ...]


def run_update(workspace: Workspace, arguments: Arguments) -> IndexUpdated:
    """The `index update` operation."""
    del arguments
    return update_index(workspace)


def run_rebuild(workspace: Workspace, arguments: Arguments) -> IndexUpdated:
    """The `index rebuild` operation."""
    del arguments
    return rebuild_index(workspace)


def update_index(workspace: Workspace) -> IndexUpdated:
    """Follow the branch and the work tree, so that what was saved by hand is found before it is committed."""
    workspace.repository.recover_if_needed()
    return _updated(workspace, workspace.index.update(workspace.repository))


def rebuild_index(workspace: Workspace) -> IndexUpdated:
    """Make every row anew; vectors of unchanged texts are kept."""
    workspace.repository.recover_if_needed()
    return _updated(workspace, workspace.index.rebuild(workspace.repository))


def _updated(workspace: Workspace, report: UpdateReport) -> IndexUpdated:
    with workspace.index.reading() as view:
        total = view.total
    return IndexUpdated(
        generation=report.generation,
        memories=total,
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        moved=len(report.moved),
        unreadable=tuple(Unreadable(path, reason) for path, reason in report.unreadable),
        duplicates=tuple(Duplicate(path, of) for path, of in report.duplicates),
        warnings=tuple(Notice(DAMAGED, incident) for incident in workspace.index.incidents),
    )
