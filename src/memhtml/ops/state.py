"""Operations `state`: the durable copy of what was opened and reinforced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidInputError, PathNotFoundError
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.store.layout import SIDECAR
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class StateExported(Struct, frozen=True):
    """The committed copy is up to date.

    Attributes:
        path: where it is in the store.
        memories: how many lines it has.
        commit: the commit that brought it up to date; ``None`` when it was.
    """

    path: str
    memories: int
    commit: CommitId | None
    warnings: tuple[Notice, ...]


class StateImported(Struct, frozen=True):
    """How many lines were merged, and how many were none."""

    merged: int
    skipped: int


def run_export(workspace: Workspace, arguments: Arguments) -> StateExported:
    """The `state export` operation."""
    del arguments
    return export_state(workspace)


def run_import(workspace: Workspace, arguments: Arguments) -> StateImported:
    """The `state import` operation."""
    text = arguments.text("file")
    return import_state(workspace, None if text is None else text.encode())


def export_state(workspace: Workspace) -> StateExported:
    """Commit the state as JSON lines; no commit when nothing has changed since the last one."""

    def stage(desk: Desk) -> Staged[int]:
        data = workspace.index.state.export()
        desk.transaction.put(SIDECAR, data)
        return Staged(data.count(b"\n"), Told("memory(state): opens and reinforcements"))

    done = change(workspace, stage)
    return StateExported(SIDECAR, done.value, done.commit, done.warnings)


def import_state(workspace: Workspace, data: bytes | None = None) -> StateImported:
    """Merge ``data``, or the store's own copy: counters by maximum; lines that are none are counted and passed over.

    Raises:
        PathNotFoundError: the store has no copy.
        InvalidInputError: ``data`` has lines, and none of them is one of ``state export``.
    """
    if data is None:
        try:
            data = workspace.repository.read_work(MemoryPath(SIDECAR))
        except PathNotFoundError:
            raise PathNotFoundError(
                f"there is no {SIDECAR} in the store", suggestions=("memhtml state export", "name a file")
            ) from None
    report = workspace.index.state.import_lines(data)
    if report.skipped and not report.merged:
        raise InvalidInputError(
            f"none of the {report.skipped} lines is one that memhtml state export writes: nothing was merged",
            suggestions=(f"give a copy of {SIDECAR}: one JSON object a line, with path, accessCount and so on",),
        )
    return StateImported(report.merged, report.skipped)
