"""What a run came to."""

from __future__ import annotations

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import MemoryPath
from memhtml.evals.controls import Rejected, Rejection
from memhtml.evals.gate import Case, Demand, Failure, Ranked, Rival
from memhtml.evals.report import Answers, Mode, SeedScore, Subject, ThrownAway, reported, skipped

TARGET, CONTROL = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
SUBJECT = Subject(Mode.FAKE, "fake-words@256", Demand({1: 1, 2: 1}))


def case(seed: int, *ranking: MemoryPath) -> Case:
    """A probe of ``seed`` that was asked once."""
    asked = Ranked("question", Divergence.NUMBER, "is it 5?", ranking)
    return Case(seed, 1, TARGET, (Rival(Divergence.NUMBER, CONTROL),), (asked,))


GOOD = (case(1, TARGET, CONTROL), case(2, TARGET))
BAD = (case(1, TARGET), case(2, CONTROL, TARGET))


def test_what_was_skipped_has_not_passed() -> None:
    """It has a reason and no numbers, and never looks like a run that was made."""
    report = skipped(SUBJECT, "the weights are not installed")
    assert (report.skipped, report.passed, report.verdict, report.lexical) == (True, False, None, None)
    assert report.describe() == "the gate was skipped, which is not passing it: the weights are not installed"


def test_all_arms_together_decide_and_words_alone_are_told() -> None:
    """Words that do better do not help, and words that do worse do not harm."""
    held = reported(SUBJECT, Answers(fused=GOOD, lexical=BAD))
    assert (held.passed, held.skipped, held.describe()) == (True, False, "")
    assert held.lexical is not None
    assert len(held.lexical.inversions) == 1
    failed = reported(SUBJECT, Answers(fused=BAD, lexical=GOOD))
    assert not failed.passed
    assert failed.verdict is not None
    assert failed.verdict.failures == (Failure.INVERSIONS, Failure.MRR_BELOW_FLOOR)
    assert "seed 2, probe 1, number" in failed.describe()


def test_every_seed_has_its_line() -> None:
    """A seed that brought nothing has one as well."""
    subject = Subject(Mode.FAKE, None, Demand({1: 1, 2: 1, 3: 1}))
    assert reported(subject, Answers(fused=BAD, lexical=GOOD)).by_seed == (
        SeedScore(1, passed=True, probes=1, mrr=1.0, inversions=0, lexical_mrr=1.0, lexical_inversions=0),
        SeedScore(2, passed=False, probes=1, mrr=0.5, inversions=1, lexical_mrr=1.0, lexical_inversions=0),
        SeedScore(3, passed=False, probes=0, mrr=0.0, inversions=0, lexical_mrr=0.0, lexical_inversions=0),
    )


def test_what_was_thrown_away_is_counted_by_family_and_reason() -> None:
    """As many as there were, none made up."""
    rejected = (
        Rejected(Divergence.NUMBER, Rejection.SAME_AS_ANOTHER),
        Rejected(Divergence.NEGATION, Rejection.NO_SENTENCE),
        Rejected(Divergence.NUMBER, Rejection.SAME_AS_ANOTHER),
    )
    report = reported(SUBJECT, Answers(GOOD, GOOD, rejected))
    assert report.thrown_away == (
        ThrownAway(Divergence.NEGATION, Rejection.NO_SENTENCE, 1),
        ThrownAway(Divergence.NUMBER, Rejection.SAME_AS_ANOTHER, 2),
    )
    assert reported(SUBJECT, Answers(GOOD, GOOD)).thrown_away == ()
