"""Which state of the store the tables hold."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from memhtml.domain.memory import CommitId

PROJECTION = 2
"""Version of the rules that make rows: of `projection`, of `memhtml.page.read`, and of chunks and terms below them.

An index that other rules made is rebuilt at its next update, so raise this with every change that moves a row.
"""

_STATE = "SELECT number, head, projection FROM generation"


class Held(Struct, frozen=True):
    """A state of the store, as the tables hold it.

    Attributes:
        generation: counts the changes that readers can see.
        head: the commit; ``None`` before the first one.
        projection: the rules that made the rows.
    """

    generation: int
    head: CommitId | None
    projection: int


def held(connection: sqlite3.Connection) -> Held:
    """Which state of the store the tables hold."""
    number, head, projection = connection.execute(_STATE).fetchone()
    return Held(number, head, projection)
