"""The gate against rankings that are broken on purpose: it must fail for each of them, and say where.

A gate that stays green for one of these is too weak, whatever it says of the ranking that is shipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import Term, terms
from memhtml.evals.discriminate import PROBES
from memhtml.evals.fixture import fixture
from memhtml.evals.gate import Demand, Failure, Verdict, judge
from memhtml.evals.planting import Planting, plant
from memhtml.evals.posed import Ask, Ranker, answered, shipped
from memhtml.evals.scratch import Scratch, scratch
from memhtml.index.lexical import ColumnWeights, LexicalHit
from memhtml.index.view import View
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import HashedWords
from memhtml.retrieve import ranking
from memhtml.retrieve.answer import Arm, Request
from memhtml.retrieve.search import search_view

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.index.vectors import VectorHit

Break = Callable[[pytest.MonkeyPatch], Ranker]


class Planted(Struct, frozen=True):
    """The store of one seed with its vectors, asked by one ranking after the other."""

    store: Scratch
    planting: Planting

    def verdict(self, ranker: Ranker) -> Verdict:
        """What the gate says of ``ranker``."""
        with self.store.index.reading() as view:
            cases = answered(self.planting.probes, ranker(view, HashedWords(), self.planting.now))
        return judge(cases, Demand({1: PROBES}, every_family=True))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    """Made once: a ranking changes nothing in it."""
    known = {**os.environ, "HOME": str(tmp_path_factory.mktemp("home")), "GIT_CONFIG_NOSYSTEM": "1"}  # noqa: TID251 - handed on to git
    with scratch(known) as store:
        planting = plant(store, fixture(1, PROBES))
        store.embed(HashedWords())
        yield Planted(store, planting)


def without_agreement(_: pytest.MonkeyPatch) -> Ranker:
    """The arm that compares what is denied, counted and qualified is left out."""

    def ranker(view: View, embedder: Embedder | None, now: Instant) -> Ask:
        arms = frozenset(Arm) - {Arm.AGREEMENT}
        return lambda query: [hit.path for hit in search_view(view, embedder, Request(query, arms=arms), now).hits]

    return ranker


class WorstFirst(View):
    """A view in which bm25 is read the wrong way around, as FTS5 gives it: the lower number is the better match."""

    def __init__(self, view: View) -> None:
        super().__init__(view._connection, view._matrices)

    def lexical(
        self, terms: Sequence[Term], scope: Scope, limit: int, weights: ColumnWeights | None = None
    ) -> list[LexicalHit]:
        """All that hold a word, the worst match first."""
        hits = super().lexical(terms, scope, self.total, weights)
        ends = hits[0].score + hits[-1].score if hits else 0.0
        return [LexicalHit(hit.path, ends - hit.score) for hit in reversed(hits)][:limit]


def inverted_bm25(_: pytest.MonkeyPatch) -> Ranker:
    """The sign of bm25 is turned around."""
    return lambda view, embedder, now: shipped(WorstFirst(view), embedder, now)


def _weights(patch: pytest.MonkeyPatch, relevance: float, **judges: float) -> None:
    patch.setattr(ranking, "RELEVANCE_WEIGHT", relevance)
    for arm, weight in judges.items():
        patch.setitem(ranking.JUDGES, Arm(arm), replace(ranking.JUDGES[Arm(arm)], weight=weight))


def swapped_with_recency(patch: pytest.MonkeyPatch) -> Ranker:
    """The weight of relevance and that of recency."""
    _weights(patch, ranking.JUDGES[Arm.RECENCY].weight, recency=ranking.RELEVANCE_WEIGHT)
    return shipped


def swapped_with_salience(patch: pytest.MonkeyPatch) -> Ranker:
    """The weight of relevance and that of salience."""
    _weights(patch, ranking.JUDGES[Arm.SALIENCE].weight, salience=ranking.RELEVANCE_WEIGHT)
    return shipped


def weighed_by_recency_alone(patch: pytest.MonkeyPatch) -> Ranker:
    """No other arm has any weight."""
    _weights(patch, 0.0, recency=1.0, salience=0.0)
    return shipped


def newest_first(_: pytest.MonkeyPatch) -> Ranker:
    """Whatever holds a word of the question, the newest first."""

    def ranker(view: View, embedder: Embedder | None, now: Instant) -> Ask:
        del embedder, now

        def ask(query: str) -> Sequence[MemoryPath]:
            rows = view.rows([hit.path for hit in view.lexical(terms(query), Scope(), 100)])
            return sorted(rows, key=lambda path: rows[path].moment, reverse=True)[:10]

        return ask

    return ranker


class LongFirst(View):
    """A view in which a memory counts as often as it has words."""

    def __init__(self, view: View) -> None:
        super().__init__(view._connection, view._matrices)

    def _lengths(self, paths: Sequence[MemoryPath]) -> dict[MemoryPath, int]:
        return {path: len(found.body.split()) for path, found in self.texts(paths).items()}

    def lexical(
        self, terms: Sequence[Term], scope: Scope, limit: int, weights: ColumnWeights | None = None
    ) -> list[LexicalHit]:
        """By bm25 times length."""
        hits = super().lexical(terms, scope, limit, weights)
        length = self._lengths([hit.path for hit in hits])
        return sorted((LexicalHit(hit.path, hit.score * length[hit.path]) for hit in hits), key=lambda hit: -hit.score)

    def nearest(self, vector: NDArray[np.float32], scope: Scope, limit: int) -> list[VectorHit]:
        """By cosine times length."""
        hits = super().nearest(vector, scope, limit)
        length = self._lengths([hit.path for hit in hits])
        return sorted((replace(hit, cosine=hit.cosine * length[hit.path]) for hit in hits), key=lambda hit: -hit.cosine)


def long_memories_win(_: pytest.MonkeyPatch) -> Ranker:
    """Both finding arms let a memory count as often as it has words."""
    return lambda view, embedder, now: shipped(LongFirst(view), embedder, now)


@pytest.mark.parametrize(
    "broken",
    [
        without_agreement,
        inverted_bm25,
        swapped_with_recency,
        swapped_with_salience,
        weighed_by_recency_alone,
        newest_first,
        long_memories_win,
    ],
)
def test_a_ranking_that_is_broken_on_purpose_fails(
    broken: Break, monkeypatch: pytest.MonkeyPatch, planted: Planted
) -> None:
    """With an inversion that names the probe, the family, the style and the question."""
    verdict = planted.verdict(broken(monkeypatch))
    assert Failure.INVERSIONS in verdict.failures
    first = verdict.inversions[0]
    assert all(part in verdict.describe() for part in (first.family.value, first.style, first.query, first.target))
    print(f"{broken.__name__}: {verdict.describe()}")  # noqa: T201 - `pytest -rP` shows where each one fails


def test_the_ranking_that_is_shipped_passes_the_same_run(planted: Planted) -> None:
    """So whatever fails above fails for what was broken."""
    verdict = planted.verdict(shipped)
    assert verdict.passed, verdict.describe()
