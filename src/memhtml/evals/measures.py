"""How good rankings are, in figures that need no judge: hits, recall, reciprocal rank, nDCG, strict wins.

Ranks count from 1. Every figure of one ranking lies between 0 and 1, higher is better. Chance comes in as an argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

HEAD = 10
"""Hits that the figures look at, but for the reciprocal rank and the strict win."""

RESAMPLES = 1000
"""Draws of a bootstrap."""

FEW_STORES = 4
"""Stores up to which single questions are drawn: of so few clusters nothing can be drawn that varies enough."""

_OUTSIDE = 0.025  # on either side of an interval of 95%

Item = TypeVar("Item")


class Chance(Protocol):
    """Draws with replacement: what `random.Random` does."""

    def choices(self, population: Sequence[Item], *, k: int) -> list[Item]:
        """``k`` draws from ``population``, each as likely as any other."""
        ...


class Figures(Struct, frozen=True):
    """The figures of one ranking, or their means.

    Attributes:
        hit_at_1: a right one is the first.
        hit_at_5: a right one is among the first 5.
        hit_at_10: a right one is among the first 10.
        recall_at_10: share of the right ones that are among the first 10.
        all_at_10: every right one is among the first 10.
        mrr: 1 / rank of the first right one; 0 when none was returned.
        ndcg_at_10: gain of the first 10, discounted by rank, over the best that could be.
        strict: a right one was returned and stands above every control; ``None`` where there are no controls.
    """

    hit_at_1: float
    hit_at_5: float
    hit_at_10: float
    recall_at_10: float
    all_at_10: float
    mrr: float
    ndcg_at_10: float
    strict: float | None


class Interval(Struct, frozen=True):
    """The ends of an interval."""

    low: float
    high: float


def ranks(ranked: Iterable[str], gold: Collection[str]) -> tuple[int, ...]:
    """The ranks of the right ones that were returned, rising. What is returned twice counts where it is first.

    >>> ranks(["a", "b", "a", "c"], {"c", "a", "z"})
    (1, 3)
    """
    return tuple(rank for rank, one in enumerate(dict.fromkeys(ranked), 1) if one in gold)


def hit(found: Sequence[int], k: int) -> float:
    """1.0 when the first of the rising ranks ``found`` is at most ``k``, else 0.0."""
    return float(bool(found) and found[0] <= k)


def recall(found: Sequence[int], wanted: int, k: int) -> float:
    """The share of ``wanted`` right ones whose rank is at most ``k``.

    >>> recall([2, 11], 4, 10)
    0.25
    """
    return sum(rank <= k for rank in found) / wanted


def reciprocal_rank(found: Sequence[int]) -> float:
    """1 / the first of the rising ranks ``found``; 0.0 when there is none."""
    return 1 / found[0] if found else 0.0


def ndcg(found: Sequence[int], wanted: int, k: int) -> float:
    """Normalised discounted cumulative gain of the first ``k``, each right one worth the same.

    A right one at rank r gains ``1 / log2(r + 1)`` (Järvelin and Kekäläinen, 2002); the best that could be is
    ``wanted`` right ones, or ``k`` where there are more, at the head.

    >>> round(ndcg([2], 1, 10), 4), ndcg([1, 2], 2, 10)
    (0.6309, 1.0)
    """
    best = math.fsum(_gain(rank) for rank in range(1, min(k, wanted) + 1))
    return math.fsum(_gain(rank) for rank in found if rank <= k) / best


def strict(ranked: Sequence[str], gold: Collection[str], controls: Iterable[str]) -> float | None:
    """1.0 when a right one was returned and no control stands above the first of them, else 0.0.

    A control that was not returned has lost; so has a right one. A control that is a right one too is no control.
    ``None`` when there is none.
    """
    wrong = {one for one in controls if one not in gold}
    if not wrong:
        return None
    first = next((one for one in ranked if one in gold or one in wrong), None)
    return float(first in gold)


def measured(ranked: Sequence[str], gold: Iterable[str], controls: Iterable[str] = ()) -> Figures:
    """The figures of one ranking, best first.

    Raises:
        ValueError: ``gold`` is empty, so that nothing could be right.
    """
    right = frozenset(gold)
    if not right:
        raise ValueError("a ranking without a right one has no figures")
    found, wanted = ranks(ranked, right), len(right)
    recalled = recall(found, wanted, HEAD)
    return Figures(
        hit_at_1=hit(found, 1),
        hit_at_5=hit(found, 5),
        hit_at_10=hit(found, 10),
        recall_at_10=recalled,
        all_at_10=float(recalled == 1.0),
        mrr=reciprocal_rank(found),
        ndcg_at_10=ndcg(found, wanted, HEAD),
        strict=strict(ranked, right, controls),
    )


def mean(rows: Sequence[Figures]) -> Figures:
    """The mean of each figure, that of `strict` over those that have it.

    Raises:
        ValueError: there is no row.
    """
    if not rows:
        raise ValueError("nothing has no mean")
    return _each(lambda name: _mean(_column(rows, name)))


def spread(rows: Sequence[tuple[str, Figures]], chance: Callable[[], Chance]) -> tuple[Figures, Figures]:
    """The low and the high ends of the 95% interval of each mean; ``rows`` are figures with their store.

    Args:
        rows: in an order that is always the same, or the ends are not.
        chance: makes a source of chance at its beginning; the strict figure, which not every row has, gets its own.

    Raises:
        ValueError: there is no row.
    """
    ends: dict[str, Interval] = {}
    plain = [name for name in Figures.__struct_fields__ if name != "strict"]
    stores = [store for store, _ in rows]
    columns = [[value for _, figures in rows if (value := _value(figures, name)) is not None] for name in plain]
    ends.update(zip(plain, intervals(stores, columns, chance()), strict=True))
    controlled = [(store, figures.strict) for store, figures in rows if figures.strict is not None]
    if controlled:
        stores = [store for store, _ in controlled]
        (ends["strict"],) = intervals(stores, [[value for _, value in controlled]], chance())
    return (
        _each(lambda name: ends[name].low if name in ends else None),
        _each(lambda name: ends[name].high if name in ends else None),
    )


def intervals(stores: Sequence[str], columns: Sequence[Sequence[float]], chance: Chance) -> tuple[Interval, ...]:
    """The 95% interval of each column's mean, by the percentile bootstrap (Efron, 1979).

    Questions of one store are not independent: where there are more than `FEW_STORES`, whole stores are drawn, else
    questions. All columns are drawn together.

    Args:
        stores: the store of each row.
        columns: values, one a row.
        chance: what draws.

    Raises:
        ValueError: there is no row.
    """
    if not stores:
        raise ValueError("nothing has no interval")
    by_store: dict[str, list[int]] = {}
    for row, store in enumerate(stores):
        by_store.setdefault(store, []).append(row)
    clusters = list(by_store.values()) if len(by_store) > FEW_STORES else [[row] for row in range(len(stores))]
    sizes = [len(cluster) for cluster in clusters]
    sums = [[math.fsum(column[row] for row in cluster) for cluster in clusters] for column in columns]
    means: list[list[float]] = [[] for _ in columns]
    for _ in range(RESAMPLES):
        drawn = chance.choices(range(len(clusters)), k=len(clusters))
        rows = sum(map(sizes.__getitem__, drawn))
        for totals, into in zip(sums, means, strict=True):
            into.append(math.fsum(map(totals.__getitem__, drawn)) / rows)
    return tuple(_ends(sorted(values)) for values in means)


def _ends(values: Sequence[float]) -> Interval:
    return Interval(values[int(_OUTSIDE * len(values))], values[int((1 - _OUTSIDE) * len(values)) - 1])


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _column(rows: Iterable[Figures], name: str) -> list[float]:
    return [value for figures in rows if (value := _value(figures, name)) is not None]


def _value(figures: Figures, name: str) -> float | None:
    value: float | None = getattr(figures, name)
    return value


def _each(value: Callable[[str], float | None]) -> Figures:
    found: dict[str, float | None] = {name: value(name) for name in Figures.__struct_fields__}
    return Figures(**found)  # type: ignore[arg-type]  # only `strict` can be absent
