"""Retrieval scores: question sets asked of real stores, by words alone, by vectors alone, and by all arms.

What is real: each store of a document set is a git repository in a temporary folder with one memory a document,
written, committed, indexed and embedded by the code that does so for a user's store; and the search is the one that
every door calls, with the bar off, since a scorer wants a ranking also where nothing is relevant. What is not: all
memories of a store are written at one instant, and none was ever opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidMemoryError, ModelUnavailableError
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.progress import Progress
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.measures import Figures, mean, measured, spread
from memhtml.evals.questions import Document, Question, by_store, refuse
from memhtml.evals.scratch import Scratch, scratch
from memhtml.retrieve.answer import Answer, Arm, Request
from memhtml.retrieve.search import search

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.models.embedder import Embedder

SEED = 7
"""Of the draws of the bootstrap: the same figures have the same intervals, everywhere and always."""

TITLE = 80
"""Characters of a document that are its memory's title."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


class Way(StrEnum):
    """A way to search."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    FUSED = "fused"


ARMS: Mapping[Way, frozenset[Arm] | None] = {
    Way.LEXICAL: frozenset({Arm.LEXICAL}),
    Way.VECTOR: frozenset({Arm.VECTOR}),
    Way.FUSED: None,
}
"""The arms of each way; ``None`` is all, as shipped."""

NEED_VECTORS = (Way.VECTOR, Way.FUSED)


class Asking(Struct, frozen=True):
    """How questions are asked.

    Attributes:
        embedder: what makes vectors; ``None``: words alone.
        why_none: why there is no embedder.
        limit: hits that each search is asked for.
        now: when documents are written, and when questions are asked that do not say it themselves.
        progress: told how far it is.
    """

    embedder: Embedder | None
    why_none: str
    limit: int
    now: Instant
    progress: Progress


class GroupScore(Struct, frozen=True):
    """The questions of one group."""

    group: str
    questions: int
    figures: Figures


class Score(Struct, frozen=True):
    """One way to search.

    Attributes:
        figures: means over all questions.
        low: the lower ends of their 95% intervals.
        high: the upper ends.
        groups: means by group, in order of the names; empty where there is one group.
    """

    way: Way
    figures: Figures
    low: Figures
    high: Figures
    groups: tuple[GroupScore, ...]


class LeftOut(Struct, frozen=True):
    """A way that could not be measured, and why."""

    way: Way
    why: str


class Scores(Struct, frozen=True):
    """The ways side by side."""

    scores: tuple[Score, ...]
    left_out: tuple[LeftOut, ...]


class _Row(Struct, frozen=True):
    store: str
    group: str
    figures: Figures


class Tally:
    """What was measured so far. A way that fails once is left out: half of a set is no score."""

    def __init__(self, asking: Asking, total: int) -> None:
        self._asking = asking
        self._total = total
        self._rows: dict[Way, list[_Row]] = {way: [] for way in Way}
        self._left_out: dict[Way, str] = {}
        if asking.embedder is None:
            self.leave_out(asking.why_none)

    @property
    def embedder(self) -> Embedder | None:
        """What makes vectors, as long as it does."""
        return None if self._left_out else self._asking.embedder

    def leave_out(self, why: str) -> None:
        """Measure no way that needs vectors."""
        for way in NEED_VECTORS:
            self._left_out.setdefault(way, why)

    def ask(self, index: Index, questions: Iterable[Question], names: Mapping[MemoryPath, Sequence[str]]) -> None:
        """Ask ``questions`` every way; ``names`` are the documents that each memory is, where they are not its path."""
        for question in questions:
            self._asking.progress("asking", len(self._rows[Way.LEXICAL]), self._total)  # a way that is never left out
            for way in Way:
                if way not in self._left_out:
                    self._ask(index, question, way, names)

    def _ask(self, index: Index, question: Question, way: Way, names: Mapping[MemoryPath, Sequence[str]]) -> None:
        now = question.now or self._asking.now
        answer = ask(index, self.embedder, question.query, Sought(way, self._asking.limit, now))
        lost = next((arm.why for arm in answer.degraded if arm.arm is Arm.VECTOR), None)
        if lost is not None:
            self.leave_out(lost)
            return
        ranked = named(answer, names)[: self._asking.limit]
        self._rows[way].append(_Row(question.store, question.group, measured(ranked, question.gold, question.controls)))

    def scores(self) -> Scores:
        """All ways that were measured whole."""
        scores = tuple(_score(way, self._rows[way]) for way in Way if way not in self._left_out)
        return Scores(scores, tuple(LeftOut(way, why) for way, why in self._left_out.items()))


class Sought(Struct, frozen=True):
    """A way to search, how many hits are wanted, and when."""

    way: Way
    limit: int
    now: Instant


def score_documents(
    documents: Iterable[Document], questions: Sequence[Question], asking: Asking, environment: Mapping[str, str]
) -> Scores:
    """Put the documents of each store that a question asks into a scratch store, and ask its questions there.

    Raises:
        InvalidInputError: a document can be no memory.
        MemhtmlError: a scratch store cannot be made.
    """
    tally = Tally(asking, len(questions))
    texts: dict[str, list[Document]] = {}
    for document in documents:
        texts.setdefault(document.store, []).append(document)
    for store, asked in by_store(questions).items():
        with scratch(environment) as made:
            names = put(made, texts[store], asking.now, asking.progress)
            if tally.embedder is not None:
                try:
                    made.embed(tally.embedder, asking.progress)
                except ModelUnavailableError as error:
                    tally.leave_out(error.message)
            tally.ask(made.index, asked, names)
    return tally.scores()


def score_store(index: Index, questions: Sequence[Question], asking: Asking) -> Scores:
    """Ask a store that is there; what answers a question is named by its path.

    Raises:
        StorageError: the index cannot be read.
    """
    tally = Tally(asking, len(questions))
    tally.ask(index, questions, {})
    return tally.scores()


def put(made: Scratch, documents: Sequence[Document], now: Instant, progress: Progress) -> dict[MemoryPath, list[str]]:
    """Write documents into a scratch store; which of them each path is: those with the same content share one.

    Raises:
        InvalidInputError: a document can be no memory.
    """
    names: dict[MemoryPath, list[str]] = {}
    try:
        paths = made.write([(draft(document.text, document.when), now) for document in documents], progress)
    except InvalidMemoryError:
        refuse("the documents", list(_faults(documents, now)), "correct the text, or leave the document out")
        raise
    for path, document in zip(paths, documents, strict=True):
        names.setdefault(path, []).append(document.id)
    return names


def _faults(documents: Iterable[Document], now: Instant) -> Iterator[tuple[int, str]]:
    """The lines of documents that can be no memory, each with what is wrong; looked for only when there is one."""
    from memhtml.page.compose import compose

    for document in documents:
        try:
            compose(draft(document.text, document.when), now=now)
        except InvalidMemoryError as error:
            yield document.line, error.message


def draft(text: str, when: Instant | None) -> Draft:
    """A text as a memory: its first sentence is the claim, the rest the body, its beginning the title.

    >>> draft("Drain first. Then deploy.", None).claim
    'Drain first.'
    """
    whole = text.strip()
    claim = _SENTENCE_END.split(whole, maxsplit=1)[0].strip()
    rest = whole[len(claim) :].strip()
    title = " ".join(whole[:TITLE].split())
    return Draft(MemoryType.SEMANTIC, title=title, claim=claim, body=rest or None, event_at=when)


def ask(index: Index, embedder: Embedder | None, query: str, sought: Sought) -> Answer:
    """One search, one way, the bar off."""
    request = Request(query=query, limit=sought.limit, bar=False, arms=ARMS[sought.way])
    return search(index, embedder, request, sought.now)


def named(answer: Answer, names: Mapping[MemoryPath, Sequence[str]]) -> list[str]:
    """The documents that an answer's hits are, best first."""
    return [name for hit in answer.hits for name in names.get(hit.path, (hit.path,))]


def _score(way: Way, rows: Sequence[_Row]) -> Score:
    figures = [row.figures for row in rows]
    low, high = spread([(row.store, row.figures) for row in rows], lambda: Random(SEED))  # noqa: S311 - no secret
    groups: dict[str, list[Figures]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row.figures)
    parts = [GroupScore(group, len(part), mean(part)) for group, part in sorted(groups.items())]
    return Score(way, mean(figures), low, high, tuple(parts) if len(parts) > 1 else ())
