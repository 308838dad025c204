"""Chance is arithmetic: the same seed gives the same choices wherever it runs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.evals.chance import Chance

SEEDS = st.integers(-(2**70), 2**70)


def test_the_stream_is_the_published_one() -> None:
    """The first numbers of SplitMix64 for the seed 1234567, as its authors' code prints them."""
    chance = Chance(1234567)
    assert [chance.below(2**64) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(SEEDS, st.integers(1, 1000))
def test_a_number_is_below_its_bound(seed: int, bound: int) -> None:
    """And never negative, for any seed."""
    chance = Chance(seed)
    assert all(0 <= chance.below(bound) < bound for _ in range(20))


@given(SEEDS, st.lists(st.integers(), max_size=30))
def test_shuffling_keeps_everything(seed: int, given_numbers: list[int]) -> None:
    """Each as often as before; and the list that was given stays as it was."""
    before = list(given_numbers)
    assert sorted(Chance(seed).shuffled(given_numbers)) == sorted(before)
    assert given_numbers == before


@given(SEEDS)
def test_one_seed_is_one_stream(seed: int) -> None:
    """However the numbers are taken from it."""
    one, other = Chance(seed), Chance(seed)
    assert [one.pick("abcdefgh") for _ in range(9)] == ["abcdefgh"[other.below(8)] for _ in range(9)]


def test_everything_can_be_picked_and_come_first() -> None:
    """No place of a list is out of reach."""
    chance = Chance(7)
    assert {chance.pick("abc") for _ in range(60)} == {"a", "b", "c"}
    assert {chance.shuffled("abc")[0] for _ in range(60)} == {"a", "b", "c"}
    assert Chance(7).shuffled("") == []
