"""The clock: the only module that asks what time it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from memhtml.domain.memory import Instant


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> Instant:
        """The present, in UTC, to the second."""
        ...


class SystemClock(Struct, frozen=True):
    """The machine's own clock."""

    def now(self) -> Instant:
        """The present, in UTC, to the second."""
        return Instant(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))  # noqa: TID251 - its one home


class FixedClock(Struct, frozen=True):
    """A clock that stands still, for tests and for replaying."""

    instant: Instant

    def now(self) -> Instant:
        """Always the same."""
        return self.instant
