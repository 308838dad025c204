"""Commit objects through one-shot ``git fast-import``, and the branch moved by compare-and-swap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import Struct

from memhtml.domain.errors import GitError, MemhtmlError, WriteConflictError
from memhtml.domain.memory import CommitId, Instant
from memhtml.store.git import Git
from memhtml.store.identity import Identity
from memhtml.store.layout import Layout
from memhtml.store.refs import read_head

# Named in the stream and reset there, so that no such reference is ever made: the objects alone are wanted.
NOWHERE = "refs/memhtml/incoming"


def nothing() -> None:
    """What is done meanwhile, unless there is something."""


class Change(Struct, frozen=True):
    """What one path becomes: ``data`` under ``mode``, or nothing when ``data`` is ``None``."""

    path: str
    data: bytes | None
    mode: str = "100644"


class Signature(Struct, frozen=True):
    """Who, and when; ``None`` is now, by git's clock."""

    identity: Identity
    when: Instant | None = None


def make_commit(
    git: Git,
    parents: Sequence[CommitId],
    changes: Iterable[Change],
    message: str,
    signature: Signature,
    meanwhile: Callable[[], None] = nothing,
) -> CommitId:
    """Put blobs, trees and a commit on the disk, durably. No branch moves.

    ``changes`` are to the files of the first of ``parents``; without any the commit is a first one.
    ``meanwhile`` is done while git writes: what can wait until then costs no time.

    Raises:
        GitError: git refused.
        StorageError: disk full or read-only.
    """
    stream = b"".join(_stream(parents, changes, message, signature))
    clock = "now" if signature.when is None else "raw"
    commits = imported(git, stream, clock, meanwhile)
    if len(commits) != 1:
        raise GitError("git made no commit and did not say why")
    return commits[0]


def imported(git: Git, stream: bytes, clock: str, meanwhile: Callable[[], None] = nothing) -> tuple[CommitId, ...]:
    """What ``git fast-import`` answers to the marks that ``stream`` asks for; ``clock`` is how it writes dates.

    Raises:
        GitError: git refused.
        StorageError: disk full or read-only.
    """
    call = git.start("fast-import", "--quiet", f"--date-format={clock}")
    try:
        call.feed(stream)
        try:
            meanwhile()
        except BaseException:
            call.abandon()
            raise
        return tuple(CommitId(line) for line in call.finish().decode().split())
    except MemhtmlError:
        if git.gitdir is not None:
            # A report for whoever debugs git; nobody here reads it, and a full disk has no room for it.
            with suppress(OSError):
                (git.gitdir / f"fast_import_crash_{call.process.pid}").unlink()
        raise


def move_branch(git: Git, layout: Layout, base: CommitId | None, commit: CommitId, reason: str) -> None:
    """Move the checked-out branch from ``base`` to ``commit``, durably, if it still is at ``base``.

    Raises:
        WriteConflictError: it is not; somebody was faster.
        LockedError: a git process holds the reference.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    before = base or "0" * len(commit)
    try:
        git.run("update-ref", "-m", reason, "HEAD", commit, before)
    except MemhtmlError:
        found = read_head(layout, git).commit
        if found == commit:
            return  # moved, and only what comes after it (the log of references) failed
        if found != base:
            raise WriteConflictError(
                "the branch moved while this change was made, so nothing was written",
                suggestions=("run the command again",),
            ) from None
        raise


def _stream(
    parents: Sequence[CommitId], changes: Iterable[Change], message: str, signature: Signature
) -> Iterator[bytes]:
    text = message.encode()
    who, when = signature.identity, "now" if signature.when is None else f"{seconds(signature.when)} +0000"
    yield b"feature done\n"
    yield f"commit {NOWHERE}\nmark :1\ncommitter {who.name} <{who.email}> {when}\n".encode(errors="replace")
    yield b"data %d\n%s\n" % (len(text), text)
    for place, parent in enumerate(parents):
        yield f"{'merge' if place else 'from'} {parent}\n".encode()
    ordered = sorted(changes, key=lambda change: (change.data is not None, change.path))
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
    moment = datetime.fromisoformat(f"{instant}T00:00:00+00:00" if len(instant) == len("2026-01-01") else instant)
    return max(0, int(moment.timestamp()))
