"""Vectors: their record in the database, and the nearest ones to a query.

The record is a float32 BLOB a text, named by the hash of that text, so a memory that moves or comes back needs no
embedder. Rows are compared through a matrix made from the record (see `matrix`); what a row belongs to, and whether
that is in scope, is always asked of the database, so a matrix that is ahead of a reader's generation does no harm.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.chunks import Chunk, embedded_text
from memhtml.domain.errors import EmbedModelMismatchError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.index.scoping import condition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.index.matrix import Matrices

    Rows = NDArray[np.float32]

DECIMALS = 5
"""Cosines of one model differ by 1e-7 between processors, so they are compared and shown rounded."""

_SPACE = "SELECT name FROM space"
_DIMENSION = "SELECT dimension FROM space"
_RECORD_SPACE = "INSERT INTO space (name, dimension, one) VALUES (:name, :dimension, 1)"
_DROP_COMPONENTS = "DELETE FROM components"
_DROP_VECTORS = "DELETE FROM vectors"
_DROP_SPACE = "DELETE FROM space"
_COVERAGE = "SELECT chunks, covered FROM coverage"
_UNCOVER = "UPDATE coverage SET covered = 0"
# The newest first: what was just written is what is asked for next.
_PENDING = """
SELECT files.title, texts.body, chunks.start, chunks.stop, chunks.text_hash
FROM chunks JOIN files ON files.id = chunks.file JOIN texts ON texts.file = chunks.file
WHERE NOT EXISTS (
  SELECT 1 FROM vectors WHERE vectors.space = :space AND vectors.text_hash = chunks.text_hash
)
ORDER BY files.moment DESC, files.path, chunks.position
LIMIT :limit
"""
_LAST = "SELECT id, chain FROM vectors ORDER BY id DESC LIMIT 1"
_STORE = "INSERT INTO vectors (id, space, text_hash, chain) VALUES (:id, :space, :text_hash, :chain)"
_STORE_COMPONENTS = "INSERT INTO components (id, vector) VALUES (?, ?)"
_HAS = "SELECT count(*) FROM vectors WHERE space = ? AND text_hash = ?"
_OWNERS = """
SELECT vectors.id, f.path, chunks.position, f.moment
FROM json_each(:ids) AS wanted CROSS JOIN vectors CROSS JOIN chunks CROSS JOIN files AS f
WHERE vectors.id = wanted.value AND chunks.text_hash = vectors.text_hash AND f.id = chunks.file AND {scope}
"""
# From the scope to its vectors: by the time that this is asked, the scope is known to be narrow.
_ALL_OWNERS = """
SELECT vectors.id, f.path, chunks.position, f.moment
FROM files AS f CROSS JOIN chunks CROSS JOIN vectors
WHERE chunks.file = f.id AND vectors.text_hash = chunks.text_hash AND {scope}
"""
_OF_PATHS = """
SELECT f.path, components.vector
FROM json_each(:paths) AS wanted JOIN files AS f ON f.path = wanted.value JOIN chunks ON chunks.file = f.id
JOIN vectors ON vectors.text_hash = chunks.text_hash JOIN components ON components.id = vectors.id
ORDER BY f.path, chunks.position
"""

# Rows per hit that are looked at, nearest first. Most scopes hold most rows, and most memories are one row, so the
# first look is enough; where the last is not, the scope is narrow, and walking it is cheaper than another.
_LOOKS = (1.5, 5, 32)


class Pending(Struct, frozen=True):
    """A text without a vector, and its name."""

    text_hash: str
    text: str


class VectorHit(Struct, frozen=True):
    """A memory near a query: the cosine of its best chunk, rounded, and which chunk that is, counted from 0."""

    path: MemoryPath
    cosine: float
    chunk: int


def space(connection: sqlite3.Connection) -> str | None:
    """The recorded space; ``None`` while there is none."""
    row: tuple[str] | None = connection.execute(_SPACE).fetchone()
    return None if row is None else row[0]


def require_space(connection: sqlite3.Connection, wanted: str) -> None:
    """Make sure that the recorded space, if there is one, is ``wanted``.

    Raises:
        EmbedModelMismatchError: it is another one.
    """
    recorded = space(connection)
    if recorded is not None and recorded != wanted:
        raise EmbedModelMismatchError(
            f"the index holds vectors of {recorded}, but {wanted} is configured; the two cannot be compared",
            suggestions=("memhtml index embed --replace", f"configure {recorded} again"),
        )


def record_space(connection: sqlite3.Connection, name: str) -> None:
    """Record that vectors are of the space ``name``, ``<model>@<dimension>``. Inside a write transaction.

    Raises:
        EmbedModelMismatchError: another one is recorded.
        ValueError: the name does not end in a dimension.
    """
    require_space(connection, name)
    if space(connection) is None:
        connection.execute(_RECORD_SPACE, {"name": name, "dimension": int(name.rpartition("@")[2])})


def drop_space(connection: sqlite3.Connection) -> None:
    """Forget the space and every vector in it. Inside a write transaction."""
    connection.execute(_UNCOVER)
    connection.execute(_DROP_COMPONENTS)
    connection.execute(_DROP_VECTORS)
    connection.execute(_DROP_SPACE)


def coverage(connection: sqlite3.Connection) -> float:
    """The share of chunks that have a vector; 1.0 when there are no chunks."""
    chunks, covered = _counts(connection)
    return covered / chunks if chunks else 1.0


def missing(connection: sqlite3.Connection) -> int:
    """How many chunks have no vector."""
    chunks, covered = _counts(connection)
    return chunks - covered


def pending(connection: sqlite3.Connection, wanted: str, limit: int) -> list[Pending]:
    """Texts without a vector in the recorded space ``wanted``, those of newer memories first; -1 is no limit.

    A text that several chunks hold comes once, so there may be fewer than ``limit``, but none only when all is done.
    """
    if missing(connection) == 0:
        return []
    found: dict[str, Pending] = {}
    for title, body, start, stop, name in connection.execute(_PENDING, {"space": wanted, "limit": limit}):
        found.setdefault(name, Pending(name, embedded_text(title, body, Chunk(start, stop))))
    return list(found.values())


def store(connection: sqlite3.Connection, name: str, rows: Iterable[tuple[str, bytes]]) -> int:
    """Add (text hash, float32 bytes) pairs to the space ``name``; those that it has already are passed over.

    Gives how many were added. Inside a write transaction.

    Raises:
        EmbedModelMismatchError: another space is recorded.
        ValueError: a vector has another dimension than the space.
    """
    record_space(connection, name)
    size = 4 * int(connection.execute(_DIMENSION).fetchone()[0])
    last: tuple[int, str] | None = connection.execute(_LAST).fetchone()
    number, chain = last or (0, name)
    added = 0
    for text_hash, vector in rows:
        if len(vector) != size:
            raise ValueError(f"a vector of {name} has {size} bytes, not {len(vector)}")
        if connection.execute(_HAS, (name, text_hash)).fetchone() != (0,):
            continue
        number, chain, added = number + 1, linked(chain, text_hash), added + 1
        connection.execute(_STORE, {"id": number, "space": name, "text_hash": text_hash, "chain": chain})
        connection.execute(_STORE_COMPONENTS, (number, vector))
    return added


def linked(chain: str, text_hash: str) -> str:
    """The chain after one more text."""
    return sha256(f"{chain} {text_hash}".encode()).hexdigest()


def nearest(
    connection: sqlite3.Connection, matrices: Matrices, vector: Rows, scope: Scope, limit: int
) -> list[VectorHit]:
    """The memories in ``scope`` whose best chunk is nearest to the unit vector ``vector``, nearest first.

    The scope holds before anything is cut off: in a scope of few memories among many, they are all candidates. Equal
    cosines (rounded to five decimals) go to the newer memory, then by path. Without vectors there is nothing.

    Raises:
        ValueError: ``vector`` has another dimension than the space.
    """
    matrix = matrices.current(connection)
    if matrix is None or limit <= 0:
        return []
    import numpy as np  # 200 ms, only where there are vectors

    if vector.shape != (matrix.dimension,):
        raise ValueError(f"a query of shape {vector.shape} cannot be compared with vectors of {matrix.dimension}")
    cosines = matrix.cosines(vector)
    where = condition(scope)
    for wanted in (int(look * limit) for look in _LOOKS if look * limit < len(cosines)):
        top = np.argpartition(cosines, len(cosines) - wanted)[-wanted:]
        ids = json.dumps((top + 1).tolist())
        owners = connection.execute(_OWNERS.format(scope=where.filter), {"ids": ids, **where.parameters})
        # What ties with the last row that was looked at may stand before it.
        edge = round(float(cosines[top].min()), DECIMALS)
        settled = [hit for hit in _best(owners, cosines) if hit.cosine > edge]
        if len(settled) >= limit:
            return settled[:limit]
    owners = connection.execute(_ALL_OWNERS.format(scope=where.text), where.parameters)
    return _best(owners, cosines)[:limit]


def of_paths(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, Rows]:
    """The vectors of each path's chunks, a row each, in the order of the chunks; paths without any are left out."""
    stored: list[tuple[str, bytes]] = connection.execute(_OF_PATHS, {"paths": json.dumps(list(paths))}).fetchall()
    if not stored:
        return {}
    import numpy as np  # 200 ms, only where there are vectors

    found: dict[MemoryPath, list[Rows]] = {}
    for path, blob in stored:
        found.setdefault(MemoryPath(path), []).append(np.frombuffer(blob, dtype="<f4"))
    return {path: np.stack(rows) for path, rows in found.items()}


def _counts(connection: sqlite3.Connection) -> tuple[int, int]:
    counts: tuple[int, int] = connection.execute(_COVERAGE).fetchone()
    return counts


def _best(owners: Iterable[tuple[int, str, int, str]], cosines: Rows) -> list[VectorHit]:
    """A hit a path, by its best chunk (of equal ones the first): nearest first, then newer, then by path."""
    best: dict[str, tuple[float, int, str]] = {}
    for number, path, chunk, moment in owners:
        cosine = round(float(cosines[number - 1]), DECIMALS)
        known = best.get(path)
        if known is None or (cosine, -chunk) > (known[0], -known[1]):
            best[path] = (cosine, chunk, moment)
    ordered = sorted(best.items())
    ordered.sort(key=lambda item: (item[1][0], item[1][2]), reverse=True)
    return [VectorHit(MemoryPath(path), cosine, chunk) for path, (cosine, chunk, _) in ordered]
