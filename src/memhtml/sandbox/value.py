"""What a script reports, as JSON can hold it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date
from datetime import time as time_of_day
from typing import cast

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

DEEPEST = 50
"""Values inside one another at most."""
_LARGEST = 2**63 - 1


class TooLongError(ValueError):
    """There is more of it than is allowed."""


def plain_value(value: object, most: int) -> Plain:
    """``value`` as JSON can hold it, and no longer than ``most``: each value counts one, and a text its characters.

    Tuples become lists, sets sorted lists, dates and times their ISO form, whole numbers that are keys texts. A value
    that stands in several places counts in each, so one that holds itself has no end.

    >>> plain_value({"pairs": {("a", 1), ("a", 0)}, 7: None}, 100)
    {'pairs': [['a', 0], ['a', 1]], '7': None}

    Raises:
        TooLongError: there is more.
        TypeError: something in it is of a kind that JSON does not know.
        ValueError: a number in it is none that JSON knows, two keys of it become one, or it is nested too deeply.
    """
    return _Walk(most).taken(value, 0)


class _Walk:
    """One walk through a value, and how much may still come."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = most

    def taken(self, value: object, depth: int) -> Plain:
        """``value``, its parts counted."""
        self._count(1)
        if depth > DEEPEST:
            raise ValueError(f"it holds more than {DEEPEST} values inside one another")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return _whole(value)
        if isinstance(value, float):
            return _fraction(value)
        if isinstance(value, date | time_of_day):
            return value.isoformat()
        return self._many(value, depth + 1)

    def _many(self, value: object, depth: int) -> Plain:
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[object, object]", value), depth)
        if isinstance(value, list | tuple):
            return [self.taken(item, depth) for item in cast("tuple[object, ...]", value)]
        if isinstance(value, set | frozenset):
            return sorted((self.taken(item, depth) for item in cast("frozenset[object]", value)), key=_order)
        raise TypeError(f"{_kind(value)} has no form in JSON: report texts, numbers, lists and dictionaries")

    def _mapping(self, value: Mapping[object, object], depth: int) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for key, item in value.items():
            name = self._key(key)
            if name in found:
                raise ValueError("two keys of a dictionary are the same in JSON")
            found[name] = self.taken(item, depth)
        return found

    def _key(self, key: object) -> str:
        if isinstance(key, str):
            return self._text(key)
        if isinstance(key, int) and not isinstance(key, bool):
            return self._text(str(_whole(key)))
        raise TypeError(f"{_kind(key)} is no key in JSON: use texts")

    def _text(self, text: str) -> str:
        self._count(len(text))
        return text

    def _count(self, more: int) -> None:
        self._left -= more
        if self._left < 0:
            raise TooLongError(f"it is longer than {self._most} characters")


def _whole(value: int) -> int:
    if abs(value) > _LARGEST:
        raise ValueError("a whole number beyond 64 bits is not read alike everywhere: report it as text")
    return value


def _fraction(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("an infinite number, or one that is none, has no form in JSON")
    return value


def _order(value: Plain) -> tuple[str, str | float, str]:
    """Numbers by size, texts by letter, each kind together."""
    if isinstance(value, int | float):
        return "number", float(value), ""
    return type(value).__name__, value if isinstance(value, str) else "", repr(value)


def _kind(value: object) -> str:
    """What a value is called: as in the script, where that is known."""
    name = getattr(value, "name", None)
    kind = name if isinstance(name, str) and type(value).__name__.startswith("Monty") else type(value).__name__
    return f"a value of the kind {kind[:60]!a}"
