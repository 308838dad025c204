"""How far a task is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import InvalidMemoryError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType, TaskStatus
from memhtml.store.repository import Repository
from memhtml.store.tasks import stage_task_status

from .conftest import NOW, Person

Write = Callable[..., MemoryPath]


def test_a_status_is_one_line_and_done_goes_to_the_archive(store: Repository, person: Person, write: Write) -> None:
    """Each step is one commit; setting what is set is none."""
    path = write("Ship.", type=MemoryType.TASK, workspace="x")
    with store.transaction() as tx:
        doing = stage_task_status(tx, path, TaskStatus.DOING, now=NOW)
        tx.commit("memory(task): Ship.")
        assert (doing.before, doing.status, doing.changed, doing.path) == (
            TaskStatus.TODO,
            TaskStatus.DOING,
            True,
            path,
        )
        assert not stage_task_status(tx, path, TaskStatus.DOING, now=NOW).changed
        assert tx.commit("memory(task): again") == tx.base
    assert person.git("show", "--format=", "--numstat").split()[:2] == ["1", "1"]
    with store.transaction() as tx:
        done = stage_task_status(tx, path, TaskStatus.DONE, now=NOW)
        tx.commit("memory(task): Ship.")
    assert (done.path, done.previous, done.changed) == (f"archive/2026/{path}", path, True)
    text = person.shown(done.path)
    for stamp in ('task-status" content="done"', 'status" content="archived"', f'archived" content="{NOW}"'):
        assert stamp in text
    assert person.status() == ""


def test_only_an_active_task_has_a_status(store: Repository, write: Write) -> None:
    """A memory is no task, an archived one is restored first, nothing is nothing."""
    memory, task = write("One."), write("Ship.", type=MemoryType.TASK)
    with store.transaction() as tx:
        with pytest.raises(InvalidMemoryError, match="no task"):
            stage_task_status(tx, memory, TaskStatus.DOING, now=NOW)
        with pytest.raises(PathNotFoundError):
            stage_task_status(tx, "areas/none.html", TaskStatus.DOING, now=NOW)
        place = stage_task_status(tx, task, TaskStatus.DONE, now=NOW).path
        with pytest.raises(WriteConflictError):
            stage_task_status(tx, place, TaskStatus.DOING, now=NOW)
