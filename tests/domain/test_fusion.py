"""Fusion: lower ranks earn less, the order of the arms does not count, and scores join without losing their sizes."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.fusion import Joined, Ranking, Scored, fuse, join, ranked
from memhtml.domain.memory import MemoryPath

A, B, C, D = (MemoryPath(f"areas/{letter}.html") for letter in "abcd")
paths = st.sampled_from([MemoryPath(f"areas/{letter}.html") for letter in "abcdefgh"])
rankings = st.lists(
    st.builds(Ranking, st.floats(0, 4), st.dictionaries(paths, st.integers(1, 200), max_size=8)), max_size=5
)
scores = st.dictionaries(paths, st.floats(0.01, 40), max_size=8)
cosines = st.dictionaries(paths, st.floats(-1, 1), max_size=8)


@given(st.integers(0, 100), st.integers(1, 500), st.floats(0.01, 4))
def test_what_a_rank_earns_strictly_decreases(k: int, rank: int, weight: float) -> None:
    """The next place always earns less, and never nothing."""
    here, next_one = (fuse([Ranking(weight, {A: place})], k=k)[0].score for place in (rank, rank + 1))
    assert here > next_one > 0


@given(rankings, st.randoms(use_true_random=False))
def test_the_order_of_the_arms_does_not_matter(given_rankings: list[Ranking], chance: Random) -> None:
    """To the last bit; nor does the order in which an arm names its paths."""
    shuffled = [Ranking(arm.weight, dict(sorted(arm.ranks.items(), reverse=True))) for arm in given_rankings]
    chance.shuffle(shuffled)
    assert fuse(shuffled) == fuse(given_rankings)


@given(rankings)
def test_all_that_was_ranked_comes_back_once_best_first(given_rankings: list[Ranking]) -> None:
    """Equal scores in path order; nothing is added."""
    fused = fuse(given_rankings)
    assert {one.path for one in fused} == {path for arm in given_rankings for path in arm.ranks}
    assert len({one.path for one in fused}) == len(fused)
    assert list(fused) == sorted(fused, key=lambda one: (-one.score, one.path))


@given(rankings, paths)
def test_one_more_arm_never_takes_anything_away(given_rankings: list[Ranking], path: MemoryPath) -> None:
    """An arm that ranks a path first gives it more, and leaves the others as they were."""
    before = {one.path: one.score for one in fuse(given_rankings)}
    after = {one.path: one.score for one in fuse([*given_rankings, Ranking(1.0, {path: 1})])}
    assert after.pop(path) > before.pop(path, 0.0)
    assert after == before


def test_a_fusion_worked_out() -> None:
    """1/61 + .5/62 = .0244580, 1/62 + .5/61 = .0243257, and a third by .4/61 alone."""
    fused = fuse([Ranking(1.0, {A: 1, B: 2}), Ranking(0.5, {B: 1, A: 2}), Ranking(0.4, {C: 1})])
    assert [(one.path, round(one.score, 7)) for one in fused] == [(A, 0.024458), (B, 0.0243258), (C, 0.0065574)]
    assert fuse([Ranking(1.0, {B: 1, A: 1})], k=0) == (Scored(A, 1.0), Scored(B, 1.0))


def test_nothing_fused_is_nothing() -> None:
    """No arms, and arms that ranked nothing."""
    assert fuse([]) == fuse([Ranking(1.0, {})]) == ()


@pytest.mark.parametrize(
    ("given_rankings", "k"), [([Ranking(-0.1, {A: 1})], 60), ([Ranking(1.0, {A: 0})], 60), ([Ranking(1.0, {})], -1)]
)
def test_what_is_no_ranking_is_refused(given_rankings: list[Ranking], k: int) -> None:
    """A weight or k below 0, a rank below 1."""
    with pytest.raises(ValueError, match=r"negative|counted from 1"):
        fuse(given_rankings, k=k)
    assert fuse([Ranking(0.0, {A: 1})], k=0) == (Scored(A, 0.0),)


@given(st.dictionaries(paths, st.integers(0, 5)))
def test_ranks_follow_the_values(judged: dict[MemoryPath, int]) -> None:
    """Higher values have smaller ranks, equal ones the same, and no rank is left out."""
    ranks = ranked(judged)
    assert set(ranks) == set(judged)
    assert sorted(set(ranks.values())) == list(range(1, len(set(judged.values())) + 1))
    assert all((ranks[a] < ranks[b]) == (judged[a] > judged[b]) for a in judged for b in judged)


def test_dates_are_ranked_as_text() -> None:
    """Newest first; the same day shares a rank."""
    assert ranked({A: "2026-01-02", B: "2026-01-03T10:00:00Z", C: "2026-01-02"}) == {A: 2, B: 1, C: 2}
    assert ranked({}) == {}


@given(scores, cosines, st.floats(0.01, 60))
def test_candidates_of_either_arm_are_joined(
    lexical: dict[MemoryPath, float], near: dict[MemoryPath, float], perfect: float
) -> None:
    """All of them, none twice, none invented; a part of the words is never below nothing."""
    joined = join(lexical, near, perfect)
    assert set(joined) == set(lexical) | set(near)
    assert all(one.lexical >= 0 for one in joined.values())
    assert all(joined[path].lexical == 0 for path in set(near) - set(lexical))


@given(scores, cosines.filter(bool), st.floats(0.01, 60))
def test_better_in_both_arms_is_better(
    lexical: dict[MemoryPath, float], near: dict[MemoryPath, float], perfect: float
) -> None:
    """Joining turns no order around on which both arms agree."""
    joined = join(lexical, near, perfect)
    for (a, cosine), (b, other) in product(near.items(), near.items()):
        if cosine > other and lexical.get(a, 0.0) >= lexical.get(b, 0.0):
            assert joined[a].value >= joined[b].value


@given(scores)
def test_without_vectors_words_decide_alone(lexical: dict[MemoryPath, float]) -> None:
    """In the order of bm25, the best at exactly 1."""
    joined = join(lexical, {}, 5.0)
    assert {path: one.value for path, one in joined.items()} == {
        path: score / max(lexical.values()) for path, score in lexical.items()
    }


def test_a_joining_worked_out() -> None:
    """Best bm25 4.4 = 2.2 · 2, so the whole is 4.4; cosines .9, .7 and .5 are 0, ½ and 1 below the nearest."""
    joined = join({A: 4.4, B: 2.2}, {A: 0.5, C: 0.9, D: 0.7}, perfect=2.0)
    assert {path: (round(one.lexical, 6), round(one.vector, 6)) for path, one in joined.items()} == {
        A: (0.7, 0.0),
        B: (0.35, 0.0),
        C: (0.0, 0.3),
        D: (0.0, 0.15),
    }
    assert Joined(0.5, -0.2).value == 0.3


def test_a_best_hit_that_holds_little_counts_little() -> None:
    """Of a perfect 4 · 2.2 the best has 2.2: it gets .7 · 4^-.6, not all of .7."""
    joined = join({A: 2.2}, {B: 0.9}, perfect=4.0)
    assert round(joined[A].lexical, 6) == round(0.7 * 4**-0.6, 6) == 0.304693


def test_vectors_decide_alone_where_no_word_is_found() -> None:
    """And where nothing is found, nothing is joined."""
    assert {path: round(one.value, 6) for path, one in join({}, {A: 0.9, B: 0.5}, 3.0).items()} == {A: 0.3, B: 0.0}
    assert join({}, {A: 0.9}, 0.0)[A].lexical == 0.0
    assert join({}, {}, 1.0) == {}
