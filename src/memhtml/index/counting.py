"""Counting what is used: opens, reinforcements and outcomes, each decided and written by one statement."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from memhtml.domain.cooldown import threshold
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.outcomes import on_grid
from memhtml.index.state import Access, access_of, accesses

# One statement decides and counts, so two processes cannot both count an open within the cool-down. Table names stand
# without a database: `access` is the main one of a state connection, and the attached one of the others.
_OPEN = """
INSERT INTO access (path, opens, last_opened, updated) VALUES (:path, 1, :now, :now)
ON CONFLICT (path) DO UPDATE SET opens = opens + 1, last_opened = :now, updated = max(updated, :now)
WHERE last_opened IS NULL OR last_opened <= :threshold OR last_opened > :now
RETURNING path, opens, reinforcements, outcome, last_opened, last_reinforced, updated
"""
# `updated` never goes back, or a merge would take an older outcome for the later one.
# SQLite divides towards zero; taking the remainder off first (made positive) divides downwards.
_REINFORCE = """
INSERT INTO access (path, reinforcements, outcome, last_reinforced, updated)
VALUES (:path, 1, (3 * :outcome - ((3 * :outcome) % 10 + 10) % 10) / 10, :now, :now)
ON CONFLICT (path) DO UPDATE SET
  reinforcements = reinforcements + 1,
  outcome = (3 * :outcome + 7 * outcome - ((3 * :outcome + 7 * outcome) % 10 + 10) % 10) / 10,
  last_reinforced = :now,
  updated = max(updated, :now)
WHERE last_reinforced IS NULL OR last_reinforced <= :threshold OR last_reinforced > :now
RETURNING path, opens, reinforcements, outcome, last_opened, last_reinforced, updated
"""
# Counters only grow, and the outcome is that of the row that was written last; of equally late ones the higher, so that
# merging does not depend on which side comes first.
_MERGE = """
INSERT INTO access (path, opens, reinforcements, outcome, last_opened, last_reinforced, updated)
VALUES (:path, :opens, :reinforcements, :outcome, :last_opened, :last_reinforced, :updated)
ON CONFLICT (path) DO UPDATE SET
  opens = max(opens, excluded.opens),
  reinforcements = max(reinforcements, excluded.reinforcements),
  outcome = CASE
    WHEN excluded.updated > updated THEN excluded.outcome
    WHEN excluded.updated < updated THEN outcome
    ELSE max(outcome, excluded.outcome)
  END,
  last_opened = nullif(max(coalesce(last_opened, ''), coalesce(excluded.last_opened, '')), ''),
  last_reinforced = nullif(max(coalesce(last_reinforced, ''), coalesce(excluded.last_reinforced, '')), ''),
  updated = max(updated, excluded.updated)
"""
_FORGET = "DELETE FROM access WHERE path = ?"


def open_memory(connection: sqlite3.Connection, path: MemoryPath, now: Instant) -> Access | None:
    """Count an open, unless one counted less than 900 seconds ago: then nothing changes, and ``None`` comes back."""
    row = connection.execute(_OPEN, {"path": path, "now": now, "threshold": threshold(now)}).fetchone()
    return None if row is None else access_of(row)


def reinforce(connection: sqlite3.Connection, path: MemoryPath, outcome: float, now: Instant) -> Access | None:
    """Count a reinforcement and move the outcome towards ``outcome``, under the same cool-down as opens.

    Raises:
        ValueError: ``outcome`` is outside -1 to 1.
    """
    parameters = {"path": path, "outcome": on_grid(outcome), "now": now, "threshold": threshold(now)}
    row = connection.execute(_REINFORCE, parameters).fetchone()
    return None if row is None else access_of(row)


def merge(connection: sqlite3.Connection, rows: Iterable[Access]) -> None:
    """Merge ``rows`` into the table: counters and instants by maximum, the outcome of the later row."""
    connection.executemany(_MERGE, [_values(row) for row in rows])


def carry(connection: sqlite3.Connection, moves: Iterable[tuple[MemoryPath, MemoryPath]]) -> None:
    """Take rows along to new paths; a row that the new path has is merged. Doing it twice does nothing more."""
    moves = list(moves)
    rows = accesses(connection, [old for old, _ in moves])
    # All are taken up before any is put down: moves may form a chain or a ring.
    connection.executemany(_FORGET, [(old,) for old in rows])
    merge(connection, [_moved(rows[old], new) for old, new in moves if old in rows])


def _moved(row: Access, path: MemoryPath) -> Access:
    return Access(path, row.opens, row.reinforcements, row.outcome, row.last_opened, row.last_reinforced, row.updated)


def _values(row: Access) -> dict[str, str | int | None]:
    return {
        "path": row.path,
        "opens": row.opens,
        "reinforcements": row.reinforcements,
        "outcome": on_grid(row.outcome),
        "last_opened": row.last_opened,
        "last_reinforced": row.last_reinforced,
        "updated": row.updated,
    }
