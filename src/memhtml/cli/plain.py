"""Text for a terminal that cannot move it: what memories and messages hold is shown, never obeyed."""

from __future__ import annotations

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.visible import visible as plain
from memhtml.ops.advice import suggestions

__all__ = ["complaint", "plain"]


def complaint(error: MemhtmlError) -> str:
    """An error as a person reads it: what is wrong, then what to do, one line each."""
    lines = [f"memhtml: {plain(error.message)} ({error.code})"]
    lines += [f"  {plain(suggestion)}" for suggestion in suggestions(error)]
    return "\n".join(lines)
