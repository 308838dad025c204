"""Retention: weights that add up, boundaries that belong to the lower band, signals that stay in range."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from memhtml.domain import retention
from memhtml.domain.retention import Band, Signals
from memhtml.domain.vocabulary import MemoryType

kinds = st.sampled_from(MemoryType)
unit = st.floats(0, 1)
signals = st.builds(Signals, *[unit] * 8)
finite = st.floats(-1e9, 1e9)


def neumaier(numbers: tuple[float, ...]) -> float:
    """Kahan's compensated sum as Neumaier improved it: another way than fsum to the same promise."""
    total = correction = 0.0
    for number in numbers:
        added = total + number
        correction += (total - added) + number if abs(total) >= abs(number) else (number - added) + total
        total = added
    return total + correction


@pytest.mark.parametrize("kind", MemoryType)
def test_the_weights_of_every_type_add_up_to_exactly_one(kind: MemoryType) -> None:
    """By two compensated sums, in any direction; none is negative."""
    row = astuple(retention.weights(kind))
    assert math.fsum(row) == 1.0
    assert neumaier(row) == neumaier(row[::-1]) == 1.0
    assert min(row) >= 0


def test_the_weights_are_those_of_the_design() -> None:
    """Every number of the table, in hundredths."""
    written = {
        MemoryType.EPISODIC: (25, 15, 10, 10, 10, 10, 10, 10),
        MemoryType.SEMANTIC: (5, 15, 20, 20, 15, 10, 10, 5),
        MemoryType.PROCEDURAL: (0, 20, 15, 15, 10, 20, 10, 10),
        MemoryType.ARC: (10, 10, 15, 15, 15, 15, 10, 10),
        MemoryType.ERROR_PATTERN: (20, 15, 10, 5, 5, 20, 10, 15),
    }
    others = (15, 15, 15, 15, 10, 10, 10, 10)
    for kind in MemoryType:
        assert astuple(retention.weights(kind)) == tuple(n / 100 for n in written.get(kind, others))
    assert list(Signals.__struct_fields__) == [
        *["recency", "access", "confidence", "pagerank"],
        *["bridge", "reinforcement", "density", "uncontested"],
    ]


@given(kinds, signals)
def test_a_score_is_between_nothing_and_everything(kind: MemoryType, given_signals: Signals) -> None:
    """In [0, 1], on a grid of four decimals."""
    value = retention.score(kind, given_signals)
    assert 0.0 <= value <= 1.0
    assert value == round(value, 4)


@given(kinds, signals, st.sampled_from(Signals.__struct_fields__), unit)
def test_a_higher_signal_never_lowers_the_score(kind: MemoryType, low: Signals, name: str, other: float) -> None:
    """Every signal is a reason to keep."""
    high = replace(low, **{name: max(getattr(low, name), other)})
    assert retention.score(kind, high) >= retention.score(kind, low)


@pytest.mark.parametrize("kind", MemoryType)
def test_all_and_nothing(kind: MemoryType) -> None:
    """Every signal full is exactly 1; every signal empty, exactly 0."""
    assert retention.score(kind, Signals(*[1.0] * 8)) == 1.0
    assert retention.score(kind, Signals(*[0.0] * 8)) == 0.0


def test_a_score_worked_out() -> None:
    """An episodic memory ten days old, opened twice, confident, barely linked, short and uncontested.

    .25·.5 + .15·.2 + .1·.9 + .1·.25 + .1·.4 + .1·.6 + .1·.45 + .1·1 = .515
    """
    given_signals = Signals(
        recency=retention.recency(MemoryType.EPISODIC, 10),
        access=retention.access(2),
        confidence=retention.confidence(0.9),
        pagerank=retention.pagerank(0.01, 0.04),
        bridge=retention.bridge(2),
        reinforcement=retention.reinforcement(3),
        density=retention.density(9),
        uncontested=retention.uncontested(0),
    )
    assert given_signals == Signals(0.5, 0.2, 0.9, 0.25, 0.4, 0.6, 0.45, 1.0)
    assert retention.score(MemoryType.EPISODIC, given_signals) == 0.515


def test_each_signal_counts_by_its_own_weight() -> None:
    """One full signal alone scores its weight: none is taken for its neighbour."""
    for kind in MemoryType:
        for name in Signals.__struct_fields__:
            alone = replace(Signals(*[0.0] * 8), **{name: 1.0})
            assert retention.score(kind, alone) == getattr(retention.weights(kind), name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *[(0.0, Band.EVICT), (0.3, Band.EVICT), (0.3001, Band.COMPRESS)],
        *[(0.5, Band.COMPRESS), (0.7, Band.COMPRESS), (0.7001, Band.KEEP), (1.0, Band.KEEP)],
    ],
)
def test_a_boundary_belongs_to_the_lower_band(value: float, expected: Band) -> None:
    """0.7 is compressed and 0.3 is evicted; one step of the grid above is the next band."""
    assert retention.band(value) is expected


@given(unit, unit)
def test_bands_are_in_order(one: float, other: float) -> None:
    """A higher score never has a lower band."""
    order = [Band.EVICT, Band.COMPRESS, Band.KEEP]
    low, high = sorted([one, other])
    assert order.index(retention.band(low)) <= order.index(retention.band(high))


@given(kinds, finite, finite)
def test_recency_fades_and_stays_in_range(kind: MemoryType, one: float, other: float) -> None:
    """Older is never more recent."""
    young, old = sorted([one, other])
    assert 0.0 <= retention.recency(kind, old) <= retention.recency(kind, young) <= 1.0


def test_half_lives_are_those_of_the_design() -> None:
    """Half after one, a quarter after two; procedures and tasks do not age; the future is now."""
    days = {MemoryType.EPISODIC: 10, MemoryType.ERROR_PATTERN: 14, MemoryType.ARC: 30, MemoryType.SEMANTIC: 90}
    for kind in set(MemoryType) - {MemoryType.PROCEDURAL, MemoryType.TASK}:
        half = days.get(kind, 30)
        assert retention.recency(kind, half) == 0.5
        assert retention.recency(kind, 2 * half) == 0.25
        assert retention.recency(kind, 0) == retention.recency(kind, -3) == 1.0
    assert retention.recency(MemoryType.PROCEDURAL, 36_500) == retention.recency(MemoryType.TASK, 36_500) == 1.0
    assert math.isclose(retention.recency(MemoryType.SEMANTIC, 7), math.exp(-math.log(2) * 7 / 90))


@given(st.integers(-3, 400), st.integers(-3, 400))
def test_counts_give_shares_that_grow_up_to_one(one: int, other: int) -> None:
    """Never below 0, never above 1, and more is never less; for contradictions the other way round."""
    low, high = sorted([one, other])
    for signal in (retention.access, retention.bridge, retention.reinforcement):
        assert 0.0 <= signal(low) <= signal(high) <= 1.0
    assert 1.0 >= retention.uncontested(low) >= retention.uncontested(high) >= 0.0
    assert 0.0 <= retention.density(low) <= 1.0


def test_shares_worked_out() -> None:
    """Ten opens, five bridges, five supports and three contradictions are the full measure."""
    assert [retention.access(n) for n in (0, 1, 9, 10, 11)] == [0.0, 0.1, 0.9, 1.0, 1.0]
    assert [retention.bridge(n) for n in (0, 1, 4, 5, 6)] == [0.0, 0.2, 0.8, 1.0, 1.0]
    assert [retention.reinforcement(n) for n in (0, 1, 4, 5, 6)] == [0.0, 0.2, 0.8, 1.0, 1.0]
    assert [round(retention.uncontested(n), 4) for n in (0, 1, 2, 3, 4)] == [1.0, 0.6667, 0.3333, 0.0, 0.0]
    assert [retention.density(n) for n in (0, 1, 9, 10, 50, 99, 100, 101)] == [0, 0.05, 0.45, 0.1, 0.5, 0.99, 1, 1]
    assert [retention.confidence(n) for n in (-1.0, 0.0, 0.35, 1.0, 2.0)] == [0.0, 0.0, 0.35, 1.0, 1.0]


def test_rank_is_relative_to_the_highest() -> None:
    """The highest has 1; where nobody has a rank, nobody has a share."""
    assert [retention.pagerank(rank, 0.08) for rank in (0.0, 0.02, 0.08)] == [0.0, 0.25, 1.0]
    assert retention.pagerank(0.0, 0.0) == 0.0
    assert retention.pagerank(0.5, 0.5) == 1.0


def reprieve(importance: int = 1, opens: int = 0, outcome: float = 0.0, hours: float | None = None) -> float:
    """The score with everything else at its least."""
    return retention.reprieve_score(importance=importance, opens=opens, outcome=outcome, hours_since_access=hours)


def test_a_reprieve_worked_out() -> None:
    """.4·8/10 + .3·ln 4 + .2·.5 + .1·e^-1 = .872676."""
    assert round(reprieve(8, 3, 0.5, 100.0), 6) == 0.872676
    assert round(reprieve(8, 3, -0.5, 100.0), 6) == 0.772676
    assert round(reprieve(8, 3, 0.5, None), 6) == 0.835888
    assert round(reprieve(8, 3, 0.5, 0.0), 6) == round(reprieve(8, 3, 0.5, -9.0), 6) == 0.935888


@given(st.integers(1, 10), st.integers(0, 10**6), st.floats(-1, 1), st.floats(0, 1e6))
def test_use_never_counts_against_a_memory(importance: int, opens: int, outcome: float, hours: float) -> None:
    """More opens, a better outcome, a later access: never a lower score; the least is what importance gives."""
    value = reprieve(importance, opens, outcome, hours)
    assert value >= reprieve(importance) == 0.4 * importance / 10
    assert reprieve(importance, opens + 1, outcome, hours) > value
    assert reprieve(importance, opens, 1.0, hours) >= value
    assert reprieve(importance, opens, outcome, hours / 2) >= value >= reprieve(importance, opens, outcome, None)


def test_reprieves_end() -> None:
    """From 0.5 on, three times, fourteen days each."""
    assert [retention.reprieved(value, 0) for value in (0.4999, 0.5, 3.0)] == [False, True, True]
    assert [retention.reprieved(0.9, times) for times in (0, 1, 2, 3, 4)] == [True, True, True, False, False]
    assert retention.REPRIEVE_DAYS == 14
