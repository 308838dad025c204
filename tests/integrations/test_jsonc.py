"""JSON with comments, and where everything stands in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.integrations.jsonc import DEEPEST, read, value_of
from memhtml.integrations.parts import Unreadable

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_what_is_plain_json_is_read_as_python_reads_it(value: object, indent: int | str | None, plain: bool) -> None:  # noqa: FBT001 - drawn
    """Whatever the layout, and whether or not letters are escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    assert value_of(read(text)) == value


def test_comments_trailing_commas_and_a_byte_order_mark_are_passed_over() -> None:
    """Places count from the first character of the file, the mark included."""
    text = '\ufeff// one\n{ /* two, "b": */ "a" /**/ : [1, 2.5e3, /* } */], // three\r\n }\n// four'
    root = read(text)
    assert value_of(root) == {"a": [1, 2500.0]}
    member = root.member("a")
    assert member is not None
    assert text[member.start : member.node.end] == '"a" /**/ : [1, 2.5e3, /* } */]'
    assert text[root.start] == "{"
    assert text[root.end - 1] == "}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1",
        "{,}",
        "[,]",
        "[1,,2]",
        '{"a" 1}',
        "{a: 1}",
        "{'a': 1}",
        '{"a": 1} x',
        '{"a": 1 "b": 2}',
        "/* never closed",
        '{"a": "\n"}',
        '{"a": "\\q"}',
        "01",
        "+1",
        "truex",
        "NaN",
        "1.x",
        "nul",
    ],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    """Nothing is guessed: a host may read such a file in another way."""
    with pytest.raises(Unreadable):
        read(text)


def test_the_line_of_a_fault_is_named() -> None:
    """Counted from 1."""
    with pytest.raises(Unreadable, match="line 3 is no JSON: : should be there"):
        read('{\n"a": 1,\n"b" 2}')


def test_depth_has_an_end() -> None:
    """A file that is nested without end is refused before Python gives up."""
    assert value_of(read("[" * DEEPEST + "]" * DEEPEST)) is not None
    with pytest.raises(Unreadable):
        read("[" * 100_000)


def test_a_key_that_matters_is_there_once() -> None:
    """Programs disagree on which of two counts."""
    node = read('{"a": 1, "b": 2, "a": 3}')
    assert node.member("c") is None
    assert node.member("b") is not None
    with pytest.raises(Unreadable, match="twice"):
        node.member("a")
    assert value_of(node) == {"a": 3, "b": 2}
