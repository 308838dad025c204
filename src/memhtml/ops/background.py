"""Vectors of new memories, made while nobody asks, in a process that stays.

A write never waits for the model, so it leaves texts without a vector. A thread makes them afterwards: portion by
portion, none begun while a call is being answered, with no lock of the store held while the model works. Of all
processes on a store one does it; the others look again until nothing is left to do.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from memhtml.domain.errors import LockedError

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.models.embedder import Embedder
    from memhtml.workspace.workspace import Workspace

PORTION = 16
"""Texts at a time: about a fifth of a second of the built-in model, which is what a call may find it busy with."""

PATIENCE = 2.0
"""Seconds that a portion waits for calls to be answered before it goes on beside them."""

AGAIN = 5.0
"""Seconds until it is looked again whether another process has left something to do."""

ENDING = 10.0
"""Seconds that the end waits for a portion that is being made."""

FAILURES = 3
"""After so many in a row nothing is tried any more: whatever is missing will be missing until the next start."""

LOCK = "vectors.lock"


class Background:
    """Makes the vectors that are missing, whenever it is told that some may be. Nothing that goes wrong is an error.

    Attributes:
        trouble: why the last attempt made nothing, or none is made any more; ``None`` when all is well.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.trouble: str | None = None
        self._workspace = workspace
        self._failures = 0
        self._calls = 0
        self._counting = threading.Lock()
        self._calm = threading.Event()
        self._calm.set()
        self._wanted = threading.Event()
        self._settled = threading.Event()
        self._ended = threading.Event()
        # A daemon, so that a model that never answers keeps no process alive.
        self._thread = threading.Thread(target=self._work, name="memhtml-vectors", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._wanted.set()
        self._calm.set()
        self._thread.join(ENDING)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """A call is being answered: no portion is begun meanwhile."""
        with self._counting:
            self._calls += 1
            self._calm.clear()
        try:
            yield
        finally:
            with self._counting:
                self._calls -= 1
                if not self._calls:
                    self._calm.set()

    def look(self) -> None:
        """There may be something to do. Returns at once."""
        with self._counting:
            self._settled.clear()
            self._wanted.set()

    def settled(self, seconds: float) -> bool:
        """Wait until all is done that could be done since the last look; whether that was so in time."""
        return self._settled.wait(seconds)

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            if self._ended.is_set():
                return
            self._wanted.clear()
            if self._failures < FAILURES:
                self._attempt()
            with self._counting:
                if not self._wanted.is_set():
                    self._settled.set()

    def _attempt(self) -> None:
        try:
            self.trouble = self._made()
        except Exception as error:  # noqa: BLE001 - nobody asked for it, so nobody is told, but who asks what is wrong
            self.trouble = f"{type(error).__name__}: {error}"
        self._failures = 0 if self.trouble is None else self._failures + 1

    def _made(self) -> str | None:
        """Make all that is missing; gives what the embedder has against it.

        Raises:
            MemhtmlError: the store or its index cannot be read or written, or the index has vectors of another space.
            ImportError: what vectors are made with is not installed.
        """
        workspace = self._workspace
        embedder = workspace.embedder
        if embedder is None:
            return None
        index = workspace.index
        index.catch_up(workspace.repository)
        while index.missing_vectors() and not self._ended.is_set():
            try:
                return self._filled(index, embedder)
            except LockedError:  # another process is at it
                self._ended.wait(AGAIN)
        return None

    def _filled(self, index: Index, embedder: Embedder) -> str | None:
        from memhtml.index.embedding import fill
        from memhtml.store.lock import locked

        desk = self._workspace.repository.layout.desk
        with locked(desk / LOCK, wait=0, command="memhtml serve", what="vectors are being made"):
            while not self._ended.is_set():
                self._calm.wait(PATIENCE)
                if self._ended.is_set():
                    break
                report = fill(index, embedder, PORTION)
                if report.failure is not None or not report.embedded:
                    return report.failure
        return None
