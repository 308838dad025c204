"""Lock files of git that nobody holds any more: a killed git leaves them, and every later one would refuse."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memhtml.domain.errors import LockedError, StorageError
from memhtml.store.layout import Layout

_PAUSE = 0.05
_CLOCK_GRAIN = 2.0  # seconds: the start of the system is known to one


def lock_files(layout: Layout, branch: str | None) -> tuple[Path, ...]:
    """The lock files that stand in the way of a write, those that exist."""
    candidates = [layout.gitdir / "index.lock", layout.gitdir / "HEAD.lock", layout.common / "packed-refs.lock"]
    candidates.append(layout.common / "config.lock")
    if branch is not None:
        candidates.append(layout.common / f"{branch}.lock")
    return tuple(path for path in candidates if path.exists())


def clear_stale(layout: Layout, branch: str | None, *, wait: float) -> None:
    """Remove lock files that no live process holds; wait for those that one does. The writers' lock must be held.

    Raises:
        LockedError: a live git held one all the time.
        StorageError: one cannot be removed.
    """
    deadline = time.monotonic() + wait
    for path in lock_files(layout, branch):
        while (identity := _identity(path)) is not None:
            if not _held(path, layout):
                _remove(path, identity)
                break
            if time.monotonic() >= deadline:
                raise LockedError(
                    f"a git process holds {path.name} in the store; waited {wait:g} s",
                    suggestions=("let git end (an open commit message editor counts), then try again",),
                )
            time.sleep(_PAUSE)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.lstat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _remove(path: Path, identity: tuple[int, int]) -> None:
    if _identity(path) != identity:
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"the stale {path.name} cannot be removed: {error.strerror}") from error


def _held(path: Path, layout: Layout) -> bool:
    if Path("/proc/self/fd").exists():
        return any(_concerns(process, path, layout) for process in _processes())
    return _git_runs_anywhere()


def _processes() -> Iterator[Path]:
    own = str(os.getpid())
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != own:
            yield entry


def _concerns(process: Path, path: Path, layout: Layout) -> bool:
    """Whether ``process`` may hold ``path``: it has it open, or it is a git at work in this store.

    A git that belongs to somebody else cannot be looked into, and counts as one at work here.
    """
    try:
        is_git = (process / "comm").read_bytes().startswith(b"git") and not _began_after(process, path)
    except OSError:
        return False  # it has ended
    try:
        if is_git and _within(Path((process / "cwd").readlink()), layout):
            return True
        for descriptor in (process / "fd").iterdir():
            with suppress(FileNotFoundError):
                target = descriptor.readlink()
                if target == path or (is_git and _within(target, layout)):
                    return True
    except FileNotFoundError:
        return False
    except PermissionError:
        return is_git
    return False


def _began_after(process: Path, path: Path) -> bool:
    """Whether ``process`` is younger than the lock file, so that it cannot have made it."""
    try:
        fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
        boot = next(line for line in Path("/proc/stat").read_bytes().splitlines() if line.startswith(b"btime "))
        began = int(boot.split()[1]) + int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return began > path.stat().st_mtime + _CLOCK_GRAIN
    except (OSError, ValueError, IndexError, StopIteration):
        return False


def _within(place: Path, layout: Layout) -> bool:
    return any(place.is_relative_to(folder) for folder in (layout.root, layout.gitdir, layout.common))


def _git_runs_anywhere() -> bool:
    import subprocess

    command = ["tasklist", "/fo", "csv", "/nh"] if sys.platform == "win32" else ["ps", "-axo", "comm="]
    try:
        listing = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return True
    for line in listing.decode(errors="replace").splitlines():
        name = line.split(",")[0].strip('" ').replace("\\", "/").rpartition("/")[2]
        if name.startswith("git"):
            return True
    return False
