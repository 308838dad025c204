"""Text that comes by standard input or from a file, put where the operation takes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from memhtml.cli.streams import Streams, decoded
from memhtml.domain.errors import InvalidInputError, UnexpectedArgumentError
from memhtml.ops.arguments import shown
from memhtml.ops.operation import Operation, Parameter, Reads

DASH = "-"


def feed(operation: Operation, raw: Mapping[str, object], streams: Streams) -> dict[str, object]:
    """``raw`` with every lone dash replaced by standard input and every file's name by what it holds.

    Where nothing that could be read is given, and standard input is no terminal, it goes to the operation's ``piped``
    parameter.

    Raises:
        UnexpectedArgumentError: two arguments want standard input.
        InvalidInputError: standard input or a file cannot be read.
    """
    fed = dict(raw)
    readers = [parameter for parameter in operation.parameters if parameter.reads is not Reads.LINE]
    dashes = [parameter for parameter in readers if _word(fed.get(parameter.name)) == DASH]
    if len(dashes) > 1:
        raise UnexpectedArgumentError(f"only one of {' and '.join(p.flag for p in dashes)} can be standard input")
    for parameter in dashes:
        fed[parameter.name] = streams.read()
    for parameter in readers:
        word = _word(fed.get(parameter.name))
        if parameter.reads is Reads.FILE and parameter not in dashes and word is not None:
            fed[parameter.name] = _contents(parameter, word)
    if operation.piped and not any(parameter.name in fed for parameter in readers) and streams.piped():
        fed[operation.piped] = streams.read()
    return fed


def _word(value: object) -> str | None:
    """The one text that was given, if one was."""
    if isinstance(value, list):
        values = cast("list[object]", value)
        return str(values[0]) if len(values) == 1 else None
    return value if isinstance(value, str) else None


def _contents(parameter: Parameter, name: str) -> str:
    try:
        return decoded(Path(name).read_bytes(), shown(Path(name).name))
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidInputError):
            raise
        reason = getattr(error, "strerror", None) or "no such name is possible"
        raise InvalidInputError(
            f"{parameter.flag} {shown(name)} cannot be read: {reason}",
            suggestions=("name a file, or - for standard input",),
        ) from error
