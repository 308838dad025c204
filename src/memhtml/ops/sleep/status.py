"""Operation `sleep status`: the runs that there are, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.ops.arguments import bounded
from memhtml.ops.rows_sleep import RUNS
from memhtml.sleep.review.review import Summary, summary
from memhtml.store.branches import Runs

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class SleepStatus(Struct, frozen=True):
    """Runs, newest first: all that are open, and the newest of the others.

    Attributes:
        open: how many main does not hold.
        total: how many there are in all.
    """

    runs: tuple[Summary, ...]
    open: int
    total: int


def run(workspace: Workspace, arguments: Arguments) -> SleepStatus:
    """The `sleep status` operation."""
    return sleep_status(workspace, limit=arguments.count("limit"))


def sleep_status(workspace: Workspace, *, limit: int = RUNS) -> SleepStatus:
    """Every open run, and of those that main holds the newest ``limit``.

    Raises:
        InvalidFlagError: ``limit`` is below 1.
        GitError: git refused.
    """
    bounded("limit", limit, 1)
    repository = workspace.repository
    found = Runs(repository).listed()[::-1]
    held = [each for each in found if each.held][:limit]
    shown = tuple(summary(repository.git, each) for each in found if not each.held or each in held)
    return SleepStatus(shown, sum(not each.held for each in found), len(found))
