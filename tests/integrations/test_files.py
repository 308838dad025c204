"""A person's files on the disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memhtml.domain.errors import IntegrationRefusedError, LockedError, StorageError
from memhtml.integrations import files

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and links are those of POSIX")


def test_a_file_is_made_replaced_and_removed(tmp_path: Path) -> None:
    """And nothing is left beside it."""
    path = tmp_path / "a.json"
    assert files.read(path) is None
    files.replace(path, None, b"one\r\n")
    files.replace(path, b"one\r\n", b"two")
    assert files.read(path) == b"two"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
    files.remove(path, b"two")
    assert list(tmp_path.iterdir()) == []


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    """One that is made is for its owner alone."""
    path = tmp_path / "a.json"
    files.replace(path, None, b"one")
    assert path.stat().st_mode & 0o7777 == 0o600
    path.chmod(mode)
    files.replace(path, b"one", b"two")
    assert path.stat().st_mode & 0o7777 == mode


def test_what_somebody_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    """Neither replaced nor removed, and a file that somebody made is not lost."""
    path = tmp_path / "a.json"
    path.write_bytes(b"theirs")
    for do in (
        lambda: files.replace(path, b"old", b"new"),
        lambda: files.replace(path, None, b"new"),
        lambda: files.remove(path, b"old"),
    ):
        with pytest.raises(IntegrationRefusedError):
            do()
    assert path.read_bytes() == b"theirs"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_a_file_that_somebody_makes_at_the_last_moment_is_not_lost(tmp_path: Path) -> None:
    """Also of two receipts one is the first."""
    path, beside = tmp_path / "a.json", tmp_path / "new"
    path.write_bytes(b"theirs")
    beside.write_bytes(b"ours")
    with pytest.raises(IntegrationRefusedError):
        files._place(beside, path)
    assert path.read_bytes() == b"theirs"
    path.unlink()
    files._place(beside, path)
    assert path.read_bytes() == b"ours"


@POSIX
def test_links_folders_and_devices_are_refused(tmp_path: Path) -> None:
    """What a link leads to may be shared with other machines, or other people."""
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dead").symlink_to("nowhere")
    (tmp_path / "folder").mkdir()
    (tmp_path / "one").write_text("x")
    (tmp_path / "two").hardlink_to(tmp_path / "one")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "dead", "folder", "two", "fifo"):
        with pytest.raises(IntegrationRefusedError) as caught:
            files.read(tmp_path / name)
        assert caught.value.suggestions
    assert files.read(tmp_path / "real" / "below") is None
    with pytest.raises(StorageError):
        files.read(tmp_path / ("a" * 300))


@POSIX
def test_a_file_that_is_marked_as_not_to_be_written_is_known(tmp_path: Path) -> None:
    """To root too, who could write it."""
    path = tmp_path / "a.json"
    assert files.writable(path)
    path.touch(mode=0o644)
    assert files.writable(path)
    path.chmod(0o444)
    assert not files.writable(path)
    assert files.writable(tmp_path / "a" / "b" / "c")
    assert not files.writable(path / "below")
    (tmp_path / "dead").symlink_to("nowhere")
    assert not files.writable(tmp_path / "dead" / "below" / "x")


@pytest.mark.skipif(sys.platform != "linux", reason="Python reads attributes of files there alone")
def test_a_file_keeps_its_attributes(tmp_path: Path) -> None:
    """Labels, and with them lists of rights."""
    path = tmp_path / "a.json"
    path.write_bytes(b"one")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system keeps none")
    files.replace(path, b"one", b"two")
    assert os.getxattr(path, "user.note") == b"mine"


def test_folders_are_made_and_go_when_nothing_is_in_them(tmp_path: Path) -> None:
    """The innermost first; one that somebody uses stays, with those above it."""
    path = tmp_path / "a" / "b" / "c" / "file"
    missing = files.missing_folders(path)
    assert missing == (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c")
    files.make_folders(missing)
    assert files.missing_folders(path) == ()
    (tmp_path / "a" / "mine").touch()
    files.remove_empty(missing)
    assert [each.name for each in (tmp_path / "a").iterdir()] == ["mine"]
    with pytest.raises(StorageError):
        files.make_folders([tmp_path / "none" / "x"])


@POSIX
def test_one_command_at_a_time_changes_a_persons_files(tmp_path: Path) -> None:
    """The lock is the folder's own, and leaves nothing; where the home is not there it is that of a folder above."""
    with files.alone(tmp_path / "no" / "home"):
        with pytest.raises(LockedError, match="another command"), files.alone(tmp_path, wait=0.05):
            pytest.fail("two at once")
        assert list(tmp_path.iterdir()) == []
    with files.alone(tmp_path, wait=0.0):
        pass


@POSIX
def test_a_file_that_was_just_placed_when_a_command_was_killed_is_a_file(tmp_path: Path) -> None:
    """Its other name is that under which it was written, and goes with the next change."""
    path = tmp_path / "a.json"
    path.write_bytes(b"one")
    (tmp_path / f".a.json{files.SUFFIX}").hardlink_to(path)
    assert files.read(path) == b"one"
    files.replace(path, b"one", b"two")
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_what_a_killed_command_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """The next one writes over it, and it can be tidied."""
    path = tmp_path / "a.json"
    beside = tmp_path / f".a.json{files.SUFFIX}"
    beside.write_text("half")
    files.replace(path, None, b"one")
    assert not beside.exists()
    beside.write_text("half")
    files.tidy(path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
    with pytest.raises(StorageError):
        files.replace(tmp_path / "none" / "x", None, b"one")
