"""Which memories a question is put to. One definition, applied to every arm before any top-k."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.memory import Entity, Instant
from memhtml.domain.vocabulary import MemoryType


class Scope(Struct, frozen=True):
    """A filter; the parts are joined by AND, the defaults let every active memory but tasks through.

    A workspace, tag, entity or facet as it was given to a write finds what was written: white space and Unicode form
    are folded as in a file, letter case is not.

    Attributes:
        types: these types only; empty means all but tasks.
        workspace: memories under ``projects/<workspace>/`` exactly; archived ones by their original place.
        tags: any of these.
        entity: exactly this one, as hits publish it.
        facet: (name, value), both equal as text.
        archived: also what lies in the archive.
        as_of: what held at this instant: ``coalesce(valid_from, event_at, created) <= as_of < valid_until``;
            superseded memories come in and are marked.
    """

    types: frozenset[MemoryType] = frozenset()
    workspace: str | None = None
    tags: tuple[str, ...] = ()
    entity: Entity | None = None
    facet: tuple[str, str] | None = None
    archived: bool = False
    as_of: Instant | None = None
