"""Files of a person, replaced whole or not at all, and only while they are what they were read as."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from memhtml.domain.errors import IntegrationRefusedError, LockedError, StorageError

SUFFIX = ".memhtml-new"
"""What a file is called until it takes its place; one that a killed command left is removed by the next."""

PATIENCE = 10.0
"""Seconds to wait for another command that changes the same files."""

_PRIVATE = 0o600
_PAUSE = 0.02


@contextmanager
def alone(home: Path, wait: float = PATIENCE) -> Generator[None]:
    """See that no other command changes this person's files meanwhile: one takes out what another still puts in.

    What is locked is the home folder itself, so that no file is left behind. Where folders have no locks (Windows, and
    some network file systems) nothing is locked, and every file is still replaced only as it was read.

    Args:
        home: whose files they are; the nearest folder above it where it is not there.
        wait: seconds to wait for the other command.

    Raises:
        LockedError: it took longer.
    """
    if sys.platform == "win32":
        yield
        return
    folder = next((folder for folder in (home, *home.parents) if folder.is_dir()), home)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _lock(descriptor, wait)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, wait: float) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    until = monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() >= until:
                raise LockedError(
                    f"another command has been changing these files for {wait:g} seconds",
                    suggestions=("wait for it, then repeat the command",),
                ) from None
            sleep(_PAUSE)
        except OSError:  # no locks here
            return
        else:
            return


def read(path: Path) -> bytes | None:
    """What is in the file; ``None`` when there is none.

    Raises:
        IntegrationRefusedError: something else is there: a symbolic link, a folder, a device.
        StorageError: it cannot be read.
    """
    try:
        seen = path.lstat()
        if not stat.S_ISREG(seen.st_mode) or seen.st_nlink - _half_placed(path, seen) > 1:
            raise IntegrationRefusedError(_strange(path, seen), suggestions=_advice(path, seen))
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as opened:
            return opened.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _trouble(path, error) from error


def writable(path: Path) -> bool:
    """Whether its owner lets it be written; a file that is not there may be made where a folder is above it."""
    above = next(folder for folder in path.parents if os.path.lexists(folder))
    if not above.is_dir() or not os.access(above, os.W_OK):
        return False
    try:
        return bool(path.lstat().st_mode & stat.S_IWUSR)
    except OSError:
        return True


def replace(path: Path, before: bytes | None, after: bytes) -> None:
    """Let the file hold ``after``; at every instant it holds all of the one or all of the other. Its mode stays.

    Args:
        path: the file; its folder is there.
        before: what it must hold; ``None`` for no file.
        after: what it holds then. A file that is made is for its owner alone.

    Raises:
        IntegrationRefusedError: it holds something else by now.
        StorageError: it cannot be written.
    """
    beside = _beside(path)
    try:
        beside.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(beside, flags, _PRIVATE)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(after)
                opened.flush()
                if before is not None:
                    _take_on(beside, path)
                os.fsync(opened.fileno())
            _require(path, before)
            if before is None:
                _place(beside, path)
            else:
                beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        sync(path.parent)
    except OSError as error:
        raise _trouble(path, error) from error


def remove(path: Path, before: bytes) -> None:
    """Remove the file, which must hold ``before``.

    Raises:
        IntegrationRefusedError: it holds something else by now.
        StorageError: it cannot be removed.
    """
    _require(path, before)
    try:
        path.unlink()
        sync(path.parent)
    except OSError as error:
        raise _trouble(path, error) from error


def missing_folders(path: Path) -> tuple[Path, ...]:
    """The folders above ``path`` that are not there, the outermost first."""
    found: list[Path] = []
    for folder in path.parents:
        if os.path.lexists(folder):
            break
        found.append(folder)
    return tuple(reversed(found))


def make_folders(folders: Iterable[Path]) -> None:
    """Make folders, the outermost first, for their owner alone; those that are there stay as they are.

    Raises:
        StorageError: one cannot be made.
    """
    for folder in folders:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            sync(folder.parent)
        except OSError as error:
            raise _trouble(folder, error) from error


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, as far as nothing is in them."""
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        with suppress(OSError):
            folder.rmdir()


def tidy(path: Path) -> None:
    """Remove what a killed command left beside ``path``."""
    with suppress(OSError):
        _beside(path).unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """See that names in the folder are on the disk, where a system can be asked that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}{SUFFIX}")


def _half_placed(path: Path, seen: os.stat_result) -> bool:
    """Whether one of the file's names is that which a command left that was killed just when the file was in place."""
    try:
        return os.path.samestat(_beside(path).lstat(), seen)
    except OSError:
        return False


def _take_on(file: Path, like: Path) -> None:
    """Give ``file`` the mode of another, and its owner and attributes where that is possible."""
    seen = like.lstat()
    if sys.platform != "win32" and (seen.st_uid, seen.st_gid) != (file.stat().st_uid, file.stat().st_gid):
        with suppress(OSError):
            os.chown(file, seen.st_uid, seen.st_gid)
    file.chmod(stat.S_IMODE(seen.st_mode))
    if sys.platform == "linux":  # labels and lists of rights too; Python has no such call elsewhere
        for name in os.listxattr(like):
            with suppress(OSError):
                os.setxattr(file, name, os.getxattr(like, name))


def _place(beside: Path, path: Path) -> None:
    """Rename without writing over what somebody has made meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise _changed(path) from None
    except OSError:  # a file system without hard links: it was looked at a moment ago
        beside.replace(path)


def _require(path: Path, before: bytes | None) -> None:
    if read(path) != before:
        raise _changed(path)


def _changed(path: Path) -> IntegrationRefusedError:
    return IntegrationRefusedError(
        f"{path} was changed by somebody else just now", suggestions=("close the host, then repeat the command",)
    )


def _strange(path: Path, seen: os.stat_result) -> str:
    kinds = {stat.S_IFLNK: "a symbolic link, and only a file itself is changed", stat.S_IFDIR: "a folder"}
    if stat.S_ISREG(seen.st_mode):
        return f"{path} is one of {seen.st_nlink} names of a file, and would be parted from the others"
    return f"{path} is {kinds.get(stat.S_IFMT(seen.st_mode), 'no plain file')}"


def _advice(path: Path, seen: os.stat_result) -> tuple[str, ...]:
    if stat.S_ISLNK(seen.st_mode):
        return (f"put a file in the place of the link {path}, or edit by hand what it leads to",)
    return (f"put a file in the place of {path}",)


def _trouble(path: Path, error: Exception) -> StorageError:
    what = getattr(error, "strerror", None) or "no such name is possible"
    return StorageError(f"{path} cannot be read or written: {what}")
