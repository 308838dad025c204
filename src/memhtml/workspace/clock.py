"""The clock: the only module that asks what time it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from memhtml.domain.memory import Instant


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> Instant:
        """The present, in UTC, to the second."""
        ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's own clock."""

    def now(self) -> Instant:
        """The present, in UTC, to the second."""
        return Instant(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))  # noqa: TID251 - its one home


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still, for tests and for replaying."""

    instant: Instant

    def now(self) -> Instant:
        """Always the same."""
        return self.instant
