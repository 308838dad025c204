"""From what a door was given to typed arguments: coercion and checks are written once, here.

A command line gives text, a JSON door gives text, numbers, lists and nulls, and some clients give numbers or lists as
text. ``bind`` takes all of them by the parameter's kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, cast

from memhtml.domain.errors import InvalidFlagError, MissingArgumentError, UnexpectedArgumentError
from memhtml.domain.surrogates import has_surrogate
from memhtml.ops.operation import Kind, Operation, Parameter

Scalar = str | int | float | bool
Spelling = Callable[[Parameter], str]
Number = TypeVar("Number", int, float)

SHOWN_CHARACTERS = 60
"""How much of a refused value an error repeats."""

MOST = 1_000_000
"""No list, pack or page is longer than this."""

_WHOLE = r"[+-]?[0-9]+"
_NUMERAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"

TRUE_WORDS = frozenset({"true", "yes", "on", "1"})
FALSE_WORDS = frozenset({"false", "no", "off", "0", ""})


class Arguments:
    """The checked arguments of one call, by parameter name. Absent ones hold their default."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Scalar | tuple[Scalar, ...] | None]) -> None:
        self._values = dict(values)

    def text(self, name: str) -> str | None:
        """The text, or ``None`` when it was not given."""
        value = self._values.get(name)
        return value if isinstance(value, str) else None

    def needed(self, name: str) -> str:
        """The text of a parameter that ``bind`` has seen to be there."""
        value = self._values[name]
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """All values of a repeatable parameter, in the order given."""
        value = self._values.get(name)
        return tuple(str(item) for item in value) if isinstance(value, tuple) else ()

    def integer(self, name: str) -> int | None:
        """The whole number, or ``None`` when it was not given."""
        value = self._values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def count(self, name: str) -> int:
        """The whole number of a parameter that has a default."""
        value = self.integer(name)
        if value is None:
            raise TypeError(f"{name} is no number")
        return value

    def number(self, name: str) -> float | None:
        """The number, or ``None`` when it was not given."""
        value = self._values.get(name)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def flag(self, name: str) -> bool:
        """Whether the flag was given."""
        return self._values.get(name) is True

    def given(self, name: str) -> bool:
        """Whether the parameter has a value at all."""
        return self._values.get(name) not in (None, (), False)


def bind(operation: Operation, raw: Mapping[str, object], *, spelling: Spelling = lambda p: p.flag) -> Arguments:
    """Check and coerce what a door was given for ``operation``.

    ``None`` and absent are the same. ``spelling`` says how this door writes a parameter's name in messages.

    Raises:
        MissingArgumentError: a required parameter is absent; all of them are named.
        InvalidFlagError: a value is outside what its parameter takes.
        UnexpectedArgumentError: a name that the operation does not have, or one value too many.
    """
    known = {parameter.name for parameter in operation.parameters}
    for name in raw:
        if name not in known:
            raise UnexpectedArgumentError(
                f"{operation.name} takes no {name}",
                suggestions=(f"memhtml {operation.name} --help", *closest(name, known)),
            )
    missing = tuple(p for p in operation.parameters if p.required and _absent(raw.get(p.name)))
    if missing:
        names = " and ".join(spelling(parameter) for parameter in missing)
        raise MissingArgumentError(f"{operation.name} needs {names}", suggestions=(operation.examples[0],))
    return Arguments({p.name: _coerce(p, raw.get(p.name), spelling(p)) for p in operation.parameters})


def bounded(name: str, value: object, low: int, high: int = MOST) -> int:
    """``value``, seen to be a whole number from ``low`` to ``high``: for callers that come past `bind`.

    Raises:
        InvalidFlagError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidFlagError(f"{name} takes a whole number from {low} to {high}, not {shown(value)}")
    return value


def plain(value: object, name: str) -> str:
    """``value``, seen to be text or a finite number, as text: nothing else has a text that its caller would know.

    Raises:
        InvalidFlagError: it is not, or it is text that no UTF-8 can hold.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidFlagError(f"{name} takes text, not {type(value).__name__}")
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidFlagError(f"{name} takes text or a finite number, not {value}")
    try:
        text = str(value)
    except ValueError:
        raise InvalidFlagError(f"{name} takes no number of so many digits", suggestions=("give it as text",)) from None
    if has_surrogate(text):  # what Python makes of bytes that are no UTF-8
        raise InvalidFlagError(f"{name} is not valid UTF-8", suggestions=("encode the argument as UTF-8",))
    return text


def closest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most three of ``known`` that ``word`` may have meant, nearest first.

    >>> closest("serach", ["search", "archive", "write"])
    ('search',)
    """
    from difflib import get_close_matches  # only a mistyped call pays for it

    return tuple(get_close_matches(word, sorted(known), n=3, cutoff=0.6))


def shown(value: object) -> str:
    r"""A refused value as an error repeats it: quoted, cut, on one line, nothing in it that moves a terminal.

    >>> shown("a\nb")
    "'a\\nb'"
    """
    try:
        text = str(value)
    except ValueError:
        text = "a number of too many digits"
    cut = text[:SHOWN_CHARACTERS] + ("…" if len(text) > SHOWN_CHARACTERS else "")
    return repr(cut) if cut.isprintable() else ascii(cut)


def _absent(value: object) -> bool:
    return not _items(value)


def _coerce(parameter: Parameter, value: object, name: str) -> Scalar | tuple[Scalar, ...] | None:
    items = _items(value)
    if parameter.repeatable:
        return tuple(_one(parameter, item, name) for item in items)
    if len(items) > 1:
        raise UnexpectedArgumentError(f"{name} may be given once, not {len(items)} times")
    return _one(parameter, items[0], name) if items else parameter.default


def _items(value: object) -> tuple[object, ...]:
    """What was given, one by one: nothing, one thing, or the things in a list."""
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(cast("tuple[object, ...]", value))
    return (value,)


def _one(parameter: Parameter, value: object, name: str) -> Scalar:
    match parameter.kind:
        case Kind.FLAG:
            return _truth(value, name)
        case Kind.INTEGER:
            return _within(parameter, _integer(value, parameter, name), name)
        case Kind.NUMBER:
            return _within(parameter, _number(value, name), name)
        case Kind.CHOICE:
            return _choice(parameter, plain(value, name), name)
        case Kind.TEXT | Kind.PATH | Kind.INSTANT:
            return plain(value, name)


def _choice(parameter: Parameter, text: str, name: str) -> str:
    if text in parameter.choices:
        return text
    raise InvalidFlagError(
        f"{name} takes one of {', '.join(parameter.choices)}; not {shown(text)}",
        suggestions=tuple(f"did you mean {word}?" for word in closest(text, parameter.choices)),
    )


def _integer(value: object, parameter: Parameter, name: str) -> int:
    try:
        if isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= SHOWN_CHARACTERS:
            # Python takes underscores, and digits of all scripts
            return int(value if re.fullmatch(_WHOLE, str(value)) else "")
        if isinstance(value, float) and value.is_integer():
            return int(value)
    except ValueError:
        pass
    raise InvalidFlagError(f"{name} takes a whole number{_range(parameter)}, not {shown(value)}")


def _number(value: object, name: str) -> float:
    number = math.nan
    written = not isinstance(value, str) or re.fullmatch(_NUMERAL, value)
    if written and isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = math.nan
    if not math.isfinite(number):
        raise InvalidFlagError(f"{name} takes a number, not {shown(value)}")
    return number


def _within(parameter: Parameter, value: Number, name: str) -> Number:
    too_low = parameter.low is not None and value < parameter.low
    if too_low or (parameter.high is not None and value > parameter.high):
        raise InvalidFlagError(f"{name} takes a number{_range(parameter)}, not {shown(value)}")
    return value


def _range(parameter: Parameter) -> str:
    if parameter.low is None:
        return ""
    top = "up" if parameter.high is None else f"to {parameter.high:.15g}"
    return f" from {parameter.low:.15g} {top}"


def _truth(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return value
    word = plain(value, name).strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise InvalidFlagError(f"{name} is a flag: true or false, not {shown(value)}")
