"""Pairs over a floor are all found, in any order of the store, without a matrix of all by all."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import memory

from memhtml.domain.memory import MemoryPath
from memhtml.sleep import likeness
from memhtml.sleep.likeness import Pair, components, cosine, near

A, B, C, D = (MemoryPath(f"areas/{name}.html") for name in "abcd")
paths = st.sampled_from([A, B, C, D, *(MemoryPath(f"areas/{name}.html") for name in "efgh")])


def at(path: str, angle: float) -> likeness.Remembered:
    """A memory whose vector stands at this angle, in degrees."""
    return memory(path, vector=(math.cos(math.radians(angle)), math.sin(math.radians(angle))))


def test_pairs_at_the_floor_and_above_are_found() -> None:
    """Worked: 30 degrees are a cosine of 0.86603, 60 are 0.5, and the floor belongs to what is found."""
    store = [at(A, 0), at(B, 30), at(C, 60)]
    assert near(store, 0.86603, 5) == (Pair(A, B, 0.86603), Pair(B, C, 0.86603))
    assert near(store, 0.86604, 5) == ()
    assert near(store, 0.5, 5)[1] == Pair(A, C, 0.5)


def test_a_pair_counts_when_one_is_among_the_nearest_of_the_other() -> None:
    """The far one has but one neighbour to name, and names the nearest."""
    store = [at(A, 0), at(B, 10), at(C, 30)]
    assert [(pair.first, pair.second) for pair in near(store, 0.0, 1)] == [(A, B), (B, C)]


def test_of_equally_near_ones_the_first_in_path_order_count() -> None:
    """So that a store gives the same pairs on every machine."""
    store = [at(A, 0), at(B, 20), at(C, 20), at(D, 20)]
    assert [(pair.first, pair.second) for pair in near(store, 0.5, 1)] == [(A, B), (B, C), (B, D)]


@given(st.permutations([at(f"areas/{number}.html", 7.0 * number * number) for number in range(9)]))
def test_the_order_of_the_store_does_not_matter(store: list[likeness.Remembered]) -> None:
    """Shuffled, it gives the same pairs."""
    ordered = sorted(store, key=lambda one: one.path)
    assert near(store, 0.3, 3) == near(ordered, 0.3, 3)


@given(st.lists(st.floats(0, 360), min_size=2, max_size=12), st.floats(-1, 1))
def test_with_room_for_all_every_pair_over_the_floor_is_found(angles: list[float], floor: float) -> None:
    """Counted another way: each two, held against each other one by one."""
    store = [at(f"areas/{number:02}.html", angle) for number, angle in enumerate(angles)]
    wanted = [
        (one.path, other.path)
        for place, one in enumerate(store)
        for other in store[place + 1 :]
        if (cosine(one, other) or 0.0) >= floor
    ]
    found = near(store, floor, len(store))
    # A cosine that stands on the edge of the fifth decimal may be rounded either way.
    edge = {(pair.first, pair.second) for pair in found if abs(pair.cosine - floor) < 2e-5}
    assert {(pair.first, pair.second) for pair in found} ^ set(wanted) <= edge


def test_blocks_give_what_one_piece_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of more rows than a block has the same pairs with any size of block."""
    store = [at(f"areas/{number:03}.html", number * 1.7) for number in range(40)]
    whole = near(store, 0.9, 5)
    monkeypatch.setattr(likeness, "BLOCK", 7)
    assert near(store, 0.9, 5) == whole
    assert len(whole) > 40


def test_thousands_are_compared_in_little_memory() -> None:
    """3,000 memories: all cosines at once would be 36 MB of floats, and as much again for each copy."""
    chance = np.random.default_rng(7)
    store = [memory(f"areas/{number:04}.html", vector=row) for number, row in enumerate(chance.normal(size=(3000, 16)))]
    tracemalloc.start()
    pairs = near(store, 0.8, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert pairs
    assert peak < 24_000_000


def test_without_vectors_nothing_is_near() -> None:
    """And a store of one has nobody to be near to."""
    assert near([memory(A), memory(B)], -1.0, 5) == ()
    assert near([at(A, 0)], -1.0, 5) == ()
    assert near([at(A, 0), at(B, 0)], -1.0, 0) == ()
    assert cosine(at(A, 0), memory(B)) is None
    assert cosine(at(A, 0), at(B, 60)) == 0.5


@given(st.lists(st.tuples(paths, paths), max_size=14), st.randoms())
def test_components_part_the_members_whatever_the_order(
    pairs: list[tuple[MemoryPath, MemoryPath]], chance: object
) -> None:
    """Every end is in one group, both ends in the same, and shuffled or turned pairs change nothing."""
    groups = components(pairs)
    members = [member for group in groups for member in group]
    assert sorted(members) == sorted({end for pair in pairs for end in pair})
    assert all(any(first in group and second in group for group in groups) for first, second in pairs)
    turned = [(second, first) for first, second in pairs]
    chance.shuffle(turned)  # type: ignore[attr-defined]  # a random.Random
    assert components(turned) == groups


def test_no_more_is_joined_than_pairs_join() -> None:
    """Worked: two chains stay two, and no pairs have no groups."""
    assert components([(C, D), (A, B)]) == ((A, B), (C, D))
    assert components([(B, C), (A, B)]) == ((A, B, C),)
    assert components([]) == ()
