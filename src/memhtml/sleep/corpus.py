"""What a phase looks at: the store as the run has it so far, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.instants import normalised
from memhtml.domain.memory import Facts, Instant, MemoryPath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.index.listing import Tied
    from memhtml.index.memories import MemoryRow
    from memhtml.index.state import Access


class Night(Struct, frozen=True):
    """When a run is, and how thorough.

    Attributes:
        run: its name: the date, from the second of a day on with a number.
        now: the instant of every stamp: the beginning of that date.
        deep: whether it looks further than usual.
        earlier: the names of the runs that main has.
    """

    run: str
    now: Instant
    deep: bool = False
    earlier: frozenset[str] = frozenset()

    @property
    def date(self) -> str:
        """The date alone.

        >>> Night("2026-07-28-2", Instant("2026-07-28T00:00:00Z")).date
        '2026-07-28'
        """
        return self.now[:10]

    @property
    def is_over(self) -> bool:
        """Whether a run of this date, or of a later one, is in main: what wears off with time has done so already."""
        return any(name[:10] >= self.date for name in self.earlier)


def midnight(date: str) -> Instant:
    """The instant of every stamp of a night.

    >>> midnight("2026-07-28")
    '2026-07-28T00:00:00Z'

    Raises:
        InvalidPathError: that is no date.
    """
    if len(date) != len("2026-07-28") or normalised(date) != date:
        raise InvalidPathError(f"{date[:40]!a} is no date; write it like 2026-07-28")
    return Instant(f"{date}T00:00:00Z")


class Remembered(Struct, frozen=True):
    """A memory in use.

    Attributes:
        row: what is known of it.
        body: all of its text.
        access: how it has been used.
        vector: one unit vector for all of it; ``None`` where it has none.
    """

    row: MemoryRow
    body: str
    access: Access
    vector: NDArray[np.float32] | None = None

    @property
    def path(self) -> MemoryPath:
        """Where it is."""
        return self.row.path


class Files(Protocol):
    """The files of one commit."""

    def read(self, path: str) -> bytes | None:
        """The bytes at ``path``; ``None`` when nothing is there."""
        ...

    def names(self, folder: str) -> tuple[str, ...]:
        """Names in ``folder``, sorted; empty when there is no such folder."""
        ...


class Talk(Struct, frozen=True):
    """A session of an agent.

    Attributes:
        session: its id.
        ended: when it was last written to; "" when that is not known.
        path: where its transcript lies.
    """

    session: str
    ended: str
    path: str


class Talks(Protocol):
    """The sessions of agents."""

    def recent(self, limit: int) -> Sequence[Talk]:
        """The newest sessions, newest first."""
        ...

    def said(self, talk: Talk) -> str:
        """What was said in it, without what tools printed; "" when its transcript cannot be read."""
        ...


class NoTalks:
    """No session is known."""

    def recent(self, limit: int) -> Sequence[Talk]:
        """None."""
        del limit
        return ()

    def said(self, talk: Talk) -> str:
        """Nothing."""
        del talk
        return ""


class Corpus(Struct, frozen=True):
    """The store.

    Attributes:
        night: when, and how thorough.
        memories: those in use but no tasks, by path, in path order.
        tasks: in use, by path, in path order, done ones too.
        archived: what is in the archive, tasks too, by path, in path order.
        ties: every link of a memory or task in use, by source, in the order of its file.
        files: all files, as the run has them.
        facts: what the file at a path says; ``None`` when no memory is there.
        usage: the state as its sidecar would hold it.
        talks: sessions of agents.
        refused: paths whose changes by the phase that looks a reviewer once took out; it proposes none of them.
    """

    night: Night
    memories: Mapping[MemoryPath, Remembered]
    tasks: Mapping[MemoryPath, MemoryRow]
    archived: Mapping[MemoryPath, MemoryRow]
    ties: tuple[Tied, ...]
    files: Files
    facts: Callable[[MemoryPath], Facts | None]
    usage: Callable[[], bytes]
    talks: Talks = NoTalks()
    refused: frozenset[str] = frozenset()
