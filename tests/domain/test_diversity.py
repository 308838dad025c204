"""Diversity picks from a ranking, and neither repeats nor reorders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.diversity import diversify

members = st.lists(st.integers(0, 99), unique=True, max_size=14)
shares = st.floats(0, 1)


def alike(one: float, other: float) -> float:
    """Members of one ten say the same; neighbouring tens are half alike."""
    return {0: 1.0, 1: 0.5}.get(abs(one // 10 - other // 10), 0.0)


def strangers(_one: object, _other: object) -> float:
    """Nothing is like anything."""
    return 0.0


@given(members, st.integers(0, 20), shares)
def test_a_subsequence_without_repeats_comes_back(ranking: list[int], limit: int, share: float) -> None:
    """As many as were asked for, or all; in the order in which they were ranked."""
    picked = diversify(ranking, alike, limit, share)
    assert len(picked) == min(limit, len(ranking)) == len(set(picked))
    assert list(picked) == [member for member in ranking if member in set(picked)]


@given(members.filter(bool), st.integers(1, 20), st.floats(0.01, 1))
def test_the_best_is_always_picked(ranking: list[int], limit: int, share: float) -> None:
    """Nothing was picked before it that it could be like."""
    assert diversify(ranking, alike, limit, share)[0] == ranking[0]


@given(members, st.integers(0, 20))
def test_relevance_alone_picks_the_first(ranking: list[int], limit: int) -> None:
    """With a share of 1, and among strangers."""
    assert diversify(ranking, alike, limit, 1.0) == tuple(ranking[:limit])
    assert diversify(ranking, strangers, limit) == tuple(ranking[:limit])


def test_a_choice_worked_out() -> None:
    """After 10, its twin 11 has ½·60/61 - ½ < 0, the half-like 20 has ½·60/62 - ¼ and the stranger 50 ½·60/63."""
    assert diversify([10, 11, 20, 50], alike, 2) == (10, 50)
    assert diversify([10, 11, 20, 50], alike, 3) == (10, 20, 50)


def test_relevance_outweighs_being_half_alike() -> None:
    """The second, half like the first, has ½·60/61 - ¼ = .242; the stranger at place 121 has ½·60/181 = .166."""
    twins = [10 + number / 1000 for number in range(1, 120)]
    assert diversify([10, 20, *twins, 50], alike, 2) == (10, 20)


def test_novelty_alone_spreads_out() -> None:
    """With a share of 0 equal ones go by rank, and likeness to the nearest of those picked counts, not to the last."""
    assert diversify([10, 50, 11, 20, 90], alike, 3, 0.0) == (10, 50, 90)
    assert diversify([10, 50, 51, 12, 20], alike, 3, 0.0) == (10, 50, 20)


def test_a_later_twin_does_not_forgive_an_earlier_one() -> None:
    """Being like one of those picked is enough, however far the others are."""
    assert diversify([10, 50, 11, 60], alike, 3) == (10, 50, 60)


def test_what_fits_is_left_alone() -> None:
    """Nothing to choose, nothing asked for, and no member compared."""

    def never(one: object, other: object) -> float:
        raise AssertionError((one, other))

    assert diversify([1, 2, 3], never, 3) == (1, 2, 3)
    assert diversify([], never, 3) == ()
    assert diversify([1, 2, 3], never, 0) == ()


@pytest.mark.parametrize("share", [-0.01, 1.01])
def test_a_share_outside_the_whole_is_refused(share: float) -> None:
    """It would reward likeness, or irrelevance."""
    with pytest.raises(ValueError, match="part of the whole"):
        diversify([1, 2], alike, 1, share)
