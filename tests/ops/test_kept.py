"""What stays done."""

from __future__ import annotations

from typing import Any

import pytest

from memhtml.domain.errors import GitError, InterruptedCommandError, StorageError
from memhtml.domain.memory import CommitId
from memhtml.ops import changing
from memhtml.ops.commands import operation
from memhtml.ops.kept import committed, cut_short, done_without_answer
from memhtml.ops.operation import Operation
from memhtml.ops.reinforce import reinforce
from memhtml.ops.write import write
from memhtml.store import transaction
from memhtml.store.transaction import Made
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git

WRITE, SEARCH = operation("write"), operation("search")


def test_a_commit_is_named_with_its_first_paths() -> None:
    """And how many more there are."""
    three = Made(CommitId("c0ffee"), ("a.html", "b.html", "c.html"))
    assert committed(three) == "is committed as c0ffee (a.html, b.html, c.html)"
    assert committed(Made(three.commit, (*three.paths, "d.html", "e.html"))).endswith("c.html and 2 more)")


@pytest.mark.parametrize("error", [InterruptedCommandError("interrupted"), StorageError("the disk is full")])
def test_what_goes_wrong_after_the_commit_names_the_commit(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, error: InterruptedCommandError | StorageError
) -> None:
    """Whatever it is; nobody is told to repeat what is done."""

    def late(_: object) -> tuple[()]:
        raise KeyboardInterrupt

    monkeypatch.setattr(changing, "_followed", late)
    with pytest.raises(KeyboardInterrupt):
        write(workspace, fact("Drain before every deploy."))
    head = git(workspace.repository.root, "rev-parse", "HEAD")
    workspace.close()
    told = cut_short(error, WRITE, workspace)
    assert told.commit == head
    assert f"is committed as {head} (areas/inbox/drain-before-every-deploy.html)" in told.message
    assert told.suggestions[0].startswith("do not repeat it")
    assert (told.code, told.exit_status) == (error.code, error.exit_status)


@pytest.mark.parametrize("moved", [True, False])
def test_an_interrupt_while_the_branch_moves_is_judged_by_the_branch(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, *, moved: bool
) -> None:
    """Just before it nothing is changed, just after it everything is done, whoever commits after it."""
    move = transaction.move_branch

    def cut(*arguments: Any) -> None:  # noqa: ANN401 - handed on
        if moved:
            move(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(transaction, "move_branch", cut)
    with pytest.raises(KeyboardInterrupt):
        write(workspace, fact("Drain before every deploy."))
    root = workspace.repository.root
    assert git(root, "status", "--porcelain") == ""
    made = git(root, "rev-parse", "HEAD")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "--allow-empty", "-m", "by hand")
    told = cut_short(InterruptedCommandError("interrupted"), WRITE, workspace)
    assert told.commit == (made if moved else None)
    assert ("is committed as" in told.message) is moved
    assert ("no memory was changed" in told.message) is not moved


def test_an_interrupt_of_a_question_or_before_the_work_has_changed_nothing(workspace: Workspace) -> None:
    """Neither has another error that came before a commit, and it stays as it is."""
    interrupted = InterruptedCommandError("interrupted")
    for row, place in ((None, None), (WRITE, None), (SEARCH, workspace)):
        assert cut_short(interrupted, row, place).message == "interrupted: nothing was changed"
    full = StorageError("the disk is full")
    assert cut_short(full, WRITE, workspace) is full
    assert (full.message, full.commit) == ("the disk is full", None)


def test_where_git_cannot_tell_nothing_is_claimed(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that it is done nor that it is not."""

    def broken() -> None:
        raise GitError("no")

    monkeypatch.setattr(workspace, "acknowledged", broken)
    told = cut_short(InterruptedCommandError("interrupted"), WRITE, workspace)
    assert "could not be found out" in told.message
    full = StorageError("the disk is full")
    assert cut_short(full, WRITE, workspace) is full


def test_a_change_is_done_without_its_answer_and_a_question_is_not(workspace: Workspace) -> None:
    """Nor is a change that had nothing to change: its answer is all that there was to it."""
    assert WRITE is not None
    assert SEARCH is not None
    first, again = (write(workspace, fact("Drain before every deploy.")) for _ in range(2))
    made = workspace.acknowledged()
    assert made is not None
    assert made.commit == first.commit
    assert done_without_answer(WRITE, first, made) == f"write is done: it {committed(made)}"
    assert done_without_answer(WRITE, again, None) is None
    assert done_without_answer(SEARCH, first, made) is None
    row: Operation | None = operation("reinforce")
    assert row is not None
    assert done_without_answer(row, reinforce(workspace, [first.path]), None) == "reinforce is done"
