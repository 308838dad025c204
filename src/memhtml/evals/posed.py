"""Probes that lie in a store: their questions are put to a search, and become cases for the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.divergence import Divergence
from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.progress import Progress, silent
from memhtml.evals.gate import Case, Ranked, Rival
from memhtml.retrieve.answer import Request
from memhtml.retrieve.search import search_view

if TYPE_CHECKING:
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder

Ask = Callable[[str], Sequence[MemoryPath]]
"""A search: from a question to what it returns, best first."""


Ranker = Callable[["View", "Embedder | None", Instant], Ask]
"""A way to rank: from a generation of the index, an embedder and a time to a search. `shipped` is the one in use."""


class Question(Struct, frozen=True):
    """What is typed, how, and what it is turned around."""

    style: str
    family: Divergence
    query: str


class Posed(Struct, frozen=True):
    """A target and its controls, by where they lie, with the questions that only the target answers.

    Attributes:
        seed: of the fixture that it is from.
        number: of the probe there, from 1.
    """

    seed: int
    number: int
    target: MemoryPath
    rivals: tuple[Rival, ...]
    questions: tuple[Question, ...]


def answered(probes: Sequence[Posed], ask: Ask, progress: Progress = silent) -> tuple[Case, ...]:
    """Each probe with what ``ask`` returns for its questions."""
    return tuple(_answered(probes, ask, progress))


def _answered(probes: Sequence[Posed], ask: Ask, progress: Progress) -> Iterator[Case]:
    for done, probe in enumerate(probes):
        progress(f"seed {probe.seed}: asking", done, len(probes))
        asked = tuple(
            Ranked(question.style, question.family, question.query, tuple(ask(question.query)))
            for question in probe.questions
        )
        yield Case(probe.seed, probe.number, probe.target, probe.rivals, asked)


def shipped(view: View, embedder: Embedder | None, now: Instant) -> Ask:
    """The search as an agent has it: every arm, the default limit, and the bar that lets nothing irrelevant through.

    The search that it gives raises `ModelUnavailableError` where ``embedder`` is one and its arm cannot take part: an
    answer by words alone must not be taken for one with vectors.
    """

    def ask(query: str) -> list[MemoryPath]:
        answer = search_view(view, embedder, Request(query), now)
        if embedder is not None and answer.degraded:
            lost = answer.degraded[0]
            raise ModelUnavailableError(f"the {lost.arm.value} arm took no part: {lost.why}")
        return [hit.path for hit in answer.hits]

    return ask
