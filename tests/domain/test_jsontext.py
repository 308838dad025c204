"""JSON text of plain values is what the standard library would write, for whoever reads it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.jsontext import json_text, json_value

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    # Every character, lone surrogates too.
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


@given(VALUES)
def test_it_is_read_back_as_it_was(value: object) -> None:
    """On one line and on many, whatever is quoted."""
    assert json.loads(json_text(value)) == value
    assert json.loads(json_text(value, pretty=True)) == value
    assert json_value(json_text(value).encode(errors="surrogatepass")) == value


@given(VALUES)
def test_a_value_is_one_line(value: object) -> None:
    """Nothing in a text ends it."""
    assert "\n" not in json_text(value)
    assert "\r" not in json_text(value)


def test_lines_are_those_of_the_standard_library() -> None:
    """Two spaces for each depth; empty ones stay on their line; text stays as it is."""
    value: dict[str, object] = {
        "a": [],
        "b": {},
        "c": [1, 2.5, True, None],
        "d": 'é😀\u2028\x00"\\/',
        "bytes": "\udcff",
    }
    assert json_text(value, pretty=True) == json.dumps(value, ensure_ascii=False, indent=2)
    del value["bytes"]
    assert json_text(value, pretty=True) == json.dumps(value, ensure_ascii=False, indent=2)
    assert json_text({"a": [1, "é"]}) == '{"a":[1,"é"]}'


def test_a_byte_that_is_no_utf8_changes_no_form() -> None:
    """On one line without spaces, as anything else, and on many."""
    value = {"a": ["é", "\udcff"], "b": 1}
    assert json_text(value) == '{"a":["é","\udcff"],"b":1}'
    assert json_text(value, pretty=True) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize("text", [b"", b"{", b"nothing", b'{"a":1}x', b"\xff", b'"\xed"'])
def test_what_is_no_json_is_a_value_error(text: bytes) -> None:
    """Cut off, or something else."""
    with pytest.raises(ValueError):  # noqa: PT011 - whichever of the two readers says it
        json_value(text)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_refused(number: float) -> None:
    """Also deep inside: null in its place would say that there is none."""
    for value in (number, [number], {"a": [1.5, number]}):
        with pytest.raises(ValueError, match="not JSON compliant"):
            json_text(value)
