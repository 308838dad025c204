"""Commit objects through ``git fast-import``, and the branch moved by compare-and-swap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from msgspec import Struct

from memhtml.domain.errors import GitError, MemhtmlError, WriteConflictError
from memhtml.domain.instants import as_datetime
from memhtml.domain.memory import CommitId, Instant
from memhtml.store.git import Git
from memhtml.store.identity import Identity
from memhtml.store.layout import Layout
from memhtml.store.refs import read_head

# Named in the stream and reset there, so that no such reference is ever made: the objects alone are wanted.
NOWHERE = "refs/memhtml/incoming"


class Change(Struct, frozen=True):
    """What one path becomes: ``data`` under ``mode``, or nothing when ``data`` is ``None``."""

    path: str
    data: bytes | None
    mode: str = "100644"


class Signature(Struct, frozen=True):
    """Who, and when; ``None`` is now, by git's clock."""

    identity: Identity
    when: Instant | None = None


class Order(Struct, frozen=True):
    """A commit that is wanted: ``changes`` to the files of the first of ``parents``; without any, to nothing."""

    parents: Sequence[CommitId]
    changes: Sequence[Change]
    message: str
    signature: Signature


class Importing:
    """A ``git fast-import`` on its way: begun early, it gets ready while this process does something else.

    A context manager, which ends it: one that was given nothing has written nothing.
    """

    def __init__(self, git: Git, clock: str) -> None:
        """Begin it; ``clock`` is how it reads dates."""
        self._git = git
        self._fed = False
        self._call = git.start("fast-import", "--quiet", f"--date-format={clock}")

    @classmethod
    def of_one(cls, git: Git, when: Instant | None) -> Self:
        """One that takes an `Order` whose signature is of ``when``."""
        return cls(git, "now" if when is None else "raw")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._fed and not isinstance(error, Exception):
            self._call.abandon()
        else:
            # Left to end by itself it takes its half-made pack away.
            self._call.close()

    def give(self, order: Order) -> None:
        """Let git write blobs, trees and the commit. No branch moves."""
        self.feed(b"".join(_stream(order)))

    def feed(self, stream: bytes) -> None:
        """Hand over a stream of fast-import's own, all of it, and do not wait."""
        self._fed = True
        self._call.feed(stream)

    def commit(self) -> CommitId:
        """The commit that was ordered; it and all of its objects are on the disk.

        Raises:
            GitError: git refused.
            StorageError: disk full or read-only.
        """
        commits = self.commits()
        if len(commits) != 1:
            raise GitError("git made no commit and did not say why")
        return commits[0]

    def commits(self) -> tuple[CommitId, ...]:
        """What git answers to the marks that the stream asked for.

        Raises:
            GitError: git refused.
            StorageError: disk full or read-only.
        """
        try:
            return tuple(CommitId(line) for line in self._call.finish().decode().split())
        except MemhtmlError:
            if self._git.gitdir is not None:
                # A report for whoever debugs git; nobody here reads it, and a full disk has no room for it.
                with suppress(OSError):
                    (self._git.gitdir / f"fast_import_crash_{self._call.process.pid}").unlink()
            raise


class Moving:
    """A ``git update-ref`` on its way, to move the checked-out branch: until `move_branch` it holds nothing.

    A context manager, which ends it.
    """

    def __init__(self, git: Git, reason: str) -> None:
        """Begin it; ``reason`` is what the log of references will say."""
        self.git = git
        self.call = git.start("update-ref", "-m", reason, "--stdin")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.call.close()


def move_branch(moving: Moving, layout: Layout, base: CommitId | None, commit: CommitId) -> None:
    """Move the checked-out branch from ``base`` to ``commit``, durably, if it still is at ``base``.

    Raises:
        WriteConflictError: it is not; somebody was faster.
        LockedError: a git process holds the reference.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    try:
        moving.call.finish(move(base, commit))
    except MemhtmlError:
        found = read_head(layout, moving.git).commit
        if found == commit:
            return  # moved, and only what comes after it (the log of references) failed
        if found != base:
            raise WriteConflictError(
                "the branch moved while this change was made, so nothing was written",
                suggestions=("run the command again",),
            ) from None
        raise


def move(base: CommitId | None, commit: CommitId) -> bytes:
    r"""The line that `Moving` is told; git takes none that was cut off.

    >>> move(None, CommitId("5e1f"))
    b'update HEAD 5e1f 0000\n'
    """
    return f"update HEAD {commit} {base or '0' * len(commit)}\n".encode()


def _stream(order: Order) -> Iterator[bytes]:
    text, instant = order.message.encode(), order.signature.when
    who, when = order.signature.identity, "now" if instant is None else f"{seconds(instant)} +0000"
    yield b"feature done\n"
    yield f"commit {NOWHERE}\nmark :1\ncommitter {who.name} <{who.email}> {when}\n".encode(errors="replace")
    yield b"data %d\n%s\n" % (len(text), text)
    for place, parent in enumerate(order.parents):
        yield f"{'merge' if place else 'from'} {parent}\n".encode()
    ordered = sorted(order.changes, key=lambda change: (change.data is not None, change.path))
    for change in ordered:
        path = change.path.encode(errors="surrogateescape")
        if change.data is None:
            yield b"D %s\n" % path
        else:
            yield b"M %s inline %s\ndata %d\n%s\n" % (change.mode.encode(), path, len(change.data), change.data)
    yield f"get-mark :1\nreset {NOWHERE}\n\ndone\n".encode()


def seconds(instant: Instant) -> int:
    """Seconds from 1970 to ``instant``, the start of the day for a date; git knows none before 0.

    >>> seconds(Instant("1970-01-02T00:00:01Z")), seconds(Instant("1970-01-02")), seconds(Instant("1066-10-14"))
    (86401, 86400, 0)
    """
    return max(0, int(as_datetime(instant).timestamp()))
