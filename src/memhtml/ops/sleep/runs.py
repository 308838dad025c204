"""Which run a command means that names none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memhtml.domain.errors import MissingArgumentError, PathNotFoundError
from memhtml.store.branches import Runs, beginning

if TYPE_CHECKING:
    from memhtml.store.repository import Repository


def open_run(runs: Runs, name: str | None) -> str:
    """``name``, or else the only run that main does not hold.

    Raises:
        PathNotFoundError: no run is named, and none is open.
        MissingArgumentError: no run is named, and several are open; they are named.
    """
    return name if name is not None else _only(run.name for run in runs.listed() if not run.held)


def begun_run(live: Repository, name: str | None) -> str:
    """``name``, or else the only run that may be gone on with: an open one, or one that was killed at its start.

    Raises:
        PathNotFoundError: no run is named, and there is none.
        MissingArgumentError: no run is named, and there are several; they are named.
    """
    if name is not None:
        return name
    listed = Runs(live).listed()
    return _only(
        run.name
        for run in listed
        if not run.held or (run.landed is None and run.base == run.tip == beginning(live.git, run))
    )


def _only(names: Iterable[str]) -> str:
    found = list(names)
    if not found:
        raise PathNotFoundError("no run is open", suggestions=("memhtml sleep run", "memhtml sleep status lists them"))
    if len(found) > 1:
        raise MissingArgumentError(
            f"several runs are open, so one must be named: {', '.join(found)}",
            suggestions=("memhtml sleep status says what is in them",),
        )
    return found[0]
