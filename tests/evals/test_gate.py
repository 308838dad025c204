"""The scoring of the gate: the traps that a gate can fall into, each with literal numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import MemoryPath
from memhtml.evals.gate import FLOOR, Case, Demand, Failure, Inversion, Ranked, Rival, Verdict, inverted, judge

TARGET = MemoryPath("areas/target.html")
DENIED = MemoryPath("areas/denied.html")
COUNTED = MemoryPath("areas/counted.html")
OTHER = MemoryPath("areas/other.html")
RIVALS = (Rival(Divergence.NEGATION, DENIED), Rival(Divergence.NUMBER, COUNTED))


def asked(*ranking: MemoryPath, style: str = "question") -> Ranked:
    """One question, and its answer."""
    return Ranked(style, Divergence.NEGATION, "does it retry 3 times?", ranking)


def case(*questions: Ranked, seed: int = 1, number: int = 1, rivals: tuple[Rival, ...] = RIVALS) -> Case:
    """One probe with these questions."""
    return Case(seed, number, TARGET, rivals, questions)


def judged(*cases: Case, wanted: int = 1) -> Verdict:
    """The verdict where ``wanted`` probes of seed 1 were asked for."""
    return judge(cases, Demand({1: wanted}))


def test_a_target_above_all_its_controls_passes() -> None:
    """Also below memories that are no controls of it: those lower the rank among all, which decides nothing."""
    verdict = judged(case(asked(OTHER, TARGET, DENIED, COUNTED)))
    assert verdict.passed
    assert (verdict.failures, verdict.inversions, verdict.describe()) == ((), (), "")
    assert (verdict.mrr, verdict.corpus_mrr) == (1.0, 0.5)
    assert (verdict.probes, verdict.questions) == (1, 1)


def test_one_inversion_among_many_easy_probes_fails() -> None:
    """Whatever the mean says: 99 that hold do not buy the one that is broken."""
    good = [case(asked(TARGET, DENIED), number=number) for number in range(1, 100)]
    verdict = judged(*good, case(asked(DENIED, TARGET), number=100), wanted=100)
    assert verdict.mrr == 0.995 > FLOOR
    assert verdict.failures == (Failure.INVERSIONS,)
    assert not verdict.passed
    [inversion] = verdict.inversions
    assert (inversion.probe, inversion.family) == (100, Divergence.NEGATION)
    assert (inversion.target_rank, inversion.control_rank) == (2, 1)
    assert "probe 100, negation" in verdict.describe()


def test_a_control_that_was_not_returned_is_outranked() -> None:
    """It is no answer, so nobody was misled by it."""
    assert judged(case(asked(TARGET))).passed


def test_a_target_that_was_not_returned_has_lost_to_everything() -> None:
    """Also to controls that were not returned either."""
    verdict = judged(case(asked(OTHER, COUNTED)))
    assert verdict.failures == (Failure.INVERSIONS, Failure.MRR_BELOW_FLOOR)
    assert [(one.control, one.control_rank, one.target_rank) for one in verdict.inversions] == [
        (DENIED, None, None),
        (COUNTED, 2, None),
    ]
    assert (verdict.mrr, verdict.corpus_mrr) == (0.0, 0.0)
    assert "leaves out both the wrong areas/denied.html and areas/target.html" in verdict.describe()
    assert not judged(case(asked())).passed


def test_a_control_at_the_targets_own_place_has_won() -> None:
    """At or below: what cannot be told apart was not told apart."""
    assert judged(case(asked(TARGET), rivals=(Rival(Divergence.NUMBER, TARGET),))).inversions


def test_zero_probes_fail() -> None:
    """Also where none were asked for: nothing was shown."""
    for verdict in (judged(wanted=0), judged(wanted=60), judge((), Demand({}))):
        assert Failure.NO_PROBES in verdict.failures
        assert not verdict.passed
        assert verdict.describe()
        assert (verdict.mrr, verdict.corpus_mrr, verdict.questions) == (0.0, 0.0, 0)


def test_fewer_probes_than_were_asked_for_fail() -> None:
    """Of any seed: what one seed has too many does not help another."""
    assert judged(case(asked(TARGET)), wanted=2).failures == (Failure.TOO_FEW_PROBES,)
    three = [case(asked(TARGET), number=number) for number in (1, 2, 3)]
    assert judge(three, Demand({1: 1, 2: 1})).failures == (Failure.TOO_FEW_PROBES,)


def test_a_probe_without_controls_or_without_questions_is_none() -> None:
    """It can fail at nothing, so it does not count as made."""
    for empty in (case(asked(TARGET), rivals=()), case()):
        assert judged(empty).failures == (Failure.NO_PROBES, Failure.TOO_FEW_PROBES)


def test_a_family_that_nobody_measured_fails_where_all_must_be() -> None:
    """A family whose controls are all thrown away would otherwise look as good as one that holds."""
    verdict = judge([case(asked(TARGET))], Demand({1: 1}, every_family=True))
    assert verdict.failures == (Failure.FAMILY_UNMEASURED,)
    assert "qualifier" in verdict.describe()


@pytest.mark.parametrize(("unfound", "fails"), [(0, False), (2, False), (3, True)])
def test_more_questions_set_aside_than_asked_fail(unfound: int, *, fails: bool) -> None:
    """A search that finds next to nothing would otherwise be judged by the little that it finds."""
    verdict = judge([case(asked(TARGET), asked(TARGET))], Demand({1: 1}, unfound=unfound))
    assert verdict.failures == ((Failure.MOSTLY_UNFOUND,) if fails else ())
    assert ("do not find" in verdict.describe()) == fails


def test_every_family_and_every_style_has_numbers_of_its_own() -> None:
    """By what the controls say otherwise; by how the questions are asked."""
    verdict = judged(
        case(asked(TARGET, DENIED, style="keywords"), asked(COUNTED, TARGET, DENIED)),
        case(asked(OTHER, TARGET), number=2, rivals=RIVALS[:1]),
        wanted=2,
    )
    assert [
        (score.name, score.probes, score.questions, score.mrr, score.corpus_mrr, score.inversions)
        for score in verdict.families
    ] == [
        ("negation", 2, 3, 1.0, 0.666666, 0),
        ("number", 1, 2, 0.75, 0.75, 1),
        ("qualifier", 0, 0, None, None, 0),
    ]
    assert [(score.name, score.questions, score.mrr, score.inversions) for score in verdict.styles] == [
        ("keywords", 1, 1.0, 0),
        ("question", 2, 0.75, 1),
    ]
    assert verdict.mrr == 0.833333


@pytest.mark.parametrize(("good", "fails"), [(17, False), (16, True)])
def test_the_floor_holds_in_every_seed(good: int, *, fails: bool) -> None:
    """A seed at the floor passes it, one below does not, and a better seed does not help it."""
    absent = [case(asked(OTHER), seed=2, number=number) for number in range(20 - good)]
    present = [case(asked(TARGET), seed=2, number=number) for number in range(20 - good, 20)]
    best = [case(asked(TARGET), seed=1, number=number) for number in range(200)]
    verdict = judge([*absent, *present, *best], Demand({1: 200, 2: 20}))
    assert (Failure.MRR_BELOW_FLOOR in verdict.failures) == fails
    assert verdict.mrr > FLOOR


def test_an_inversion_says_what_was_asked_and_what_came() -> None:
    """Where both were returned, where only the control was, and where neither was."""
    both = judged(case(asked(COUNTED, TARGET, style="keywords"), seed=9, number=4)).inversions
    assert both == (Inversion(9, 4, Divergence.NUMBER, "keywords", "does it retry 3 times?", TARGET, 2, COUNTED, 1),)
    where = "seed 9, probe 4, number, asked as keywords: 'does it retry 3 times?'"
    assert both[0].describe() == f"{where} ranks the wrong areas/counted.html (1) above areas/target.html (2)"
    gone = replace(both[0], target_rank=None)
    assert gone.describe() == f"{where} ranks the wrong areas/counted.html (1) and not areas/target.html"
    neither = replace(gone, control_rank=None)
    assert neither.describe() == f"{where} leaves out both the wrong areas/counted.html and areas/target.html"


def test_what_one_question_ranks_wrong_is_what_the_verdict_holds_of_it() -> None:
    """All families of controls, in their order; nothing where the target is first."""
    broken = case(asked(DENIED, COUNTED, TARGET), asked(TARGET))
    assert inverted(broken, broken.asked[0]) == judged(broken).inversions
    assert [one.family for one in inverted(broken, broken.asked[0])] == [Divergence.NEGATION, Divergence.NUMBER]
    assert inverted(broken, broken.asked[1]) == ()


def test_a_verdict_says_every_reason_in_a_line_of_its_own() -> None:
    """Then the first inversion, whole."""
    assert judged().describe() == "no probe was made\n0 probes were made of 1"
    demand = Demand({1: 2, 2: 1}, every_family=True, unfound=2)
    verdict = judge([case(asked(COUNTED, TARGET), rivals=RIVALS[1:])], demand)
    assert (verdict.wanted, verdict.failures) == (3, tuple(Failure)[1:])
    assert verdict.describe().splitlines() == [
        "1 probes were made of 3",
        "no probe measures negation, qualifier",
        "most questions do not find their memory, even without controls beside it",
        "1 inversions in 1 questions",
        "mrr is 0.5000, and must be 0.85 in every seed",
        f"the first: {verdict.inversions[0].describe()}",
    ]


@given(st.permutations([TARGET, DENIED, COUNTED, OTHER]), st.integers(0, 4))
def test_a_run_passes_exactly_when_nothing_wrong_is_above_what_is_right(
    ranking: list[MemoryPath], returned: int
) -> None:
    """For every order and every cut of it."""
    shown = ranking[:returned]
    holds = TARGET in shown and not {DENIED, COUNTED} & set(shown[: shown.index(TARGET)])
    verdict = judged(case(asked(*shown)))
    assert verdict.passed == holds
    assert (verdict.mrr == 1.0) == holds
    assert bool(verdict.describe()) != holds
