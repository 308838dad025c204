"""The discrimination gate: from what a search answered to a verdict. Pure.

A target is a memory, its controls are nearly identical memories that are wrong on purpose. The question is whether the
search ranks the target above every one of its own controls, each time it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import MemoryPath

FLOOR = 0.85
"""The least ``mrr`` that passes. It stops nothing that an inversion does not stop, but it is a number to watch."""


class Rival(Struct, frozen=True):
    """A control in the store, and what it says otherwise than its target."""

    family: Divergence
    path: MemoryPath


class Ranked(Struct, frozen=True):
    """One question and its answer.

    Attributes:
        style: how it was asked.
        family: what it was turned around; all that tells the target from its controls is in it, whatever this is.
        query: as it was typed.
        ranking: what the search returned, best first.
    """

    style: str
    family: Divergence
    query: str
    ranking: tuple[MemoryPath, ...]


class Case(Struct, frozen=True):
    """A probe that was put to the search.

    Attributes:
        seed: of the fixture that it is from.
        number: of the probe there, from 1.
        target: what must come first among itself and ``rivals``.
        rivals: its own controls; a case without any is no probe.
        asked: its questions; a case without any is no probe.
    """

    seed: int
    number: int
    target: MemoryPath
    rivals: tuple[Rival, ...]
    asked: tuple[Ranked, ...]

    @property
    def counts(self) -> bool:
        """Whether it can decide anything."""
        return bool(self.rivals and self.asked)


class Failure(StrEnum):
    """A reason why a run does not pass."""

    NO_PROBES = "no_probes"
    TOO_FEW_PROBES = "too_few_probes"
    FAMILY_UNMEASURED = "family_unmeasured"
    MOSTLY_UNFOUND = "mostly_unfound"
    INVERSIONS = "inversions"
    MRR_BELOW_FLOOR = "mrr_below_floor"


class Inversion(Struct, frozen=True):
    """A target that was not ranked above one of its own controls.

    Attributes:
        family: what the control says otherwise.
        target_rank: among all that was returned, from 1; ``None``: it was not returned, and lost to everything.
        control_rank: the same of the control.
    """

    seed: int
    probe: int
    family: Divergence
    style: str
    query: str
    target: MemoryPath
    target_rank: int | None
    control: MemoryPath
    control_rank: int | None

    def describe(self) -> str:
        """What happened, in one line.

        >>> target, control = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
        >>> Inversion(7, 3, Divergence.NUMBER, "keywords", "5 retries", target, None, control, 2).describe()
        "seed 7, probe 3, number, asked as keywords: '5 retries' ranks the wrong areas/b.html (2) and not areas/a.html"
        """
        where = f"seed {self.seed}, probe {self.probe}, {self.family.value}, asked as {self.style}: {self.query!r}"
        wrong = "leaves out both the wrong" if self.control_rank is None else "ranks the wrong"
        control = self.control if self.control_rank is None else f"{self.control} ({self.control_rank})"
        if self.target_rank is not None:
            return f"{where} {wrong} {control} above {self.target} ({self.target_rank})"
        return f"{where} {wrong} {control} {'and' if self.control_rank is None else 'and not'} {self.target}"


class Score(Struct, frozen=True):
    """The numbers of a part of a run: of a family of controls, or of a style of questions.

    Attributes:
        name: of the family or the style.
        probes: how many have a say here.
        questions: how many were asked.
        mrr: mean of 1 / rank of the target among itself and its own controls (of this family), 0 to 1; an absent
            target counts 0.
        corpus_mrr: mean of 1 / rank of the target among all that was returned, 0 to 1. Low by construction where many
            memories are nearly identical, so it is reported and decides nothing.
            Both are ``None`` where nothing was asked.
        inversions: pairs of a target and a control that were ranked the wrong way.
    """

    name: str
    probes: int
    questions: int
    mrr: float | None
    corpus_mrr: float | None
    inversions: int


class Verdict(Struct, frozen=True):
    """Whether a ranking holds, with its numbers. They mean what they mean in `Score`.

    Attributes:
        failures: all reasons why it does not pass; empty when it does.
        wanted: probes that were asked for.
        probes: probes that were made.
        families: one score each, by what the controls say otherwise.
        styles: one score each, by how the questions are asked.
        inversions: in the order of seeds, probes and questions.
    """

    passed: bool
    failures: tuple[Failure, ...]
    wanted: int
    probes: int
    questions: int
    mrr: float
    corpus_mrr: float
    families: tuple[Score, ...]
    styles: tuple[Score, ...]
    inversions: tuple[Inversion, ...]

    def describe(self) -> str:
        """Why it does not pass, in a few lines, the first inversion told whole; empty when it does."""
        said = {
            Failure.NO_PROBES: "no probe was made",
            Failure.TOO_FEW_PROBES: f"{self.probes} probes were made of {self.wanted}",
            Failure.FAMILY_UNMEASURED: "no probe measures "
            + ", ".join(score.name for score in self.families if not score.probes),
            Failure.MOSTLY_UNFOUND: "most questions do not find their memory, even without controls beside it",
            Failure.INVERSIONS: f"{len(self.inversions)} inversions in {self.questions} questions",
            Failure.MRR_BELOW_FLOOR: f"mrr is {self.mrr:.4f}, and must be {FLOOR} in every seed",
        }
        lines = [said[failure] for failure in self.failures]
        if self.inversions:
            lines.append(f"the first: {self.inversions[0].describe()}")
        return "\n".join(lines)


class Demand(Struct, frozen=True):
    """What a run must bring to count.

    Attributes:
        probes: how many of each seed.
        every_family: each family must be measured; for stores that are made to hold all of them.
        unfound: questions that were set aside, since no search found their target even before the controls were there.
            They tell nothing of controls; but where they are more than those that were asked, something is broken.
    """

    probes: Mapping[int, int]
    every_family: bool = False
    unfound: int = 0


def judge(cases: Sequence[Case], demand: Demand) -> Verdict:
    """The verdict on a run: one target at or below one of its own controls fails it, whatever the means are.

    A control that was not returned is outranked. A target that was not returned has lost to everything, also to
    controls that were not returned either. Zero probes fail, and fewer than were asked for, of any seed.
    """
    probes = [case for case in cases if case.counts]
    every = [_scored(case, asked, None) for case in probes for asked in case.asked]
    families = tuple(_of_family(family, probes) for family in Divergence)
    styles = tuple(_score(style, [row for row in every if row.asked.style == style]) for style in _styles(probes))
    inversions = tuple(inversion for row in every for inversion in row.inversions)
    wanted = sum(demand.probes.values())
    failed = {
        Failure.NO_PROBES: not probes,
        Failure.TOO_FEW_PROBES: any(
            sum(case.seed == seed for case in probes) < least for seed, least in demand.probes.items()
        ),
        Failure.FAMILY_UNMEASURED: demand.every_family and not all(score.probes for score in families),
        Failure.MOSTLY_UNFOUND: demand.unfound > len(every),
        Failure.INVERSIONS: bool(inversions),
        Failure.MRR_BELOW_FLOOR: _below_floor(every),
    }
    failures = tuple(failure for failure, holds in failed.items() if holds)
    return Verdict(
        passed=not failures,
        failures=failures,
        wanted=wanted,
        probes=len(probes),
        questions=len(every),
        mrr=_mean(every, lambda row: row.reciprocal),
        corpus_mrr=_mean(every, lambda row: row.corpus_reciprocal),
        families=families,
        styles=styles,
        inversions=inversions,
    )


def inverted(case: Case, asked: Ranked) -> tuple[Inversion, ...]:
    """What one question of a case ranks the wrong way, in the order of its controls."""
    return _scored(case, asked, None).inversions


class _Row(Struct, frozen=True):
    """One question, judged."""

    case: Case
    asked: Ranked
    reciprocal: float
    corpus_reciprocal: float
    inversions: tuple[Inversion, ...]


def _scored(case: Case, asked: Ranked, family: Divergence | None) -> _Row:
    """A question judged against the controls of ``family``; of all families with ``None``."""
    ranks = {path: rank for rank, path in reversed(list(enumerate(asked.ranking, 1)))}
    mine = ranks.get(case.target)
    rivals = [rival for rival in case.rivals if family in {None, rival.family}]
    # A control that became the target's own file has its rank, and was not told apart from it.
    won_by = [rival for rival in rivals if mine is None or ranks.get(rival.path, mine + 1) <= mine]
    return _Row(
        case=case,
        asked=asked,
        reciprocal=0.0 if mine is None else 1 / (1 + len(won_by)),
        corpus_reciprocal=0.0 if mine is None else 1 / mine,
        inversions=tuple(
            Inversion(
                seed=case.seed,
                probe=case.number,
                family=rival.family,
                style=asked.style,
                query=asked.query,
                target=case.target,
                target_rank=mine,
                control=rival.path,
                control_rank=ranks.get(rival.path),
            )
            for rival in won_by
        ),
    )


def _of_family(family: Divergence, probes: Sequence[Case]) -> Score:
    having = [case for case in probes if any(rival.family is family for rival in case.rivals)]
    return _score(family.value, [_scored(case, asked, family) for case in having for asked in case.asked])


def _score(name: str, rows: Sequence[_Row]) -> Score:
    return Score(
        name=name,
        probes=len({(row.case.seed, row.case.number) for row in rows}),
        questions=len(rows),
        mrr=_mean(rows, lambda row: row.reciprocal) if rows else None,
        corpus_mrr=_mean(rows, lambda row: row.corpus_reciprocal) if rows else None,
        inversions=sum(len(row.inversions) for row in rows),
    )


def _styles(probes: Sequence[Case]) -> list[str]:
    return sorted({asked.style for case in probes for asked in case.asked})


def _below_floor(rows: Sequence[_Row]) -> bool:
    """Whether any seed is: twenty good ones must not hide a bad one. Without questions there is no mean to be below."""
    seeds = {row.case.seed for row in rows}
    return any(_exact([row for row in rows if row.case.seed == seed]) < FLOOR for seed in seeds)


def _exact(rows: Sequence[_Row]) -> float:
    return sum(row.reciprocal for row in rows) / len(rows)


def _mean(rows: Sequence[_Row], value: Callable[[_Row], float]) -> float:
    """To six decimals, cut off so that nothing short of 1 reads as 1; 0.0 of nothing."""
    return int(sum(map(value, rows)) / len(rows) * 1_000_000) / 1_000_000 if rows else 0.0
