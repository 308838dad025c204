"""What is in a store, counted."""

from __future__ import annotations

from pathlib import Path

from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.archive import archive
from memhtml.ops.status import status
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git

CLAIM = "Drain before every deploy."


def by_hand(workspace: Workspace, path: str, text: str) -> Path:
    """A file that a person saved."""
    file = workspace.repository.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit_all(workspace: Workspace, message: str = "by hand") -> None:
    """What a person does then."""
    root = workspace.repository.root
    git(root, "add", "-A")
    git(root, "-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", message)


def test_status_counts_what_is_there(workspace: Workspace) -> None:
    """By type, archived apart, with what nobody committed; the numbers add up."""
    for number in range(3):
        write(workspace, fact(f"Fact {number} is here."))
    write(workspace, fact("Order the badges", MemoryType.TASK))
    gone = write(workspace, fact("Fact 9 is here.")).path
    archive(workspace, [gone])
    path = write(workspace, fact(CLAIM)).path
    (workspace.repository.root / path).unlink()
    by_hand(workspace, "areas/inbox/new.html", "x")
    found = status(workspace)
    assert (found.memories, found.active, found.archived) == (6, {"semantic": 4, "task": 1}, 1)
    assert sum(found.active.values()) + found.archived == found.memories
    assert (found.pending.edited, found.pending.deleted) == (1, 1)
    assert found.pending.paths == ("areas/inbox/drain-before-every-deploy.html", "areas/inbox/new.html")
    assert found.fresh
    assert found.branch == "main"
    assert found.commit == found.indexed == git(workspace.repository.root, "rev-parse", "HEAD")
