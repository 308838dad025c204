"""A change goes out of a run, or a run goes."""

from __future__ import annotations

import pytest
from tests.ops.conftest import git, seen
from tests.sleep.hand import DAY, begun, small

from memhtml.domain.errors import (
    LockedError,
    MissingArgumentError,
    PathNotFoundError,
    UnexpectedArgumentError,
    WriteConflictError,
)
from memhtml.domain.memory import MemoryPath
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.kept import done_without_answer
from memhtml.ops.sleep.drop import SleepDropped, drop_changes, drop_run, run
from memhtml.ops.sleep.review import review_run
from memhtml.ops.sleep.status import sleep_status
from memhtml.sleep.record import unwanted
from memhtml.sleep.review.review import RunState, Withdrawn
from memhtml.store.branches import Runs
from memhtml.store.landing import land
from memhtml.workspace.workspace import Workspace

REPORT = f".memhtml/sleep/{DAY}.html"


@pytest.fixture
def paths(workspace: Workspace) -> tuple[MemoryPath, ...]:
    """Three memories, and a run about them."""
    return small(workspace.repository)


def door(workspace: Workspace, **given: object) -> SleepDropped:
    """As a command line asks."""
    row = operation("sleep drop")
    assert row is not None
    return run(workspace, bind(row, given))


def branches(workspace: Workspace) -> list[str]:
    """All of them."""
    return git(workspace.repository.root, "branch", "--format=%(refname:short)").split()


def shown(workspace: Workspace, path: str) -> str:
    """A file as the run has it."""
    return git(workspace.repository.root, "show", f"sleep/{DAY}:{path}")


def test_a_file_goes_with_its_reason_and_the_report_follows(
    workspace: Workspace, paths: tuple[MemoryPath, ...]
) -> None:
    """At both places that it has; main is as it was, and the next night knows what was not wanted."""
    before = seen(workspace.repository.root)
    gone = door(workspace, path=[paths[1], paths[0]], why="They are not the same.")
    places = tuple(sorted((f"archive/2026/{paths[1]}", paths[1], paths[0])))
    assert (gone.run, gone.whole, gone.done, gone.state) == (DAY, False, True, RunState.OPEN)
    assert (gone.paths, gone.changes, gone.commits, gone.warnings) == (places, 3, 0, ())
    review = review_run(workspace)
    assert gone.tip == review.tip
    assert review.commits[0].dropped == (Withdrawn(places, "They are not the same."),)
    assert [file.path for commit in review.commits for file in commit.files] == [paths[2], REPORT, REPORT]
    assert "They are not the same." in shown(workspace, REPORT)
    assert seen(workspace.repository.root) == before
    assert unwanted(workspace.repository) == {"dedup-merge": frozenset(places)}


def test_a_commit_goes_with_all_its_files(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """By the beginning of its id."""
    commit = review_run(workspace).commits[1]
    gone = door(workspace, run=DAY, commit=[commit.commit[:7]], why="It is still true.")
    assert gone.paths == (paths[2],)
    assert review_run(workspace).commits[1].files == ()
    with begun(workspace.repository, "2026-07-29") as night:
        night.folded(paths[0], paths[1])
        night.eroded(paths[0])
    first = review_run(workspace, "2026-07-29").commits[0].commit
    with pytest.raises(WriteConflictError, match="later commits") as refused:
        door(workspace, run="2026-07-29", commit=[first], why="No.")
    assert refused.value.suggestions[0].startswith("--later takes out")
    assert door(workspace, run="2026-07-29", commit=[first], why="No.", later=True).changes == 3
    assert review_run(workspace, "2026-07-29").changed == 0


@pytest.mark.parametrize("why", [None, "", "  "])
def test_no_change_goes_without_a_reason(workspace: Workspace, paths: tuple[MemoryPath, ...], why: str | None) -> None:
    """The run stays as it is."""
    tip = review_run(workspace).tip
    with pytest.raises(MissingArgumentError, match="--why says why"):
        door(workspace, path=[paths[2]], why=why)
    assert review_run(workspace).tip == tip


def test_what_the_run_has_not_cannot_go(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """Nor what a commit that stays was made from, nor anything of a run that landed."""
    with pytest.raises(PathNotFoundError, match=r"does not change areas/x\.html"):
        drop_changes(workspace, why="x", paths=["areas/x.html"])
    with pytest.raises(PathNotFoundError, match="no commit 0000000"):
        drop_changes(workspace, why="x", commits=["0000000"])
    with Runs(workspace.repository).resume(DAY) as opened:
        with pytest.raises(LockedError):
            drop_changes(workspace, why="x", paths=[paths[2]])
        land(opened, opened.run())
    with pytest.raises(WriteConflictError, match="main holds the run"):
        drop_changes(workspace, DAY, why="x", paths=[paths[2]])


@pytest.mark.usefixtures("paths")
def test_a_whole_run_is_shown_before_it_goes(workspace: Workspace) -> None:
    """What would go is what goes; main is as it was, and nothing of the run is left."""
    before = seen(workspace.repository.root)
    preview = door(workspace)
    assert (preview.whole, preview.done, preview.state, preview.commits, preview.changes) == (
        True,
        False,
        RunState.OPEN,
        3,
        4,
    )
    assert preview.tip == review_run(workspace).tip
    row = operation("sleep drop")
    assert row is not None
    assert done_without_answer(row, preview, None) is None, "a preview has done nothing"
    gone = door(workspace, run=DAY, yes=True)
    assert (gone.done, gone.commits, gone.changes, gone.tip) == (True, 3, 4, None)
    assert done_without_answer(row, gone, None) == "sleep drop is done"
    assert branches(workspace) == ["main"]
    assert sleep_status(workspace).total == 0
    assert seen(workspace.repository.root) == before
    with pytest.raises(PathNotFoundError):
        drop_run(workspace, DAY, yes=True)


def test_what_landed_stays_in_main(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """Only its branch goes."""
    with Runs(workspace.repository).resume(DAY) as opened:
        land(opened, opened.run())
    gone = drop_run(workspace, DAY, yes=True)
    assert gone.state is RunState.LANDED
    assert git(workspace.repository.root, "show", f"main:archive/2026/{paths[1]}")


@pytest.mark.usefixtures("paths")
def test_the_remains_of_a_run_can_be_taken_away(workspace: Workspace) -> None:
    """A work tree whose branch somebody deleted; there is nothing to show of it before."""
    git(workspace.repository.root, "update-ref", "-d", f"refs/heads/sleep/{DAY}")
    with pytest.raises(PathNotFoundError):
        drop_run(workspace, DAY)
    gone = drop_run(workspace, DAY, yes=True)
    assert (gone.done, gone.state, gone.commits) == (True, None, 0)


@pytest.mark.usefixtures("paths")
def test_what_could_mean_nothing_is_refused(workspace: Workspace) -> None:
    """A reason would go with the whole run; only a commit has later ones."""
    with pytest.raises(UnexpectedArgumentError, match="--later goes with --commit"):
        door(workspace, run=DAY, later=True, yes=True)
    with pytest.raises(UnexpectedArgumentError, match="--why goes with"):
        door(workspace, run=DAY, why="bad night", yes=True)
    assert f"sleep/{DAY}" in branches(workspace)


def test_a_report_that_cannot_follow_does_not_undo_the_drop(
    workspace: Workspace, paths: tuple[MemoryPath, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said."""

    def refuse(_: object) -> bool:
        raise LockedError("somebody else writes")

    monkeypatch.setattr("memhtml.ops.sleep.drop.renew_report", refuse)
    gone = drop_changes(workspace, why="x", paths=[paths[2]])
    assert gone.done
    assert [notice.code for notice in gone.warnings] == ["ERR_LOCKED"]
