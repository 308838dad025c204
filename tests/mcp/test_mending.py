"""JSON that is nearly right."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.mcp.mending import mended, request_id

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(ANYTHING)
def test_what_is_right_stays_as_it_is(value: object) -> None:
    """Whether its characters are written out or escaped."""
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert mended(text) == text


@given(st.text(st.characters(min_codepoint=0xD700, max_codepoint=0xE100) | st.sampled_from('\\u"a🎉')))
def test_every_half_becomes_one_sign(text: str) -> None:
    """And every other character is what it was."""
    read = json.loads(mended(json.dumps(text)))
    whole = json.loads(json.dumps(text))  # two halves beside each other are a character
    assert read == "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in whole)


@given(ANYTHING, st.integers(-(10**18) + 1, 10**18 - 1) | st.text("abc-0", min_size=1, max_size=50))
def test_a_request_is_known_by_its_id_alone(value: object, known: int | str) -> None:
    """Whatever else stands in it, before and after, whole or cut off."""
    text = json.dumps({"method": "m", "params": {"id": value, "x": [value]}, "id": known, "more": value})
    assert request_id(text) == known
    assert request_id(text[:-1] + "[" * 2_000) == known


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"id"', '{"id":', '{"id": {"id": 1}}', '[{"id": 1}]', '{"params": {"id": 1}}', '{"id": true}',
     '{"id": 1.5}', '{"id": "\\"}', '{"x": "\\"id\\": 1"}', '{"x": "id", "y": 1}', "id: 1"],
)  # fmt: skip
def test_nobody_is_known_by_anything_else(text: str) -> None:
    """An id inside of something, or that is no plain number or text."""
    assert request_id(text) is None
