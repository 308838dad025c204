"""What may be opened in a store, and what leads out of it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memhtml.domain.errors import UnsafeFileError
from memhtml.store.plain import require_plain

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, FIFOs and devices as POSIX has them")


def test_a_file_a_folder_and_nothing_pass(tmp_path: Path) -> None:
    """A folder fails by itself when it is opened; a name that no system takes is left to whoever opens it."""
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path, tmp_path / "none", tmp_path / "file" / "below", tmp_path / "a\0b"):
        require_plain(path)


def test_links_devices_fifos_and_sockets_are_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links to a file, to a folder, to nothing, to themselves: they are never looked behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    for name, target in (("to-file", "file"), ("to-folder", "."), ("to-nothing", "none"), ("loop", "loop")):
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        refused = {"to-file": "link", "to-folder": "link", "to-nothing": "link", "loop": "link", "fifo": "FIFO"}
        for name, what in {**refused, "socket": "socket", "/dev/null": "device"}.items():
            with pytest.raises(UnsafeFileError, match=what) as caught:
                require_plain(tmp_path / name)
            assert caught.value.suggestions == (f"remove {tmp_path / name}",)
    with pytest.raises(UnsafeFileError) as caught:
        require_plain(tmp_path / "loop", "first", "second")
    assert caught.value.suggestions == ("first", "second")
