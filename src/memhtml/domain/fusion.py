"""Several judgements of the same candidates made into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from memhtml.domain.memory import MemoryPath

K = 60
"""The constant of reciprocal rank fusion: how little the first places stand out."""

VECTOR_SHARE = 0.3
COSINE_RANGE = 0.4
"""The difference of cosines that counts as much as having every word of the query or none of them."""

_BEST_WORD = 2.2
"""What bm25 gives at most, as a multiple of its idf, for a word: k1 + 1, with the k1 of FTS5."""

_STRICTNESS = 0.6
"""How far bm25 is measured by what a perfect hit would have (1.0), rather than by the best one found (0.0)."""


class Ranking(Struct, frozen=True):
    """One arm's view: rank by path, counted from 1; equal judgements share a rank; what it cannot judge is left out."""

    weight: float
    ranks: Mapping[MemoryPath, int]


class Scored(Struct, frozen=True):
    """A path and its score; higher is better."""

    path: MemoryPath
    score: float


class Joined(Struct, frozen=True):
    """A relevance, by where it comes from; the vector's part is below 0 for what is far from the nearest."""

    lexical: float
    vector: float

    @property
    def value(self) -> float:
        """The relevance; higher is better."""
        return self.lexical + self.vector


def fuse(rankings: Sequence[Ranking], *, k: int = K) -> tuple[Scored, ...]:
    """Merge rankings into one, best first, by reciprocal rank (Cormack, Clarke and Büttcher, 2009).

    A path earns ``weight / (k + rank)`` from each ranking that holds it. Equal scores fall back to path order, so the
    answer is the same on every machine and for any order of ``rankings``.

    >>> a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    >>> [found.path for found in fuse([Ranking(1.0, {a: 1, b: 2}), Ranking(0.5, {b: 1})])]
    ['areas/b.html', 'areas/a.html']

    Raises:
        ValueError: ``k`` is negative, a weight is, or a rank is below 1.
    """
    if k < 0 or any(ranking.weight < 0 for ranking in rankings):
        raise ValueError("k and weights cannot be negative")
    earned: dict[MemoryPath, list[float]] = {}
    for ranking in rankings:
        for path, rank in ranking.ranks.items():
            if rank < 1:
                raise ValueError(f"ranks are counted from 1, {path} has {rank}")
            earned.setdefault(path, []).append(ranking.weight / (k + rank))
    # Sums of the same numbers in another order can differ in the last bit; sorted, they cannot.
    scored = [Scored(path, sum(sorted(parts))) for path, parts in earned.items()]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.path)))


def ranked(judged: Mapping[MemoryPath, float | str]) -> dict[MemoryPath, int]:
    """Ranks by value, the highest first; equal values share a rank, and the next value has the next rank.

    >>> ranked({MemoryPath("a.html"): 0.5, MemoryPath("b.html"): 0.9, MemoryPath("c.html"): 0.5})
    {'a.html': 2, 'b.html': 1, 'c.html': 2}
    """
    values = sorted(set(judged.values()), reverse=True)
    rank = {value: place for place, value in enumerate(values, 1)}
    return {path: rank[value] for path, value in judged.items()}


def join(
    lexical: Mapping[MemoryPath, float], cosines: Mapping[MemoryPath, float], perfect: float
) -> dict[MemoryPath, Joined]:
    """The relevance of each candidate from bm25 and cosine, by their scores rather than their ranks.

    Ranks forget how much better the first is; joined by rank, the two arms are worse than the better of them on most
    question sets. A cosine counts by how far it lies below the best one, in units of ``COSINE_RANGE``. A bm25 score
    counts by its share of what is between the best score found and ``perfect``, so where even the best hit holds
    little of the query, the words have little to say by themselves, and the vectors decide.

    Args:
        lexical: bm25, above 0, of those that hold words of the query.
        cosines: of those that are near; empty when vectors take no part.
        perfect: the sum of the idf of the query's words.

    >>> a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    >>> found = join({a: 2.0}, {a: 0.5, b: 0.9}, perfect=2.0)
    >>> round(found[a].value, 3), round(found[b].value, 3)
    (0.436, 0.3)
    """
    best = max(lexical.values(), default=0.0)
    if not cosines:
        return {path: Joined(score / best, 0.0) for path, score in lexical.items()}
    nearest = max(cosines.values())
    # Below the last cosine that was looked at, nothing is known but that it is lower.
    farthest = min(cosines.values())
    whole = best ** (1 - _STRICTNESS) * (_BEST_WORD * perfect) ** _STRICTNESS
    return {
        path: Joined(
            (1 - VECTOR_SHARE) * (lexical.get(path, 0.0) / whole if whole else 0.0),
            VECTOR_SHARE * (1 - (nearest - cosines.get(path, farthest)) / COSINE_RANGE),
        )
        for path in {**lexical, **cosines}
    }
