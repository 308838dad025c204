"""Cutting to the window and grouping into runs: nothing lost, nothing padded, no order felt."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.models.windows import BATCH_TOKENS, ROOM, WINDOW, batches, cut


@given(st.lists(st.integers(), max_size=900), st.integers(1, 300))
def test_no_token_is_lost_and_none_is_moved(ids: list[int], room: int) -> None:
    """The runs put one after the other are the ids again."""
    assert [number for run in cut(ids, room) for number in run] == ids


@given(st.lists(st.integers(), max_size=900), st.integers(1, 300))
def test_runs_fit_the_room_and_are_even(ids: list[int], room: int) -> None:
    """As few as will do, none longer than the room, and no short last one."""
    lengths = [len(run) for run in cut(ids, room)]
    assert max(lengths) <= room
    assert max(lengths) - min(lengths) <= 1
    assert len(lengths) == max(1, -(-len(ids) // room))


def test_three_windows_worked_out() -> None:
    """600 tokens over a room of 254 are three runs of 200; one more makes the first 201."""
    assert ROOM == 254
    assert WINDOW == 256
    assert [len(run) for run in cut(range(600))] == [200, 200, 200]
    assert [len(run) for run in cut(range(601))] == [201, 200, 200]
    assert [len(run) for run in cut(range(254))] == [254]
    assert [len(run) for run in cut(range(255))] == [128, 127]


def test_no_tokens_are_one_empty_run() -> None:
    """A text without a word still gets a vector."""
    assert [list(run) for run in cut([])] == [[]]


@given(st.lists(st.integers(0, 40), max_size=80), st.integers(1, 200))
def test_every_position_is_run_once_in_a_group_of_one_length(lengths: list[int], budget: int) -> None:
    """Groups part the positions; no group mixes lengths, and none of two or more goes over the budget."""
    groups = list(batches(lengths, budget))
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        assert len({lengths[position] for position in group}) == 1
        assert len(group) == 1 or sum(lengths[position] for position in group) <= budget


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.data())
def test_the_order_of_two_positions_does_not_depend_on_others(lengths: list[int], data: st.DataObject) -> None:
    """Dropping texts from a call leaves the rest in their order, so the pieces of a text add up the same."""
    kept = sorted(data.draw(st.sets(st.integers(0, len(lengths) - 1), min_size=1)))
    order = [position for group in batches(lengths, 20) for position in group]
    alone = [kept[position] for group in batches([lengths[k] for k in kept], 20) for position in group]
    assert alone == [position for position in order if position in set(kept)]


def test_a_run_holds_at_most_the_budget() -> None:
    """Ten texts of 256 tokens over 1,024 are runs of four; nine of nothing are one run."""
    assert BATCH_TOKENS == 1024
    assert [len(group) for group in batches([256] * 10)] == [4, 4, 2]
    assert [len(group) for group in batches([5] * 205)] == [204, 1]
    assert list(batches([0] * 9)) == [list(range(9))]
    assert list(batches([9, 9], budget=4)) == [[0], [1]]


def test_nothing_to_run_is_no_run() -> None:
    """No lengths, no groups."""
    assert list(batches([])) == []
