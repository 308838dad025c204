"""Settings looked at and set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memhtml.config.settings import Source
from memhtml.domain.errors import (
    DirtyTreeError,
    InvalidSettingError,
)
from memhtml.ops.config import set_setting
from memhtml.workspace.workspace import Workspace

from .conftest import git, opened, seen

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


def test_a_setting_of_the_store_is_a_commit_and_is_heard(workspace: Workspace) -> None:
    """Once; taking it out is another."""
    done = set_setting(workspace, "lock_wait", "60", user=False)
    root = workspace.repository.root
    assert (done.changed, done.effective, done.source) == (True, "60", Source.STORE)
    assert done.commit == git(root, "rev-parse", "HEAD")
    assert (root / ".memhtml/config.toml").read_text() == 'lock_wait = "60"\n'
    assert set_setting(workspace, "lock-wait", "60", user=False).commit is None
    with opened(root) as again:
        assert again.settings.lock_wait == 60
    assert set_setting(workspace, "lock_wait", None, user=False).source is Source.DEFAULT


@pytest.mark.parametrize(
    ("name", "value"),
    [("embed_url", "https://a.example"), ("embed_key", "k"), ("root", "/x"), ("embed", "maybe"), ("x", "1")],
)
def test_what_a_store_may_not_say_is_refused(workspace: Workspace, name: str, value: str) -> None:
    """No secrets, nothing that sends memories elsewhere, nothing unknown; and nothing is written."""
    before = seen(workspace.repository.root)
    with pytest.raises(InvalidSettingError):
        set_setting(workspace, name, value, user=False)
    assert seen(workspace.repository.root) == before


def test_a_users_setting_goes_to_the_users_file_and_a_secret_is_not_shown(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readable by nobody else."""
    monkeypatch.setattr("memhtml.ops.config.user_file", lambda _: tmp_path / "home" / "config.toml")
    done = set_setting(workspace, "embed_key", "sk-1", user=True)
    file = tmp_path / "home" / "config.toml"
    assert file.read_text() == 'embed_key = "sk-1"\n'
    assert "sk-1" not in repr(done)
    assert (done.file, done.changed, done.commit, done.value) == (str(file), True, None, "(set)")
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
    assert set_setting(workspace, "embed_key", None, user=True).changed is True
    assert file.read_text() == ""


def test_a_value_that_cannot_be_is_taken_out_by_the_command_for_that(workspace: Workspace) -> None:
    """Also when another one is broken too: the change is done, and says what holds."""
    root = workspace.repository.root
    by_hand(workspace, ".memhtml/config.toml", 'embed = "maybe"\nlock_wait = "soon"\n')
    commit_all(workspace)
    assert set_setting(workspace, "lock_wait", None, user=False).effective == "30"
    assert (root / ".memhtml/config.toml").read_text() == 'embed = "maybe"\n'
    assert set_setting(workspace, "embed", "off", user=False).effective == "off"
    by_hand(workspace, ".memhtml/config.toml", "[garbage")
    commit_all(workspace)
    with pytest.raises(InvalidSettingError, match="no valid TOML") as caught:
        set_setting(workspace, "embed", "on", user=False)
    assert "edit .memhtml/config.toml" in caught.value.suggestions


def test_a_broken_file_that_is_not_committed_is_said_to_be_broken(workspace: Workspace) -> None:
    """To commit it would keep it; a sound one that is not committed is told apart."""
    root = workspace.repository.root
    file = by_hand(workspace, ".memhtml/config.toml", "[garbage")
    with opened(root, forgiving=True) as again, pytest.raises(DirtyTreeError, match="no valid TOML") as caught:
        set_setting(again, "lock_wait", "5", user=False)
    assert caught.value.suggestions[0].startswith(f"edit {file}")
    file.write_text('lock_wait = "soon"\n')
    for name in ("lock_wait", "embed"):
        with opened(root, forgiving=True) as again, pytest.raises(DirtyTreeError) as caught:
            set_setting(again, name, None, user=False)
        assert caught.value.suggestions[0] == f"edit {file}"
    file.write_text('embed = "off"\n')
    with opened(root, forgiving=True) as again, pytest.raises(DirtyTreeError) as caught:
        set_setting(again, "lock_wait", "5", user=False)
    assert "TOML" not in caught.value.message
