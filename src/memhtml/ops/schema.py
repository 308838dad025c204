"""The shape of an answer as JSON Schema, made from its class, as the encoder writes it."""

from __future__ import annotations

import importlib
import types
import typing
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import cast

from msgspec import Struct

from memhtml.domain.memory import Entity
from memhtml.ops.encoding import Json, camel
from memhtml.ops.operation import Operation
from memhtml.ops.running import load

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", Entity: "string"}


def answer_type(row: Operation) -> type:
    """The result class of an operation: what its function says that it returns."""
    run = load(row)
    module = importlib.import_module(run.__module__)
    return cast("type", getattr(module, run.__annotations__["return"]))


def schema(hint: object) -> dict[str, Json]:
    """JSON Schema of a type that results are made of.

    >>> schema(tuple[int, ...])
    {'type': 'array', 'items': {'type': 'integer'}}

    Raises:
        TypeError: a type that no result may hold.
    """
    if isinstance(hint, typing.NewType):
        return schema(hint.__supertype__)
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if typing.get_origin(hint) is not None:
        return _generic(hint)
    if isinstance(hint, type):
        return _class(hint)
    raise TypeError(f"{hint!r} has no JSON form")


def _class(kind: type) -> dict[str, Json]:
    if issubclass(kind, Struct):
        return _object(kind)
    if issubclass(kind, Enum):
        return {"type": "string", "enum": [str(member.value) for member in kind]}
    if issubclass(kind, PurePath):
        return {"type": "string"}
    if kind is object:
        return {}
    raise TypeError(f"{kind!r} has no JSON form")


def _generic(hint: object) -> dict[str, Json]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {types.UnionType, typing.Union}:
        options: list[Json] = [schema(each) for each in arguments if each is not type(None)]
        if type(None) in arguments:
            options.append({"type": "null"})
        return {"anyOf": options}
    if origin in {tuple, list}:
        kinds = {each for each in arguments if each is not Ellipsis}
        if len(kinds) == 1:
            return {"type": "array", "items": schema(kinds.pop())}
        return {"type": "array", "prefixItems": [schema(each) for each in arguments]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema(arguments[1])}
    raise TypeError(f"{hint!r} has no JSON form")


def _object(kind: type[Struct]) -> dict[str, Json]:
    hints = typing.get_type_hints(kind)
    names = kind.__struct_fields__
    properties: dict[str, Json] = {camel(name): schema(hints[name]) for name in names}
    return {"type": "object", "properties": properties, "required": [camel(name) for name in names]}
