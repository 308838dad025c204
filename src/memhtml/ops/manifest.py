"""Operation `manifest`: the whole contract as one value, from the tables that drive the program."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.config.settings import SETTINGS
from memhtml.domain.errors import MemhtmlError
from memhtml.domain.version import VERSION
from memhtml.domain.vocabulary import MemoryType, Rel, RelClass, Status, TaskStatus, rel_class
from memhtml.ops.advice import ADVICE
from memhtml.ops.commands import GLOBALS, GROUPS
from memhtml.ops.encoding import API_VERSION, Json, camel
from memhtml.ops.guide import usage
from memhtml.ops.operation import Operation, Parameter
from memhtml.ops.schema import answer_type, schema
from memhtml.ops.table import OPERATIONS

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Flag(Struct, frozen=True):
    """One argument of a command; ``flag`` also works where the argument is positional."""

    name: str
    flag: str
    kind: str
    help: str
    positional: bool
    required: bool
    repeatable: bool
    choices: tuple[str, ...]
    default: str | int | float | None
    low: float | None
    high: float | None


class Command(Struct, frozen=True):
    """One command."""

    name: str
    summary: str
    usage: str
    parameters: tuple[Flag, ...]
    answer: str
    examples: tuple[str, ...]
    notes: tuple[str, ...]
    mutates: bool
    destructive: bool
    needs_store: bool


class ErrorCode(Struct, frozen=True):
    """One error: its code, what a process ends with, what it means, what to do."""

    code: str
    exit_status: int
    meaning: str
    suggestions: tuple[str, ...]


class SettingRow(Struct, frozen=True):
    """One setting."""

    name: str
    variable: str
    default: str
    help: str
    in_store: bool
    secret: bool


class Manifest(Struct, frozen=True):
    """Everything that a caller may rely on.

    Attributes:
        answers: JSON Schema of ``data`` by envelope type.
        vocabularies: the closed lists, by name; the rels also by class.
    """

    name: str
    version: str
    api_version: str
    commands: tuple[Command, ...]
    groups: Mapping[str, str]
    flags: tuple[Flag, ...]
    answers: Mapping[str, Mapping[str, object]]
    errors: tuple[ErrorCode, ...]
    settings: tuple[SettingRow, ...]
    vocabularies: Mapping[str, tuple[str, ...]]


def run(workspace: Workspace, arguments: Arguments) -> Manifest:
    """The `manifest` operation."""
    del workspace, arguments
    return manifest()


def manifest() -> Manifest:
    """The contract of this version."""
    return Manifest(
        name="memhtml",
        version=VERSION,
        api_version=API_VERSION,
        commands=tuple(_command(row) for row in OPERATIONS),
        groups=GROUPS,
        flags=tuple(_flag(parameter) for parameter in GLOBALS),
        answers=answers(),
        errors=error_codes(),
        settings=tuple(SettingRow(s.name, s.variable, s.default, s.help, s.in_store, s.secret) for s in SETTINGS),
        vocabularies=_vocabularies(),
    )


def answers() -> dict[str, dict[str, Json]]:
    """JSON Schema of the data of every answer, by envelope type, in table order."""
    return {row.envelope: schema(answer_type(row)) for row in OPERATIONS}


def error_codes() -> tuple[ErrorCode, ...]:
    """Every code that an envelope can carry, in the order of the tree; the first class of a code explains it."""
    codes: dict[str, ErrorCode] = {}
    for kind in _tree(MemhtmlError):
        meaning = (inspect.getdoc(kind) or "").split("\n")[0]
        if kind is MemhtmlError:
            meaning = "Something that memhtml did not expect."
        codes.setdefault(kind.code, ErrorCode(kind.code, kind.exit_status, meaning, ADVICE.get(kind, ())))
    return tuple(codes.values())


def _tree(kind: type[MemhtmlError]) -> Iterable[type[MemhtmlError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _tree(child)


def _command(row: Operation) -> Command:
    return Command(
        name=row.name,
        summary=row.summary,
        usage=usage(row),
        parameters=tuple(_flag(parameter) for parameter in row.parameters),
        answer=row.envelope,
        examples=row.examples,
        notes=row.notes,
        mutates=row.mutates,
        destructive=row.destructive,
        needs_store=row.needs_store,
    )


def _flag(parameter: Parameter) -> Flag:
    return Flag(
        name=camel(parameter.name),
        flag="--" + parameter.name.replace("_", "-"),
        kind=parameter.kind.value,
        help=parameter.help,
        positional=parameter.positional,
        required=parameter.required,
        repeatable=parameter.repeatable,
        choices=parameter.choices,
        default=parameter.default,
        low=parameter.low,
        high=parameter.high,
    )


def _vocabularies() -> dict[str, tuple[str, ...]]:
    lists: tuple[tuple[str, type[StrEnum]], ...] = (
        ("types", MemoryType),
        ("statuses", Status),
        ("taskStatuses", TaskStatus),
        ("rels", Rel),
    )
    by_class = {f"{group.value}Rels": tuple(rel.value for rel in Rel if rel_class(rel) is group) for group in RelClass}
    return {name: tuple(member.value for member in kind) for name, kind in lists} | by_class
