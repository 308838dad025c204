"""What a memory is, as values: what a caller gives, what a file holds, what the index takes from it."""

from __future__ import annotations

from typing import NewType

from msgspec import Struct

from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus

MemoryPath = NewType("MemoryPath", str)
"""Where a memory lives, from the store's root, without a leading slash: its only id. Always NFC."""

ContentHash = NewType("ContentHash", str)
"""``sha256:`` and 64 hex digits over the canonical text of the article."""

Instant = NewType("Instant", str)
"""``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ssZ``: compared as text."""

BlobId = NewType("BlobId", str)
CommitId = NewType("CommitId", str)


class Entity(Struct, frozen=True, order=True):
    """A thing that a memory names, written ``type:name``; the name may hold further colons."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"


class Link(Struct, frozen=True, order=True):
    """A typed edge to another memory. ``target`` is the path in the href, without its leading slash."""

    rel: Rel
    target: MemoryPath


class Facet(Struct, frozen=True):
    """A name and a value from a definition list; ``number`` is the finite machine value of a ``<data>``, if any."""

    name: str
    value: str
    number: float | None = None


class Citation(Struct, frozen=True):
    """A source: its text, and its address where one is given."""

    text: str
    uri: str | None = None


class Head(Struct, frozen=True):
    """The metas of a file, in the order in which they are written. ``None`` and ``()`` mean: not written."""

    type: MemoryType
    status: Status
    created: Instant
    updated: Instant
    confidence: float | None = None
    importance: int | None = None
    content_hash: str | None = None
    author: str | None = None
    session: str | None = None
    prompt: str | None = None
    turn: str | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    reprieves: int | None = None
    archived: Instant | None = None
    superseded_by: MemoryPath | None = None
    needs_revision: bool | None = None
    task_status: TaskStatus | None = None
    due: Instant | None = None
    entities: tuple[Entity, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class Memory(Struct, frozen=True):
    """A whole file: ``article`` is the inner markup of ``<article>``."""

    title: str
    head: Head
    links: tuple[Link, ...]
    article: str


class Draft(Struct, frozen=True):
    """What a caller gives for a new memory. Exactly one of prose (``claim``, ``body``) and ``article_html``.

    ``body`` is prose: paragraphs are parted by blank lines, backtick fences become code figures. Without a ``claim``
    the first paragraph of ``body`` gives it (its first sentence). Without a ``title`` the claim gives it.
    ``workspace`` places the file; ``path`` overrides every rule of placement.
    """

    type: MemoryType
    title: str | None = None
    claim: str | None = None
    body: str | None = None
    article_html: str | None = None
    path: str | None = None
    workspace: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    aliases: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    citations: tuple[Citation, ...] = ()
    links: tuple[Link, ...] = ()
    event_at: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    importance: int | None = None
    confidence: float | None = None
    task_status: TaskStatus | None = None
    due: str | None = None
    author: str | None = None
    session: str | None = None
    prompt: str | None = None
    turn: str | None = None


class Facts(Struct, frozen=True):
    """Everything that the index takes from one file.

    Attributes:
        title: text of ``<title>``.
        head: the metas as read, instants normalised, optional values outside the grammar dropped (and warned of).
        links: in document order, without repeats.
        gist: the claim as one line, code left out.
        body: all searchable text of the article, blocks parted by newlines, folds, asides and code included.
        disclosure: what ``recall`` may quote: claim, prose, summaries, facets, citations; never folds or asides.
        event_at: the first ``<time datetime>``, normalised.
        entities: of the head, then ``concept:`` from ``<dfn>``, then ``lang:`` from ``<code data-lang>``; no repeats.
        content_hash: recomputed, never the one that the head claims.
    """

    title: str
    head: Head
    links: tuple[Link, ...]
    gist: str
    body: str
    disclosure: str
    event_at: Instant | None
    facets: tuple[Facet, ...]
    citations: tuple[Citation, ...]
    entities: tuple[Entity, ...]
    content_hash: ContentHash
