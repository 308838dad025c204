"""What the commits of a run say about themselves: what is done is read from here, and from no table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, cast

from msgspec import Struct

from memhtml.store.branches import RUN

PHASE = "Memhtml-Phase"
COUNTS = "Memhtml-Counts"
STATE = "Memhtml-Phase-State"
NOTE = "Memhtml-Note"
PART = "Memhtml-Part"
"""The number of a change that is a commit of its own; the phase is done with the commit that has none."""
DEEP = "Memhtml-Deep"
MODEL = "Memhtml-Model"
SPENT = "Memhtml-Spent"
"""Calls and tokens that the phase has cost, as ``3 calls, 1200 tokens``."""

_MOST_DIGITS = 18
"""Of a number that somebody may have written by hand."""

Pairs = tuple[tuple[str, str], ...]


class State(StrEnum):
    """What became of a phase."""

    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Told(Struct, frozen=True):
    """What the last commit of a phase says.

    Attributes:
        counts: figures of the phase, by name.
        note: why it did nothing, or what went wrong; "" when there is nothing to say.
        calls: of a model.
        tokens: that they have cost.
        deep: whether the night looks further than usual; said by the first phase alone.
        model: which model it asks; "" for none; said by the first phase alone.
    """

    phase: str
    state: State = State.DONE
    counts: Mapping[str, int] = {}
    note: str = ""
    calls: int = 0
    tokens: int = 0
    deep: bool = False
    model: str = ""


def trailers(run: str, told: Told) -> Pairs:
    """The trailers of a phase's last commit.

    >>> dict(trailers("2026-07-28", Told("dedup-merge", counts={"merged": 2})))["Memhtml-Counts"]
    '{"merged":2}'
    """
    pairs = [(RUN, run), (PHASE, told.phase), (STATE, told.state.value)]
    pairs.append((COUNTS, json.dumps(dict(sorted(told.counts.items())), separators=(",", ":"))))
    if told.note:
        pairs.append((NOTE, told.note))
    if told.calls:
        pairs.append((SPENT, f"{told.calls} calls, {told.tokens} tokens"))
    if told.deep:
        pairs.append((DEEP, "true"))
    if told.model:
        pairs.append((MODEL, told.model))
    return tuple(pairs)


def part_trailers(run: str, phase: str, number: int) -> Pairs:
    """The trailers of a change that is a commit of its own."""
    return ((RUN, run), (PHASE, phase), (PART, str(number)))


def told(pairs: Iterable[tuple[str, str]]) -> Told | None:
    """What the trailers of a commit say; ``None`` unless it is the last one of a phase.

    What somebody wrote by hand is taken as far as it can be understood.

    >>> told(trailers("2026-07-28", Told("reprieve", State.FAILED, {"kept": 1}, "no", 3, 1200))).tokens
    1200
    >>> told((("Memhtml-Phase", "compress"), ("Memhtml-Part", "1"))) is None
    True
    """
    said = dict(pairs)
    phase = said.get(PHASE)
    if not phase or PART in said:
        return None
    state = said.get(STATE, "")
    words = said.get(SPENT, "").split()
    spent = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS]
    calls, tokens = spent if len(spent) == 2 else (0, 0)  # noqa: PLR2004 - as written above
    return Told(
        phase=phase,
        state=State(state) if state in set(State) else State.DONE,
        counts=_counts(said.get(COUNTS, "")),
        note=said.get(NOTE, ""),
        calls=calls,
        tokens=tokens,
        deep=said.get(DEEP) == "true",
        model=said.get(MODEL, ""),
    )


def _counts(text: str) -> dict[str, int]:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    items = cast("dict[object, object]", found).items()
    return {str(name): value for name, value in items if type(value) is int}
