"""What was used: opens, reinforcements and outcomes, in the database that git cannot give back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from msgspec import Struct

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.outcomes import OUTCOME_GRID

_SOME = """
SELECT path, opens, reinforcements, outcome, last_opened, last_reinforced, updated FROM access
WHERE path IN (SELECT value FROM json_each(:paths))
"""
_ALL = """
SELECT path, opens, reinforcements, outcome, last_opened, last_reinforced, updated FROM access ORDER BY path
"""


class Access(Struct, frozen=True):
    """How a memory has been used.

    Attributes:
        outcome: from -1 to 1, in whole ten-thousandths.
    """

    path: MemoryPath
    opens: int = 0
    reinforcements: int = 0
    outcome: float = 0.0
    last_opened: Instant | None = None
    last_reinforced: Instant | None = None
    updated: Instant | None = None


def accesses(connection: sqlite3.Connection, paths: Sequence[MemoryPath]) -> dict[MemoryPath, Access]:
    """How those of ``paths`` that were ever used have been used."""
    found = connection.execute(_SOME, {"paths": json.dumps(list(paths))})
    return {access.path: access for access in map(access_of, found)}


def every_access(connection: sqlite3.Connection) -> list[Access]:
    """All rows, in path order."""
    return [access_of(row) for row in connection.execute(_ALL)]


def access_of(row: tuple[str, int, int, int, str | None, str | None, str]) -> Access:
    """The value of a row, its columns in the order of the queries above."""
    path, opens, reinforcements, outcome, last_opened, last_reinforced, updated = row
    return Access(
        MemoryPath(path),
        opens,
        reinforcements,
        outcome / OUTCOME_GRID,
        None if last_opened is None else Instant(last_opened),
        None if last_reinforced is None else Instant(last_reinforced),
        Instant(updated),
    )
