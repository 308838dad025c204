"""Every error that memhtml raises on purpose.

A class is its code and its exit status; facts are attributes; nobody reads a message to decide. Doors convert an
error once, into an envelope and an exit status.

    MemhtmlError                    ERR_UNKNOWN, exit 1
    ├── UsageError                  exit 2: the call itself is wrong
    │   ├── UnknownCommandError     ERR_UNKNOWN_COMMAND
    │   ├── MissingArgumentError    ERR_MISSING_ARGUMENT
    │   ├── InvalidFlagError        ERR_INVALID_FLAG
    │   ├── UnexpectedArgumentError ERR_UNEXPECTED_ARGUMENT
    │   ├── InvalidPathError        ERR_INVALID_PATH
    │   └── InvalidInputError       ERR_INVALID_INPUT: stdin, or lines of a batch, that cannot be read
    ├── StoreMissingError           ERR_REPO_REQUIRED: nothing at the root
    ├── NotAStoreError              ERR_NOT_A_STORE: something else is at the root
    ├── PathNotFoundError           ERR_PATH_NOT_FOUND
    ├── InvalidMemoryError          ERR_INVALID_MEMORY: every violation at once
    ├── InvalidEdgeError            ERR_INVALID_EDGE
    ├── DuplicateContentError       ERR_DUPLICATE_CONTENT
    ├── WriteConflictError          ERR_WRITE_CONFLICT: somebody else changed it first
    ├── LockedError                 ERR_LOCKED: names the holder
    ├── DirtyTreeError              ERR_DIRTY_TREE: names the paths
    ├── UnsafeFileError             ERR_UNSAFE_FILE: a symbolic link, a device, a FIFO
    ├── BatchError                  ERR_BATCH_REFUSED: one refusal, nothing written
    ├── IndexStaleError             ERR_INDEX_STALE
    ├── IndexTooNewError            ERR_INDEX_TOO_NEW: made by a later memhtml
    ├── EmbedModelMismatchError     ERR_EMBED_MODEL_MISMATCH
    ├── ModelUnavailableError       ERR_MODEL_UNAVAILABLE
    ├── PackageMissingError         ERR_PACKAGE_MISSING: a part of memhtml that is installed on request
    ├── IntegrationRefusedError     ERR_INTEGRATION_REFUSED: a host's file is not as it must be
    ├── ExecFailedError             ERR_EXEC_FAILED: a script ended without one report
    ├── ExecLimitError              ERR_EXEC_LIMIT: an ExecFailedError, since it used too much
    ├── DiscriminationFailedError   ERR_DISCRIMINATION_FAILED: a wrong version ranks above what is right
    ├── InvalidSettingError         ERR_INVALID_SETTING
    ├── StorageError                ERR_STORAGE: disk full, read-only, unreadable database
    ├── GitError                    ERR_GIT
    └── InterruptedCommandError     ERR_INTERRUPTED, exit 130
"""

from __future__ import annotations

from typing import ClassVar

_TOLD = 5  # refused lines that a message names; the attribute has all


class MemhtmlError(Exception):
    """Root of the tree.

    Attributes:
        code: stable name, append-only, e.g. ``ERR_PATH_NOT_FOUND``.
        exit_status: what a process ends with: 1 failed, 2 usage, 130 interrupted.
        suggestions: what to do next, most useful first; each is a sentence or a command.
        commit: the commit that was made before it came, and that stands; ``None`` when nothing was changed.
    """

    code: ClassVar[str] = "ERR_UNKNOWN"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.suggestions = suggestions
        self.commit: str | None = None


class UsageError(MemhtmlError):
    """The call itself is wrong; nothing was looked at or changed."""

    exit_status = 2


class UnknownCommandError(UsageError):
    """No command has this name."""

    code = "ERR_UNKNOWN_COMMAND"


class MissingArgumentError(UsageError):
    """A required argument was not given."""

    code = "ERR_MISSING_ARGUMENT"


class InvalidFlagError(UsageError):
    """A flag is unknown, or its value is outside what it takes."""

    code = "ERR_INVALID_FLAG"


class UnexpectedArgumentError(UsageError):
    """More arguments than the command takes, or two that exclude each other."""

    code = "ERR_UNEXPECTED_ARGUMENT"


class InvalidPathError(UsageError):
    """A text that can be no memory's path."""

    code = "ERR_INVALID_PATH"


class InvalidInputError(UsageError):
    """What came on standard input, or in the lines of a batch, cannot be read as what it should be."""

    code = "ERR_INVALID_INPUT"


class StoreMissingError(MemhtmlError):
    """There is nothing at the root; `memhtml init` makes a store."""

    code = "ERR_REPO_REQUIRED"


class NotAStoreError(MemhtmlError):
    """Something is at the root, and it is no memory store."""

    code = "ERR_NOT_A_STORE"


class PathNotFoundError(MemhtmlError):
    """No memory is at this path, nor was one moved from it."""

    code = "ERR_PATH_NOT_FOUND"


class InvalidMemoryError(MemhtmlError):
    """The content breaks the file format.

    Attributes:
        violations: all of them, in document order, one sentence each.
    """

    code = "ERR_INVALID_MEMORY"

    def __init__(self, violations: tuple[str, ...], *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__("; ".join(violations), suggestions=suggestions)
        self.violations = violations


class InvalidEdgeError(MemhtmlError):
    """A link that the vocabulary does not allow between these two memories."""

    code = "ERR_INVALID_EDGE"


class DuplicateContentError(MemhtmlError):
    """The same content is already an active memory, where a duplicate is not allowed."""

    code = "ERR_DUPLICATE_CONTENT"


class WriteConflictError(MemhtmlError):
    """The branch, or a file that this change touches, is not what it was read as.

    Attributes:
        paths: the files concerned, in path order; empty when it is the branch, or one file that the message names.
    """

    code = "ERR_WRITE_CONFLICT"

    def __init__(self, message: str, *, paths: tuple[str, ...] = (), suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message, suggestions=suggestions)
        self.paths = paths


class LockedError(MemhtmlError):
    """Another writer held the store for longer than the wait."""

    code = "ERR_LOCKED"


class DirtyTreeError(MemhtmlError):
    """Uncommitted edits stand where this change would write.

    Attributes:
        paths: the paths concerned, in path order.
    """

    code = "ERR_DIRTY_TREE"

    def __init__(self, message: str, *, paths: tuple[str, ...], suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message, suggestions=suggestions)
        self.paths = paths


class UnsafeFileError(MemhtmlError):
    """A symbolic link, device, socket or FIFO where a memory should be: never followed."""

    code = "ERR_UNSAFE_FILE"


class BatchError(MemhtmlError):
    """At least one operation of an atomic batch was refused, so nothing was written.

    Attributes:
        failures: (position in the input counted from 1, the error), in input order.
        skipped: positions of the operations that were not refused, and not done either.
    """

    code = "ERR_BATCH_REFUSED"

    def __init__(
        self,
        failures: tuple[tuple[int, MemhtmlError], ...],
        *,
        skipped: tuple[int, ...] = (),
        suggestions: tuple[str, ...] = (),
    ) -> None:
        told = [f"line {position}: {error.message} ({error.code})" for position, error in failures[:_TOLD]]
        if len(failures) > _TOLD:
            told.append(f"and {len(failures) - _TOLD} more lines")
        super().__init__(f"nothing was written: {'; '.join(told)}", suggestions=suggestions)
        self.failures = failures
        self.skipped = skipped


class IndexStaleError(MemhtmlError):
    """The index does not hold what the branch holds, and could not be brought up to date."""

    code = "ERR_INDEX_STALE"


class IndexTooNewError(MemhtmlError):
    """A later memhtml made this database; this one will not touch it."""

    code = "ERR_INDEX_TOO_NEW"


class EmbedModelMismatchError(MemhtmlError):
    """The index holds vectors of another space than the configured one."""

    code = "ERR_EMBED_MODEL_MISMATCH"


class ModelUnavailableError(MemhtmlError):
    """The embedder cannot work: package, weights, server or credentials are missing."""

    code = "ERR_MODEL_UNAVAILABLE"


class PackageMissingError(MemhtmlError):
    """A package that only this command needs is not installed."""

    code = "ERR_PACKAGE_MISSING"


class IntegrationRefusedError(MemhtmlError):
    """A file of an agent's host is not as it must be for this, so it stays as it is."""

    code = "ERR_INTEGRATION_REFUSED"


class ExecFailedError(MemhtmlError):
    """A script ended without one report: it raised, or it reported nothing, or twice.

    Attributes:
        line: of the script, counted from 1, where that is known.
        printed: the end of what it had printed.
    """

    code = "ERR_EXEC_FAILED"

    def __init__(
        self, message: str, *, line: int | None = None, printed: str = "", suggestions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, suggestions=suggestions)
        self.line = line
        self.printed = printed


class ExecLimitError(ExecFailedError):
    """A script used more time or memory, printed more, or reported more than it may."""

    code = "ERR_EXEC_LIMIT"


class DiscriminationFailedError(MemhtmlError):
    """Search does not rank memories above nearly identical wrong versions of them."""

    code = "ERR_DISCRIMINATION_FAILED"


class InvalidSettingError(MemhtmlError):
    """A setting has a value outside what it takes."""

    code = "ERR_INVALID_SETTING"


class StorageError(MemhtmlError):
    """The disk is full or read-only, or a database cannot be read."""

    code = "ERR_STORAGE"


class GitError(MemhtmlError):
    """Git is missing, too old, or refused."""

    code = "ERR_GIT"


class InterruptedCommandError(MemhtmlError):
    """The person at the keyboard stopped it."""

    code = "ERR_INTERRUPTED"
    exit_status = 130
