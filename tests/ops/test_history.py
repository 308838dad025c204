"""The commits of a memory."""

from __future__ import annotations

from msgspec.structs import replace

from memhtml.ops.archive import archive
from memhtml.ops.history import history
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git


def test_history_follows_a_memory_through_its_moves(workspace: Workspace) -> None:
    """Newest first, as git tells it."""
    path = write(workspace, replace(fact("Drain before every deploy."), session="s1")).path
    moved = archive(workspace, [path]).memories[0].path
    found = history(workspace, path)
    assert found.path == moved
    assert [(each.change, each.path, each.session) for each in found.commits] == [
        ("moved", moved, None),
        ("added", path, "s1"),
    ]
    assert found.total == 2
    assert [each.commit for each in found.commits] == git(workspace.repository.root, "log", "-2", "--format=%H").split()
    assert len(history(workspace, path, limit=1).commits) == 1
