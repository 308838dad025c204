"""From a row of the table to the function that does it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from memhtml.domain.errors import MemhtmlError
from memhtml.ops.operation import Operation

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


def load(row: Operation) -> Callable[[Workspace, Arguments], object]:
    """The function that runs ``row``; its module is imported now, and not before."""
    module, _, function = row.runs.partition(":")
    found = getattr(importlib.import_module(f"memhtml.ops.{module}"), function)
    return cast("Callable[[Workspace, Arguments], object]", found)


def exit_status(result: object) -> int:
    """What a process that got ``result`` ends with: 0, unless the result says that something is wrong."""
    return int(getattr(result, "exit_status", 0))


def alarm(result: object) -> MemhtmlError | None:
    """What standard error says of ``result``, whatever form the answer has: that it is an answer, and a bad one."""
    found = getattr(result, "alarm", None)
    return found if isinstance(found, MemhtmlError) else None
