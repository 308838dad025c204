"""From the words of a command line to an operation and its raw arguments; read by the rows of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from memhtml.domain.errors import (
    InvalidFlagError,
    MissingArgumentError,
    UnexpectedArgumentError,
    UnknownCommandError,
)
from memhtml.ops.arguments import closest, shown
from memhtml.ops.commands import GLOBALS, GROUPS, operation
from memhtml.ops.operation import Kind, Operation, Parameter

PROGRAM = "memhtml"
_NUMBER = r"-[0-9]+(\.[0-9]+)?"


class Call(Struct, frozen=True):
    """What a command line asks for. ``operation`` is ``None`` where only help or the version is wanted.

    Attributes:
        topic: the command, or group of commands, that help is about; empty for all of it.
        raw: what was given, by parameter name, unchecked.
        settings: values of the flags that are settings.
    """

    operation: Operation | None
    topic: str
    raw: Mapping[str, object]
    settings: Mapping[str, str]
    help: bool = False
    version: bool = False


def wants_json(words: Sequence[str]) -> bool:
    """Whether JSON is asked for, known before anything is parsed, so that a parse error comes out right too."""
    return any(word in {"--json", "--dense"} for word in _flags(words))


def wants_dense(words: Sequence[str]) -> bool:
    """Whether the shortest JSON is asked for."""
    return "--dense" in _flags(words)


def parse(words: Sequence[str]) -> Call:
    """Read a command line.

    Raises:
        UsageError: by its class: an unknown command or flag, a value missing or too many.
    """
    if not words:
        return Call(None, "", {}, {}, help=True)
    command, rest = _split(words)
    flags = _flags(rest)
    if "--version" in flags or "-V" in flags:
        return Call(None, "", {}, {}, version=True)
    asked = "--help" in flags or "-h" in flags
    chosen = operation(command)
    if asked and (chosen is not None or command in GROUPS or not command):
        return Call(None, command, {}, {}, help=True)
    if chosen is None:
        raise _no_command(command, rest)
    return _parsed(chosen, rest)


def _flags(words: Sequence[str]) -> Sequence[str]:
    """The words before ``--``: after it nothing is a flag."""
    return words[: words.index("--")] if "--" in words else words


def _split(words: Sequence[str]) -> tuple[str, list[str]]:
    """The command, one word or two, and all other words in their order; a global flag's value is no command."""
    rest: list[str] = []
    found: list[str] = []
    valued = {parameter.flag for parameter in GLOBALS if parameter.kind is not Kind.FLAG}
    waiting = iter(words)
    for word in waiting:
        if word == "--" or (word.startswith("-") and len(word) > 1):
            rest.append(word)
            if word == "--":
                break
            if word in valued:
                rest.extend(value for value in [next(waiting, None)] if value is not None)
            continue
        found.append(word)
        if len(found) > 1 or word not in GROUPS:
            break
    command = " ".join(found)
    if len(found) > 1 and operation(command) is None:
        return command, [*rest, *waiting]
    return command, [*rest, *waiting]


def _no_command(command: str, rest: Sequence[str]) -> Exception:
    from memhtml.ops.table import OPERATIONS  # a command that there is needs its own row alone

    if command in GROUPS:
        names = tuple(row.name for row in OPERATIONS if row.name.startswith(command + " "))
        return MissingArgumentError(
            f"{command} needs one of {', '.join(n.partition(' ')[2] for n in names)}",
            suggestions=tuple(f"{PROGRAM} {name}" for name in names),
        )
    if not command:
        strange = next((word for word in rest if word.startswith("-")), "").partition("=")[0]
        if strange and strange not in {parameter.flag for parameter in GLOBALS}:
            return _unknown_flag(strange, GLOBALS)
        return MissingArgumentError("name a command", suggestions=(f"{PROGRAM} help",))
    names = (*(row.name for row in OPERATIONS), *GROUPS)
    following = next((word for word in rest if not word.startswith("-")), "")
    likely = (
        closest(f"{command} {following}", names) or closest(command, names) or closest(command.partition(" ")[0], names)
    )
    return UnknownCommandError(
        f"there is no command {shown(command)}",
        suggestions=(*(f"did you mean {PROGRAM} {name}?" for name in likely), f"{PROGRAM} help"),
    )


def _parsed(chosen: Operation, rest: Sequence[str]) -> Call:
    everything = (*chosen.parameters, *GLOBALS)
    flags = {"--" + parameter.name.replace("_", "-"): parameter for parameter in everything}
    given: dict[str, object] = {}
    bare: list[str] = []
    waiting = iter(rest)
    for word in waiting:
        if word == "--":
            bare.extend(waiting)
        elif not _is_flag(word):
            bare.append(word)
        else:
            name, equals, value = word.partition("=")
            parameter = flags.get(name)
            if parameter is None:
                raise _unknown_flag(name, everything)
            _take(parameter, value if equals else None, waiting, flags, given)
    _place(chosen, bare, given)
    return Call(chosen, chosen.name, *_parted(given))


def _is_flag(word: str) -> bool:
    """Whether a word is meant as a flag: a lone dash, a number and a sentence that begins with a dash are not."""
    return word.startswith("-") and len(word) > 1 and " " not in word and not _is_number(word)


def _is_number(word: str) -> bool:
    return word[1].isdigit() and re.fullmatch(_NUMBER, word) is not None


def _take(
    parameter: Parameter,
    joined: str | None,
    waiting: Iterator[str],
    flags: Mapping[str, Parameter],
    given: dict[str, object],
) -> None:
    """Note one flag with its value, which is ``joined`` to it by an equals sign, or the next word."""
    name = "--" + parameter.name.replace("_", "-")
    if parameter.kind is Kind.FLAG:
        if joined is not None:
            raise InvalidFlagError(f"{name} takes no value", suggestions=(f"write {name} alone, or leave it out",))
        given[parameter.name] = True
        return
    value = next(waiting, None) if joined is None else joined
    # A known flag is a flag and no value: its owner forgot the value, and `=` says otherwise.
    if value is None or (joined is None and value.partition("=")[0] in flags):
        raise InvalidFlagError(f"{name} needs a value", suggestions=(f"{name} {parameter.placeholder}",))
    cast("list[str]", given.setdefault(parameter.name, [])).append(value)


def _unknown_flag(name: str, known: Sequence[Parameter]) -> InvalidFlagError:
    likely = closest(name, ["--" + parameter.name.replace("_", "-") for parameter in known] + ["--help"])
    suggestions = tuple(f"did you mean {flag}?" for flag in likely)
    return InvalidFlagError(
        f"there is no flag {shown(name)} here",
        suggestions=suggestions or ("put -- before a value that begins with a dash",),
    )


def _place(chosen: Operation, words: list[str], given: dict[str, object]) -> None:
    """Give the bare words to the positional parameters, in order."""
    for parameter in chosen.parameters:
        if not parameter.positional or not words:
            continue
        if parameter.name in given:
            continue
        if parameter.repeatable:
            given[parameter.name] = list(words)
            words.clear()
        elif parameter.joined:
            given[parameter.name] = " ".join(words)
            words.clear()
        else:
            given[parameter.name] = words.pop(0)
    if words:
        raise UnexpectedArgumentError(
            f"{chosen.name} takes no further argument {shown(words[0])}",
            suggestions=("put quotes around a value that holds spaces", f"{PROGRAM} {chosen.name} --help"),
        )


def _parted(given: dict[str, object]) -> tuple[dict[str, object], dict[str, str]]:
    """The operation's own arguments, and those that are settings."""
    settings: dict[str, str] = {}
    for parameter in GLOBALS:
        value = given.pop(parameter.name, None)
        if parameter.kind is Kind.FLAG or value is None:
            continue
        values = cast("list[str]", value)
        if len(values) > 1:
            raise UnexpectedArgumentError(f"{parameter.flag} may be given once, not {len(values)} times")
        settings[parameter.name] = values[0]
    return given, settings
