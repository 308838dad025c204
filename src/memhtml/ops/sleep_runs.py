"""Which run a command means that names none."""

from __future__ import annotations

from memhtml.domain.errors import MissingArgumentError, PathNotFoundError
from memhtml.store.branches import Runs


def open_run(runs: Runs, name: str | None) -> str:
    """``name``, or else the only run that main does not hold.

    Raises:
        PathNotFoundError: no run is named, and none is open.
        MissingArgumentError: no run is named, and several are open; they are named.
    """
    if name is not None:
        return name
    found = [run.name for run in runs.listed() if not run.held]
    if not found:
        raise PathNotFoundError("no run is open", suggestions=("memhtml sleep run", "memhtml sleep status lists them"))
    if len(found) > 1:
        raise MissingArgumentError(
            f"several runs are open, so one must be named: {', '.join(found)}",
            suggestions=("memhtml sleep status says what is in them",),
        )
    return found[0]
