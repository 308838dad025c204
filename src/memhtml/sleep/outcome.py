"""What a night did, or would do, as it is told."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from memhtml.domain.memory import CommitId
from memhtml.sleep.changes import Change, kind, known_as
from memhtml.sleep.trailers import Told


class Doing(Struct, frozen=True):
    """A change as it is told: what sort, what about, and why."""

    kind: str
    about: str
    why: str


class Result(Struct, frozen=True):
    """What a phase did, or would do.

    Attributes:
        told: what its commit says.
        changes: those that it made, in order.
        refused: what was kept out, one sentence each.
    """

    told: Told
    changes: tuple[Doing, ...] = ()
    refused: tuple[str, ...] = ()


class Outcome(Struct, frozen=True):
    """What a night did, or would do.

    Attributes:
        run: its name; ``None`` for a rehearsal, which has no branch.
        results: of the phases that ran now, in order.
        earlier: of those that were done already, in order, as far as their commits tell.
        tip: the run's last commit; ``None`` for a rehearsal.
    """

    run: str | None
    results: tuple[Result, ...]
    earlier: tuple[Told, ...] = ()
    tip: CommitId | None = None


def doings(changes: Iterable[Change]) -> tuple[Doing, ...]:
    """The changes as they are told."""
    return tuple(Doing(kind(change), known_as(change), change.reason.why) for change in changes)
