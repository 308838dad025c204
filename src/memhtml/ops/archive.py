"""Operations `archive` and `restore`: out of use, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.archiving import Moved
    from memhtml.workspace.workspace import Workspace


class Move(Struct, frozen=True):
    """A memory at its new place."""

    path: MemoryPath
    previous: MemoryPath
    title: str


class MovedMemories(Struct, frozen=True):
    """What was moved, in the order asked, as one commit."""

    memories: tuple[Move, ...]
    commit: CommitId | None
    warnings: tuple[Notice, ...]


def run_archive(workspace: Workspace, arguments: Arguments) -> MovedMemories:
    """The `archive` operation."""
    return archive(workspace, arguments.texts("path"))


def run_restore(workspace: Workspace, arguments: Arguments) -> MovedMemories:
    """The `restore` operation."""
    return restore(workspace, arguments.texts("path"))


def archive(workspace: Workspace, paths: Sequence[str]) -> MovedMemories:
    """Move memories to the archive of this year; all of them or none.

    Raises:
        PathNotFoundError: nothing is at one of the paths; says where it went.
        WriteConflictError: one is archived already.
    """

    def stage(desk: Desk, path: str) -> Moved:
        from memhtml.store.archiving import stage_archive

        return stage_archive(desk.transaction, path, now=desk.now)

    return _moved(workspace, "archive", paths, stage)


def restore(workspace: Workspace, paths: Sequence[str]) -> MovedMemories:
    """Move archived memories back to where they were; all of them or none.

    Raises:
        PathNotFoundError: nothing is in the archive for one of the paths.
        WriteConflictError: one is not archived, or its place is taken.
    """

    def stage(desk: Desk, path: str) -> Moved:
        from memhtml.store.archiving import stage_restore

        return stage_restore(desk.transaction, path, now=desk.now)

    return _moved(workspace, "restore", paths, stage)


def _moved(workspace: Workspace, verb: str, paths: Sequence[str], stage: Callable[[Desk, str], Moved]) -> MovedMemories:
    def stage_all(desk: Desk) -> Staged[tuple[Move, ...]]:
        from memhtml.store.message import subject

        moved = [stage(desk, path) for path in dict.fromkeys(paths)]
        said = moved[0].title if len(moved) == 1 else f"{len(moved)} memories"
        return Staged(tuple(Move(each.path, each.previous, each.title) for each in moved), Told(subject(verb, said)))

    done = change(workspace, stage_all)
    return MovedMemories(done.value, done.commit, done.warnings)
