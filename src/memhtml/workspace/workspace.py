"""The composition root: what one caller works with, opened when first needed, closed together."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from memhtml.config.settings import Settings
from memhtml.workspace.clock import Clock, SystemClock
from memhtml.workspace.progress import Progress, silent


class Workspace:
    """A store's parts for one caller at a time; another thread opens another one.

    Attributes:
        settings: everything configured, read once.
        variables: the environment that git runs in.
        clock: what time it is.
        progress: told how far a long operation is.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        variables: Mapping[str, str],
        clock: Clock | None = None,
        progress: Progress = silent,
    ) -> None:
        self.settings = settings
        self.variables = variables
        self.clock = clock or SystemClock()
        self.progress = progress

    def close(self) -> None:
        """Let go of every file and database; a closed workspace opens them again when asked."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
