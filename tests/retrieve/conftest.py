"""An index in memory, with memories as a write would put them there, and vectors where a test wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from memhtml.domain.memory import BlobId, Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.index import tables
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.projection import Projected, project
from memhtml.page.compose import compose
from memhtml.page.render import render

NOW = Instant("2026-03-01T12:00:00Z")


@pytest.fixture
def store() -> Iterator[Index]:
    """An empty index."""
    with Index.in_memory() as made:
        yield made


@pytest.fixture
def write(store: Index) -> Callable[..., MemoryPath]:
    """Puts a memory into it: its name, its claim, and whatever else a draft takes; ``now`` is when it was written."""

    def put(name: str, claim: str, **given: object) -> MemoryPath:
        now = Instant(str(given.pop("now", NOW)))
        draft = Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **given})
        data = render(compose(draft, now=now))
        path = MemoryPath(name if "/" in name else f"areas/inbox/{name}.html")
        rows = project(data, path, BlobId(sha256(data).hexdigest()))
        assert isinstance(rows, Projected)
        with store._connections.writing(Kind.INDEX) as connection:
            tables.insert(connection, rows)
        return path

    return put
