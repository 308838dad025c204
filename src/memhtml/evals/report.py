"""What a run of the discrimination gate came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.divergence import Divergence
from memhtml.evals.controls import Rejected, Rejection
from memhtml.evals.gate import Case, Demand, Verdict, judge


class Mode(StrEnum):
    """Whose vectors are asked: of hashed words, the same on every machine, or of the configured embedder."""

    FAKE = "fake"
    LIVE = "live"


class Subject(Struct, frozen=True):
    """What is run.

    Attributes:
        mode: whose vectors are asked.
        space: of the vectors; ``None`` where there are none.
        demand: which seeds, and how many probes each must bring.
    """

    mode: Mode
    space: str | None
    demand: Demand


class Answers(Struct, frozen=True):
    """The same questions answered by all arms and by words alone, and what was thrown away before they were asked."""

    fused: tuple[Case, ...]
    lexical: tuple[Case, ...]
    rejected: tuple[Rejected, ...] = ()
    passed_over: int = 0


class ThrownAway(Struct, frozen=True):
    """How many derived texts were no controls, by family and by what was wrong with them."""

    family: Divergence
    reason: Rejection
    count: int


class SeedScore(Struct, frozen=True):
    """What one seed came to, by all arms and by words alone."""

    seed: int
    passed: bool
    probes: int
    mrr: float
    inversions: int
    lexical_mrr: float
    lexical_inversions: int


class Report(Struct, frozen=True):
    """What a run came to. One that could not be made has a reason and no verdict.

    Attributes:
        subject: what was run.
        reason: why it was skipped; ``None`` when it was made.
        verdict: on the ranking by all arms, which decides.
        lexical: on the same questions by words alone, as where vectors are off; reported, and decides nothing.
        thrown_away: derived texts that were no controls, by family and reason.
        passed_over: memories of a sampled store that were drawn and could not be asked for.
        by_seed: in the order in which they were wanted.
    """

    subject: Subject
    reason: str | None = None
    verdict: Verdict | None = None
    lexical: Verdict | None = None
    thrown_away: tuple[ThrownAway, ...] = ()
    passed_over: int = 0
    by_seed: tuple[SeedScore, ...] = ()

    @property
    def skipped(self) -> bool:
        """Whether there is no verdict."""
        return self.verdict is None

    @property
    def passed(self) -> bool:
        """Whether the ranking holds; never of a run that was skipped."""
        return self.verdict is not None and self.verdict.passed

    def describe(self) -> str:
        """Why it has not passed, in a few lines, the first inversion told whole; empty when it has."""
        if self.verdict is None:
            return f"the gate was skipped, which is not passing it: {self.reason}"
        return self.verdict.describe()


def skipped(subject: Subject, reason: str) -> Report:
    """The report of a run that could not be made."""
    return Report(subject, reason)


def reported(subject: Subject, answers: Answers) -> Report:
    """The report of a run that was made."""
    return Report(
        subject,
        verdict=judge(answers.fused, subject.demand),
        lexical=judge(answers.lexical, subject.demand),
        thrown_away=_counted(answers.rejected),
        passed_over=answers.passed_over,
        by_seed=tuple(_score(seed, subject.demand, answers) for seed in subject.demand.probes),
    )


def _counted(rejected: Iterable[Rejected]) -> tuple[ThrownAway, ...]:
    counts = Counter((one.family, one.reason) for one in rejected)
    return tuple(ThrownAway(family, reason, count) for (family, reason), count in sorted(counts.items()))


def _score(seed: int, demand: Demand, answers: Answers) -> SeedScore:
    alone = Demand({seed: demand.probes[seed]}, demand.every_family)
    fused = judge([case for case in answers.fused if case.seed == seed], alone)
    lexical = judge([case for case in answers.lexical if case.seed == seed], alone)
    return SeedScore(
        seed=seed,
        passed=fused.passed,
        probes=fused.probes,
        mrr=fused.mrr,
        inversions=len(fused.inversions),
        lexical_mrr=lexical.mrr,
        lexical_inversions=len(lexical.inversions),
    )
