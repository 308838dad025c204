"""Counting what is used, one transaction at a time, and the way of these counts to their durable copy and back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import UnsafeFileError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.index import counting, sidecar, state
from memhtml.index.connections import Connections
from memhtml.index.database import Kind
from memhtml.index.state import Access
from memhtml.store.layout import HOUSE, SIDECAR
from memhtml.store.plain import require_plain


class ImportReport(Struct, frozen=True):
    """How many lines of a sidecar were merged, and how many were no rows."""

    merged: int
    skipped: int


class Usage:
    """What was used, of one open index. Every method is one transaction of its own."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def open_memory(self, path: MemoryPath, now: Instant) -> Access | None:
        """Count a chosen open of ``path``; ``None`` when one counted less than 900 seconds ago."""
        with self._connections.writing(Kind.STATE) as connection:
            return counting.open_memory(connection, path, now)

    def reinforce(self, path: MemoryPath, outcome: float, now: Instant) -> Access | None:
        """Count a reinforcement of ``path``, and move its outcome; ``None`` within 900 seconds of one that counted.

        Raises:
            ValueError: ``outcome`` is outside -1 to 1.
        """
        with self._connections.writing(Kind.STATE) as connection:
            return counting.reinforce(connection, path, outcome, now)

    def export(self) -> bytes:
        """The sidecar: see `sidecar.exported`."""
        with self._connections.reading() as connection:
            return sidecar.exported(state.every_access(connection))

    def import_lines(self, data: bytes) -> ImportReport:
        """Merge a sidecar: counters and instants by maximum. Doing it twice changes nothing more."""
        read = sidecar.parsed(data)
        with self._connections.writing(Kind.STATE) as connection:
            counting.merge(connection, read.rows)
        return ImportReport(len(read.rows), read.skipped)

    def carry(self, moves: Iterable[tuple[MemoryPath, MemoryPath]]) -> None:
        """Take rows along to the new paths of memories that moved."""
        moves = tuple(moves)
        if moves:
            with self._connections.writing(Kind.STATE) as connection:
                counting.carry(connection, moves)


def restored(kept: Usage, folder: Path) -> str:
    """Merge the sidecar of the store whose house is ``folder`` into an empty state; says what came of it."""
    path = folder / Path(SIDECAR).relative_to(HOUSE)
    try:
        require_plain(path.parent)
        require_plain(path)
        report = kept.import_lines(path.read_bytes())
    except FileNotFoundError:
        return "there is no sidecar to restore the state from; it starts empty"
    except UnsafeFileError as error:
        return f"the state starts empty, since its sidecar is unsafe: {error.message}"
    except OSError as error:
        return f"the sidecar of the state could not be read ({error.strerror}); it starts empty"
    bad = f", and {report.skipped} bad lines were left out" if report.skipped else ""
    return f"the state was restored from its sidecar: {report.merged} memories{bad}"
