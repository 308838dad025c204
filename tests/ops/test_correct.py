"""A memory takes another's place."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import DuplicateContentError, InvalidEdgeError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import Entity
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.correct import correct
from memhtml.ops.read import read
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen

OLD = "The retry limit of checkout is 3."
NEW = "The retry limit of checkout is 5."


def test_worked_example(workspace: Workspace) -> None:
    """One commit: the new memory beside the old place, the old one in the archive, each naming the other."""
    old = write(workspace, fact(OLD))
    commits = int(git(workspace.repository.root, "rev-list", "--count", "HEAD"))
    done = correct(workspace, old.path, fact(NEW))
    assert done.path == "areas/inbox/the-retry-limit-of-checkout-is-5.html"
    assert (done.previous, done.superseded) == (old.path, f"archive/2026/{old.path}")
    assert int(git(workspace.repository.root, "rev-list", "--count", "HEAD")) == commits + 1
    assert git(workspace.repository.root, "log", "-1", "--format=%s") == f"memory(correct): {NEW}"
    new, gone = read(workspace, [done.path, done.superseded], count=False).memories
    assert new.memory is not None
    assert gone.memory is not None
    assert [(link.rel.value, link.target) for link in new.memory.links] == [("supersedes", done.superseded)]
    assert gone.memory.superseded_by == done.path
    assert gone.memory.status.value == "archived"


def test_what_is_not_given_is_inherited_and_what_is_given_is_not(workspace: Workspace) -> None:
    """Type, tags, entities, aliases, importance."""
    old = write(
        workspace,
        replace(
            fact(OLD, MemoryType.USER_PREFERENCE),
            tags=("deploys",),
            entities=(Entity("service", "checkout"),),
            aliases=("retries",),
            importance=8,
            confidence=0.5,
        ),
    )
    first = correct(workspace, old.path, fact(NEW))
    kept = read(workspace, [first.path], count=False).memories[0].memory
    assert kept is not None
    assert (kept.type, kept.tags, kept.aliases, kept.importance) == (
        MemoryType.USER_PREFERENCE,
        ("deploys",),
        ("retries",),
        8,
    )
    assert kept.entities == (Entity("service", "checkout"),)
    assert kept.confidence is None
    other = replace(fact("The retry limit of checkout is 7."), tags=("limits",), importance=2)
    second = correct(workspace, first.path, other, keep_type=False)
    changed = read(workspace, [second.path], count=False).memories[0].memory
    assert changed is not None
    assert (changed.type, changed.tags, changed.importance) == (MemoryType.SEMANTIC, ("limits",), 2)


def test_refusals_leave_everything_as_it_was(workspace: Workspace) -> None:
    """Nothing there, already corrected, the same words, another memory's words, a task."""
    old = write(workspace, fact(OLD))
    other = write(workspace, fact("Nodes reboot on Sundays."))
    task = write(workspace, fact("Order the badges", MemoryType.TASK))
    done = correct(workspace, old.path, fact(NEW))
    before = seen(workspace.repository.root)
    for target, claim, error in (
        ("areas/nowhere.html", "x", PathNotFoundError),
        (old.path, "x", PathNotFoundError),
        (done.superseded, "x", WriteConflictError),
        (done.path, NEW, DuplicateContentError),
        (done.path, "Nodes reboot on Sundays.", DuplicateContentError),
        (task.path, "x", InvalidEdgeError),
    ):
        with pytest.raises(error) as caught:
            correct(workspace, target, fact(claim), keep_type=False)
        if target in {old.path, done.superseded}:
            assert any(done.path in suggestion for suggestion in caught.value.suggestions)
    assert seen(workspace.repository.root) == before
    assert (workspace.repository.root / other.path).exists()
