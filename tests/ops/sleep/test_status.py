"""Runs in a list."""

from __future__ import annotations

import pytest
from tests.sleep.hand import begun, filled

from memhtml.domain.errors import InvalidFlagError
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.encoding import encode
from memhtml.ops.sleep.status import SleepStatus, run, sleep_status
from memhtml.store.landing import land
from memhtml.workspace.workspace import Workspace


def test_open_runs_come_with_the_newest_of_those_that_landed(workspace: Workspace) -> None:
    """Newest first; however few are wanted, no open one is left out."""
    store = workspace.repository
    paths = filled(store, "Alpha waits.", "Beta waits.", "Gamma waits.")
    with begun(store, "2026-07-01") as night:
        night.failed("compress")
    for day, path in zip(("2026-07-02", "2026-07-03"), paths, strict=False):
        with begun(store, day) as night:
            night.eroded(path)
            night.reported()
            land(night.opened, night.opened.run())
    with begun(store, "2026-07-04") as night:
        night.eroded(paths[2])
        night.reported()
    status = sleep_status(workspace)
    assert [(run.run, run.state.value) for run in status.runs] == [
        ("2026-07-04", "open"),
        ("2026-07-03", "landed"),
        ("2026-07-02", "landed"),
        ("2026-07-01", "open"),
    ]
    assert (status.open, status.total) == (2, 4)
    newest, landed, _, broken = status.runs
    assert (newest.commits, newest.changed, newest.complete, newest.failed) == (2, 2, True, ())
    assert (broken.commits, broken.changed, broken.complete, broken.failed) == (1, 0, False, ("compress",))
    assert landed.landed is not None
    few = sleep_status(workspace, limit=1)
    assert [run.run for run in few.runs] == ["2026-07-04", "2026-07-03", "2026-07-01"]
    assert (few.open, few.total) == (2, 4)


def test_a_store_without_runs_has_none(workspace: Workspace) -> None:
    """From a door too; and a limit is a number of something."""
    row = operation("sleep status")
    assert row is not None
    assert run(workspace, bind(row, {})) == SleepStatus((), 0, 0)
    assert encode(sleep_status(workspace)) == {"runs": [], "open": 0, "total": 0}
    with pytest.raises(InvalidFlagError, match="limit"):
        sleep_status(workspace, limit=0)
