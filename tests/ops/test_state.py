"""The durable copy of the state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    InvalidInputError,
    PathNotFoundError,
)
from memhtml.domain.memory import MemoryPath
from memhtml.ops.read import read
from memhtml.ops.state import export_state, import_state
from memhtml.ops.write import write
from memhtml.store.layout import SIDECAR
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


def test_state_goes_out_as_a_commit_and_comes_back(workspace: Workspace) -> None:
    """Byte-identical when nothing changed; merged by maximum; bad lines counted."""
    path = write(workspace, fact(CLAIM)).path
    read(workspace, [path])
    out = export_state(workspace)
    assert (out.memories, out.path) == (1, SIDECAR)
    assert out.commit == git(workspace.repository.root, "rev-parse", "HEAD")
    assert export_state(workspace).commit is None
    text = (workspace.repository.root / SIDECAR).read_bytes()
    assert json.loads(text)["accessCount"] == 1
    more = text.replace(b'"accessCount":1', b'"accessCount":7') + b"not json\n"
    report = import_state(workspace, more)
    assert (report.merged, report.skipped) == (1, 1)
    assert import_state(workspace).merged == 1
    with workspace.index.reading() as view:
        assert view.state([MemoryPath(path)])[MemoryPath(path)].opens == 7


def test_importing_what_is_not_there_is_an_error(workspace: Workspace) -> None:
    """With what to do."""
    with pytest.raises(PathNotFoundError, match=r"access\.jsonl"):
        import_state(workspace)


def test_a_file_without_any_line_of_state_is_refused(workspace: Workspace) -> None:
    """It says what is expected; an empty file is nothing to refuse."""
    with pytest.raises(InvalidInputError, match="none of the 2 lines") as caught:
        import_state(workspace, b"hello\n{}\n")
    assert "one JSON object a line" in caught.value.suggestions[0]
    report = import_state(workspace, b"\n")
    assert (report.merged, report.skipped) == (0, 0)
