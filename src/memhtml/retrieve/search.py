"""Search: the memories that answer a question, best first, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.gists import listed
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.relevance import held_enough, lexical_relevance, near_enough, relevance
from memhtml.domain.scope import Scope
from memhtml.domain.terms import Term
from memhtml.domain.vocabulary import DEFAULT_CONFIDENCE
from memhtml.retrieve.answer import Answer, Arm, Degraded, Hit, Reason, Request, Share, Trust
from memhtml.retrieve.asking import Asked, asked
from memhtml.retrieve.finding import POOL, Found, Sought, find
from memhtml.retrieve.pieces import Piece, best_piece, share, snippet
from memhtml.retrieve.ranking import HEAD, Agreed, Compared, Judged, Order, agreed, folded, joined, shares
from memhtml.retrieve.variety import varied

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.index.memories import MemoryRow
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder

TAIL = 0.5
"""What of the bar the hits after one that clears it must reach."""

TAIL_OF_WORDS = 0.3
"""The same where words alone judge: they say less about a single hit."""

_UNCERTAIN = 0.5


def search(index: Index, embedder: Embedder | None, request: Request, now: Instant) -> Answer:
    """What the index holds that answers ``request``, from one generation of it.

    Any text is a query. Without ``embedder``, or where it fails, words alone answer, and the answer says so.

    Raises:
        StorageError: the index cannot be read.
    """
    with index.reading() as view:
        return search_view(view, embedder, request, now)


def search_view(view: View, embedder: Embedder | None, request: Request, now: Instant) -> Answer:
    """`search` in a generation that is being read already."""
    arms = frozenset(Arm) if request.arms is None else request.arms
    words = asked(request.query, view)
    sought = Sought(words, view, embedder, request.scope, max(POOL, _WIDER * request.limit))
    found, degraded = find(sought, arms)
    candidates = joined(words, found)
    if not candidates:
        return Answer(request.query, (), _why_nothing(view, request, words, degraded), degraded)
    work = _Work(view, words, found, request.scope, list(candidates)[: max(HEAD, _WIDER * request.limit)])
    best = work.best()
    if request.bar and not best.passes:
        rejected = work.hit(best.path, 0.0, best.relevance) if request.rejected else None
        return Answer(request.query, (), Reason.NOTHING_RELEVANT, degraded, rejected)
    order = work.order(candidates, arms, now)
    shown = order.paths[: _WIDER * request.limit]
    # Without vectors no memory is like another; and reading them would load numpy, which costs more than the search.
    chosen = varied(view, shown, request.limit) if Arm.VECTOR in found else shown[: request.limit]
    if request.bar:
        tail = TAIL if Arm.VECTOR in found else TAIL_OF_WORDS
        chosen = tuple(path for path in chosen if work.passes(path, tail * best.bar))
    score = dict(zip(order.paths, order.scores, strict=True))
    hits = tuple(
        work.hit(
            path, score[path], work.relevance(path), shares(path, order, found, words) if request.explain else None
        )
        for path in chosen
    )
    return Answer(request.query, hits, None, degraded)


_WIDER = 3  # candidates per hit among which diversity picks


class _Best(Struct, frozen=True):
    path: MemoryPath
    relevance: float
    bar: float
    passes: bool


class _Work:
    """The candidates of one search, read as far as they are needed."""

    def __init__(
        self, view: View, words: Asked, found: Mapping[Arm, Found], scope: Scope, paths: Sequence[MemoryPath]
    ) -> None:
        self._view = view
        self._scope = scope
        self._asked = words
        self._found = found
        self._rows = view.rows(paths)
        self._head = list(self._rows)[:HEAD]
        self._pieces: dict[MemoryPath, Piece] = {}
        self._relevance: dict[MemoryPath, float] = {}
        self._content = frozenset(words.content)
        # What no vector was compared for lies below the last one that was.
        self._farthest = min(self._cosines.values(), default=0.0)
        self._read(self._head)

    def best(self) -> _Best:
        """The most relevant of the first candidates; one that the whole query names, or that holds all of it, is."""
        bar = self._bar()
        for path in self._head:
            if self._answers_whole(path):
                return _Best(path, self.relevance(path), bar, passes=True)
        path = max(self._head, key=self.relevance)
        return _Best(path, self.relevance(path), bar, passes=self.passes(path, bar))

    def passes(self, path: MemoryPath, bar: float) -> bool:
        """Whether a candidate is relevant enough, or answers the whole query by its name or its words."""
        return self.relevance(path) >= bar or self._answers_whole(path)

    def _answers_whole(self, path: MemoryPath) -> bool:
        named = self._found.get(Arm.EXACT, Found()).values
        if named.get(path) == 1.0 or path in self._verbatim:
            return True
        return bool(self._content) and self._content <= self._piece(path).held

    def _bar(self) -> float:
        compared = len(self._cosines)
        if not compared or compared >= POOL:
            compared = self._view.total if self._scope == Scope() else self._view.count(self._scope)
        return near_enough(compared) if self._cosines else held_enough(compared)

    def order(self, candidates: Mapping[MemoryPath, float], arms: frozenset[Arm], now: Instant) -> Order:
        """The candidates that were read in their final order."""
        relevance = {path: candidates[path] for path in self._rows}
        if Arm.AGREEMENT in arms:
            compared = {path: Compared(self._rows[path].moment, self._pieces[path].statements) for path in self._head}
            agreement = agreed(self._asked, relevance, self._found, compared)
        else:
            agreement = Agreed(tuple(relevance))
        opened = self._view.state(list(self._rows)) if Arm.SALIENCE in arms else {}
        whole = [path for path, value in self._verbatim.items() if value == 1.0 and path in self._rows]
        return folded(agreement, Judged(self._rows, opened, now), arms, whole)

    def relevance(self, path: MemoryPath) -> float:
        """How relevant a candidate is in itself."""
        known = self._relevance.get(path)
        if known is None:
            known = self._relevance[path] = self._judged(self._piece(path).held, self._cosines.get(path))
        return known

    def _judged(self, held: frozenset[Term], cosine: float | None) -> float:
        covered = share(self._asked, held)
        if self._cosines:
            return relevance(self._farthest if cosine is None else cosine, covered)
        at_home = not held.isdisjoint(self._asked.at_home)
        return lexical_relevance(covered, len(held), len(self._content), at_home=at_home)

    def hit(self, path: MemoryPath, score: float, relevance: float, arms: tuple[Share, ...] | None = None) -> Hit:
        """A candidate as an answer shows it."""
        row = self._rows[path]
        return Hit(
            path=path,
            title=row.title,
            gist=listed(row.gist),
            type=row.type,
            score=round(score, 6),
            relevance=relevance,
            created=row.created,
            updated=row.updated,
            event_at=row.event_at,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            entities=row.entities,
            tags=row.tags,
            snippet=snippet(self._asked, self._piece(path).text),
            superseded_by=row.superseded_by,
            contradicts=row.contradicts,
            trust=_trust(row),
            confidence=DEFAULT_CONFIDENCE if row.confidence is None else row.confidence,
            archived=row.archived,
            arms=arms,
        )

    @property
    def _verbatim(self) -> Mapping[MemoryPath, float]:
        return self._found.get(Arm.VERBATIM, Found()).values

    @property
    def _cosines(self) -> Mapping[MemoryPath, float]:
        return self._found.get(Arm.VECTOR, Found()).values

    def _piece(self, path: MemoryPath) -> Piece:
        if path not in self._pieces:
            # One that is shown and was not compared: the others will be wanted too.
            self._read([other for other in self._rows if other not in self._pieces])
        return self._pieces[path]

    def _read(self, paths: Sequence[MemoryPath]) -> None:
        cut = self._view.chunks(paths)
        chunks = self._found.get(Arm.VECTOR, Found()).chunks
        for path in paths:
            row = self._rows[path]
            around = (row.title, *row.tags, *(entity.name for entity in row.entities))
            self._pieces[path] = best_piece(self._asked, cut.get(path, (row.gist,)), chunks.get(path), around)


def _why_nothing(view: View, request: Request, words: Asked, degraded: tuple[Degraded, ...]) -> Reason:
    if not view.total:
        return Reason.STORE_EMPTY
    if not view.holds(request.scope):
        return Reason.SCOPE_EMPTY
    return Reason.LANES_DOWN if degraded and not words.sought else Reason.NOTHING_RELEVANT


def _trust(row: MemoryRow) -> Trust:
    if row.superseded_by is not None:
        return Trust.SUPERSEDED
    if row.contradicts:
        return Trust.CONTESTED
    if row.needs_revision:
        return Trust.NEEDS_REVISION
    if row.confidence is not None and row.confidence < _UNCERTAIN:
        return Trust.UNCERTAIN
    return Trust.UNCONTESTED
