"""Whether memories helped."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import (
    PathNotFoundError,
)
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.ops.archive import archive
from memhtml.ops.reinforce import reinforce
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact


def test_reinforcing_moves_the_outcome_once_in_fifteen_minutes(workspace: Workspace, clock: Hands) -> None:
    """0.3 of the way; the move of the file carries it along."""
    path = write(workspace, fact("Drain before every deploy.")).path
    first = reinforce(workspace, [path, path]).memories
    assert [(each.counted, each.reinforcements, each.outcome) for each in first] == [(True, 1, 0.3)]
    assert reinforce(workspace, [path]).memories[0].counted is False
    clock.instant = Instant("2026-07-28T10:15:00Z")
    assert reinforce(workspace, [path], outcome=-1).memories[0].outcome == -0.09
    moved = MemoryPath(archive(workspace, [path]).memories[0].path)
    assert reinforce(workspace, [moved]).memories[0].reinforcements == 2
    with pytest.raises(PathNotFoundError):
        reinforce(workspace, [moved, "areas/none.html"])
