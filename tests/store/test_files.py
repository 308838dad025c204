"""The work tree's files, never through a link."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memhtml.domain.errors import StorageError, UnsafeFileError, WriteConflictError
from memhtml.store.files import TEMPORARY, WorkTree


@pytest.fixture
def files(tmp_path: Path) -> WorkTree:
    """An empty work tree."""
    return WorkTree(tmp_path)


def test_a_file_is_staged_beside_its_place_and_then_named(files: WorkTree) -> None:
    """Until it is published nothing is at the path; folders are made on the way."""
    files.stage("areas/inbox/a.html", b"a", 0)
    assert files.read("areas/inbox/a.html") is None
    assert files.names("areas/inbox") == (TEMPORARY.format(0),)
    assert files.publish("areas/inbox/a.html", 0, fresh=True)
    assert files.read("areas/inbox/a.html") == b"a"
    assert files.names("areas/inbox") == ("a.html",)


@pytest.mark.parametrize("count", [3, 100])
def test_a_batch_is_staged_whole_or_refused(files: WorkTree, count: int) -> None:
    """Few one by one, many side by side, in folders old and new."""
    batch = [(f"areas/{number % 7}/{number}.html", b"%d" % number, number) for number in range(count)]
    files.stage_all(batch)
    for path, data, number in batch:
        assert files.publish(path, number, fresh=True)
        assert files.read(path) == data
    (files.root / "resources").write_bytes(b"a file")
    with pytest.raises(WriteConflictError):
        files.stage_all([*batch, ("resources/a.html", b"x", count)])


def test_a_fresh_path_is_never_written_over(files: WorkTree) -> None:
    """What has come to be there stays; what is published over on purpose goes."""
    files.stage("areas/a.html", b"ours", 3)
    (files.root / "areas/a.html").write_bytes(b"theirs")
    assert not files.publish("areas/a.html", 3, fresh=True)
    assert files.read("areas/a.html") == b"theirs"
    assert files.publish("areas/a.html", 3, fresh=False)
    assert files.read("areas/a.html") == b"ours"


def test_the_mode_of_a_file_stays(files: WorkTree) -> None:
    """Who may read a file does not change with its content."""
    files.stage("areas/a.html", b"a", 0)
    files.publish("areas/a.html", 0, fresh=True)
    (files.root / "areas/a.html").chmod(0o640)
    files.stage("areas/a.html", b"b", 0)
    files.publish("areas/a.html", 0, fresh=False)
    assert (files.root / "areas/a.html").stat().st_mode & 0o777 == 0o640


def test_removing_takes_empty_folders_along_but_not_the_first(files: WorkTree) -> None:
    """As git does; a folder with anything in it stays, and so does the root folder."""
    for path in ("areas/deep/er/a.html", "areas/b.html"):
        files.stage(path, b"x", 0)
        files.publish(path, 0, fresh=True)
    files.remove("areas/deep/er/a.html")
    assert files.names("areas") == ("b.html",)
    files.remove("areas/b.html")
    assert files.names("areas") == ()
    assert files.names("") == ("areas",)
    files.remove("areas/b.html")


def test_discarding_leaves_no_trace(files: WorkTree) -> None:
    """A write that is given up leaves neither file nor folder, and may be given up twice."""
    files.stage("areas/deep/a.html", b"a", 1)
    files.discard("areas/deep/a.html", 1)
    files.discard("areas/deep/a.html", 1)
    assert files.names("areas") == ()


def test_a_leftover_of_a_killed_write_is_replaced(files: WorkTree) -> None:
    """Temporary names belong to whoever holds the lock."""
    (files.root / "areas").mkdir()
    (files.root / "areas" / TEMPORARY.format(0)).write_bytes(b"half")
    files.stage("areas/a.html", b"whole", 0)
    files.publish("areas/a.html", 0, fresh=True)
    assert files.read("areas/a.html") == b"whole"


def test_nothing_is_absent_and_not_an_error(files: WorkTree) -> None:
    """A path below a file, or below nothing, holds nothing."""
    (files.root / "plain").write_bytes(b"x")
    assert files.read("areas/a.html") is None
    assert files.read("plain/a.html") is None
    assert files.names("areas") == ()
    assert (files.kind("plain"), files.kind("areas"), files.kind("plain/x")) == ("file", None, None)


def link_to_file(root: Path) -> None:
    """A link that leads out."""
    (root / "areas/a.html").symlink_to(root.parent / "outside.html")


def dangling_link(root: Path) -> None:
    """A link that leads to nothing: writing through it would make a file outside."""
    (root / "areas/a.html").symlink_to(root.parent / "not-there.html")


def fifo(root: Path) -> None:
    """A FIFO that nobody writes."""
    os.mkfifo(root / "areas/a.html")


def folder(root: Path) -> None:
    """A folder with the name of a memory."""
    (root / "areas/a.html").mkdir()


def device(root: Path) -> None:
    """A device, where one may be made."""
    try:
        os.mknod(root / "areas/a.html", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


@pytest.mark.parametrize("there", [link_to_file, dangling_link, fifo, folder, device])
def test_what_is_no_plain_file_is_never_opened(tmp_path: Path, there: object) -> None:
    """A link, FIFO, folder or device is named in the refusal, and stays as it is."""
    assert callable(there)
    (tmp_path / "outside.html").write_bytes(b"outside")
    root = tmp_path / "tree"
    (root / "areas").mkdir(parents=True)
    there(root)
    files = WorkTree(root)
    with pytest.raises(UnsafeFileError):
        files.read("areas/a.html")
    with pytest.raises(UnsafeFileError):
        files.remove("areas/a.html")
    files.stage("areas/a.html", b"ours", 0)
    assert not files.publish("areas/a.html", 0, fresh=True)
    files.discard("areas/a.html", 0)
    assert (tmp_path / "outside.html").read_bytes() == b"outside"
    assert not (tmp_path / "not-there.html").exists()


def test_a_socket_is_no_memory(files: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a socket; its address must be short, so it is made from inside its folder."""
    (files.root / "areas").mkdir()
    monkeypatch.chdir(files.root / "areas")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("a.html")
        with pytest.raises(UnsafeFileError):
            files.read("areas/a.html")


@pytest.mark.parametrize("depth", [1, 2])
def test_a_linked_folder_anywhere_on_the_way_is_refused(tmp_path: Path, depth: int) -> None:
    """Reading, listing, writing and removing alike; the place it leads to is not touched."""
    outside = tmp_path / "outside"
    (outside / "inbox").mkdir(parents=True)
    (outside / "inbox/a.html").write_bytes(b"theirs")
    root = tmp_path / "tree"
    if depth == 1:
        root.mkdir()
        (root / "areas").symlink_to(outside)
    else:
        (root / "areas").mkdir(parents=True)
        (root / "areas/inbox").symlink_to(outside / "inbox")
    files = WorkTree(root)
    path = "areas/inbox/a.html"
    for refused in (
        lambda: files.read(path),
        lambda: files.names("areas/inbox"),
        lambda: files.kind(path),
        lambda: files.stage(path, b"x", 0),
        lambda: files.publish(path, 0, fresh=False),
        lambda: files.remove(path),
    ):
        with pytest.raises(UnsafeFileError, match="symbolic link"):
            refused()
    files.prune(path)
    files.sync([path])
    assert (outside / "inbox/a.html").read_bytes() == b"theirs"
    assert [entry.name for entry in (outside / "inbox").iterdir()] == ["a.html"]


def test_a_file_where_a_folder_is_needed_is_a_conflict(files: WorkTree) -> None:
    """It is named, and stays."""
    (files.root / "areas").write_bytes(b"a file")
    with pytest.raises(WriteConflictError, match="areas is no folder"):
        files.stage("areas/a.html", b"x", 0)
    assert (files.root / "areas").read_bytes() == b"a file"


def test_an_error_of_the_disk_is_a_storage_error(tmp_path: Path) -> None:
    """A root that is gone, a name that is too long: one error, with advice."""
    with pytest.raises(StorageError):
        WorkTree(tmp_path / "none").read("areas/a.html")
    with pytest.raises(StorageError) as refused:
        WorkTree(tmp_path).stage(f"areas/{'x' * 300}/a.html", b"x", 0)
    assert refused.value.suggestions
