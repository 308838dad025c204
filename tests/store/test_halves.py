"""What is left of runs: named by doctor, and cleared."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from memhtml.store.branches import Runs
from memhtml.store.halves import clear, halves
from memhtml.store.repository import Repository
from memhtml.store.worktrees import RunTree, names_on_disk

from .conftest import Person
from .test_branches import WOUNDS, neither, propose

DAY = "2026-07-28"


def stale(store: Repository) -> list[tuple[str, bool]]:
    """Name of each run of which something is left, and whether its branch is there."""
    return [(half.name, half.branch) for half in halves(store.layout.common, store.git)]


def test_a_run_at_work_and_a_run_at_rest_are_no_fault(store: Repository) -> None:
    """Nor is one whose work tree is somewhere else, or nowhere."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, "areas/a.html")
        opened.tree.mark.unlink()  # somebody is making it right now
        assert stale(store) == []
        opened.tree.mark.touch()
    assert stale(store) == []
    neither(opened.tree)
    assert stale(store) == []
    assert list(store.check()) == []
    assert store.repair() == ()


@pytest.mark.parametrize("wound", [one for one in WOUNDS if one is not neither])
def test_a_half_made_work_tree_is_named_and_cleared_and_the_run_stays(
    store: Repository, wound: Callable[[RunTree], None]
) -> None:
    """The branch has all that was committed."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, "areas/a.html")
        tip = propose(opened, "areas/b.html")
        tree = opened.tree
    wound(tree)
    (finding,) = (one for one in store.check() if one.code == "stale-run")
    assert finding.repairable
    assert DAY in finding.message
    store.repair()
    assert list(store.check()) == []
    with Runs(store).resume(DAY) as opened:
        assert opened.run().tip == tip


def test_what_is_left_without_a_branch_is_cleared(store: Repository, person: Person) -> None:
    """Both halves, one of them, or the lock alone; a run beside them is not touched."""
    runs = Runs(store)
    for date in ("2026-07-25", "2026-07-26", "2026-07-27", DAY):
        with runs.begin(date) as opened:
            propose(opened, "areas/a.html")
    trees = {name: RunTree(store.layout.common, name) for name in names_on_disk(store.layout.common)}
    for name in ("2026-07-25", "2026-07-26", "2026-07-27"):
        person.git("update-ref", "-d", f"refs/heads/sleep/{name}")
    shutil.rmtree(trees["2026-07-26"].files)
    neither(trees["2026-07-27"])
    gone = ["2026-07-25", "2026-07-26", "2026-07-27"]
    assert stale(store) == [(name, False) for name in gone]
    assert [one.code for one in store.check()] == ["stale-run"] * 3
    assert clear(store.layout.common, store.git, command="test") == tuple(gone)
    assert list(names_on_disk(store.layout.common)) == [DAY]
    assert stale(store) == []
    with runs.resume(DAY) as opened:
        assert opened.repository.root == trees[DAY].files


def test_folders_that_are_no_runs_are_left_alone(store: Repository) -> None:
    """Names that only look like one."""
    folder = store.layout.common / "memhtml" / "runs"
    for name in ("sleep-x", "sleep-2026-07-28.keep", "other", "sleep-2026-07-28-0"):
        (folder / name).mkdir(parents=True)
    (store.layout.common / "worktrees").mkdir()
    assert stale(store) == []
    assert clear(store.layout.common, store.git, command="test") == ()
    assert len(list(folder.iterdir())) == 4


def test_a_new_run_does_not_inherit_what_is_left_of_its_name(store: Repository, person: Person) -> None:
    """A whole work tree whose branch was taken away by hand holds files of another run."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/a.html")
    person.git("update-ref", "-d", "refs/heads/sleep/2026-07-28")
    with runs.begin(DAY) as opened:
        assert opened.name == DAY
        assert not (opened.repository.root / "areas").exists()
        assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
