"""Errors as envelopes: converted once, at the door, from the class and its attributes."""

from __future__ import annotations

import errno

from memhtml.domain.errors import (
    BatchError,
    DirtyTreeError,
    ExecFailedError,
    InterruptedCommandError,
    InvalidMemoryError,
    MemhtmlError,
    StorageError,
    WriteConflictError,
)
from memhtml.ops.advice import suggestions
from memhtml.ops.encoding import API_VERSION, Json, encode

DISK_TROUBLE = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EMFILE: "too many files are open",
    errno.EIO: "the disk reports an error",
}


def as_error(error: BaseException) -> MemhtmlError:
    """The member of the tree that says what ``error`` means to a caller; itself, if it is one."""
    if isinstance(error, MemhtmlError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return InterruptedCommandError("interrupted")
    if isinstance(error, OSError):
        what = DISK_TROUBLE.get(error.errno or 0, error.strerror or "the system refused")
        where = f": {error.filename}" if isinstance(error.filename, str) else ""
        return StorageError(f"{what}{where}")
    return MemhtmlError(f"memhtml met something that it did not expect ({type(error).__name__})")


def failure(error: MemhtmlError) -> Json:
    """The envelope of an error; ``details`` holds its facts where its class has some."""
    envelope: dict[str, Json] = {
        "apiVersion": API_VERSION,
        "error": error.message,
        "code": error.code,
        "suggestions": encode(suggestions(error)),
    }
    details = _details(error)
    if details:
        envelope["details"] = details
    return envelope


def _details(error: MemhtmlError) -> dict[str, Json]:
    if isinstance(error, InvalidMemoryError):
        return {"violations": encode(error.violations)}
    if isinstance(error, DirtyTreeError) or (isinstance(error, WriteConflictError) and error.paths):
        return {"paths": encode(error.paths)}
    if isinstance(error, BatchError):
        return {"results": _results(error)}
    if isinstance(error, ExecFailedError):
        return {"line": error.line, "printed": error.printed}
    return {} if error.commit is None else {"commit": error.commit}


def _results(error: BatchError) -> list[Json]:
    """Every line of the batch in the order of the input: refused, with its error, or skipped."""
    refused = {position: as_error(cause) for position, cause in error.failures}
    return [
        {"line": line, "outcome": "refused", "error": refused[line].message, "code": refused[line].code}
        if line in refused
        else {"line": line, "outcome": "skipped", "error": None, "code": None}
        for line in sorted({*refused, *error.skipped})
    ]
