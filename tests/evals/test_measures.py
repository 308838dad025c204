"""Figures of rankings: worked examples, laws, and the intervals of their means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.evals.measures import (
    FEW_STORES,
    RESAMPLES,
    Figures,
    Interval,
    hit,
    intervals,
    mean,
    measured,
    ndcg,
    ranks,
    recall,
    reciprocal_rank,
    spread,
    strict,
)

Item = TypeVar("Item")
NAMES = tuple(Figures.__struct_fields__)
DOCUMENTS = [f"d{number}" for number in range(30)]
rankings = st.lists(st.sampled_from(DOCUMENTS), unique=True)
some = st.sets(st.sampled_from(DOCUMENTS), min_size=1, max_size=12)


class Turns:
    """Chance that draws the same places each time: the ``step``-th after another, round and round."""

    def __init__(self, step: int = 1) -> None:
        self._step = step
        self._at = 0
        self.drawn: list[int] = []

    def choices(self, population: Sequence[Item], *, k: int) -> list[Item]:
        """The next ``k``."""
        found = [population[(self._at + place * self._step) % len(population)] for place in range(k)]
        self._at += 1
        self.drawn.append(k)
        return found


class Fixed:
    """Chance that draws one place for all of a draw, and the next one each time."""

    def __init__(self) -> None:
        self._at = -1

    def choices(self, population: Sequence[Item], *, k: int) -> list[Item]:
        """``k`` times the same one."""
        self._at += 1
        return [population[self._at % len(population)]] * k


def values(figures: Figures) -> tuple[float | None, ...]:
    """All figures, in order."""
    return tuple(getattr(figures, name) for name in NAMES)


def test_worked_example() -> None:
    """Three right ones at ranks 2 and 11, one missing; a control above the first of them."""
    ranked = ["x", "g1", *(f"y{number}" for number in range(8)), "g2"]
    assert measured(ranked, ["g1", "g2", "g3"], ["x"]) == Figures(
        hit_at_1=0.0,
        hit_at_5=1.0,
        hit_at_10=1.0,
        recall_at_10=1 / 3,
        all_at_10=0.0,
        mrr=0.5,
        ndcg_at_10=(1 / math.log2(3)) / (1 + 1 / math.log2(3) + 1 / math.log2(4)),
        strict=0.0,
    )


def test_each_figure_looks_as_far_as_its_name_says() -> None:
    """A right one at ranks 1, 2, 5, 6, 10 and 11."""
    found = {rank: measured([*DOCUMENTS[: rank - 1], "right"], ["right"]) for rank in (1, 2, 5, 6, 10, 11)}
    assert [found[rank].hit_at_1 for rank in found] == [1, 0, 0, 0, 0, 0]
    assert [found[rank].hit_at_5 for rank in found] == [1, 1, 1, 0, 0, 0]
    assert [found[rank].hit_at_10 for rank in found] == [1, 1, 1, 1, 1, 0]
    assert [found[rank].recall_at_10 for rank in found] == [1, 1, 1, 1, 1, 0]
    assert [found[rank].all_at_10 for rank in found] == [1, 1, 1, 1, 1, 0]
    assert [found[rank].mrr for rank in found] == [1, 1 / 2, 1 / 5, 1 / 6, 1 / 10, 1 / 11]
    assert [round(found[rank].ndcg_at_10, 4) for rank in found] == [1, 0.6309, 0.3869, 0.3562, 0.2891, 0]


def test_nothing_returned_is_worth_nothing() -> None:
    """Neither a hit nor a win, also over controls that were not returned either."""
    assert values(measured([], ["a"], ["b"])) == (0.0,) * 8
    assert measured([], ["a"]).strict is None


def test_without_a_right_one_there_are_no_figures() -> None:
    """A question that nothing answers cannot be scored."""
    with pytest.raises(ValueError, match=r"^a ranking without a right one has no figures$"):
        measured(["a"], [])


def test_what_is_named_twice_counts_once() -> None:
    """Among the right ones as in the ranking, where it counts where it is first."""
    assert measured(["a", "a", "b"], ["b", "b"]).mrr == 0.5
    assert ranks(["b", "a", "b"], {"b"}) == (1,)
    assert measured(["b"], ["b", "b"]).recall_at_10 == 1.0


def test_parts_of_figures_by_themselves() -> None:
    """At the edge, one beyond it, and with nothing found."""
    assert (hit([5, 9], 5), hit([6], 5), hit([], 5)) == (1.0, 0.0, 0.0)
    assert (recall([1, 3, 4], 4, 3), recall([], 2, 3)) == (0.5, 0.0)
    assert (reciprocal_rank([4, 9]), reciprocal_rank([])) == (0.25, 0.0)
    assert (ndcg([1, 2, 3], 30, 3), ndcg([4], 1, 3), ndcg([], 2, 3)) == (1.0, 0.0, 0.0)
    assert ndcg([1], 2, 1) == 1.0


@pytest.mark.parametrize(
    ("ranked", "won"),
    [
        (["g", "w"], 1.0),
        (["w", "g"], 0.0),
        (["g"], 1.0),
        (["w"], 0.0),
        (["x"], 0.0),
        ([], 0.0),
        (["x", "h", "w", "g"], 1.0),
        (["v", "g", "w"], 0.0),
    ],
)
def test_a_strict_win_is_over_every_control(ranked: list[str], won: float) -> None:
    """Absent controls have lost, an absent right one has lost to everything; one right one above them all is enough."""
    assert strict(ranked, {"g", "h"}, ["w", "v"]) == won


def test_a_control_that_is_right_is_none() -> None:
    """It cannot beat itself; alone it leaves nothing to win against."""
    assert strict(["w", "g"], {"g", "w"}, ["w"]) is None
    assert strict(["w", "v"], {"g", "w"}, ["w", "v"]) == 1.0


@given(rankings, some, st.sets(st.sampled_from(DOCUMENTS)))
def test_every_figure_lies_between_nothing_and_one(ranked: list[str], gold: set[str], controls: set[str]) -> None:
    """And the ones that look further are not smaller."""
    found = measured(ranked, gold, controls)
    assert all(value is None or 0.0 <= value <= 1.0 for value in values(found))
    assert found.hit_at_1 <= found.hit_at_5 <= found.hit_at_10
    assert found.all_at_10 <= found.recall_at_10
    assert found.hit_at_1 <= found.mrr
    assert (found.strict is None) == (controls <= gold)


@given(rankings, some, st.data())
def test_moving_a_right_one_up_lowers_nothing(ranked: list[str], gold: set[str], data: st.DataObject) -> None:
    """One place up past a wrong one: every figure stays or rises."""
    places = [place for place in range(1, len(ranked)) if ranked[place] in gold and ranked[place - 1] not in gold]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = [*ranked[: place - 1], ranked[place], ranked[place - 1], *ranked[place + 1 :]]
    wrong = set(ranked) - gold
    pairs = zip(values(measured(better, gold, wrong)), values(measured(ranked, gold, wrong)), strict=True)
    assert all(new is None or (old is not None and new >= old - 1e-12) for new, old in pairs)


@given(rankings, some)
def test_the_best_ranking_has_all_that_can_be_had(ranked: list[str], gold: set[str]) -> None:
    """Right ones first: 1.0 but for the recall of more than fit."""
    found = measured([*sorted(gold), *(one for one in ranked if one not in gold)], gold, ["wrong"])
    assert (found.hit_at_1, found.mrr, found.strict) == (1.0, 1.0, 1.0)
    assert found.ndcg_at_10 == pytest.approx(1.0)
    assert found.recall_at_10 == min(10, len(gold)) / len(gold)
    assert found.all_at_10 == float(len(gold) <= 10)


def test_means_are_over_those_that_have_the_figure() -> None:
    """Two of three questions have controls."""
    rows = [measured(["g"], ["g"], ["w"]), measured(["w", "g"], ["g"], ["w"]), measured([], ["g"])]
    found = mean(rows)
    assert (found.hit_at_1, found.hit_at_5, found.mrr, found.strict) == (1 / 3, 2 / 3, 0.5, 0.5)
    assert mean(rows[2:]).strict is None


def test_nothing_has_neither_mean_nor_interval() -> None:
    """An empty set of questions is an error, not a zero."""
    with pytest.raises(ValueError, match=r"^nothing has no mean$"):
        mean([])
    with pytest.raises(ValueError, match=r"^nothing has no interval$"):
        intervals([], [[]], Turns())
    with pytest.raises(ValueError, match=r"^nothing has no interval$"):
        spread([], Turns)


def test_an_interval_is_cut_at_both_ends_of_the_sorted_means() -> None:
    """A thousand draws with the means 0 to 999: 25 lie below, 25 above."""
    column = [float(number) for number in range(RESAMPLES)]
    (found,) = intervals(["s"] * RESAMPLES, [column], Fixed())
    assert found == Interval(25.0, 974.0)


def test_whole_stores_are_drawn_where_there_are_more_than_a_few() -> None:
    """Of five stores with one and with three questions, each question counts the same; of four, questions are drawn."""
    stores = ["a", "b", "b", "b", "c", "d", "e"]
    column = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert len(set(stores)) == FEW_STORES + 1
    turns = Turns()
    (found,) = intervals(stores, [column], turns)
    assert turns.drawn == [5] * RESAMPLES
    assert (found.low, found.high) == (2 / 7, 2 / 7)
    (found,) = intervals(stores, [column], Fixed())
    assert (found.low, found.high) == (0.0, 1.0)
    turns = Turns()
    intervals(stores[:-1], [column[:-1]], turns)
    assert turns.drawn == [6] * RESAMPLES


def test_a_store_of_many_questions_weighs_as_many() -> None:
    """Draws of one store each: the mean of its questions; of two, that of all of them."""

    class Two(Fixed):
        def choices(self, population: Sequence[Item], *, k: int) -> list[Item]:
            return [population[0], population[1], *super().choices(population[:2], k=k - 2)][:2]

    stores = ["a", "b", "b", "b", "c", "d", "e"]
    (found,) = intervals(stores, [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], Two())
    assert (found.low, found.high) == (0.25, 0.25)


def test_columns_are_drawn_together_and_stay_apart() -> None:
    """The interval of a column is the one that it has alone, from the same chance."""
    chance = Random(3)
    columns = [[chance.random() for _ in range(40)] for _ in range(3)]
    stores = ["s"] * 40
    together = intervals(stores, columns, Random(7))
    assert together == tuple(intervals(stores, [column], Random(7))[0] for column in columns)
    assert len(set(together)) == 3


def test_an_interval_surrounds_its_mean_and_narrows_with_more_questions() -> None:
    """Forty fair coins, then four hundred: near the normal approximation of both."""
    few = intervals(["s"] * 40, [[0.0, 1.0] * 20], Random(7))[0]
    many = intervals(["s"] * 400, [[0.0, 1.0] * 200], Random(7))[0]
    assert few.low == pytest.approx(0.5 - 1.96 * 0.5 / math.sqrt(40), abs=0.03)
    assert few.high == pytest.approx(0.5 + 1.96 * 0.5 / math.sqrt(40), abs=0.03)
    assert many.high - many.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(400), abs=0.02)


def test_the_spread_of_the_strict_figure_is_that_of_the_questions_that_have_it() -> None:
    """Each of the two gets its own chance, from its beginning, so that neither depends on the other."""
    chance = Random(5)
    rows = [("s", measured(chance.sample(DOCUMENTS, 12), DOCUMENTS[:3], DOCUMENTS[5 : 5 + n % 2])) for n in range(60)]
    low, high = spread(rows, lambda: Random(7))
    controlled = [row.strict for _, row in rows if row.strict is not None]
    assert len(controlled) == 30
    ((strict_low, strict_high),) = [(one.low, one.high) for one in intervals(["s"] * 30, [controlled], Random(7))]
    assert (low.strict, high.strict) == (strict_low, strict_high)
    for name in NAMES[:-1]:
        column = [getattr(row, name) for _, row in rows]
        (found,) = intervals(["s"] * 60, [column], Random(7))
        assert (getattr(low, name), getattr(high, name)) == (found.low, found.high)


def test_without_controls_there_is_no_strict_interval() -> None:
    """And whole stores are drawn for the rest, where there are many."""
    rows = [(f"s{number}", measured(["g"] if number else [], ["g"])) for number in range(6)]
    low, high = spread(rows, Fixed)
    assert (low.strict, high.strict) == (None, None)
    assert (low.mrr, high.mrr) == (0.0, 1.0)


def test_the_same_questions_have_the_same_intervals() -> None:
    """Literal ends, of a seed: they are those of every machine."""
    rows = [("s", measured(DOCUMENTS[number % 7 :], DOCUMENTS[8:10], DOCUMENTS[3:6])) for number in range(25)]
    low, high = spread(rows, lambda: Random(7))
    assert (round(low.mrr, 6), round(high.mrr, 6)) == (0.154921, 0.210365)
