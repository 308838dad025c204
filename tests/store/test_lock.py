"""The writers' lock."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memhtml.domain.errors import LockedError, StorageError
from memhtml.store.journal import Journal
from memhtml.store.lock import holder, holder_died, locked
from memhtml.store.repository import Repository

DYING_WRITER = """
import os, signal, subprocess, sys
from pathlib import Path
from memhtml.store.journal import Journal
from memhtml.store.lock import locked
with locked(Path(sys.argv[1]), wait=5, command="doomed") as descriptor:
    subprocess.Popen(["cat"], stdin=int(sys.argv[2]), stdout=subprocess.DEVNULL, pass_fds=[descriptor])
    print("holding", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_one_holds_it_and_the_other_is_told_who(tmp_path: Path) -> None:
    """The refusal names process, command and time; afterwards the lock is free."""
    path = tmp_path / "desk" / "lock"
    with locked(path, wait=0, command="memhtml write"):
        assert not holder_died(path)
        with pytest.raises(LockedError) as refused, locked(path, wait=0.05, command="memhtml archive"):
            pass
        assert f"process {os.getpid()} (memhtml write) since 2" in refused.value.message
        assert refused.value.message.endswith("waited 0.05 s")
    with locked(path, wait=0, command="memhtml archive"):
        pass


def test_a_waiter_gets_it_when_the_holder_lets_go(tmp_path: Path) -> None:
    """Threads of one process queue like processes do."""
    path = tmp_path / "lock"
    order: list[str] = []
    held, waiting = threading.Event(), threading.Event()

    def wait_for_it() -> None:
        held.wait(10)
        waiting.set()
        with locked(path, wait=20, command="second"):
            order.append("second")

    thread = threading.Thread(target=wait_for_it)
    thread.start()
    with locked(path, wait=0, command="first"):
        held.set()
        waiting.wait(10)
        order.append("first")
    thread.join(20)
    assert order == ["first", "second"]


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are inherited on POSIX")
def test_a_child_keeps_it_until_it_has_ended(tmp_path: Path) -> None:
    """When the writer dies, the kernel keeps the lock for the git children that have the descriptor."""
    path = tmp_path / "lock"
    until_closed, kept = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", DYING_WRITER, str(path), str(until_closed)],
        stdout=subprocess.PIPE,
        pass_fds=[until_closed],
        encoding="utf-8",
    ) as writer:
        assert writer.stdout is not None
        said = writer.stdout.readline()
        writer.wait(20)
    os.close(until_closed)
    assert (said, writer.returncode) == ("holding\n", -signal.SIGKILL)
    assert holder_died(path)
    with pytest.raises(LockedError, match="doomed"), locked(path, wait=0.05, command="next"):
        pass
    os.close(kept)  # the child reads the end of its input now, and ends
    with locked(path, wait=20, command="next"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are inherited on POSIX")
def test_the_children_of_a_dead_writer_are_waited_for_and_its_work_is_settled(store: Repository) -> None:
    """Any next command recovers, also one that only reads and comes while they are ending."""
    path = store.layout.desk / "lock"
    until_closed, kept = os.pipe()
    command = [sys.executable, "-c", DYING_WRITER, str(path), str(until_closed)]
    subprocess.run(command, stdout=subprocess.DEVNULL, pass_fds=[until_closed], check=False)
    os.close(until_closed)
    Journal(store.layout.desk).write(())
    timer = threading.Timer(0.1, os.close, [kept])
    timer.start()
    assert store.recover_if_needed()
    timer.join()
    assert not Journal(store.layout.desk).pending()


def test_a_name_that_cannot_be_read_is_another_process(tmp_path: Path) -> None:
    """The lock does not depend on what its file says."""
    path = tmp_path / "lock"
    assert holder(path) == "another process"
    assert not holder_died(path)
    path.write_text("nonsense")
    assert not holder_died(path)
    assert holder(path) == "another process"
    path.write_text(json.dumps({"pid": "x", "command": 1}))
    assert holder(path) == "another process"


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    """The message says what to look at."""
    (tmp_path / "desk").write_text("a file")
    with pytest.raises(StorageError) as refused, locked(tmp_path / "desk" / "lock", wait=0, command="x"):
        pass
    assert refused.value.suggestions


def test_an_error_inside_frees_it(tmp_path: Path) -> None:
    """Whatever happens while it is held."""
    path = tmp_path / "lock"
    with pytest.raises(ValueError, match="inside"), locked(path, wait=0, command="x"):
        raise ValueError("inside")
    with locked(path, wait=0, command="y"):
        pass


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files of a process are seen in /proc")
def test_every_git_of_a_transaction_holds_it(store: Repository) -> None:
    """So that a git that outlives its writer keeps the next writer out."""
    with store.transaction() as tx:
        call = tx.git.start("cat-file", "--batch")
        held = {str(entry.readlink()) for entry in Path(f"/proc/{call.process.pid}/fd").iterdir()}
        call.abandon()
    assert str(store.layout.desk / "lock") in held


def test_something_else_in_the_place_of_the_lock_is_named(tmp_path: Path) -> None:
    """A folder where the file should be, or a file where its folder should."""
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "lock").mkdir()
    (tmp_path / "file").write_text("in the way")
    for path, named in ((tmp_path / "desk" / "lock", "lock is in the way"), (tmp_path / "file" / "lock", "in the way")):
        with pytest.raises(StorageError, match=named) as refused, locked(path, wait=0, command="x"):
            pass
        assert refused.value.suggestions[0].startswith("move ")
