"""Memories without a question."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    StorageError,
)
from memhtml.domain.memory import Instant
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.ops.listing import list_memories
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact


def test_list_filters_counts_and_pages(workspace: Workspace, clock: Hands) -> None:
    """Newest first; the total is that of the filter, whatever the page."""
    for number in range(5):
        clock.instant = Instant(f"2026-07-28T10:00:0{number}Z")
        write(workspace, replace(fact(f"Fact {number} is here."), tags=("even",) if number % 2 == 0 else ()))
    write(workspace, fact("Order the badges", MemoryType.TASK))
    everything = list_memories(workspace, Scope())
    assert [row.title for row in everything.memories] == [f"Fact {number} is here." for number in (4, 3, 2, 1, 0)]
    page = list_memories(workspace, Scope(tags=("even",)), limit=1, offset=1)
    assert (page.total, page.offset, [row.title for row in page.memories]) == (3, 1, ["Fact 2 is here."])
    assert list_memories(workspace, Scope(), offset=99).memories == ()


def test_an_index_that_is_behind_is_said_beside_the_answer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has is better than nothing."""
    write(workspace, fact("Drain before every deploy."))

    def stale(self: Index, source: object) -> None:
        del self, source
        raise StorageError("read-only")

    monkeypatch.setattr(Index, "catch_up", stale)
    found = list_memories(workspace, Scope())
    assert found.total == 1
    assert [notice.code for notice in found.warnings] == ["ERR_STORAGE"]
