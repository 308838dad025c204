"""The gate at a terminal and on a pipe."""

from __future__ import annotations

import io

from memhtml.cli.human import render
from memhtml.cli.screen import Screen
from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import MemoryPath
from memhtml.evals.controls import Rejection
from memhtml.evals.gate import Case, Demand, Ranked, Rival, judge
from memhtml.evals.report import Mode, ThrownAway
from memhtml.ops.discriminate import Discrimination

from .conftest import Command

TARGET, CONTROL = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")


def came_to(*rankings: tuple[MemoryPath, ...], skipped: bool = False) -> Discrimination:
    """The answer of a run with one probe for each ranking."""
    cases = [
        Case(
            1,
            number,
            TARGET,
            (Rival(Divergence.NUMBER, CONTROL),),
            (Ranked("keywords", Divergence.NUMBER, "5", shown),),
        )
        for number, shown in enumerate(rankings, 1)
    ]
    verdict = judge(cases, Demand({1: len(cases)}))
    return Discrimination(
        passed=verdict.passed and not skipped,
        skipped=skipped,
        reason="vectors are off" if skipped else None,
        mode=Mode.FAKE,
        space="fake-words@256",
        corpus=False,
        seeds=(1,),
        failures=verdict.failures,
        wanted=verdict.wanted,
        probes=verdict.probes,
        questions=verdict.questions,
        mrr=verdict.mrr,
        corpus_mrr=verdict.corpus_mrr,
        inversions=verdict.inversions,
        families=verdict.families,
        styles=verdict.styles,
        lexical=None if skipped else verdict,
        thrown_away=(ThrownAway(Divergence.NUMBER, Rejection.SAME_AS_ANOTHER, 3),),
        passed_over=0,
        unfound=0,
        by_seed=(),
        description=verdict.describe(),
    )


def drawn(found: Discrimination) -> str:
    """What a person would see, without colours."""
    screen = io.StringIO()
    render("eval.discrimination", found, Screen(screen, 100))
    return screen.getvalue()


def test_a_run_is_a_table_with_a_line_for_every_family_and_style() -> None:
    """And what was thrown away."""
    lines = drawn(came_to((TARGET, CONTROL), (TARGET,))).splitlines()
    assert lines[0] == "Passed: 2 probes of seed 1, 2 questions, fake-words@256"
    assert [
        line.split()[0] for line in lines if line and line.split()[0] in {"all", "number", "qualifier", "keywords"}
    ] == [
        "all",
        "number",
        "qualifier",
        "keywords",
    ]
    assert next(line for line in lines if line.startswith("number")).split()[1:] == [
        "2",
        "2",
        "1.0000",
        "1.0000",
        "0",
        "0",
    ]
    assert next(line for line in lines if line.startswith("qualifier")).split()[1:] == ["0", "0", "-", "-", "0", "0"]
    assert lines[-1] == "no controls: 3 number same_as_another"


def test_inversions_are_told_and_not_all_of_many() -> None:
    """JSON has the rest."""
    text = drawn(came_to(*[(CONTROL, TARGET)] * 25))
    assert text.startswith("Failed: 25 probes")
    assert text.count("inverted: ") == 20
    assert text.rstrip().endswith("and 5 more")


def test_a_skipped_run_looks_like_none_that_was_made() -> None:
    """One line, and no table."""
    assert drawn(came_to((TARGET,), skipped=True)) == "Skipped: vectors are off\n"


def test_standard_error_says_that_an_answer_is_a_bad_one(process: Command) -> None:
    """Standard output stays one envelope; the status is 1."""
    outcome = process("eval", "discriminate", "--probes", "0")
    assert outcome.status == 1
    assert outcome.envelope["type"] == "eval.discrimination"
    assert outcome.envelope["data"]["passed"] is False
    assert b"no probe was made: none was asked for (ERR_DISCRIMINATION_FAILED)" in outcome.stderr
    skipped = process("eval", "discriminate", "--mode", "live", "--embed", "off")
    assert (skipped.status, skipped.envelope["data"]["skipped"], skipped.envelope["data"]["passed"]) == (1, True, False)
    assert b"skipped" in skipped.stderr
    assert b"ERR_MODEL_UNAVAILABLE" in skipped.stderr
