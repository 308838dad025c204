"""The writers' lock: advisory, an open file that git children inherit, freed by the kernel when all are dead."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memhtml.domain.errors import LockedError, StorageError
from memhtml.domain.instants import of_datetime
from memhtml.domain.jsontext import json_text, json_value

LONGEST_COMMAND = 120
_SHORTEST_PAUSE = 0.002
_LONGEST_PAUSE = 0.02

if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # beyond the text, which others must be able to read
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _free(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _free(descriptor: int) -> None:
        # Said aloud: a program around us that forked meanwhile holds a copy of the descriptor.
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path, *, wait: float, command: str, what: str = "the store is being written") -> Generator[int]:
    """Hold the lock at ``path``; gives its descriptor.

    Args:
        path: the lock file; it and its folder are made, and stay.
        wait: seconds to wait for another holder; 0 tries once.
        command: what this process is, for the message to those who wait.
        what: what they are told that its holder does.

    Raises:
        LockedError: another process held it all the time; names it.
        StorageError: the file cannot be made.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise _unwritable(error) from error
    try:
        _acquire(descriptor, path, wait, what)
        try:
            _sign(descriptor, command)
            yield descriptor
        finally:
            _free(descriptor)
    finally:
        os.close(descriptor)


def _unwritable(error: OSError) -> StorageError:
    """What it means that there can be no lock."""
    if isinstance(error, FileExistsError | IsADirectoryError | NotADirectoryError):
        return StorageError(
            f"the store cannot be written: {error.filename} is in the way",
            suggestions=(f"move {error.filename} away, which is no file of git's",),
        )
    return StorageError(
        f"the store cannot be written: {error.strerror}", suggestions=("check the permissions of the store's folder",)
    )


def _acquire(descriptor: int, path: Path, wait: float, what: str) -> None:
    deadline = time.monotonic() + wait
    pause = _SHORTEST_PAUSE
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            raise LockedError(
                f"{what} by {holder(path)}; waited {wait:g} s",
                suggestions=("try again when it has ended",),
            )
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _sign(descriptor: int, command: str) -> None:
    text = json_text({"pid": os.getpid(), "command": command[:LONGEST_COMMAND]})
    # A full disk must not keep the lock from working; the name is then missing from a message.
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode(errors="surrogatepass"))


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock at ``path`` now; nobody does when the file is not there, or may not be opened."""
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        if not _try(descriptor):
            return True
        _free(descriptor)
        return False
    finally:
        os.close(descriptor)


def _said(path: Path) -> dict[str, Any]:
    """What the holder of the lock at ``path`` wrote into it."""
    said: dict[str, Any] = json_value(path.read_bytes())
    return said


def holder(path: Path) -> str:
    """Who holds the lock at ``path``, and since when, as far as its file says."""
    try:
        since = of_datetime(datetime.fromtimestamp(path.stat().st_mtime, UTC))
        said = _said(path)
        return f"process {int(said['pid'])} ({said['command']}) since {since}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def holder_died(path: Path) -> bool:
    """Whether the process that took the lock at ``path`` is gone: if it is still held, then by that one's children."""
    try:
        pid = int(_said(path)["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    if sys.platform == "win32":
        return False  # locks of a process end with it there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
