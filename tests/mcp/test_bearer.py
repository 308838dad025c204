"""Where the token comes from."""

from __future__ import annotations

import os
import re
from pathlib import Path
from threading import Barrier, Thread

import pytest

from memhtml.domain.errors import InvalidSettingError, StorageError, UnsafeFileError
from memhtml.mcp.bearer import FILE, bearer

POSIX = pytest.mark.skipif(os.name != "posix", reason="files have owners and groups there")


def test_the_environments_token_is_taken(tmp_path: Path) -> None:
    """And nothing is kept; its text is not shown by accident."""
    found = bearer({"MEMHTML_TOKEN": "x" * 16}, tmp_path / "state")
    assert (found.token, found.source) == ("x" * 16, "MEMHTML_TOKEN")
    assert "xxx" not in repr(found)
    assert list(tmp_path.iterdir()) == []


def test_one_is_made_and_kept(tmp_path: Path) -> None:
    """256 bits, for this user alone; the next server has the same."""
    folder = tmp_path / "state" / "memhtml"
    found = bearer({"MEMHTML_TOKEN": ""}, folder)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", found.token)
    assert found.source == str(folder / FILE)
    assert bearer({}, folder) == found
    assert [file.name for file in folder.iterdir()] == [FILE]
    assert bearer({}, tmp_path / "other").token != found.token
    if os.name == "posix":
        assert (folder / FILE).stat().st_mode & 0o777 == 0o600


def test_servers_that_start_together_have_the_same(tmp_path: Path) -> None:
    """Whoever made the file."""
    barrier, found = Barrier(8), []

    def start() -> None:
        barrier.wait()
        found.append(bearer({}, tmp_path / "state").token)

    threads = [Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [file.name for file in (tmp_path / "state").iterdir()] == [FILE]


@pytest.mark.parametrize(
    "token", ["short", "x" * 15, "with a space in it", "x" * 513, "Zürich-0123456789", "x" * 20 + "\n"]
)
def test_what_is_no_token_is_refused(tmp_path: Path, token: str) -> None:
    """From the environment as from the file, and without repeating it."""
    with pytest.raises(InvalidSettingError) as caught:
        bearer({"MEMHTML_TOKEN": token}, tmp_path)
    assert token not in caught.value.message
    if not token.endswith("\n"):  # a file may end with one
        (tmp_path / FILE).write_text(token, encoding="utf-8")
        (tmp_path / FILE).chmod(0o600)
        with pytest.raises(InvalidSettingError):
            bearer({}, tmp_path)


@POSIX
def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """They have the token too."""
    known = bearer({}, tmp_path)
    (tmp_path / FILE).chmod(0o640)
    with pytest.raises(UnsafeFileError):
        bearer({}, tmp_path)
    (tmp_path / FILE).chmod(0o600)
    assert bearer({}, tmp_path) == known


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """They have put it there, so they know what is in it."""
    bearer({}, tmp_path)
    os.chown(tmp_path / FILE, 12_345, 12_345)
    with pytest.raises(UnsafeFileError):
        bearer({}, tmp_path)


@POSIX
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Nor is a FIFO waited for."""
    (tmp_path / "real").write_text("x" * 20)
    (tmp_path / "real").chmod(0o600)
    (tmp_path / FILE).symlink_to(tmp_path / "real")
    with pytest.raises(UnsafeFileError):
        bearer({}, tmp_path)
    (tmp_path / FILE).unlink()
    os.mkfifo(tmp_path / FILE, 0o600)
    with pytest.raises(UnsafeFileError):
        bearer({}, tmp_path)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With the way around it."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError) as caught:
        bearer({}, tmp_path / "file" / "below")
    assert caught.value.suggestions == ("set MEMHTML_TOKEN instead",)
