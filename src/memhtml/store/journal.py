"""What a transaction is about to do, on the disk before it does it, so that anybody can finish or undo it."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import StorageError
from memhtml.domain.jsontext import json_text, json_value
from memhtml.domain.memory import BlobId

_VERSION = 1


class Intent(Struct, frozen=True):
    """One path of a transaction; ``None`` means nothing.

    Attributes:
        old: what the branch held.
        new: what the branch will hold.
        found: what the work tree held: ``old``, but where line ends are converted.
    """

    path: str
    old: BlobId | None
    new: BlobId | None
    found: BlobId | None

    def knows(self, blob: BlobId | None) -> bool:
        """Whether this content is the transaction's own, and no person's edit."""
        return blob in {self.old, self.new, self.found}


class Journal:
    """The one journal of a work tree, beside its git index. Only the holder of the lock writes it."""

    def __init__(self, desk: Path) -> None:
        self._path = desk / "journal"

    def pending(self) -> bool:
        """Whether a transaction is under way, or was cut off: one ``stat``."""
        return self._path.exists()

    def write(self, intents: tuple[Intent, ...]) -> None:
        """Put the journal on the disk, durably.

        Raises:
            StorageError: the disk is full or read-only; then there is no journal.
        """
        lines = [[intent.path, intent.old, intent.new, intent.found] for intent in intents]
        text = json_text({"version": _VERSION, "intents": lines})
        fresh = self._path.with_name("journal.new")
        try:
            with fresh.open("wb") as file:
                file.write(text.encode(errors="surrogatepass"))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
            _sync_folder(self._path.parent)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise StorageError(
                f"the store cannot be written: {error.strerror}",
                suggestions=("free some space, or check permissions",),
            ) from error

    def read(self) -> tuple[Intent, ...]:
        """The journalled intents, in path order; nothing when there is no journal.

        A journal is renamed into place whole, so one that cannot be read was damaged by something else: it is taken
        for an empty one, and what it spoke of shows as uncommitted changes.
        """
        try:
            said = json_value(self._path.read_bytes())
            return tuple(Intent(str(path), old, new, found) for path, old, new, found in said["intents"])
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def drop(self) -> None:
        """Forget the transaction.

        Raises:
            StorageError: the file cannot be taken away.
        """
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"the journal cannot be removed: {error.strerror}") from error


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
