"""Probes out of a store's own memories: a sample of them, among controls that nobody wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import content_terms, terms
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Rejected
from memhtml.evals.gate import Rival
from memhtml.evals.posed import Ask, Posed, Question
from memhtml.evals.probes import Style, query
from memhtml.evals.scratch import Progress, silent
from memhtml.evals.twins import twins
from memhtml.index.state import Access

if TYPE_CHECKING:
    from memhtml.index.view import View

LEAST_WORDS = 4
"""Content words of a claim that can be asked for: fewer name no memory among thousands, whatever the ranking."""


class Sample(Struct, frozen=True):
    """Probes of a store, and what must lie beside its memories before they can be asked.

    Attributes:
        probes: their rivals are among ``files``.
        files: the controls, by where they would lie.
        used: how the controls would have been used.
        rejected: derived texts that were no controls.
        passed_over: memories that were drawn and give no probe: nothing in them can be changed, or they say too little
            to be asked for, or something has taken their place, or no question finds them.
        unfound: questions that do not find their target in the store as it is, and are not asked.
    """

    probes: tuple[Posed, ...]
    files: dict[MemoryPath, bytes]
    used: tuple[Access, ...]
    rejected: tuple[Rejected, ...]
    passed_over: int = 0
    unfound: int = 0


class Sampling(Struct, frozen=True):
    """How a store is sampled.

    Attributes:
        wanted: how many probes at most.
        seed: of the draw.
        beside: another state of the store, in which the controls will lie too.
    """

    wanted: int
    seed: int
    beside: View | None = None


def sample(view: View, sampling: Sampling, ask: Ask, progress: Progress = silent) -> Sample:
    """Probes of memories in use, as many as are wanted; fewer where no more can be asked about.

    Age and use speak for the controls in every second probe, and for nobody in the others.

    Args:
        view: what is sampled.
        sampling: how.
        ask: a search of the same view. A question that does not find its target where nothing wrong stands beside it
            says nothing about telling the two apart; it is counted, and not asked.
        progress: told of every probe.
    """
    probes: list[Posed] = []
    files: dict[MemoryPath, bytes] = {}
    used: list[Access] = []
    rejected: list[Rejected] = []
    passed_over = unfound = 0
    views = (view,) if sampling.beside is None else (view, sampling.beside)
    for path in Chance(sampling.seed).shuffled(view.listed(Scope())):
        if len(probes) >= sampling.wanted:
            break
        progress("sampling", len(probes), sampling.wanted)
        number = len(probes) + 1
        row = view.rows([path])[path]
        # What something else has superseded stands below that, whatever is asked.
        if row.superseded_by is not None or len(content_terms(terms(row.gist))) < LEAST_WORDS:
            passed_over += 1
            continue
        made = twins(views, path, files.keys(), ahead=is_ahead(number))
        posed = list(_questions(row.gist, made.rivals, number))
        questions = tuple(question for question in posed if path in ask(question.query))
        rejected += made.rejected
        unfound += len(posed) - len(questions)
        if not questions:
            passed_over += 1
            continue
        probes.append(Posed(sampling.seed, number, path, made.rivals, questions))
        files.update(made.files)
        used += made.used
    return Sample(tuple(probes), files, tuple(used), tuple(rejected), passed_over, unfound)


def is_ahead(number: int) -> bool:
    """Whether age and use speak for the controls of the probe of that number."""
    return number % 2 == 0


def _questions(claim: str, rivals: Sequence[Rival], turn: int) -> Iterator[Question]:
    """Every style for every family, each text once."""
    said: set[str] = set()
    for style in Style:
        for rival in rivals:
            text = query(claim, rival.family, style, turn)
            if text is not None and text not in said:
                said.add(text)
                yield Question(style.value, rival.family, text)
