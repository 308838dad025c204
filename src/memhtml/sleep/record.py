"""What branches say of nights: which phases are done, which nights are over, and what reviewers took out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.sleep.corpus import Files
from memhtml.sleep.trailers import PHASE, Told, told
from memhtml.store.branches import RUN, OpenRun, Runs
from memhtml.store.chain import steps
from memhtml.store.dropping import refused
from memhtml.store.worktrees import is_run_name

if TYPE_CHECKING:
    from memhtml.store.repository import Repository

REPORTS = ".memhtml/sleep"
WEARING = frozenset({"confidence-decay"})
"""Phases that touch nearly every memory, each night, whatever else is done with it."""
_PAGE = ".html"


def earlier_nights(files: Files) -> frozenset[str]:
    """The names of the runs whose reports are among ``files``."""
    names = {name.removesuffix(_PAGE) for name in files.names(REPORTS) if name.endswith(_PAGE)}
    return frozenset(name for name in names if is_run_name(name))


def unwanted(live: Repository) -> dict[str, frozenset[str]]:
    """By phase, the paths whose changes a reviewer once took out of a run, of those in main and of open ones.

    Who takes a memory out of all that a run did to it means what it did, and not that the memory was trusted less on
    the side: of several phases of a run, those in `WEARING` are not counted.

    Raises:
        GitError: git refused.
    """
    head = live.head()
    tips = [run.tip for run in Runs(live).listed() if not run.held]
    phases: dict[tuple[str, str], set[str]] = {}
    for tip in ([] if head is None else [head]) + tips:
        for one in refused(live.git, tip):
            said = dict(one.trailers)
            for path in one.paths:
                phases.setdefault((said.get(RUN, ""), path), set()).add(said.get(PHASE, ""))
    found: dict[str, set[str]] = {}
    for (_, path), own in phases.items():
        for phase in own - WEARING or own:
            found.setdefault(phase, set()).add(path)
    return {phase: frozenset(paths) for phase, paths in found.items()}


def taken_back(opened: OpenRun) -> dict[str, Told]:
    """What the run's phases have said, by name, in order; what a phase had only begun is taken off the branch.

    Raises:
        DirtyTreeError: the run's work tree has been edited.
        GitError: git refused.
        StorageError: disk full or read-only.
    """
    run = opened.run()
    done: dict[str, Told] = {}
    whole = run.base
    for step in steps(opened.repository.git, run.base, run.tip):
        said = told(step.trailers)
        if said is not None:
            done[said.phase] = said
            whole = step.commit
    if whole != run.tip:
        opened.move(run.tip, whole, "memhtml sleep resume: what was only begun is taken back")
    return done
