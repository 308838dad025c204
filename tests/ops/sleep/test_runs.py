"""Which run a command means that names none."""

from __future__ import annotations

import pytest
from tests.sleep.hand import begun, filled

from memhtml.domain.errors import MissingArgumentError, PathNotFoundError
from memhtml.ops.sleep.runs import begun_run, open_run
from memhtml.store.branches import Runs
from memhtml.store.landing import land
from memhtml.workspace.workspace import Workspace


def test_the_only_open_run_is_meant(workspace: Workspace) -> None:
    """One that has landed, or has no commit, is not open; a name is taken as it is."""
    store = workspace.repository
    (path,) = filled(store, "Alpha waits.")
    with begun(store, "2026-07-26") as night:
        night.eroded(path)
        land(night.opened, night.opened.run())
    with begun(store, "2026-07-27"):
        pass
    runs = Runs(store)
    with pytest.raises(PathNotFoundError, match="no run is open"):
        open_run(runs, None)
    assert open_run(runs, "anything") == "anything"
    with begun(store, "2026-07-28") as night:
        night.failed("compress")
    assert open_run(runs, None) == "2026-07-28"
    with begun(store, "2026-07-28") as night:
        night.failed("compress")
    with pytest.raises(MissingArgumentError, match=r"one must be named: 2026-07-28, 2026-07-28-2$"):
        open_run(runs, None)
    assert open_run(runs, "2026-07-28-2") == "2026-07-28-2"


def test_a_run_that_was_killed_before_it_did_a_thing_is_gone_on_with(workspace: Workspace) -> None:
    """It has no commit, and is not what has landed in whatever way."""
    store = workspace.repository
    (path,) = filled(store, "Alpha waits.")
    with begun(store, "2026-07-26") as night:
        night.eroded(path)
        land(night.opened, night.opened.run())
    with pytest.raises(PathNotFoundError, match="no run is open"):
        begun_run(store, None)
    with begun(store, "2026-07-27"):
        pass
    assert begun_run(store, None) == "2026-07-27"
    assert begun_run(store, "anything") == "anything"
    with begun(store, "2026-07-28") as night:
        night.failed("compress")
    with pytest.raises(MissingArgumentError, match=r"one must be named: 2026-07-27, 2026-07-28$"):
        begun_run(store, None)
