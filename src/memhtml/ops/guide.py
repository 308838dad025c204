"""Help: how the command line is used, made from the table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import UnknownCommandError
from memhtml.ops.arguments import closest, shown
from memhtml.ops.commands import GLOBALS, GROUPS, operation
from memhtml.ops.operation import Kind, Operation, Parameter, Reads
from memhtml.ops.table import OPERATIONS

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

WIDTH = 100
COLUMN = 28


class Document(Struct, frozen=True):
    """A text to read as it is."""

    text: str


def run(workspace: Workspace, arguments: Arguments) -> Document:
    """The `help` operation."""
    del workspace
    return guide(arguments.text("command") or "")


def guide(topic: str) -> Document:
    """Help about a command, about a group of commands, or, for an empty ``topic``, about all.

    Raises:
        UnknownCommandError: there is no such command.
    """
    if not topic:
        return Document(_overview())
    chosen = operation(topic)
    if chosen is not None:
        return Document(_page(chosen))
    if topic in GROUPS:
        rows = [row for row in OPERATIONS if row.name.split()[0] == topic]
        return Document("\n".join([f"{GROUPS[topic]}.", "", *_commands(rows)]))
    names = closest(topic, (*(row.name for row in OPERATIONS), *GROUPS))
    raise UnknownCommandError(
        f"there is no command {shown(topic)}", suggestions=tuple(f"memhtml help {name}" for name in names)
    )


def usage(row: Operation) -> str:
    """The line that shows what a command takes: ``memhtml task status PATH STATUS``.

    >>> from memhtml.ops.commands import operation
    >>> usage(operation("config get"))
    'memhtml config get NAME [FLAGS]'
    """
    words = ["memhtml", row.name]
    for parameter in row.parameters:
        if parameter.positional:
            several = "..." if parameter.repeatable or parameter.joined else ""
            word = parameter.placeholder + several
            words.append(word if parameter.required else f"[{word}]")
    return " ".join([*words, "[FLAGS]"])


def _overview() -> str:
    lines = [
        "memhtml: long-term memory for software agents, kept as a git repository of HTML files.",
        "",
        "Usage: memhtml COMMAND [ARGUMENTS] [FLAGS]",
        "",
        *_commands(OPERATIONS),
        "",
        "Flags of every command:",
        *_flags(GLOBALS),
        *_entry("--help", "Show how a command is used"),
        *_entry("--version", "Show the version"),
        "",
        "A pipe gets one JSON envelope. Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.",
    ]
    return "\n".join(lines)


def _commands(rows: Iterable[Operation]) -> list[str]:
    return [line for row in rows for line in _entry(row.name, row.summary)]


def _page(row: Operation) -> str:
    positional = [parameter for parameter in row.parameters if parameter.positional]
    flags = [parameter for parameter in row.parameters if not parameter.positional]
    lines = [f"{row.summary}.", "", f"Usage: {usage(row)}"]
    for note in row.notes:
        lines += ["", *textwrap.wrap(note, WIDTH)]
    if positional:
        lines += ["", "Arguments (each may be given as a flag too):"]
        lines += [line for p in positional for line in _entry(p.placeholder, _described(p))]
    if flags:
        lines += ["", "Flags:", *_flags(flags)]
    lines += ["", "Flags of every command:", *_flags(GLOBALS)]
    lines += ["", "Examples:", *(f"  {example}" for example in row.examples)]
    return "\n".join(lines)


def _flags(parameters: Iterable[Parameter]) -> list[str]:
    lines: list[str] = []
    for parameter in parameters:
        name = parameter.flag if parameter.kind is Kind.FLAG else f"{parameter.flag} {parameter.placeholder}"
        lines += _entry(name, _described(parameter))
    return lines


def _described(parameter: Parameter) -> str:
    parts = [parameter.help]
    if parameter.choices:
        parts.append(f"one of {', '.join(parameter.choices)}")
    if parameter.reads is Reads.STDIN:
        parts.append("- reads standard input")
    if parameter.repeatable and not parameter.positional:
        parts.append("may be repeated")
    if parameter.default is not None:
        parts.append(f"default {parameter.default}")
    return "; ".join(parts)


def _entry(name: str, text: str) -> list[str]:
    wrapped = textwrap.wrap(text, WIDTH - COLUMN)
    if len(name) > COLUMN - 4:
        return [f"  {name}", *(" " * COLUMN + line for line in wrapped)]
    return [f"  {name:<{COLUMN - 2}}{wrapped[0]}", *(" " * COLUMN + line for line in wrapped[1:])]
