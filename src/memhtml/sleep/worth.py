"""What each memory is worth, and which belong together: the same reckoning for every phase that asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from memhtml.domain import retention
from memhtml.domain.graph import Community, Edge, bridges, communities, pagerank
from memhtml.domain.instants import days_between
from memhtml.domain.memory import MemoryPath
from memhtml.domain.retention import Band, Signals
from memhtml.domain.vocabulary import DEFAULT_CONFIDENCE, Rel, RelClass, rel_class
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.mining import mined
from memhtml.sleep.pending import MINED, between, read


class Worth(Struct, frozen=True):
    """What the memories of a store are worth.

    Attributes:
        signals: what each score is made of.
        scores: from 0 to 1, by path, in path order.
        communities: three or more that belong together each, in path order; a memory is in one at most.
        homes: the first member of a memory's community; not for those that are in none.
    """

    signals: Mapping[MemoryPath, Signals]
    scores: Mapping[MemoryPath, float]
    communities: tuple[Community, ...]
    homes: Mapping[MemoryPath, MemoryPath]

    def band(self, path: MemoryPath) -> Band:
        """What its score calls for.

        Raises:
            KeyError: no memory in use is there.
        """
        return retention.band(self.scores[path])


def valued(corpus: Corpus) -> Worth:
    """The worth of every memory in use at the night's instant.

    The graph is that of `edges`. Contradictions are those that a writer's files hold; one that nights found and wrote
    down contests nothing.
    """
    joined = edges(corpus)
    ranks = pagerank(joined, corpus.memories)
    highest = max(ranks.values(), default=0.0)
    groups = communities(joined)
    crossing = bridges(joined, groups)
    supports = _supports(corpus)
    contests = _contests(corpus)
    signals = {
        path: Signals(
            recency=retention.recency(memory.row.type, days_between(memory.row.updated, corpus.night.now)),
            access=retention.access(memory.access.opens),
            confidence=retention.confidence(_confidence(memory)),
            pagerank=retention.pagerank(ranks[path], highest),
            bridge=retention.bridge(crossing.get(path, 0)),
            reinforcement=retention.reinforcement(supports[path]),
            density=retention.density(len(memory.body.split())),
            uncontested=retention.uncontested(contests[path]),
        )
        for path, memory in sorted(corpus.memories.items())
    }
    return Worth(
        signals,
        {path: retention.score(corpus.memories[path].row.type, found) for path, found in signals.items()},
        groups,
        {member: group[0] for group in groups for member in group},
    )


def edges(corpus: Corpus) -> tuple[Edge, ...]:
    """What joins two memories in use: each link between memories, and in both directions each pair that is alike."""
    links = (
        (tie.source, tie.resolved)
        for tie in corpus.ties
        if tie.resolved is not None and rel_class(tie.rel) is RelClass.MEMORY
    )
    held = [(one, other) for one, other in links if one in corpus.memories and other in corpus.memories]
    alike = [(pair.first, pair.second) for pair in mined(corpus)]
    return (*held, *alike, *((other, one) for one, other in alike))


def _confidence(memory: Remembered) -> float:
    return DEFAULT_CONFIDENCE if memory.row.confidence is None else memory.row.confidence


def _supports(corpus: Corpus) -> Counter[MemoryPath | None]:
    """How many memories in use support each; one that says so twice counts once."""
    pairs = {(tie.source, tie.resolved) for tie in corpus.ties if tie.rel is Rel.SUPPORTS}
    return Counter(target for source, target in pairs if source in corpus.memories and source != target)


def _contests(corpus: Corpus) -> Counter[MemoryPath]:
    """How many memories in use contradict each, whichever of the two says so; nights are not asked."""
    found_by_nights = read(corpus.files).of(MINED)
    pairs = {
        frozenset((tie.source, tie.resolved))
        for tie in corpus.ties
        if tie.rel is Rel.CONTRADICTS and tie.resolved is not None and tie.source != tie.resolved
        if tie.source in corpus.memories and tie.resolved in corpus.memories
        if between(tie.source, tie.resolved) not in found_by_nights
    }
    return Counter(path for pair in pairs for path in pair)
