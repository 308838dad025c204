"""An index in memory, and a way to put memories into it without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from memhtml.domain.entities import parse_entity
from memhtml.domain.memory import BlobId, ContentHash, Facet, Facts, Head, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus
from memhtml.index import tables
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.projection import Projected, rows_of

Remember = Callable[..., MemoryPath]


def facts(body: str, **given: object) -> Facts:
    """What a file with this text would say; anything else may be given by its name in the format."""
    kind = MemoryType(str(given.get("type", "semantic")))
    head = Head(
        type=kind,
        status=Status(str(given.get("status", "active"))),
        created=Instant(str(given.get("created", "2026-01-01T00:00:00Z"))),
        updated=Instant(str(given.get("updated", "2026-01-01T00:00:00Z"))),
        content_hash=given.get("claimed_hash"),
        valid_from=given.get("valid_from"),
        valid_until=given.get("valid_until"),
        superseded_by=given.get("superseded_by"),
        task_status=TaskStatus.TODO if kind is MemoryType.TASK else None,
        tags=tuple(given.get("tags", ())),
        aliases=tuple(given.get("aliases", ())),
    )
    return Facts(
        title=str(given.get("title", "A title")),
        head=head,
        links=tuple(Link(Rel(rel), MemoryPath(target)) for rel, target in given.get("links", ())),
        gist=str(given.get("gist", body.split("\n", maxsplit=1)[0])),
        body=body,
        disclosure=str(given.get("disclosure", body)),
        event_at=given.get("event_at"),
        facets=tuple(Facet(*facet) for facet in given.get("facets", ())),
        citations=tuple(given.get("citations", ())),
        entities=tuple(parse_entity(entity) for entity in given.get("entities", ())),
        content_hash=ContentHash("sha256:" + sha256(str(given.get("content", body)).encode()).hexdigest()),
    )


def projected(path: str, body: str, **given: object) -> Projected:
    """The rows of such a file."""
    return rows_of(facts(body, **given), MemoryPath(path), BlobId(sha256(repr((body, given)).encode()).hexdigest()))


@pytest.fixture
def index() -> Iterator[Index]:
    """An empty index in memory."""
    with Index.in_memory() as opened:
        yield opened


@pytest.fixture
def remembering() -> Callable[[Index], Remember]:
    """Gives what puts a memory into an index, in place of what the path held."""

    def into(index: Index) -> Remember:
        def put(path: str, body: str, **given: object) -> MemoryPath:
            with index._connections.writing(Kind.INDEX) as connection:
                tables.delete(connection, MemoryPath(path))
                tables.insert(connection, projected(path, body, **given))
            return MemoryPath(path)

        return put

    return into


@pytest.fixture
def remember(index: Index, remembering: Callable[[Index], Remember]) -> Remember:
    """Puts a memory into the index."""
    return remembering(index)
