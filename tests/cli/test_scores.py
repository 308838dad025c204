"""Retrieval scores as a person reads them."""

from __future__ import annotations

import io

from msgspec.structs import replace

from memhtml.cli.human import render
from memhtml.cli.scores import NAMES
from memhtml.cli.screen import Screen
from memhtml.evals.measures import Figures
from memhtml.evals.quality import GroupScore, LeftOut, Score, Way
from memhtml.ops.scoring import RetrievalScores

LOW, MEAN, HIGH = (Figures(*[value] * 8) for value in (0.125, 0.25, 0.5))
FUSED = Score(Way.FUSED, MEAN, LOW, HIGH, (GroupScore("", 2, MEAN), GroupScore("late", 1, HIGH)))
LEXICAL = replace(FUSED, way=Way.LEXICAL, groups=tuple(replace(part, figures=LOW) for part in FUSED.groups))


def drawn(scores: tuple[Score, ...], *left_out: LeftOut, stores: int = 1, width: int = 80) -> list[str]:
    """What a person would see, without colours, line by line."""
    screen = io.StringIO()
    found = RetrievalScores(3, stores, 1200, 50, None, scores, left_out, ())
    render("eval.retrieval", found, Screen(screen, width))
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def test_the_ways_stand_side_by_side() -> None:
    """Every figure with its interval; then the one that matters most, by group, a group without a name too."""
    assert drawn((LEXICAL, FUSED), stores=2) == [
        "3 questions, 1,200 memories in 2 stores",
        "",
        "figure     lexical              fused",
        *(f"{name:<11}0.250 (0.125-0.500)  0.250 (0.125-0.500)" for name in NAMES.values()),
        "",
        "strict by group  lexical  fused",
        "- (2)            0.125    0.250",
        "late (1)         0.125    0.500",
    ]


def test_without_controls_and_groups_there_is_less_to_see() -> None:
    """No strict line, and no second table."""
    bare = [replace(figures, strict=None) for figures in (MEAN, LOW, HIGH)]
    lines = drawn((Score(Way.LEXICAL, *bare, ()),), LeftOut(Way.VECTOR, "vectors are off"))
    assert lines[0] == "3 questions, 1,200 memories in 1 store"
    assert lines[2].split() == ["figure", "lexical"]
    assert not [line for line in lines if "strict" in line or "group" in line]
    assert lines[-1] == "without vector: vectors are off"


def test_without_controls_groups_show_what_was_recalled() -> None:
    """A group that does not have the figure is left out."""
    bare = [replace(figures, strict=None) for figures in (MEAN, LOW, HIGH)]
    groups = (GroupScore("a", 2, bare[0]), GroupScore("b", 1, bare[2]))
    lines = drawn((Score(Way.FUSED, *bare, groups),))
    assert lines[-3:] == ["recall@10 by group  fused", "a (2)               0.250", "b (1)               0.500"]
    mixed = (GroupScore("a", 2, bare[0]), GroupScore("b", 1, HIGH))
    assert drawn((Score(Way.FUSED, MEAN, LOW, HIGH, mixed),))[-2:] == [
        "strict by group  fused",
        "b (1)            0.500",
    ]


def test_one_of_each_is_told_in_the_singular() -> None:
    """Of questions, memories and stores."""
    screen = io.StringIO()
    render("eval.retrieval", RetrievalScores(1, 1, 1, 50, None, (LEXICAL,), (), ()), Screen(screen, 80))
    assert screen.getvalue().startswith("1 question, 1 memory in 1 store\n")


def test_three_ways_fit_on_a_screen() -> None:
    """Of eighty columns, without a fold."""
    vector = replace(FUSED, way=Way.VECTOR)
    lines = drawn((LEXICAL, vector, FUSED))
    assert len(lines) == len(drawn((LEXICAL, vector, FUSED), width=200))
    assert max(map(len, lines)) <= 80
