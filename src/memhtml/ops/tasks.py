"""Operations `task`: memories with a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidFlagError
from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType, TaskStatus
from memhtml.ops.arguments import bounded, shown
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.ops.drafts import draft
from memhtml.ops.rows_writing import TASK_STATUSES
from memhtml.ops.scopes import instant
from memhtml.ops.summary import Summary, summaries
from memhtml.ops.write import WrittenMemory, write
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.tasks import TaskMoved
    from memhtml.workspace.workspace import Workspace

LIMIT = 50
_ORDER = (TaskStatus.DOING, TaskStatus.BLOCKED, TaskStatus.TODO, TaskStatus.DONE)
_LAST = Instant("9999-12-31")


class TaskChanged(Struct, frozen=True):
    """A task after its state was set.

    Attributes:
        path: where it is now: in the archive when it is done.
        changed: it was in another state before.
    """

    path: MemoryPath
    previous: MemoryPath
    title: str
    status: TaskStatus
    before: TaskStatus
    changed: bool
    commit: CommitId | None
    warnings: tuple[Notice, ...]


class Tasks(Struct, frozen=True):
    """Tasks in the order in which they want attention: doing, blocked, to do, done; in each by due date, then newest.

    Attributes:
        total: how many there are in all.
    """

    total: int
    tasks: tuple[Summary, ...]
    warnings: tuple[Notice, ...]


def run_add(workspace: Workspace, arguments: Arguments) -> WrittenMemory:
    """The `task add` operation."""
    return write(workspace, draft(arguments, MemoryType.TASK))


def run_status(workspace: Workspace, arguments: Arguments) -> TaskChanged:
    """The `task status` operation."""
    return task_status(workspace, arguments.needed("path"), TaskStatus(arguments.needed("status")))


def run_list(workspace: Workspace, arguments: Arguments) -> Tasks:
    """The `task list` operation."""
    return tasks(
        workspace,
        statuses=frozenset(TaskStatus(text) for text in arguments.texts("status")),
        workspace_name=arguments.text("workspace"),
        due_until=instant(arguments, "due"),
        limit=arguments.count("limit"),
    )


def status_named(text: str) -> TaskStatus:
    """The status of that name.

    Raises:
        InvalidFlagError: there is none.
    """
    if text in TASK_STATUSES:
        return TaskStatus(text)
    raise InvalidFlagError(f"a task's status is one of {', '.join(TASK_STATUSES)}, not {shown(text)}")


def task_status(workspace: Workspace, path: str, status: TaskStatus) -> TaskChanged:
    """Set how far the task at ``path`` is; one that is done goes to the archive in the same commit.

    Raises:
        PathNotFoundError: nothing is there; says where it went.
        InvalidMemoryError: it is no task.
        WriteConflictError: it is archived.
    """

    def stage(desk: Desk) -> Staged[TaskMoved]:
        from memhtml.store.message import subject
        from memhtml.store.tasks import stage_task_status

        moved = stage_task_status(desk.transaction, path, status, now=desk.now)
        return Staged(moved, Told(subject("task", f"{moved.title} ({status.value})")))

    done = change(workspace, stage)
    task = done.value
    return TaskChanged(
        path=task.path,
        previous=task.previous,
        title=task.title,
        status=task.status,
        before=task.before,
        changed=task.changed,
        commit=done.commit,
        warnings=done.warnings,
    )


def tasks(
    workspace: Workspace,
    *,
    statuses: frozenset[TaskStatus] = frozenset(),
    workspace_name: str | None = None,
    due_until: Instant | None = None,
    limit: int = LIMIT,
) -> Tasks:
    """The tasks in these ``statuses``; without any, those that are not done.

    Args:
        workspace: the store.
        statuses: which; the archive is looked at only where ``done`` is among them.
        workspace_name: of this project only.
        due_until: only what is due by then; what has no date is left out.
        limit: how many at most.
    """
    bounded("limit", limit, 1)
    warnings = workspace.catch_up()
    wanted = statuses or frozenset(TaskStatus) - {TaskStatus.DONE}
    scope = Scope(types=frozenset({MemoryType.TASK}), workspace=workspace_name, archived=TaskStatus.DONE in wanted)
    with workspace.index.reading() as view:
        found = [row for row in summaries(view, view.listed(scope)) if row.task_status in wanted]
    if due_until is not None:
        found = [row for row in found if row.due is not None and row.due[: len(due_until)] <= due_until]
    found.sort(key=lambda row: (_ORDER.index(row.task_status or TaskStatus.TODO), row.due or _LAST))
    return Tasks(len(found), tuple(found[:limit]), warnings)
