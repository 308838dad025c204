"""Claims that fill one slot with different values: found among the memories in use and those of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.frames import Frame, frame
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import is_archived, workspace_of
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType

if TYPE_CHECKING:
    from memhtml.domain.memory import Facts
    from memhtml.workspace.workspace import Workspace

LASTING = frozenset(MemoryType) - {MemoryType.TASK, MemoryType.EPISODIC, MemoryType.ARC}
"""Types whose claims say how things are; what happened once, or is to be done, contradicts nothing later."""

_PORTION = 1000
Slot = tuple[str | None, str]
"""A workspace and the frame's slot: the same words in two projects are about two things."""


class Claim(Struct, frozen=True):
    """A claim that fills a slot.

    Attributes:
        line: of the batch; ``None`` for a memory that was there.
        event_at: when it came to hold, if the memory says so.
        order: place in time when nothing says so: memories that were there by their last change, then lines.
    """

    path: MemoryPath
    gist: str
    filled: Frame
    event_at: Instant | None
    order: tuple[int, str, int]
    line: int | None = None

    @property
    def slot(self) -> Slot:
        """Where it competes."""
        return workspace_of(self.path), self.filled.slot


class Conflict(Struct, frozen=True):
    """Two claims of the same thing with different values; at least one of them is of the batch.

    Attributes:
        line: of the later one, in the batch.
        other_line: of the other one, if it is of the batch too.
    """

    line: int | None
    path: MemoryPath
    value: str
    other_line: int | None
    other: MemoryPath
    other_value: str
    slot: str


class Displaced(Struct, frozen=True):
    """A memory that went to the archive because a later claim takes its place.

    Attributes:
        path: where it lies now.
        previous: where it was, or would have been.
        by: the memory that takes its place.
        line: of the batch, if it came with it.
    """

    path: MemoryPath
    previous: MemoryPath
    value: str
    by: MemoryPath
    by_value: str
    line: int | None


def claim_of(path: MemoryPath, facts: Facts, line: int) -> Claim | None:
    """The claim of a memory of the batch; ``None`` when it fills no slot that lasts."""
    filled = frame(facts.gist) if facts.head.type in LASTING else None
    if filled is None or is_archived(path):
        return None
    return Claim(path, facts.gist, filled, facts.event_at, (1, "", line), line)


def standing_claims(workspace: Workspace, slots: frozenset[Slot]) -> Iterator[Claim]:
    """The claims of memories in use that fill one of ``slots``, by path. One pass over all of them."""
    with workspace.index.reading() as view:
        paths = sorted(view.listed(Scope(types=LASTING)))
        for start in range(0, len(paths), _PORTION):
            for row in view.rows(paths[start : start + _PORTION]).values():
                filled = frame(row.gist)
                if filled is None or (workspace_of(row.path), filled.slot) not in slots:
                    continue
                yield Claim(row.path, row.gist, filled, row.event_at, (0, row.updated, 0))


def contests(claims: Iterable[Claim]) -> Mapping[Slot, Sequence[Claim]]:
    """Claims by slot, the latest last; only slots with more than one value.

    Later is by event time where every claim of the slot has one, else by when they were written, lines of a batch in
    their order after everything that was there.
    """
    by_slot: dict[Slot, list[Claim]] = {}
    for claim in claims:
        by_slot.setdefault(claim.slot, []).append(claim)
    found: dict[Slot, Sequence[Claim]] = {}
    for slot in sorted(by_slot, key=lambda slot: (slot[0] or "", slot[1])):
        rivals = by_slot[slot]
        if len({claim.filled.value for claim in rivals}) < 2:  # noqa: PLR2004 - one value is no contest
            continue
        dated = all(claim.event_at is not None for claim in rivals)
        found[slot] = sorted(
            rivals, key=lambda claim: ((claim.event_at or "") if dated else "", claim.order, claim.path)
        )
    return found


def conflicts(contested: Mapping[Slot, Sequence[Claim]]) -> tuple[Conflict, ...]:
    """Every claim of the batch against the others of its slot that say otherwise, each pair once, the later first."""
    found: list[Conflict] = []
    for rivals in contested.values():
        for place, later in enumerate(rivals):
            for earlier in rivals[:place]:
                if earlier.filled.value == later.filled.value or (later.line is None and earlier.line is None):
                    continue
                found.append(
                    Conflict(
                        line=later.line,
                        path=later.path,
                        value=later.filled.value,
                        other_line=earlier.line,
                        other=earlier.path,
                        other_value=earlier.filled.value,
                        slot=later.filled.slot,
                    )
                )
    return tuple(found)


def losers(contested: Mapping[Slot, Sequence[Claim]]) -> tuple[tuple[Claim, Claim], ...]:
    """(loser, winner) of every contest: the latest claim wins, those with its value stay."""
    return tuple(
        (claim, rivals[-1])
        for rivals in contested.values()
        for claim in rivals[:-1]
        if claim.filled.value != rivals[-1].filled.value
    )
