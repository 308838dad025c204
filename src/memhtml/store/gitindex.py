"""The git index, for the few paths that a transaction touches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from memhtml.domain.errors import LockedError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.git import Call, Git
from memhtml.store.objects import Entry

UNMERGED = BlobId("unmerged")
"""Stands for a path that a merge left in conflict: equal to no blob."""

_SETTING = ("update-index", "-z", "--index-info")
_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_MOST_ARGUMENTS = 200  # beyond that the whole index is listed, since git compares each entry with each argument


class Look:
    """A reading of the index that runs while this process does something else."""

    def __init__(self, git: Git, paths: Sequence[str]) -> None:
        self._paths = frozenset(paths)
        few = tuple(paths) if len(paths) <= _MOST_ARGUMENTS else ()
        self._call: Call = git.start("ls-files", "--stage", "-z", "--", *few)

    def entries(self) -> Mapping[str, BlobId]:
        """Blob by path, for the paths that the index holds.

        Raises:
            GitError: the index cannot be read.
        """
        found: dict[str, BlobId] = {}
        for line in self._call.finish().split(b"\0")[:-1]:
            facts, _, name = line.partition(b"\t")
            path = name.decode(errors="surrogateescape")
            if path in self._paths:
                _, blob, stage = facts.decode().split(" ")
                found[path] = BlobId(blob) if stage == "0" else UNMERGED
        return found

    def close(self) -> None:
        """End the reading, with its answer or without."""
        self._call.abandon()


def changed(git: Git, paths: Sequence[str]) -> frozenset[str]:
    """Those of ``paths``, all of them tracked, whose file git calls changed, or that are staged.

    Raises:
        GitError: git refused.
    """
    few = tuple(paths) if len(paths) <= _MOST_ARGUMENTS else ()
    printed = git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--", *few)
    lines = printed.decode(errors="surrogateescape").split("\0")[:-1]
    return frozenset(line[3:] for line in lines).intersection(paths)


def set_entries(git: Git, entries: Iterable[tuple[str, Entry | None]], like: CommitId | None) -> None:
    """Make the index hold these; ``None`` takes a path out. The files themselves are not looked at.

    ``like`` is any commit of the repository: ids are as long as its id.

    Raises:
        LockedError: another git process is writing the index.
        GitError: git refused.
        StorageError: disk full or read-only.
    """
    lines = _lines(entries, like)
    if lines:
        git.run(*_SETTING, given=lines)


class Holding:
    """The index, held by a git that has read it and waits for what to set: no other git changes it meanwhile.

    It is taken before the branch moves, as `git commit` does, so that nobody commits an index without what the branch
    has got. A git that finds it held by another says so when it is asked for the first time.
    """

    def __init__(self, git: Git) -> None:
        self._git = git
        self._call = git.start(*_SETTING)

    def set(self, entries: Sequence[tuple[str, Entry | None]], like: CommitId | None) -> None:
        """Make the index hold these, as `set_entries`, and let go of it; waits where another git holds it.

        Raises:
            MemhtmlError: as `set_entries`.
        """
        try:
            self._call.finish(_lines(entries, like))
        except LockedError:
            patiently(lambda: set_entries(self._git, entries, like))

    def close(self) -> None:
        """Let go of the index as it is."""
        self._call.close()


def patiently(write: Callable[[], None]) -> None:
    """Do ``write``, again while another git process holds the index: most do so for a few milliseconds.

    Raises:
        LockedError: it was held all the time.
    """
    for pause in (*_PAUSES, None):
        try:
            return write()
        except LockedError:
            if pause is None:
                raise
            time.sleep(pause)
    return None


def _lines(entries: Iterable[tuple[str, Entry | None]], like: CommitId | None) -> bytes:
    nothing = "0" * len(like or "0" * 40)
    return b"".join(
        _line(path, f"0 {nothing}" if entry is None else f"{entry.mode} {entry.id}") for path, entry in entries
    )


def _line(path: str, facts: str) -> bytes:
    return f"{facts}\t".encode() + path.encode(errors="surrogateescape") + b"\0"
