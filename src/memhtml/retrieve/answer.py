"""What is asked of a search, and what it answers."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from memhtml.domain.memory import Entity, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType

LIMIT = 10
"""Hits that a search gives unless the caller says otherwise."""


class Arm(StrEnum):
    """A view of which memories answer. Only the first four find memories; the others judge what was found."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    EXACT = "exact"
    VERBATIM = "verbatim"
    AGREEMENT = "agreement"
    RECENCY = "recency"
    SALIENCE = "salience"


class Reason(StrEnum):
    """Why there are no hits."""

    STORE_EMPTY = "store_empty"
    SCOPE_EMPTY = "scope_empty"
    NOTHING_RELEVANT = "nothing_relevant"
    LANES_DOWN = "lanes_down"


class Trust(StrEnum):
    """Whether something is known that speaks against a memory; the gravest first."""

    SUPERSEDED = "superseded"
    CONTESTED = "contested"
    NEEDS_REVISION = "needs_revision"
    UNCERTAIN = "uncertain"
    UNCONTESTED = "uncontested"


class Request(Struct, frozen=True):
    """A search.

    Attributes:
        query: prose; any text is one.
        scope: which memories are looked at.
        limit: how many hits at most.
        bar: answer nothing rather than something irrelevant.
        rejected: with nothing relevant, say what the best rejected hit was.
        explain: say of each hit how each arm ranked it.
        arms: only these take part; ``None`` is all. For measuring.
    """

    query: str
    scope: Scope = Scope()
    limit: int = LIMIT
    bar: bool = True
    rejected: bool = False
    explain: bool = False
    arms: frozenset[Arm] | None = None


class Share(Struct, frozen=True):
    """What one arm made of a hit.

    Attributes:
        rank: its place among what the arm ranked, from 1; equal ones share a place.
        value: what the arm ranks by: bm25, a cosine, a date, a salience; for agreement, the place it had before.
        contribution: its part of the score; 0.0 for an arm that only moves memories among their places.
    """

    arm: Arm
    rank: int
    value: float | str
    contribution: float


class Hit(Struct, frozen=True):
    """A memory that answers.

    Attributes:
        score: what it was ranked by; comparable within one answer only.
        relevance: how relevant it is in itself, 0 to 1; comparable between answers of the same arms.
        event_at: when it happened; ``updated`` is when it was last written.
        snippet: its piece that fits best, at most 700 characters.
        superseded_by: what took its place.
        contradicts: live memories that contest it.
        arms: how each arm ranked it, with ``explain``.
    """

    path: MemoryPath
    title: str
    gist: str
    type: MemoryType
    score: float
    relevance: float
    created: Instant
    updated: Instant
    event_at: Instant | None
    valid_from: Instant | None
    valid_until: Instant | None
    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    snippet: str
    superseded_by: MemoryPath | None
    contradicts: tuple[MemoryPath, ...]
    trust: Trust
    confidence: float
    archived: bool
    arms: tuple[Share, ...] | None = None


class Degraded(Struct, frozen=True):
    """An arm that could not take part, and why, with what to do about it."""

    arm: Arm
    why: str


class Answer(Struct, frozen=True):
    """What a search found.

    Attributes:
        query: as it was asked.
        hits: best first.
        reason: why there are none; ``None`` when there are.
        degraded: what could not take part.
        rejected: the best hit under the bar, when it was asked for and nothing was above.
    """

    query: str
    hits: tuple[Hit, ...]
    reason: Reason | None
    degraded: tuple[Degraded, ...]
    rejected: Hit | None = None
