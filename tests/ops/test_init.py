"""A folder becomes a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml.domain.errors import (
    NotAStoreError,
    StoreMissingError,
)
from memhtml.ops.init import init
from memhtml.ops.status import status
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, opened

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


def test_init_makes_a_store_and_changes_nothing_the_second_time(root: Path) -> None:
    """Created once; the branch stands still afterwards."""
    with opened(root) as workspace:
        first, second = init(workspace), init(workspace)
    assert (first.created, second.created) == (True, False)
    assert second.changed == ()
    assert first.commit == second.commit == git(root, "rev-parse", "HEAD")
    assert git(root, "branch", "--show-current") == "main"


def test_init_of_a_named_folder_leaves_the_configured_root_alone(root: Path, tmp_path: Path) -> None:
    """The argument wins."""
    with opened(root) as workspace:
        made = init(workspace, str(tmp_path / "other"))
    assert made.root == tmp_path / "other"
    assert not root.exists()


def test_what_is_no_store_is_refused_by_every_operation(tmp_path: Path) -> None:
    """Nothing there, a file, a folder of other things; and nothing is made of them."""
    file = tmp_path / "file"
    file.write_text("x")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    for place, error in ((tmp_path / "none", StoreMissingError), (file, NotAStoreError), (folder, NotAStoreError)):
        with opened(place) as workspace, pytest.raises(error):
            write(workspace, fact(CLAIM))
        with opened(place) as workspace, pytest.raises(error):
            status(workspace)
    with opened(folder) as workspace, pytest.raises(NotAStoreError):
        init(workspace)
    assert sorted(path.name for path in folder.iterdir()) == ["thesis.txt"]
    assert not (tmp_path / "none").exists()
