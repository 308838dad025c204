"""Typed edges between memories."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import (
    InvalidEdgeError,
    PathNotFoundError,
)
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.ops.link import link, unlink
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen


def commits(workspace: Workspace) -> int:
    """How many there are."""
    return int(git(workspace.repository.root, "rev-list", "--count", "HEAD"))


def test_a_link_is_there_once_and_gone_once(workspace: Workspace) -> None:
    """What is so already makes no commit."""
    one, two = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2))
    first = link(workspace, one, Rel.SUPPORTS, two)
    assert (first.source, first.rel, first.target, first.changed) == (one, Rel.SUPPORTS, two, True)
    again = link(workspace, one, Rel.SUPPORTS, "/" + two)
    assert (again.changed, again.commit) == (False, None)
    assert unlink(workspace, one, Rel.SUPPORTS, two).changed is True
    assert unlink(workspace, one, Rel.SUPPORTS, two).commit is None


def test_links_that_the_vocabulary_does_not_allow_are_refused(workspace: Workspace) -> None:
    """Tasks with memories, a memory with itself, a target that is nowhere."""
    memory = write(workspace, fact("Fact one is here.")).path
    task = write(workspace, fact("Order the badges", MemoryType.TASK)).path
    before = seen(workspace.repository.root)
    for source, rel, target, error in (
        (memory, Rel.BLOCKS, task, InvalidEdgeError),
        (task, Rel.SUPPORTS, memory, InvalidEdgeError),
        (memory, Rel.SUPPORTS, memory, InvalidEdgeError),
        (memory, Rel.SUPPORTS, "areas/none.html", PathNotFoundError),
        ("areas/none.html", Rel.SUPPORTS, memory, PathNotFoundError),
    ):
        with pytest.raises(error):
            link(workspace, source, rel, target)
    assert seen(workspace.repository.root) == before
