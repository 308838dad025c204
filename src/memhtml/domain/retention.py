"""Whether a memory is worth its place: eight signals, weighed by type, and the three bands that follow.

All numbers are those of the design's retention table. Nothing here decides: a band is what a phase proposes from.
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from memhtml.domain.vocabulary import HIGHEST_IMPORTANCE, MemoryType

GRID: Final = 4
"""Decimals of a score."""

KEEP_ABOVE: Final = 0.7
EVICT_UP_TO: Final = 0.3

FULL_ACCESS: Final = 10
FULL_BRIDGE: Final = 5
FULL_REINFORCEMENT: Final = 5
FULL_CONTEST: Final = 3
FEW_WORDS: Final = 10
WORDS_OF_FEW: Final = 20
FULL_DENSITY: Final = 100

REPRIEVE_FROM: Final = 0.5
MOST_REPRIEVES: Final = 3
REPRIEVE_DAYS: Final = 14
FADING_AN_HOUR: Final = 0.01

_OTHERS_HALF_LIFE: Final = 30.0
_HALF_LIVES: Final = {
    MemoryType.EPISODIC: 10.0,
    MemoryType.ERROR_PATTERN: 14.0,
    MemoryType.ARC: 30.0,
    MemoryType.SEMANTIC: 90.0,
    MemoryType.PROCEDURAL: math.inf,
    MemoryType.TASK: math.inf,
}
"""Days."""


class Signals(Struct, frozen=True):
    """One number in [0, 1] for each reason to keep a memory; as weights, how much each counts."""

    recency: float
    access: float
    confidence: float
    pagerank: float
    bridge: float
    reinforcement: float
    density: float
    uncontested: float


_OTHERS: Final = Signals(0.15, 0.15, 0.15, 0.15, 0.10, 0.10, 0.10, 0.10)
_WEIGHTS: Final = {
    MemoryType.EPISODIC: Signals(0.25, 0.15, 0.10, 0.10, 0.10, 0.10, 0.10, 0.10),
    MemoryType.SEMANTIC: Signals(0.05, 0.15, 0.20, 0.20, 0.15, 0.10, 0.10, 0.05),
    MemoryType.PROCEDURAL: Signals(0.00, 0.20, 0.15, 0.15, 0.10, 0.20, 0.10, 0.10),
    MemoryType.ARC: Signals(0.10, 0.10, 0.15, 0.15, 0.15, 0.15, 0.10, 0.10),
    MemoryType.ERROR_PATTERN: Signals(0.20, 0.15, 0.10, 0.05, 0.05, 0.20, 0.10, 0.15),
}


class Band(StrEnum):
    """What a score calls for."""

    KEEP = "keep"
    COMPRESS = "compress"
    EVICT = "evict"


def weights(kind: MemoryType) -> Signals:
    """How much each signal counts for ``kind``; the sum is exactly 1.0 under compensated summation.

    >>> weights(MemoryType.EPISODIC).recency, weights(MemoryType.VERDICT).recency
    (0.25, 0.15)
    """
    return _WEIGHTS.get(kind, _OTHERS)


def recency(kind: MemoryType, age_days: float) -> float:
    """Half after one half-life, a quarter after two; always 1 for what does not age. The future counts as now.

    >>> recency(MemoryType.EPISODIC, 10.0), recency(MemoryType.PROCEDURAL, 10_000.0)
    (0.5, 1.0)
    """
    return math.pow(0.5, max(0.0, age_days) / _HALF_LIVES.get(kind, _OTHERS_HALF_LIFE))


def access(opens: int) -> float:
    """Opens out of ten.

    >>> access(4), access(11)
    (0.4, 1.0)
    """
    return _share(opens, FULL_ACCESS)


def confidence(value: float) -> float:
    """The confidence itself, held to [0, 1].

    >>> confidence(0.35), confidence(7.0)
    (0.35, 1.0)
    """
    return min(1.0, max(0.0, value))


def pagerank(rank: float, highest: float) -> float:
    """The rank over the highest rank of the run; 0 where the highest is 0.

    >>> pagerank(0.02, 0.08), pagerank(0.0, 0.0)
    (0.25, 0.0)
    """
    return _share(rank, highest) if highest > 0 else 0.0


def bridge(edges: int) -> float:
    """Edges into other communities out of five.

    >>> bridge(2)
    0.4
    """
    return _share(edges, FULL_BRIDGE)


def reinforcement(supports: int) -> float:
    """Inbound ``supports`` out of five.

    >>> reinforcement(5)
    1.0
    """
    return _share(supports, FULL_REINFORCEMENT)


def density(words: int) -> float:
    """Words out of a hundred; a note of fewer than ten words is judged as a short one, by words out of twenty.

    So nine words have 0.45 and ten have 0.1: below ten a text is a claim on its own, from ten on it is prose, and
    thin prose is what compressing is for.

    >>> density(9), density(10), density(250)
    (0.45, 0.1, 1.0)
    """
    return _share(words, WORDS_OF_FEW if words < FEW_WORDS else FULL_DENSITY)


def uncontested(contradictions: int) -> float:
    """1 without an authored contradiction, 0 from three on. Machine-mined ones are not to be counted.

    >>> uncontested(0), uncontested(3)
    (1.0, 0.0)
    """
    return 1.0 - _share(contradictions, FULL_CONTEST)


def score(kind: MemoryType, signals: Signals) -> float:
    """The weighted sum in [0, 1], to 4 decimals, compensated, so that no order of adding can move a memory's band.

    >>> score(MemoryType.SEMANTIC, Signals(1.0, 0.5, 0.8, 0.0, 0.0, 0.0, 0.3, 1.0))
    0.365
    """
    return round(math.fsum(w * s for w, s in zip(astuple(weights(kind)), astuple(signals), strict=True)), GRID)


def band(value: float) -> Band:
    """The band of a score; a boundary belongs to the lower band.

    >>> band(0.7), band(0.3), band(0.7001)
    (<Band.COMPRESS: 'compress'>, <Band.EVICT: 'evict'>, <Band.KEEP: 'keep'>)
    """
    if value > KEEP_ABOVE:
        return Band.KEEP
    return Band.COMPRESS if value > EVICT_UP_TO else Band.EVICT


def reprieve_score(*, importance: int, opens: int, outcome: float, hours_since_access: float | None) -> float:
    """How much a memory past its validity is still used; from 0 upwards, without a highest value.

    ``hours_since_access`` is None for one that was never opened, which then earns nothing by it; the future counts
    as now. A bad outcome does not count against it.

    >>> round(reprieve_score(importance=5, opens=0, outcome=0.0, hours_since_access=None), 4)
    0.2
    """
    fresh = 0.0 if hours_since_access is None else math.exp(-FADING_AN_HOUR * max(0.0, hours_since_access))
    return math.fsum(
        (0.4 * importance / HIGHEST_IMPORTANCE, 0.3 * math.log1p(opens), 0.2 * max(0.0, outcome), 0.1 * fresh)
    )


def reprieved(value: float, reprieves: int) -> bool:
    """Whether a memory past its validity is extended by `REPRIEVE_DAYS`: from 0.5 on, three times at most.

    >>> reprieved(0.5, 2), reprieved(0.5, 3), reprieved(0.4999, 0)
    (True, False, False)
    """
    return value >= REPRIEVE_FROM and reprieves < MOST_REPRIEVES


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole))
