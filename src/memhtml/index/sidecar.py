"""The durable copy of the state: one JSON object a line, byte for byte the same when nothing changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import cast

from msgspec import Struct

from memhtml.domain.instants import normalised
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.outcomes import on_grid
from memhtml.domain.paths import is_memory_path
from memhtml.index.state import Access

_LARGEST_COUNT = 2**53  # what every reader of JSON takes as a whole number


class Parsed(Struct, frozen=True):
    """The rows of a sidecar in the order of its lines, and how many lines were no rows."""

    rows: tuple[Access, ...]
    skipped: int


def exported(rows: Iterable[Access]) -> bytes:
    r"""The sidecar of ``rows``, in path order; empty for no rows.

    >>> exported([Access(MemoryPath("areas/a.html"), 2, 1, 0.3, Instant("2026-03-01"), None, Instant("2026-03-01"))])
    ... # doctest: +ELLIPSIS
    b'{"path":"areas/a.html","accessCount":2,"reinforcementCount":1,"outcomeScore":0.3,"lastAccessedAt":...}\n'
    """
    lines = [
        json.dumps(
            {
                "path": row.path,
                "accessCount": row.opens,
                "reinforcementCount": row.reinforcements,
                "outcomeScore": _number(row.outcome),
                "lastAccessedAt": row.last_opened,
                "lastReinforcedAt": row.last_reinforced,
                "updatedAt": row.updated,
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for row in sorted(rows, key=lambda row: row.path)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def parsed(data: bytes) -> Parsed:
    """Read a sidecar; a line that is no row, in whatever way, is counted and passed over. Blank lines are nothing."""
    rows: list[Access] = []
    skipped = 0
    for line in data.split(b"\n"):
        if line.strip():
            row = _row(line)
            if row is None:
                skipped += 1
            else:
                rows.append(row)
    return Parsed(tuple(rows), skipped)


def _number(outcome: float) -> float | int:
    """The outcome on its grid, without a sign on nothing, and without a fraction where there is none."""
    grid = on_grid(outcome)
    return grid // 10_000 if grid % 10_000 == 0 else grid / 10_000


def _row(line: bytes) -> Access | None:
    try:
        values: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    fields = cast("dict[str, object]", values)
    path, updated = fields.get("path"), _instant(fields.get("updatedAt"))
    opens, reinforcements = _count(fields.get("accessCount")), _count(fields.get("reinforcementCount"))
    outcome = _outcome(fields.get("outcomeScore"))
    dates = [fields.get("lastAccessedAt"), fields.get("lastReinforcedAt")]
    opened, reinforced = (_instant(date) for date in dates)
    bad_dates = any(date is not None and _instant(date) is None for date in dates)
    if not isinstance(path, str) or not is_memory_path(path) or bad_dates:
        return None
    if opens is None or reinforcements is None or outcome is None or updated is None:
        return None
    return Access(MemoryPath(path), opens, reinforcements, outcome, opened, reinforced, updated)


def _count(value: object) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT
    return cast("int", value) if whole else None


def _outcome(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        return None
    return on_grid(float(value)) / 10_000


def _instant(value: object) -> Instant | None:
    return normalised(value) if isinstance(value, str) else None
