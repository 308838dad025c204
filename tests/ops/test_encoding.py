"""The one encoder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.encoding import answer, camel, dumps, encode
from memhtml.ops.schema import schema


class Inner(Struct, frozen=True):
    """A part of a result."""

    last_opened: str | None
    entity: Entity


class Outer(Struct, frozen=True):
    """A result."""

    path: MemoryPath
    kind: MemoryType
    inner: tuple[Inner, ...]
    counts_by_type: Mapping[str, int]
    file: PurePosixPath
    share: float


OUTER = Outer(
    MemoryPath("areas/a.html"),
    MemoryType.ERROR_PATTERN,
    (Inner(None, Entity("service", "checkout-api")),),
    {"error_pattern": 1},
    PurePosixPath("/s"),
    0.5,
)


def test_worked_example() -> None:
    """Field names become camelCase; keys of mappings, which are data, do not."""
    assert answer("demo.outer", OUTER) == {
        "apiVersion": "1",
        "type": "demo.outer",
        "data": {
            "path": "areas/a.html",
            "kind": "error_pattern",
            "inner": [{"lastOpened": None, "entity": "service:checkout-api"}],
            "countsByType": {"error_pattern": 1},
            "file": "/s",
            "share": 0.5,
        },
    }


def test_dense_is_one_line_without_nulls() -> None:
    """At every depth; lists keep their nulls' places, as they have none."""
    text = dumps({"a": None, "b": [{"c": None, "d": "é"}]}, dense=True)
    assert text == '{"b":[{"d":"é"}]}'
    assert json.loads(dumps({"a": None}, dense=False)) == {"a": None}


@pytest.mark.parametrize("value", [object(), b"bytes", {1, 2}, Outer, frozenset({"a"})])
def test_what_has_no_order_or_no_form_is_refused(value: object) -> None:
    """A set would come out differently from run to run."""
    with pytest.raises(TypeError, match="has no JSON form"):
        encode(value)


def test_not_a_number_is_no_json() -> None:
    """It is refused where JSON has no word for it."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps(float("nan"), dense=True)


@given(st.from_regex(r"[a-z]+(_[a-z0-9]+){0,3}", fullmatch=True))
def test_camel_case_keeps_the_letters(name: str) -> None:
    """Only the underscores go."""
    assert camel(name).lower() == name.replace("_", "")
    assert camel(camel(name)) == camel(name)


def test_the_schema_has_the_encoders_keys_and_kinds() -> None:
    """What a result is promised to look like is what comes out."""
    shape = schema(Outer)
    assert list(shape["properties"]) == list(encode(OUTER))
    properties = shape["properties"]
    assert isinstance(properties, dict)
    assert properties["path"] == {"type": "string"}
    assert properties["countsByType"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert properties["inner"] == {"type": "array", "items": schema(Inner)}
    assert schema(Inner)["properties"] == {
        "lastOpened": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "entity": {"type": "string"},
    }


@pytest.mark.parametrize("hint", [bytes, set[int], "a string", complex])
def test_a_schema_of_what_has_no_json_form_is_refused(hint: object) -> None:
    """So that a result cannot hold it unseen."""
    with pytest.raises(TypeError):
        schema(hint)
