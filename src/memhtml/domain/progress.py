"""How a long operation says how far it is; whoever opened the workspace decides where that shows."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told at each step of something that may take more than a second."""

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """``doing`` is a phrase such as ``embedding``; ``total`` is ``None`` while it is not known."""
        ...


def silent(doing: str, done: int, total: int | None) -> None:
    """Show nothing."""
    del doing, done, total
