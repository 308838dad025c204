"""Recall: what the store knows about a question, as a pack of quotes for a context window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import Instant
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.retrieve.answer import Degraded, Hit, Reason, Request
from memhtml.retrieve.pack import BUDGET, Pack, Source, lay_out
from memhtml.retrieve.search import search_view

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.index.memories import MemoryRow
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder

MOST = 50
"""Memories that a pack is made from, at most."""


class Recalled(Struct, frozen=True):
    """A pack, and what a search says beside its hits.

    Attributes:
        pack: empty when nothing was found.
        reason: why nothing was; ``None`` when something was.
        degraded: what could not take part.
    """

    pack: Pack
    reason: Reason | None
    degraded: tuple[Degraded, ...]


class RecallRequest(Struct, frozen=True):
    """What to recall: ``query`` as for a search, ``budget`` in characters for the whole pack, ``most`` memories."""

    query: str
    scope: Scope = Scope()
    budget: int = BUDGET
    bar: bool = True
    most: int = MOST


def recall(index: Index, embedder: Embedder | None, request: RecallRequest, now: Instant) -> Recalled:
    """Quote what answers ``request``, from one generation of the index; see `pack.lay_out` for the order.

    Raises:
        ValueError: the budget is too small for a pack.
        StorageError: the index cannot be read.
    """
    with index.reading() as view:
        return recall_view(view, embedder, request, now)


def recall_view(view: View, embedder: Embedder | None, request: RecallRequest, now: Instant) -> Recalled:
    """`recall` in a generation that is being read already."""
    asked = Request(query=request.query, scope=request.scope, limit=request.most, bar=request.bar)
    answer = search_view(view, embedder, asked, now)
    sources = sources_of(view, answer.hits)
    arcs = [source for source in sources if source.type is MemoryType.ARC]
    others = [source for source in sources if source.type is not MemoryType.ARC]
    pack = lay_out(request.query, arcs, others, budget=request.budget)
    return Recalled(pack, answer.reason, answer.degraded)


def sources_of(view: View, hits: Sequence[Hit | MemoryRow]) -> list[Source]:
    """The memories as a pack may show them, in their order."""
    texts = view.texts([hit.path for hit in hits])
    return [
        Source(
            path=hit.path,
            type=hit.type,
            moment=hit.event_at or hit.updated,
            gist=hit.gist,
            text=texts[hit.path].disclosure,
            entities=tuple(entity.name for entity in hit.entities),
            superseded_by=hit.superseded_by,
            contradicts=hit.contradicts,
        )
        for hit in hits
    ]
