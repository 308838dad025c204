"""How far a task is: one line of its head, and the archive when it is done."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType, TaskStatus
from memhtml.store.archiving import stamped
from memhtml.store.targets import active_target, free_archive_path
from memhtml.store.transaction import Transaction


class TaskMoved(Struct, frozen=True):
    """A task after its status was set.

    Attributes:
        path: where it is now; in the archive when it is done.
        previous: where it was.
        changed: whether anything changes.
    """

    path: MemoryPath
    previous: MemoryPath
    status: TaskStatus
    before: TaskStatus
    changed: bool
    title: str


def stage_task_status(tx: Transaction, text: str, status: TaskStatus, *, now: Instant) -> TaskMoved:
    """Set how far the task at ``text`` is. ``done`` stamps it and moves it to the archive.

    Raises:
        PathNotFoundError: nothing is there; says where it went.
        WriteConflictError: it is archived.
        InvalidMemoryError: it is no task, or breaks the format.
    """
    from memhtml.page.splice import set_meta

    found = active_target(tx, text)
    before = found.facts.head.task_status
    if found.facts.head.type is not MemoryType.TASK or before is None:
        raise InvalidMemoryError((f"{found.path} is no task, so it has no task status",))
    data = set_meta(found.data, "memhtml-task-status", status.value)
    path = found.path
    if status is TaskStatus.DONE:
        path = free_archive_path(tx, found.path, now)
        tx.move(found.path, path, stamped(data, found.facts.head, now))
    elif data != found.data:
        tx.put(path, data)
    changed = path != found.path or data != found.data
    return TaskMoved(path, found.path, status, before, changed, found.facts.title)
