"""One line on standard error that says how far a long operation is; only for a person, only after a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memhtml.cli.streams import Streams

if TYPE_CHECKING:
    from threading import Event, Thread

PATIENCE_SECONDS = 1.0
REDRAW_SECONDS = 0.1
CLEAR_LINE = "\r\x1b[K"


class ProgressLine:
    """A ``Progress``; wiped when it is closed.

    An operation that says nothing of its own for a second gets a line that counts the seconds.
    """

    def __init__(self, streams: Streams, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._stream = streams.stderr if streams.watched() else None
        self._monotonic = monotonic
        self._start = monotonic()
        self._next = self._start + PATIENCE_SECONDS
        self._drawn = False
        self._told = False
        self._ended: Event | None = None
        self._ticking: Thread | None = None

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """Redraw the line, if it is time to."""
        self._told = True
        if self._stream is None or self._monotonic() < self._next:
            return
        self._next = self._monotonic() + REDRAW_SECONDS
        amount = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        self._draw(f"{doing}: {amount}")

    def tick(self) -> None:
        """Count the seconds, if the operation tells nothing itself."""
        seconds = self._monotonic() - self._start
        if not self._told and seconds >= PATIENCE_SECONDS:
            self._draw(f"working: {seconds:.0f} s")

    def __enter__(self) -> Self:
        if self._stream is not None:
            from threading import Event, Thread  # a pipe pays for no thread

            self._ended = Event()
            self._ticking = Thread(target=self._tick_until_ended, args=(self._ended,), daemon=True)
            self._ticking.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ended is not None and self._ticking is not None:
            self._ended.set()
            self._ticking.join()
        if self._drawn:
            self._put(CLEAR_LINE)

    def _tick_until_ended(self, ended: Event) -> None:
        while not ended.wait(PATIENCE_SECONDS):
            self.tick()

    def _draw(self, text: str) -> None:
        self._put(CLEAR_LINE + text)
        self._drawn = True

    def _put(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None  # nobody watches any more
