"""One line on standard error that says how far a long operation is; only for a person, only after a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from memhtml.cli.streams import Streams

PATIENCE_SECONDS = 1.0
REDRAW_SECONDS = 0.1
CLEAR_LINE = "\r\x1b[K"


class ProgressLine:
    """A ``Progress``; wiped when it is closed."""

    def __init__(self, streams: Streams, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._stream = streams.stderr if streams.watched() else None
        self._monotonic = monotonic
        self._next = monotonic() + PATIENCE_SECONDS
        self._drawn = False

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """Redraw the line, if it is time to."""
        if self._stream is None or self._monotonic() < self._next:
            return
        self._next = self._monotonic() + REDRAW_SECONDS
        amount = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        self._put(f"{CLEAR_LINE}{doing}: {amount}")
        self._drawn = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._put(CLEAR_LINE)

    def _put(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None  # nobody watches any more
