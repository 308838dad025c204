"""The one encoder: results, which are frozen structs, as JSON values with camelCase keys."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import cast

from msgspec import Struct

from memhtml.domain.jsontext import json_text
from memhtml.domain.memory import Entity

API_VERSION = "1"

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def camel(name: str) -> str:
    """A field's name as JSON writes it.

    >>> camel("content_hash"), camel("path"), camel("as_of"), camel("yes_")
    ('contentHash', 'path', 'asOf', 'yes')
    """
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def encode(value: object) -> Json:
    """``value`` as JSON: structs by field order, enums by value, entities as ``type:name``.

    Keys of mappings are data and stay as they are; only field names become camelCase.

    Raises:
        TypeError: a value of a kind that no result may hold.
    """
    if isinstance(value, Enum):
        return encode(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Entity | PurePath):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in cast("tuple[object, ...]", value)]
    return _fields(value)


def _fields(value: object) -> Json:
    if not isinstance(value, Struct):
        raise TypeError(f"a {type(value).__name__} has no JSON form")
    return {camel(name): encode(getattr(value, name)) for name in value.__struct_fields__}


def answer(envelope: str, result: object) -> Json:
    """The envelope of an answer.

    >>> answer("store.status", None)
    {'apiVersion': '1', 'type': 'store.status', 'data': None}
    """
    return {"apiVersion": API_VERSION, "type": envelope, "data": encode(result)}


def dumps(value: Json, *, dense: bool) -> str:
    """JSON text of one envelope, without a final newline; ``dense`` is one line without nulls."""
    return json_text(_without_nulls(value)) if dense else json_text(value, pretty=True)


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value
