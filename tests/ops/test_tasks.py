"""Memories with a state."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    InvalidFlagError,
    InvalidMemoryError,
)
from memhtml.domain.memory import Instant
from memhtml.domain.vocabulary import MemoryType, TaskStatus
from memhtml.ops.tasks import status_named, task_status, tasks
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen


def commits(workspace: Workspace) -> int:
    """How many there are."""
    return int(git(workspace.repository.root, "rev-list", "--count", "HEAD"))


def test_tasks_come_in_the_order_in_which_they_want_attention(workspace: Workspace) -> None:
    """Doing before blocked before to do; the sooner due first, without a date last."""
    for title, status, due in (
        ("Later", TaskStatus.TODO, "2026-09-01"),
        ("Some day", TaskStatus.TODO, None),
        ("Sooner", TaskStatus.TODO, "2026-08-01"),
        ("Stuck", TaskStatus.BLOCKED, None),
        ("At it", TaskStatus.DOING, None),
    ):
        write(workspace, replace(fact(title, MemoryType.TASK), task_status=status, due=due, workspace="alpha"))
    write(workspace, fact("Elsewhere", MemoryType.TASK))
    found = tasks(workspace, workspace_name="alpha")
    assert [row.title for row in found.tasks] == ["At it", "Stuck", "Sooner", "Later", "Some day"]
    assert tasks(workspace).total == 6
    assert tasks(workspace, limit=1).total == 6
    assert [row.title for row in tasks(workspace, statuses=frozenset({TaskStatus.BLOCKED})).tasks] == ["Stuck"]
    assert [row.title for row in tasks(workspace, due_until=Instant("2026-08-01")).tasks] == ["Sooner"]


def test_a_task_that_is_done_goes_to_the_archive_in_the_same_commit(workspace: Workspace) -> None:
    """And out of the list, unless done ones are asked for."""
    path = write(workspace, fact("Order the badges", MemoryType.TASK)).path
    doing = task_status(workspace, path, TaskStatus.DOING)
    assert (doing.path, doing.before, doing.changed) == (path, TaskStatus.TODO, True)
    same = task_status(workspace, path, TaskStatus.DOING)
    assert (same.changed, same.commit) == (False, None)
    before = commits(workspace)
    done = task_status(workspace, path, TaskStatus.DONE)
    assert done.path == f"archive/2026/{path}"
    assert commits(workspace) == before + 1
    assert tasks(workspace).total == 0
    assert [row.path for row in tasks(workspace, statuses=frozenset({TaskStatus.DONE})).tasks] == [done.path]


def test_what_is_no_task_has_no_task_status(workspace: Workspace) -> None:
    """Nor is there a status of any name."""
    path = write(workspace, fact("Fact one is here.")).path
    before = seen(workspace.repository.root)
    with pytest.raises(InvalidMemoryError):
        task_status(workspace, path, TaskStatus.DONE)
    with pytest.raises(InvalidFlagError, match="one of todo, doing, blocked, done"):
        status_named("finished")
    assert seen(workspace.repository.root) == before


def test_the_same_task_twice_is_two_tasks(workspace: Workspace) -> None:
    """Tasks are outside deduplication."""
    first, second = (write(workspace, fact("Order the badges", MemoryType.TASK)) for _ in range(2))
    assert (first.deduped, second.deduped) == (False, False)
    assert second.path == "areas/inbox/tasks/order-the-badges-2.html"
