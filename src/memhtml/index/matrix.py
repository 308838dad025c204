"""The vectors as one matrix: a file beside the index that is mapped into memory, and a short tail from the database.

The file is a cache and never the only copy. It carries the number of its rows and the chain of its last one; if the
database has the same chain there, every row is the right one, since a vector never changes and never moves. Rows that
were added since come from the database, and are appended to the file a batch at a time, so neither a write nor a read
ever rewrites it. Two processes that append at once write the same bytes to the same places.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct

from memhtml.index.database import VECTORS_FILE
from memhtml.store.plain import require_plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

FILE_NAME = VECTORS_FILE
LONGEST_TAIL = 1024
"""Rows that are read from the database each time a process starts, before they are appended to the file."""

_MAGIC = b"memhtml vectors 1\n"
_HEADER = 4096  # bytes: rows begin at a page
_FLOAT = 4  # bytes
_READ_AT_ONCE = 4096  # rows

_LAST = """
SELECT space.dimension, vectors.id, vectors.chain FROM space JOIN vectors ON vectors.space = space.name
ORDER BY vectors.id DESC LIMIT 1
"""
_CHAIN = "SELECT chain FROM vectors WHERE id = ?"
_VECTORS = "SELECT vector FROM components WHERE id > ? AND id <= ? ORDER BY id"


class Matrix(Struct, frozen=True):
    """All vectors, by id less one: ``base`` from the file, ``tail`` from the database. ``chain`` is the last row's."""

    base: Rows
    tail: Rows
    chain: str

    @property
    def dimension(self) -> int:
        """Numbers in a row."""
        return int(self.tail.shape[1])

    def __len__(self) -> int:
        return len(self.base) + len(self.tail)

    def cosines(self, vector: Rows) -> Rows:
        """The cosine of each row to the unit vector ``vector``."""
        import numpy as np

        return np.concatenate((self.base @ vector, self.tail @ vector))


class Matrices:
    """Keeps the matrix of an index from query to query; safe to share between threads."""

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / FILE_NAME
        self._kept: Matrix | None = None
        self._lock = Lock()

    def current(self, connection: sqlite3.Connection) -> Matrix | None:
        """The vectors of the generation that ``connection`` reads; ``None`` when it has none."""
        last: tuple[int, int, str] | None = connection.execute(_LAST).fetchone()
        if last is None:
            return None
        dimension, count, chain = last
        with self._lock:
            kept = self._kept
            if kept is None or kept.chain != chain:
                kept = self._made(connection, dimension, count, chain)
                self._kept = kept
            return kept

    def _made(self, connection: sqlite3.Connection, dimension: int, count: int, chain: str) -> Matrix:
        kept = self._kept
        base = self._mapped(connection, dimension) if kept is None or not _leads_to(connection, kept) else kept.base
        if kept is not None and base is kept.base:
            import numpy as np

            tail = np.concatenate((kept.tail, _read(connection, dimension, len(kept), count)))
        else:
            tail = _read(connection, dimension, len(base), count)
        made = Matrix(base, tail, chain)
        if len(tail) > LONGEST_TAIL and self._path is not None and self._appended(made):
            base = self._mapped(connection, dimension)
            return Matrix(base, _read(connection, dimension, len(base), count), chain)
        return made

    def _mapped(self, connection: sqlite3.Connection, dimension: int) -> Rows:
        """The rows of the file; none when it is missing, or made from other vectors than the database's.

        Raises:
            UnsafeFileError: a link, a device or a FIFO has come to be there since the index was opened.
        """
        import numpy as np

        none = np.empty((0, dimension), dtype=np.float32)
        if self._path is None:
            return none
        try:
            require_plain(self._path)
            with self._path.open("rb") as file:
                count = _described(connection, file, dimension)
            if count == 0:
                return none
            return np.memmap(self._path, dtype="<f4", mode="r", offset=_HEADER, shape=(count, dimension))
        except (OSError, ValueError):
            return none

    def _appended(self, made: Matrix) -> bool:
        """Write what the file lacks; whether that worked. A cache that cannot be written is done without."""
        if self._path is None:
            return False
        try:
            if len(made.base):
                require_plain(self._path)
                with self._path.open("r+b") as file:
                    _write(file, made, len(made.base))
            else:
                fresh = self._path.with_name(f"{FILE_NAME}.{os.getpid()}.new")
                fresh.unlink(missing_ok=True)
                with fresh.open("xb") as file:  # never through a link that waits there
                    _write(file, made, 0)
                fresh.replace(self._path)
        except OSError:
            return False
        return True


def _leads_to(connection: sqlite3.Connection, kept: Matrix) -> bool:
    """Whether the database's vectors begin with the rows that were kept."""
    row: tuple[str] | None = connection.execute(_CHAIN, (len(kept),)).fetchone()
    return row is not None and row[0] == kept.chain


def _read(connection: sqlite3.Connection, dimension: int, after: int, count: int) -> Rows:
    import numpy as np

    rows = np.empty((max(0, count - after), dimension), dtype=np.float32)
    found: Iterator[tuple[bytes]] = connection.execute(_VECTORS, (after, count))
    filled = 0
    while batch := [vector for (vector,) in islice(found, _READ_AT_ONCE)]:
        rows[filled : filled + len(batch)] = np.frombuffer(b"".join(batch), dtype="<f4").reshape(-1, dimension)
        filled += len(batch)
    return rows


def _described(connection: sqlite3.Connection, file: BinaryIO, dimension: int) -> int:
    """How many rows of ``file`` are those of the database; 0 when it is another database's, or another space's."""
    header = file.read(_HEADER)
    if not header.startswith(_MAGIC):
        return 0
    width, count, chain = header[len(_MAGIC) :].split(b"\n", 1)[0].decode("ascii").split(" ")
    row: tuple[str] | None = connection.execute(_CHAIN, (int(count),)).fetchone()
    whole = os.fstat(file.fileno()).st_size >= _HEADER + int(count) * dimension * _FLOAT
    return int(count) if int(width) == dimension and whole and row is not None and row[0] == chain else 0


def _write(file: BinaryIO, made: Matrix, after: int) -> None:
    """Rows first, then the header that says that they are there: cut off in between, the old header still holds."""
    file.seek(_HEADER + after * made.dimension * _FLOAT)
    file.write(made.tail[after - len(made.base) :].astype("<f4", copy=False).tobytes())
    file.flush()
    os.fsync(file.fileno())
    file.seek(0)
    file.write(_MAGIC + f"{made.dimension} {len(made)} {made.chain}\n".encode("ascii").ljust(_HEADER - len(_MAGIC)))
    file.flush()
    os.fsync(file.fileno())
