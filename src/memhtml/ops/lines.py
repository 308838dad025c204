"""The lines of a batch: JSON objects, checked one by one, each an operation of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NoReturn, cast

from msgspec import Struct

from memhtml.domain.errors import (
    InvalidFlagError,
    InvalidInputError,
    MemhtmlError,
    MissingArgumentError,
    UnexpectedArgumentError,
)
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Link
from memhtml.domain.vocabulary import Rel
from memhtml.ops.arguments import bind, closest, plain, shown
from memhtml.ops.drafts import ADDRESSES, citation, correction, draft, facet, facet_text, rel
from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.ops.rows_writing import CORRECTION, DRAFT

_SOURCE = Parameter("source", Kind.PATH, "The memory that the link is in", required=True)
_REL = Parameter("rel", Kind.TEXT, "What the source is to the target", required=True)
_LINKED = Parameter("target", Kind.PATH, "The memory that the link leads to", required=True)
_PATH = Parameter("path", Kind.PATH, "The memory that is archived", required=True)


def _verb(name: str, parameters: tuple[Parameter, ...], example: str) -> Operation:
    return Operation(name, f"A line of apply: {name}", parameters, "apply:run", "batch.applied", (example,))


VERBS = {
    row.name: row
    for row in (
        _verb("write", DRAFT, '{"op":"write","claim":"Checkout drains its queue before every deploy."}'),
        _verb("correct", CORRECTION, '{"op":"correct","target":"areas/inbox/a.html","claim":"…"}'),
        _verb("link", (_SOURCE, _REL, _LINKED), '{"op":"link","source":"…","rel":"supports","target":"…"}'),
        _verb("archive", (_PATH,), '{"op":"archive","path":"areas/inbox/a.html"}'),
    )
}
"""What a line may do, each with its fields."""

SPELLINGS = {
    "tags": "tag",
    "entities": "entity",
    "aliases": "alias",
    "facets": "facet",
    "citations": "cite",
    "citation": "cite",
    "cites": "cite",
    "links": "link",
    "task_status": "status",
    "session": "session_id",
    "prompt": "prompt_id",
    "turn": "turn_id",
}
"""Other names that fields go by; camelCase is read as snake_case first."""

_MEMBERS: Mapping[str, tuple[tuple[str, ...], str | None]] = {
    "facet": (("name", "value"), "number"),
    "entity": (("type", "name"), None),
    "link": (("rel", "target"), None),
    "cite": (("text",), "uri"),
}
"""What an object holds that stands for a value: what it needs, and what may be left out."""

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


class WriteLine(Struct, frozen=True):
    """A new memory."""

    number: int
    draft: Draft
    op: str = "write"


class CorrectLine(Struct, frozen=True):
    """A new memory in the place of ``target``; with ``keep_type`` it has the type of that one."""

    number: int
    target: str
    draft: Draft
    keep_type: bool
    op: str = "correct"


class LinkLine(Struct, frozen=True):
    """A link in ``source``."""

    number: int
    source: str
    rel: Rel
    target: str
    op: str = "link"


class ArchiveLine(Struct, frozen=True):
    """A memory that goes to the archive."""

    number: int
    path: str
    op: str = "archive"


Line = WriteLine | CorrectLine | LinkLine | ArchiveLine


class Refusal(Struct, frozen=True):
    """A line that is not done, and why."""

    number: int
    op: str
    error: MemhtmlError


def read_lines(text: str) -> tuple[Line | Refusal, ...]:
    """Every line of a batch, in order, numbered from 1 as an editor does; blank lines are counted and passed over.

    Raises:
        InvalidInputError: there is no line at all.
    """
    found = tuple(_read(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())
    if not found:
        raise InvalidInputError(
            "there is nothing to apply: give one JSON object a line",
            suggestions=("echo '" + VERBS["write"].examples[0] + "' | memhtml apply",),
        )
    return found


def checked_lines(items: Iterable[Mapping[str, object]]) -> tuple[Line | Refusal, ...]:
    """The same from objects that a caller has already, numbered from 1.

    Raises:
        InvalidInputError: there is none.
    """
    found = tuple(_checked(number, fields) for number, fields in enumerate(items, start=1))
    if not found:
        raise InvalidInputError("there is nothing to apply: give at least one operation")
    return found


def draft_of(fields: Mapping[str, object]) -> Draft:
    """The memory that fields describe, named and written as in a line that writes.

    Raises:
        UsageError: by its class: an unknown field, or a value that does not fit.
    """
    return draft(bind(VERBS["write"], by_name(fields), spelling=lambda parameter: parameter.name))


def correction_of(fields: Mapping[str, object]) -> tuple[Draft, bool]:
    """The same for a memory that takes another's place, and whether it keeps that one's type.

    Raises:
        UsageError: by its class: an unknown field, or a value that does not fit.
    """
    given = {"target": "", **by_name(fields)}
    return correction(bind(VERBS["correct"], given, spelling=lambda parameter: parameter.name))


def line(number: int, fields: Mapping[str, object]) -> Line:
    """The operation that the fields of one line describe.

    Raises:
        UsageError: by its class: an unknown verb or field, one missing, or a value that does not fit.
    """
    op = fields.get("op", "write")
    row = VERBS.get(op) if isinstance(op, str) else None
    if row is None:
        raise InvalidFlagError(
            f"op takes one of {', '.join(VERBS)}; not {shown(op)}",
            suggestions=tuple(f"did you mean {verb}?" for verb in closest(op, VERBS)) if isinstance(op, str) else (),
        )
    given = by_name({name: value for name, value in fields.items() if name != "op"})
    arguments = bind(row, given, spelling=lambda parameter: parameter.name)
    match row.name:
        case "write":
            return WriteLine(number, draft(arguments))
        case "correct":
            return CorrectLine(number, arguments.needed("target"), *correction(arguments))
        case "link":
            return LinkLine(
                number, arguments.needed("source"), rel(arguments.needed("rel")), arguments.needed("target")
            )
        case _:
            return ArchiveLine(number, arguments.needed("path"))


def _read(number: int, text: str) -> Line | Refusal:
    try:
        fields = _fields(text)
    except MemhtmlError as error:
        return Refusal(number, "?", error)
    return _checked(number, fields)


def _checked(number: int, fields: object) -> Line | Refusal:
    if not isinstance(fields, Mapping):
        message = f"an operation is an object with fields, not {type(fields).__name__}"
        return Refusal(number, "?", InvalidInputError(message, suggestions=(VERBS["write"].examples[0],)))
    fields = cast("Mapping[str, object]", fields)
    try:
        return line(number, fields)
    except MemhtmlError as error:
        op = fields.get("op", "write")
        return Refusal(number, op[:20] if isinstance(op, str) else "?", error)


def _fields(text: str) -> Mapping[str, object]:
    try:
        value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidInputError("the line nests too deeply; give one flat JSON object") from None
    except json.JSONDecodeError as error:
        raise InvalidInputError(f"the line is no JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise InvalidInputError("the line is no JSON: a number is out of bounds") from None
    if not isinstance(value, dict):
        raise InvalidInputError('the line is no JSON object; write {"op":"write","claim":"…"}')
    return cast("dict[str, object]", value)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInputError(f"the line gives {shown(twice)} twice; give a list instead")
    return found


def _no_constant(name: str) -> NoReturn:
    raise InvalidInputError(f"the line holds {name}, which is no JSON")


def by_name(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields under their parameters' names, structured values as the texts that a command line takes.

    Raises:
        UsageError: by its class: two names of one parameter, or an object that stands for no value.
    """
    given: dict[str, object] = {}
    for name, value in fields.items():
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - an untyped caller's
            raise InvalidInputError(f"a field's name is text, not {type(name).__name__}")
        plain = _HUMP.sub(lambda hump: "_" + hump[1].lower(), name)
        parameter = SPELLINGS.get(plain, plain)
        if parameter in given:
            raise InvalidInputError(f"the line gives {shown(parameter)} under two names; give one")
        given[parameter] = _texts(parameter, value)
    return given


def _texts(parameter: str, value: object) -> object:
    items = _listed(value)
    if items is not None:
        return [_text(parameter, item) for item in items]
    pairs = _mapping(value)
    if parameter == "facet" and pairs is not None:
        return [facet_text(name, each) for name, one in pairs.items() for each in _several(one)]
    return _text(parameter, value)


def _several(value: object) -> Iterable[object]:
    items = _listed(value)
    return (value,) if items is None else items


def _listed(value: object) -> Iterable[object] | None:
    return cast("Iterable[object]", value) if isinstance(value, list | tuple) else None


def _mapping(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _text(parameter: str, value: object) -> object:
    """One value as the text that a command line takes for it; what is no object is left as it is."""
    if isinstance(value, Entity | Facet | Citation | Link):
        return _spelled(parameter, {field: getattr(value, field) for field in value.__struct_fields__})
    fields = _mapping(value)
    return value if fields is None else _spelled(parameter, fields)


def _spelled(parameter: str, fields: Mapping[str, object]) -> object:
    """An object as text. Whatever the text would not say is refused, so that nothing is lost on the way."""
    if parameter not in _MEMBERS:
        return fields
    needed, optional = _MEMBERS[parameter]
    given = {name: value for name, value in fields.items() if value is not None}
    for name in needed:
        if name not in given:
            raise MissingArgumentError(f"{parameter} needs {name}")
    for name in given:
        if name not in (*needed, optional):
            raise UnexpectedArgumentError(f"{parameter} takes no {shown(name)}")
    match parameter:
        case "facet":
            return _facet(given)
        case "cite":
            return _citation(given)
        case _:
            left, right = (plain(given[name], f"{parameter} {name}") for name in needed)
            if ":" in left:
                raise InvalidFlagError(f"{parameter} {needed[0]} holds no :, as {shown(left)} does")
            return f"{left}:{right}"


def _facet(given: Mapping[str, object]) -> str:
    text = facet_text(given["name"], given["value"])
    number = given.get("number")
    if number is not None and number != facet(text).number:
        raise InvalidFlagError(
            f"the facet {shown(given['name'])} has the number {shown(number)}, which its value does not write",
            suggestions=("make the number the value",),
        )
    return text


def _citation(given: Mapping[str, object]) -> str:
    text = plain(given["text"], "cite text")
    if "uri" not in given:
        return text
    uri = plain(given["uri"], "cite uri")
    spelled = f"{text} <{uri}>"
    if citation(spelled).uri != uri:
        raise InvalidFlagError(f"cite uri takes an address from {' or '.join(ADDRESSES)} on, not {shown(uri)}")
    return spelled
