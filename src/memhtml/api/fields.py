"""What the methods of `Store` take by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

from memhtml.domain.memory import Citation, Entity, Facet, Link
from memhtml.domain.vocabulary import MemoryType, TaskStatus

FacetValue: TypeAlias = str | int | float | bool


class DraftFields(TypedDict, total=False):
    """What a new memory may be given beside its claim; each as the command line's flag of that name.

    ``body`` is prose; ``article_html`` is markup, and excludes claim and body. ``facets`` maps names to values,
    or to several each.
    Instants are ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ssZ``. ``status`` and ``due`` are for tasks.
    """

    body: str
    article_html: str
    title: str
    type: MemoryType | str
    path: str
    workspace: str
    tags: Sequence[str]
    entities: Sequence[Entity | str]
    aliases: Sequence[str]
    facets: Mapping[str, FacetValue | Sequence[FacetValue]] | Sequence[Facet]
    citations: Sequence[Citation | str]
    links: Sequence[Link | str]
    event_at: str
    valid_from: str
    valid_until: str
    importance: int
    confidence: float
    status: TaskStatus | str
    due: str
    author: str
    session_id: str
    prompt_id: str
    turn_id: str


class ScopeFields(TypedDict, total=False):
    """Which memories are looked at; what is left out filters nothing. Tasks come only when ``types`` names them.

    ``entity`` is ``type:name``; ``facet`` is (name, value); ``as_of`` is the moment at which a fact must have held.
    """

    types: Sequence[MemoryType | str]
    workspace: str
    tags: Sequence[str]
    entity: Entity | str
    facet: tuple[str, str]
    archived: bool
    as_of: str
