"""Out of use, and back."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import (
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.scope import Scope
from memhtml.ops.archive import archive, restore
from memhtml.ops.correct import correct
from memhtml.ops.doctor import doctor
from memhtml.ops.listing import list_memories
from memhtml.ops.neighbors import neighbors
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen


def commits(workspace: Workspace) -> int:
    """How many there are."""
    return int(git(workspace.repository.root, "rev-list", "--count", "HEAD"))


def test_several_are_archived_as_one_commit_and_restored_as_one(workspace: Workspace) -> None:
    """Where they were, with what they were; the listing follows."""
    paths = [write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2)]
    files = [(workspace.repository.root / path).read_bytes() for path in paths]
    before = commits(workspace)
    moved = archive(workspace, paths)
    assert [(each.previous, each.path) for each in moved.memories] == [(p, f"archive/2026/{p}") for p in paths]
    assert commits(workspace) == before + 1
    assert list_memories(workspace, Scope()).total == 0
    assert list_memories(workspace, Scope(archived=True)).total == 2
    back = restore(workspace, [moved.memories[0].path, paths[1]])
    assert [each.path for each in back.memories] == paths
    assert [(workspace.repository.root / path).read_bytes() for path in paths] == files
    assert git(workspace.repository.root, "log", "-1", "--format=%s") == "memory(restore): 2 memories"


def test_one_refusal_moves_none(workspace: Workspace) -> None:
    """All or none, in both directions."""
    path = write(workspace, fact("Fact one is here.")).path
    before = seen(workspace.repository.root)
    for call, error in (
        (lambda: archive(workspace, [path, "areas/none.html"]), PathNotFoundError),
        (lambda: restore(workspace, [path]), WriteConflictError),
        (lambda: restore(workspace, ["areas/none.html"]), PathNotFoundError),
    ):
        with pytest.raises(error):
            call()
    assert seen(workspace.repository.root) == before


def test_a_link_to_where_a_memory_was_archived_follows_it_back(workspace: Workspace) -> None:
    """A correction's link leads to the archive; when the corrected one is restored, nothing dangles."""
    old = write(workspace, fact("Drain before every deploy.")).path
    new = correct(workspace, old, fact("Drain and wait.")).path
    assert restore(workspace, [old]).memories[0].path == old
    assert [(one.path, one.found) for one in neighbors(workspace, new).neighbors] == [(old, True)]
    assert [one.path for one in neighbors(workspace, old).neighbors] == [new]
    assert doctor(workspace).healthy
