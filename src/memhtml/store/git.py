"""The git binary, sheltered from the user's setup: the one module that starts processes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import GitError, LockedError, MemhtmlError, StorageError

if TYPE_CHECKING:
    import subprocess

OLDEST_VERSION = (2, 31)
"""Settings come in through ``GIT_CONFIG_COUNT``, which this version brought."""

# Where the user's configuration and git's own programs lie; any other GIT_* would point git at another repository.
_KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})

_LINE_ENDS = {"core.autocrlf": "false", "core.safecrlf": "false", "core.eol": "lf"}
_SETTINGS = {
    # Git syncs only packs unless told; an acknowledged write is on the disk.
    "core.fsync": "committed,loose-object,reference",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.quotePath": "false",
    "core.excludesFile": os.devnull,
    "core.attributesFile": os.devnull,
    "commit.gpgSign": "false",
    "log.showSignature": "false",
    "log.follow": "false",
    "color.ui": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    # Small transactions become loose objects; a pack for each write would slow every reader.
    "fastimport.unpackLimit": "100",
    "diff.renames": "true",
    "diff.renameLimit": "2000",
    "diff.noprefix": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "i18n.commitEncoding": "UTF-8",
    "status.relativePaths": "false",
    "status.renames": "false",
}
_STORAGE_SIGNS = (
    "No space left",
    "File too large",
    "Read-only file system",
    "Permission denied",
    "Disk quota exceeded",
    "Input/output error",
    "insufficient permission",
    "unable to write",
    "write failure",
    "write error",
)


class Git(Struct, frozen=True):
    """One work tree's git. Every call names the repository, so nothing is discovered and nobody's ownership is asked.

    Attributes:
        root: the work tree.
        gitdir: where its HEAD and index are; ``None`` before there is a repository.
        environment: what the process was started with.
        descriptor: open in every child, so that a lock lives as long as the last of them.
        own_line_ends: look at files as the user's settings for line ends tell git to.
    """

    root: Path
    gitdir: Path | None
    environment: Mapping[str, str]
    descriptor: int | None = None
    own_line_ends: bool = False

    def holding(self, descriptor: int) -> Git:
        """The same git, whose children inherit ``descriptor``."""
        return replace(self, descriptor=descriptor)

    def with_own_line_ends(self) -> Git:
        """The same git, looking at files as the user's settings for line ends tell it to."""
        return replace(self, own_line_ends=True)

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git prints.

        Raises:
            GitError: git is missing or refused; its first complaint is in the message.
            StorageError: the disk is full, or may not be written.
            LockedError: another git process holds a lock file.
        """
        return self.start(*arguments).finish(given)

    def start(self, *arguments: str) -> Call:
        """Begin a call that runs beside this process until `Call.finish`.

        Raises:
            GitError: git is missing.
            StorageError: no process can be started.
        """
        import subprocess

        inherited = () if self.descriptor is None or sys.platform == "win32" else (self.descriptor,)
        try:
            process = subprocess.Popen(
                [b"git", *map(_as_bytes, arguments)] if os.name == "posix" else ["git", *arguments],
                cwd=self.root,
                env=sheltered(self),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=inherited,
            )
        except FileNotFoundError as error:
            if not self.root.is_dir():
                raise GitError(f"{self.root} is no folder any more") from error
            raise GitError(
                "git was not found",
                suggestions=("install git 2.31 or later and put it on the PATH",),
            ) from error
        except OSError as error:
            raise StorageError(f"git could not be started: {error.strerror}") from error
        return Call(arguments[0], process)


class Call(Struct, frozen=True):
    """A git process on its way."""

    verb: str
    process: subprocess.Popen[bytes]

    def finish(self, given: bytes = b"") -> bytes:
        """Feed ``given``, wait, and return what git printed.

        Raises:
            MemhtmlError: as `Git.run` says.
        """
        status, printed, complaint = self.outcome(given)
        if status < 0:
            raise _ended_by(-status, self.verb)
        if status != 0:
            raise refusal(self.verb, complaint)
        return printed

    def feed(self, given: bytes) -> None:
        """Hand over all of its input and do not wait; a process that ended early says why at `finish`."""
        stdin = self.process.stdin
        if stdin is None:
            return
        try:
            with suppress(OSError), stdin:  # nobody reads on: a broken pipe, or on Windows an invalid argument
                stdin.write(given)
        except BaseException:
            self.abandon()
            raise
        self.process.stdin = None  # `communicate` would flush it

    def outcome(self, given: bytes = b"") -> tuple[int, bytes, str]:
        """Exit status, standard output and complaint, for calls whose refusal is an answer."""
        try:
            printed, complaint = self.process.communicate(given if self.process.stdin else None)
        except BaseException:
            self.abandon()
            raise
        return self.process.returncode, printed, complaint.decode(errors="replace")

    def close(self) -> None:
        """Let a process that got no input, if it is one of those that then do nothing, end; harmless when it has."""
        if self.process.returncode is None:
            self.outcome()

    def abandon(self) -> None:
        """End the process and wait for it: nothing of a given-up transaction may outlive its lock."""
        if self.process.returncode is None:
            self.process.kill()
            self.process.communicate()


def _as_bytes(argument: str) -> bytes:
    """UTF-8, as git takes it, whatever the locale of this process would make of it."""
    return argument.encode("utf-8", "surrogateescape")


def refusal(verb: str, complaint: str) -> MemhtmlError:
    """The error that git's complaint means."""
    line = _first_complaint(complaint)
    if any(sign in complaint for sign in _STORAGE_SIGNS) and ".lock': File exists" not in complaint:
        return StorageError(
            f"git {verb} could not write: {line}", suggestions=("free some space, or check permissions",)
        )
    if ".lock': File exists" in complaint:
        return LockedError(
            f"another git process is at work in the store: {line}",
            suggestions=("wait for it to end and try again",),
        )
    return GitError(f"git {verb} refused: {line}")


def _ended_by(number: int, verb: str) -> MemhtmlError:
    """The error of a git that a signal ended."""
    if number == getattr(signal, "SIGXFSZ", None):
        return StorageError(f"git {verb} may not write files of this size", suggestions=("raise the limit: ulimit -f",))
    return GitError(f"git {verb} was ended by signal {number}", suggestions=("try again",))


def sheltered(git: Git) -> dict[str, str]:
    """The environment of a git child: nothing of the user's setup that could break or divert a write."""
    environment = {
        name: value for name, value in git.environment.items() if not name.startswith("GIT_") or name in _KEPT
    }
    settings = _SETTINGS if git.own_line_ends else _SETTINGS | _LINE_ENDS
    environment |= {
        "LC_ALL": "C",
        "LANGUAGE": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    # A relative folder would be one of the store, where anybody's file could be called git; without any absolute one
    # the system's own are searched.
    searched = [folder for folder in environment.pop("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]
    if searched:
        environment["PATH"] = os.pathsep.join(searched)
    for number, (name, value) in enumerate(settings.items()):
        environment[f"GIT_CONFIG_KEY_{number}"] = name
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    if git.gitdir is not None:
        environment["GIT_DIR"] = str(git.gitdir)
        environment["GIT_WORK_TREE"] = str(git.root)
    return environment


def _first_complaint(complaint: str) -> str:
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    chosen = next(
        (line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "no reason given"
    )
    for prefix in ("fatal: ", "error: "):
        chosen = chosen.removeprefix(prefix)
    return chosen[:200]
