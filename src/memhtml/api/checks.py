"""What an untyped caller gives, seen once, at the edge, to be of the type that its argument has.

A field of a memory or of a scope is not looked at here: `memhtml.ops.arguments.bind` checks it as for any other door.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

Kind = TypeVar("Kind", bound=type[object])
Check = Callable[[object], str | None]
"""What is wanted instead, as the end of ``it takes …``; ``None`` when the value will do."""

_STAR = 4
"""Flag of a function's code: it takes any number of arguments by place."""


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return "text"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "text that UTF-8 can hold"
    return None


def _texts(value: object) -> str | None:
    items = cast("Iterable[object]", value) if isinstance(value, list | tuple | set | frozenset) else None
    return "a list of texts" if items is None or any(_text(item) is not None for item in items) else None


def _truth(value: object) -> str | None:
    return None if isinstance(value, bool) else "True or False"


def _count(value: object) -> str | None:
    return None if isinstance(value, int) and not isinstance(value, bool) else "a whole number"


def _number(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "a number"
    return None if isinstance(value, int) or math.isfinite(value) else "a finite number"


def _folder(value: object) -> str | None:
    text = str(value) if isinstance(value, str | Path) else None
    return "a path" if text is None or "\0" in text or _text(text) is not None else None


def _lines(value: object) -> str | None:
    if isinstance(value, str):
        return None
    loose = isinstance(value, Mapping | bytes | bytearray) or not isinstance(value, Iterable)
    return "JSON lines, or a list of objects" if loose else None


def _bytes(value: object) -> str | None:
    return None if isinstance(value, bytes) else "bytes"


def _variables(value: object) -> str | None:
    pairs = cast("Mapping[object, object]", value).items() if isinstance(value, Mapping) else None
    return (
        "names and values, both text" if pairs is None or any(_text(each) for pair in pairs for each in pair) else None
    )


def _clock(value: object) -> str | None:
    return None if callable(getattr(value, "now", None)) and not isinstance(value, type) else "something that has now()"


def _entity(value: object) -> str | None:
    from memhtml.domain.memory import Entity

    halves = (value.type, value.name) if isinstance(value, Entity) else (value,)
    return "an entity, or the text of one" if any(_text(half) is not None for half in halves) else None


def _anything(_: object) -> str | None:
    return None


def _absent_or(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


CHECKS: Mapping[str, Check] = {
    "archived": _truth,
    "bar": _truth,
    "base_url": _absent_or(_text),
    "best_effort": _truth,
    "budget": _count,
    "calls": _absent_or(_count),
    "claim": _anything,
    "clock": _absent_or(_clock),
    "commit": _absent_or(_text),
    "commits": _texts,
    "consolidate": _absent_or(_text),
    "count": _truth,
    "data": _absent_or(_bytes),
    "date": _absent_or(_text),
    "deep": _truth,
    "detect": _texts,
    "dry_run": _truth,
    "due_until": _absent_or(_text),
    "embed": _absent_or(_text),
    "entity": _absent_or(_entity),
    "explain": _truth,
    "files": _texts,
    "fix": _truth,
    "html": _truth,
    "known_at": _absent_or(_text),
    "later": _truth,
    "limit": _absent_or(_count),
    "limit_memory_mb": _count,
    "limit_seconds": _number,
    "lines": _lines,
    "mode": _text,
    "model": _truth,
    "offset": _count,
    "outcome": _number,
    "path": _text,
    "paths": _text,
    "phases": _texts,
    "probes": _absent_or(_count),
    "project": _absent_or(_text),
    "query": _text,
    "questions": _folder,
    "rebuild": _truth,
    "rel": _text,
    "rels": _texts,
    "replace": _truth,
    "root": _absent_or(_folder),
    "run": _absent_or(_text),
    "script": _text,
    "seed": _count,
    "session": _text,
    "since": _absent_or(_text),
    "skip_gate": _truth,
    "source": _text,
    "status": _text,
    "statuses": _texts,
    "target": _text,
    "tokens": _absent_or(_count),
    "until": _absent_or(_text),
    "variables": _absent_or(_variables),
    "why": _text,
    "workspace": _absent_or(_text),
}
"""By name: an argument of one name is of one type in every method. ``root`` is the ``path`` of a whole store."""


def checked(kind: Kind) -> Kind:
    """The class, with every public method of its own looking at what it is given before it does anything.

    Raises:
        KeyError: an argument has a name that nothing is known about.
    """
    for name, method in list(vars(kind).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(kind, name, _checking(method))
    return kind


def require(name: str, value: object, *, said: str | None = None) -> None:
    """See that ``value`` can be the argument ``name``, which its caller knows as ``said``.

    Raises:
        InvalidFlagError: it cannot.
    """
    wanted = CHECKS[name](value)
    if wanted is not None:
        from memhtml.domain.errors import InvalidFlagError
        from memhtml.ops.arguments import shown

        given = shown(value) if isinstance(value, str) else type(value).__name__
        raise InvalidFlagError(f"{said or name} takes {wanted}, not {given}")


def _checking(method: FunctionType) -> Callable[..., object]:
    code = method.__code__
    own = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    placed = own[: code.co_argcount - 1]
    star = code.co_varnames[len(own) + 1] if code.co_flags & _STAR else None
    for name in (*own, *filter(None, (star,))):
        _ = CHECKS[name]

    @wraps(method)
    def call(self: object, /, *given: Any, **named: Any) -> object:  # noqa: ANN401 - that is what is looked at
        for name, value in zip(placed, given, strict=False):
            require(name, value)
        if star is not None:
            for value in given[len(placed) :]:
                require(star, value)
        for name, value in named.items():
            if name in own:
                require(name, value)
        return method(self, *given, **named)

    return call
