"""The work tree's files, reached folder by folder from the root, so that no symbolic link is ever followed."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import StorageError, UnsafeFileError, WriteConflictError
from memhtml.store.plain import is_reparse_point

TEMPORARY = ".memhtml-{}.tmp"
"""Name of the n-th file on its way, beside the file that it will become. Only the holder of the lock makes them."""

_MANY = 32
_SYNCED_AT_ONCE = 32

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # a FIFO must not hang the open
_BINARY = getattr(os, "O_BINARY", 0)
# Windows opens no folders: there each step is looked at by name instead.
_BY_DESCRIPTOR = sys.platform != "win32" and os.open in os.supports_dir_fd


class Folder(Struct, frozen=True):
    """An open folder; ``descriptor`` is ``None`` where folders go by name."""

    descriptor: int | None
    where: Path

    def name(self, entry: str) -> str:
        """``entry`` as the calls that take ``dir_fd`` want it."""
        return entry if self.descriptor is not None else str(self.where / entry)

    def look(self, entry: str) -> os.stat_result | None:
        """What ``entry`` itself is, links not followed; ``None`` when it is nothing."""
        try:
            return os.stat(self.name(entry), dir_fd=self.descriptor, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def sync(self) -> None:
        """Make the folder's entries durable."""
        if self.descriptor is not None:
            os.fsync(self.descriptor)


def is_temporary(name: str) -> bool:
    """Whether ``name`` is one that only files on their way have.

    >>> is_temporary(".memhtml-0.tmp"), is_temporary("memhtml.tmp")
    (True, False)
    """
    start, end = TEMPORARY.split("{}")
    return name.startswith(start) and name.endswith(end) and name[len(start) : -len(end)].isdecimal()


class WorkTree:
    """The files of one store. Paths are relative to its root, with slashes; every method checks the whole way."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """The bytes at ``path``, or ``None`` when nothing is there.

        Raises:
            UnsafeFileError: a symbolic link is on the way, or something else than a file is there.
            StorageError: it may not be read.
        """
        with _storage(path), self._parent(path) as folder:
            if folder is None:
                return None
            entry = path.rpartition("/")[2]
            seen = folder.look(entry)
            if seen is None:
                return None
            _require_file(seen, path)
            flags = os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _BINARY
            with (
                suppress(FileNotFoundError),
                os.fdopen(os.open(folder.name(entry), flags, dir_fd=folder.descriptor), "rb") as file,
            ):
                _require_file(os.fstat(file.fileno()), path)
                return file.read()
            return None

    def names(self, folder_path: str) -> tuple[str, ...]:
        """Names in a folder, unsorted; ``""`` is the root, a folder that is not there is empty.

        Raises:
            UnsafeFileError: a symbolic link is on the way.
            StorageError: it may not be read.
        """
        with _storage(folder_path), self._open(folder_path) as folder:
            if folder is None:
                return ()
            return tuple(os.listdir(folder.where if folder.descriptor is None else folder.descriptor))  # noqa: PTH208 - open

    def kind(self, path: str) -> str | None:
        """``file``, ``folder`` or ``other``; ``None`` when nothing is there.

        Raises:
            UnsafeFileError: a symbolic link is on the way to it.
            StorageError: it may not be looked at.
        """
        with _storage(path), self._parent(path) as folder:
            seen = None if folder is None else folder.look(path.rpartition("/")[2])
            if seen is None:
                return None
            if stat.S_ISDIR(seen.st_mode):
                return "folder"
            return "file" if stat.S_ISREG(seen.st_mode) else "other"

    def stage(self, path: str, data: bytes, number: int) -> None:
        """Write ``data`` durably beside ``path``, under the ``number``-th temporary name; folders are made.

        Raises:
            UnsafeFileError: a symbolic link is on the way.
            WriteConflictError: a file stands where a folder is needed.
            StorageError: disk full, or not writable.
        """
        with _storage(path), self._parent(path, make=True) as folder:
            if folder is None:
                raise WriteConflictError(f"the folder of {path} vanished while it was written")
            temporary = folder.name(TEMPORARY.format(number))
            seen = folder.look(path.rpartition("/")[2])
            mode = 0o666 if seen is None else stat.S_IMODE(seen.st_mode)
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder.descriptor)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY
            with os.fdopen(os.open(temporary, flags, mode, dir_fd=folder.descriptor), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())

    def stage_all(self, files: Sequence[tuple[str, bytes, int]]) -> None:
        """`stage` each of ``files``: path, bytes, number.

        Many are synced side by side: the disk then answers for several at once.

        Raises:
            MemhtmlError: as `stage` says; some of the others are staged then.
        """
        if len(files) < _MANY:
            for path, data, number in files:
                self.stage(path, data, number)
            return
        from concurrent.futures import ThreadPoolExecutor  # for batches alone

        def stage(one: tuple[str, bytes, int]) -> None:
            self.stage(*one)

        with ThreadPoolExecutor(_SYNCED_AT_ONCE) as pool:
            list(pool.map(stage, files))

    def publish(self, path: str, number: int, *, fresh: bool) -> bool:
        """Give the ``number``-th temporary file its name; whether it was done.

        A ``fresh`` path is never written over: if something has come to be there, it stays and the answer is false.

        Raises:
            UnsafeFileError: a symbolic link is on the way.
            StorageError: not writable.
        """
        with _storage(path), self._parent(path) as folder:
            if folder is None:
                return False
            entry, temporary = path.rpartition("/")[2], TEMPORARY.format(number)
            if fresh:
                return _place(folder, temporary, entry)
            os.replace(
                folder.name(temporary), folder.name(entry), src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor
            )
            return True

    def discard(self, path: str, number: int) -> None:
        """Take away the ``number``-th temporary file beside ``path``, if it is there, and folders left empty."""
        with suppress(UnsafeFileError, StorageError), _storage(path), self._parent(path) as folder:
            if folder is not None:
                with suppress(FileNotFoundError):
                    os.unlink(folder.name(TEMPORARY.format(number)), dir_fd=folder.descriptor)
        self.prune(path)

    def remove(self, path: str) -> None:
        """Take away the file at ``path`` and the folders that it leaves empty; nothing happens when it is not there.

        Raises:
            UnsafeFileError: a symbolic link is on the way, or something else than a file is there.
            StorageError: not writable.
        """
        with _storage(path), self._parent(path) as folder:
            if folder is None:
                return
            entry = path.rpartition("/")[2]
            seen = folder.look(entry)
            if seen is not None:
                _require_file(seen, path)
                with suppress(FileNotFoundError):
                    os.unlink(folder.name(entry), dir_fd=folder.descriptor)
        self.prune(path)

    def prune(self, path: str) -> None:
        """Take away the empty folders above ``path``, as git does, but for the one directly below the root."""
        folders = path.split("/")[:-1]
        while len(folders) > 1:
            try:
                with self._parent("/".join(folders)) as folder:
                    if folder is None:
                        return
                    os.rmdir(folder.name(folders[-1]), dir_fd=folder.descriptor)
            except (OSError, UnsafeFileError):
                return
            folders.pop()

    def sync(self, paths: Iterable[str]) -> None:
        """Make the names of ``paths`` durable.

        Raises:
            StorageError: the disk refuses.
        """
        for folder_path in sorted({path.rpartition("/")[0] for path in paths}):
            with suppress(UnsafeFileError), _storage(folder_path), self._open(folder_path) as folder:
                if folder is not None:
                    folder.sync()

    def _parent(self, path: str, *, make: bool = False) -> AbstractContextManager[Folder | None]:
        return self._open(path.rpartition("/")[0], make=make)

    def _open(self, folder_path: str, *, make: bool = False) -> AbstractContextManager[Folder | None]:
        return _opened(self.root, tuple(filter(None, folder_path.split("/"))), make)


@contextmanager
def _opened(root: Path, segments: tuple[str, ...], make: bool) -> Generator[Folder | None]:  # noqa: FBT001 - private
    folder = Folder(os.open(root, os.O_RDONLY | _DIRECTORY) if _BY_DESCRIPTOR else None, root)
    try:
        for segment in segments:
            below = _step(folder, segment, make=make)
            if below is None:
                break
            if folder.descriptor is not None:
                os.close(folder.descriptor)
            folder = below
        else:
            yield folder
            return
        yield None
    finally:
        if folder.descriptor is not None:
            os.close(folder.descriptor)


def _step(folder: Folder, segment: str, *, make: bool) -> Folder | None:
    seen = folder.look(segment)
    if seen is None and make:
        with suppress(FileExistsError):
            os.mkdir(folder.name(segment), dir_fd=folder.descriptor)
            folder.sync()
        seen = folder.look(segment)
    where = folder.where / segment
    if seen is None:
        return None
    if stat.S_ISLNK(seen.st_mode) or is_reparse_point(seen):
        raise UnsafeFileError(
            f"{where} is a symbolic link, and links are never followed",
            suggestions=("put a real folder there",),
        )
    if not stat.S_ISDIR(seen.st_mode):
        if make:
            raise WriteConflictError(f"{where} is no folder, and a memory should go below it")
        return None
    if folder.descriptor is None:
        return Folder(None, where)
    try:
        return Folder(os.open(segment, os.O_RDONLY | _DIRECTORY | _NOFOLLOW, dir_fd=folder.descriptor), where)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            raise UnsafeFileError(f"{where} became something else than a folder while it was looked at") from error
        if error.errno == errno.ENOENT:
            return None
        raise


def _place(folder: Folder, temporary: str, entry: str) -> bool:
    """Rename without writing over: a hard link refuses where something is, a rename does not."""
    try:
        os.link(
            folder.name(temporary),
            folder.name(entry),
            src_dir_fd=folder.descriptor,
            dst_dir_fd=folder.descriptor,
            follow_symlinks=False,
        )
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):
        # File systems without hard links: look, then rename.
        if folder.look(entry) is not None:
            return False
        os.rename(
            folder.name(temporary), folder.name(entry), src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor
        )
        return True
    os.unlink(folder.name(temporary), dir_fd=folder.descriptor)
    return True


def _require_file(seen: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(seen.st_mode) or is_reparse_point(seen):
        kinds = {
            stat.S_IFLNK: "a symbolic link",
            stat.S_IFDIR: "a folder",
            stat.S_IFIFO: "a FIFO",
            stat.S_IFSOCK: "a socket",
        }
        what = kinds.get(stat.S_IFMT(seen.st_mode), "no plain file")
        raise UnsafeFileError(f"{path} is {what}, and a memory is a file", suggestions=("put a plain file there",))


@contextmanager
def _storage(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{path or 'the store'} cannot be read or written: {error.strerror or error}",
            suggestions=("free some space, or check permissions",),
        ) from error
