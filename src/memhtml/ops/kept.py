"""What stays done when a command is cut short, or when its answer cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.domain.errors import InterruptedCommandError, MemhtmlError
from memhtml.ops.operation import Operation

if TYPE_CHECKING:
    from memhtml.store.transaction import Made
    from memhtml.workspace.workspace import Workspace

_SHOWN = 3  # paths that a message names


def cut_short(error: MemhtmlError, operation: Operation | None, workspace: Workspace | None) -> MemhtmlError:
    """``error`` as a caller must hear it who decides by it whether to repeat ``operation``.

    A commit that is on the branch stays there whatever went wrong after it, so it is named, and nobody is told to
    repeat it. An interruption without one says that nothing was changed.
    """
    interrupted = isinstance(error, InterruptedCommandError)
    if operation is None or workspace is None:
        return InterruptedCommandError("interrupted: nothing was changed") if interrupted else error
    try:
        made = workspace.acknowledged()
    except MemhtmlError:
        if interrupted:
            return InterruptedCommandError(
                "interrupted; whether the change was committed could not be found out",
                suggestions=("git log in the store says whether it was", "memhtml doctor"),
            )
        return error
    if made is not None:
        error.commit = made.commit
        error.message = f"{error.message}; but the change itself {committed(made)}"
        error.suggestions = ("do not repeat it; memhtml read shows a memory, git show the commit",)
        return error
    if interrupted:
        what = "no memory was changed" if operation.mutates else "nothing was changed"
        return InterruptedCommandError(f"interrupted: {what}")
    return error


def done_without_answer(operation: Operation, result: object, made: Made | None) -> str | None:
    """What to say when the answer to a change cannot be written: what is done all the same.

    ``None`` where the answer is all that there is to it: a question, or a change that had nothing to change.
    """
    if not operation.mutates:
        return None
    if made is not None:
        return f"{operation.name} is done: it {committed(made)}"
    # An answer that speaks of a commit and has none says that there was nothing to do, but for a setting of a person's.
    idle = getattr(result, "commit", operation) is None and not getattr(result, "changed", False)
    return None if idle else f"{operation.name} is done"


def committed(made: Made) -> str:
    """Where a change is, as the end of a sentence."""
    named = ", ".join(made.paths[:_SHOWN])
    more = f" and {len(made.paths) - _SHOWN} more" if len(made.paths) > _SHOWN else ""
    return f"is committed as {made.commit} ({named}{more})"
