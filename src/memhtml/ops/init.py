"""Operation `init`: a folder becomes a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.memory import CommitId
from memhtml.workspace.notice import Notice
from memhtml.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments


class Initialized(Struct, frozen=True):
    """A store that is ready.

    Attributes:
        root: its folder.
        created: there was none before.
        changed: files that were written and committed; empty when all was there.
        settings: git settings of this clone that were set.
        commit: where the branch stands.
    """

    root: Path
    created: bool
    changed: tuple[str, ...]
    settings: tuple[str, ...]
    commit: CommitId
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Initialized:
    """The `init` operation."""
    return init(workspace, arguments.text("folder"))


def init(workspace: Workspace, folder: str | None = None) -> Initialized:
    """Make ``folder``, or the configured root, a store; on a store it puts right what is missing, and nothing else.

    Raises:
        NotAStoreError: other things are there.
        StorageError: it cannot be written.
    """
    from memhtml.store.founding import init as found  # the only operation that founds

    settings = workspace.settings
    root = settings.root if folder is None else Path(folder)
    report = found(root, environment=workspace.variables, lock_wait=settings.lock_wait)
    there = Workspace(replace(settings, root=report.root), variables=workspace.variables, clock=workspace.clock)
    with there:
        warnings = there.catch_up()
    return Initialized(report.root, report.created, report.changed, report.settings, report.commit, warnings)
