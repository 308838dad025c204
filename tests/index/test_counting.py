"""Counting what is used: the SQL says what the pure functions say."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memhtml.domain import cooldown, outcomes
from memhtml.domain.instants import of_datetime
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.index.counting import carry, merge, open_memory, reinforce
from memhtml.index.database import Kind, connect, migrate
from memhtml.index.state import Access, accesses, every_access

PATH = MemoryPath("areas/a.html")
OTHER = MemoryPath("areas/b.html")
START = datetime(2026, 3, 1, 10, 0, 0, tzinfo=UTC)
COUNTS = st.integers(0, 1000)
INSTANTS = st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-02", "2026-02-01T12:00:00Z"])
OUTCOMES = st.integers(-10_000, 10_000).map(lambda grid: grid / 10_000)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A state in memory, with a neighbour in it that must stay as it is."""
    opened = connect(":memory:")
    migrate(opened, Kind.STATE)
    open_memory(opened, MemoryPath("areas/neighbour.html"), Instant("2026-03-01T10:00:00Z"))
    yield opened
    neighbour = accesses(opened, [MemoryPath("areas/neighbour.html")])
    opened.close()
    assert [access.opens for access in neighbour.values()] == [1]


def at(seconds: int) -> Instant:
    """An instant so long after the start."""
    return of_datetime(START + timedelta(seconds=seconds))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([0, 1, 898, 899, 900, 901, 5000, -1, -900]), max_size=12))
@example([899])
@example([900])
@example([901])
@example([-1])
@example([5000, -5000, 0])
def test_opens_count_as_the_pure_function_says(connection: sqlite3.Connection, pauses: list[int]) -> None:
    """At 899, 900 and 901 seconds, after any history, and with a clock that goes back."""
    connection.execute("DELETE FROM access WHERE path = ?", (PATH,))
    now, opens, last, updated = 0, 0, None, at(0)
    for pause in [0, *pauses]:
        now += pause
        counted = cooldown.counts(last, at(now))
        got = open_memory(connection, PATH, at(now))
        if counted:
            opens, last, updated = opens + 1, at(now), max(updated, at(now))
            assert got == Access(PATH, opens=opens, last_opened=last, updated=updated)
        else:
            assert got is None
    assert accesses(connection, [PATH])[PATH].opens == opens


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from([899, 900, 901, -1, -5000]), OUTCOMES), min_size=1, max_size=12))
@example([(900, -0.0001), (900, -0.0001), (900, 0.0)])
@example([(900, 1.0), (-5000, -1.0)])
def test_outcomes_move_as_the_pure_function_says(
    connection: sqlite3.Connection, steps: list[tuple[int, float]]
) -> None:
    """On the grid, rounded down also below zero, and only when it counts."""
    connection.execute("DELETE FROM access WHERE path = ?", (PATH,))
    now, score, last = 0, 0, None
    for pause, outcome in steps:
        now += pause
        counted = cooldown.counts(last, at(now))
        got = reinforce(connection, PATH, outcome, at(now))
        assert (got is not None) is counted
        if counted:
            last, score = at(now), outcomes.moved_outcome(score, outcomes.on_grid(outcome))
            assert got is not None
            assert got.outcome == score / 10_000
            assert got.last_reinforced == last


def test_a_clock_that_ran_ahead_once_stalls_nothing(connection: sqlite3.Connection) -> None:
    """What counts after it counts as of its own time, and cools down from there; a merge keeps the later outcome."""
    ahead = Instant("2099-01-01T00:00:00Z")
    before = reinforce(connection, PATH, 1.0, ahead)
    assert before is not None
    after = reinforce(connection, PATH, -1.0, at(0))
    assert after == Access(PATH, 0, 2, -0.09, None, at(0), ahead)
    assert reinforce(connection, PATH, 1.0, at(899)) is None
    assert open_memory(connection, PATH, ahead) is not None
    opened = open_memory(connection, PATH, at(0))
    assert opened is not None
    assert (opened.opens, opened.last_opened) == (2, at(0))


def test_opens_and_reinforcements_cool_down_apart(connection: sqlite3.Connection) -> None:
    """An open that counted keeps no reinforcement from counting, nor one path another."""
    assert open_memory(connection, PATH, at(0)) is not None
    both = reinforce(connection, PATH, 1.0, at(1))
    assert both == Access(PATH, 1, 1, 0.3, at(0), at(1), at(1))
    assert open_memory(connection, OTHER, at(1)) is not None
    assert open_memory(connection, PATH, at(2)) is None
    assert reinforce(connection, PATH, 1.0, at(2)) is None
    assert accesses(connection, [PATH]) == {PATH: both}


def test_an_outcome_outside_its_range_is_refused(connection: sqlite3.Connection) -> None:
    """And nothing is counted."""
    with pytest.raises(ValueError, match="from -1 to 1"):
        reinforce(connection, PATH, 1.5, at(0))
    assert accesses(connection, [PATH]) == {}


ROWS = st.builds(Access, st.sampled_from([PATH, OTHER]), COUNTS, COUNTS, OUTCOMES, INSTANTS | st.none(),
                 INSTANTS | st.none(), INSTANTS)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ROWS, max_size=6), st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_order_or_repetition(
    connection: sqlite3.Connection, rows: list[Access], chance: Random
) -> None:
    """Counters and instants by maximum, the outcome of the later row."""
    shuffled = [*rows, *rows]
    chance.shuffle(shuffled)
    results = []
    for order in (rows, shuffled):
        connection.execute("DELETE FROM access WHERE path IN (?, ?)", (PATH, OTHER))
        merge(connection, order)
        results.append(accesses(connection, [PATH, OTHER]))
    assert results[0] == results[1]
    for path, access in results[0].items():
        mine = [row for row in rows if row.path == path]
        assert access.opens == max(row.opens for row in mine)
        assert access.updated == max(str(row.updated) for row in mine)
        assert access.outcome in [row.outcome for row in mine if row.updated == access.updated]


def test_a_move_takes_the_row_along_and_merges_it_where_there_is_one(connection: sqlite3.Connection) -> None:
    """Done twice it does nothing more; what was never used has nothing to carry."""
    open_memory(connection, PATH, at(0))
    open_memory(connection, OTHER, at(5000))
    reinforce(connection, OTHER, 1.0, at(5000))
    for _ in range(2):
        carry(connection, [(PATH, OTHER), (MemoryPath("areas/none.html"), MemoryPath("areas/new.html"))])
        assert accesses(connection, [PATH, OTHER]) == {OTHER: Access(OTHER, 1, 1, 0.3, at(5000), at(5000), at(5000))}


def test_two_memories_that_change_places_change_rows(connection: sqlite3.Connection) -> None:
    """All are taken up before any is put down."""
    open_memory(connection, PATH, at(0))
    open_memory(connection, OTHER, at(5000))
    carry(connection, [(PATH, OTHER), (OTHER, PATH)])
    assert {path: access.last_opened for path, access in accesses(connection, [PATH, OTHER]).items()} == {
        PATH: at(5000),
        OTHER: at(0),
    }


def test_every_row_comes_in_path_order(connection: sqlite3.Connection) -> None:
    """For the sidecar."""
    open_memory(connection, OTHER, at(0))
    open_memory(connection, PATH, at(0))
    assert [access.path for access in every_access(connection)] == [PATH, OTHER, "areas/neighbour.html"]
