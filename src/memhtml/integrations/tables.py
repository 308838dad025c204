"""A table of a TOML file, put at its end and taken out; Python's own reader says whether all else means the same."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, cast

from memhtml.integrations.parts import Added, Disputed, Splice, Table, Unreadable, Value, spliced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEEPEST = 100
"""Values within values; a deeper file is no person's configuration."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def add(text: str, part: Table, note: str) -> Added:
    r"""Put the table at the end, with ``note`` as a comment above it.

    >>> add("a = 1", Table(("b", "c"), {"d": ["e"]}), "why").text
    'a = 1\n\n# why\n[b.c]\nd = ["e"]\n'

    Raises:
        Unreadable: the text is no TOML.
        Disputed: another table of that name is there, or none could be added.
    """
    before = _read(text)
    there = _at(before, part.path)
    if there is not None:
        _require_equal(there, part)
        return Added(text)
    end = "\r\n" if "\r\n" in text else "\n"
    body = text.removeprefix("\ufeff")
    glue = end if body.endswith(("\n", "")) and body and body.endswith("\n") else end * 2 if body else ""
    splice = Splice(len(text), glue + end.join((*lines(part, note), "")))
    after = spliced(text, splice)
    try:
        whole = _read(after)
    except Unreadable:
        raise Disputed(f"[{_name(part.path)}] cannot be added beside what it says of {part.path[0]}") from None
    if _without(whole, part.path) != _without(before, part.path) or _at(whole, part.path) != part.value:
        raise Disputed(f"[{_name(part.path)}] cannot be added beside what it says of {part.path[0]}")
    return Added(after, (splice,))


def take_out(text: str, part: Table, note: str) -> str:
    """``text`` without the table; the same text when it is not there any more.

    Raises:
        Unreadable: the text is no TOML.
        Disputed: what is there is not what was put there, or cannot be taken out without changing anything else.
    """
    before = _read(text)
    there = _at(before, part.path)
    if there is None:
        return text
    _require_equal(there, part)
    wanted = _without(before, part.path)
    for pattern in (_exactly(part, note), _reformatted(part, note)):
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if len(found) != 1:
            continue
        rest = text[: found[0].start()] + text[found[0].end() :]
        try:
            if _without(_read(rest), part.path) == wanted and _at(_read(rest), part.path) is None:
                return rest
        except Unreadable:
            continue
    raise Disputed(f"[{_name(part.path)}] is written in another way")


def lines(part: Table, note: str) -> tuple[str, ...]:
    """The table as it is written.

    Raises:
        TypeError: it holds what this writer does not know.
    """
    values = (f"{_key(key)} = {_literal(value)}" for key, value in part.value.items())
    return (f"# {note}", f"[{_name(part.path)}]", *values)


def _read(text: str) -> dict[str, Any]:
    try:
        values = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no TOML: {error}") from error
    level: list[Any] = [values]
    for _ in range(DEEPEST):  # Python compares values only so deep
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise Unreadable(f"it holds more than {DEEPEST} values within one another")
    return values


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _at(values: Mapping[str, Any], path: tuple[str, ...]) -> Value:
    found: Any = values
    for key in path:
        found = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else None
    return cast("Value", found)


def _without(values: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """``values`` without what is at ``path``, and without the tables on the way that are empty then."""
    first, *rest = path
    kept = dict(values)
    inner = kept.get(first)
    if not rest or not isinstance(inner, dict):
        kept.pop(first, None)
        return kept
    kept[first] = _without(cast("dict[str, Any]", inner), tuple(rest))
    if not kept[first]:
        del kept[first]
    return kept


def _require_equal(there: Value, part: Table) -> None:
    if there != part.value:
        raise Disputed(f"[{_name(part.path)}] says something else")


def _exactly(part: Table, note: str) -> str:
    """The lines as they were written, and the empty line before them."""
    return r"(?:(?<=\n)\r?\n)?" + r"\r?\n".join(map(re.escape, lines(part, note))) + r"(?:\r?\n|\Z)"


def _reformatted(part: Table, note: str) -> str:
    """The note, the header, and the lines of keys and nothing that follow it: a comment there is somebody's."""
    above = rf"(?:(?:(?<=\n)\r?\n)?^[ \t]*{re.escape('# ' + note)}[ \t]*\r?\n)?"
    keys = "|".join(re.escape(_key(key)) for key in part.value)
    key_line = rf"[ \t]*(?:{keys})[ \t]*=[^\n#]*(?:\n(?![ \t]*(?:[\[#]|[\w\"'.-]+[ \t]*=))[^\n#]*)*"
    return above + rf"^[ \t]*\[{re.escape(_name(part.path))}\][ \t]*\r?\n(?:{key_line}(?:\n|\Z))+"


def _name(path: tuple[str, ...]) -> str:
    return ".".join(map(_key, path))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _literal(key)


def _literal(value: Value) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_literal(each) for each in cast('list[Value]', value))}]"
    if not isinstance(value, str):
        raise TypeError(f"no {type(value).__name__} is written into TOML")
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
