"""What a script reports becomes JSON, or says why not."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.sandbox.value import DEEPEST, Plain, TooLongError, plain_value

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    # What the interpreter hands over is UTF-8.
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


@given(PLAIN)
def test_what_json_knows_stays_as_it_is(value: Plain) -> None:
    """And comes back from JSON the same."""
    found = plain_value(value, 100_000)
    assert found == value
    assert json.loads(json.dumps(found, allow_nan=False)) == value


@given(st.sets(st.integers(-99, 99) | st.text(max_size=3) | st.tuples(st.integers(0, 9))))
def test_a_set_is_told_in_one_order(value: set[object]) -> None:
    """However it was made."""
    # The same items, put in the other way round, so that another order may come out.
    turned: set[object] = set()
    turned.update(reversed([*value]))
    assert json.dumps(plain_value(value, 10_000)) == json.dumps(plain_value(turned, 10_000))


def test_what_json_lacks_is_written_in_it() -> None:
    """Tuples, sets, dates, and numbers as keys."""
    value = {"pair": ("b", "a"), "set": {3, 10, 2}, "day": date(2026, 7, 28), 7: 1.5, "none": None, "yes": True}
    expected = {"pair": ["b", "a"], "set": [2, 3, 10], "day": "2026-07-28", "7": 1.5, "none": None, "yes": True}
    assert plain_value(value, 1000) == expected


def test_each_value_counts_one_beside_its_text() -> None:
    """A list of two texts of three characters: three values and six characters, and a key counts as a text."""
    assert plain_value(["abc", "def"], 9) == ["abc", "def"]
    with pytest.raises(TooLongError, match="longer than 8 characters"):
        plain_value(["abc", "def"], 8)
    assert plain_value({"abc": 1}, 5) == {"abc": 1}
    with pytest.raises(TooLongError):
        plain_value({"abc": 1}, 4)


def test_one_value_in_a_thousand_places_counts_a_thousand_times() -> None:
    """A thousand thousand thousand zeros take a few kilobytes as long as they are three lists."""
    inner: list[object] = [0] * 1000
    for _ in range(2):
        inner = [inner] * 1000
    with pytest.raises(TooLongError):
        plain_value(inner, 100_000)


def test_a_value_that_holds_itself_ends() -> None:
    """It is nested without end."""
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="more than 50 values inside one another"):
        plain_value(value, 100_000)


def test_the_deepest_value_is_told_and_one_deeper_is_not() -> None:
    """The boundary itself belongs to what is told."""
    value: object = 0
    for _ in range(DEEPEST):
        value = [value]
    assert json.dumps(plain_value(value, 1000)) == "[" * DEEPEST + "0" + "]" * DEEPEST
    with pytest.raises(ValueError, match="inside one another"):
        plain_value([value], 1000)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "has no form in JSON"),
        (float("-inf"), "has no form in JSON"),
        (2**63, "beyond 64 bits"),
        (-(2**63), "beyond 64 bits"),
        ({1: "a", "1": "b"}, "the same in JSON"),
    ],
)
def test_a_value_that_json_would_change_is_refused(value: object, why: str) -> None:
    """Rather than told otherwise than the script meant it."""
    with pytest.raises(ValueError, match=why):
        plain_value([value], 100)


@pytest.mark.parametrize("value", [b"bytes", 1j, timedelta(1), len, object(), {("a",): 1}, {True: 1}, {1.5: 1}, ...])
def test_a_kind_that_json_does_not_know_is_refused(value: object) -> None:
    """By its name, with what would do."""
    with pytest.raises(TypeError, match="in JSON"):
        plain_value([value], 100)


def test_whole_numbers_of_64_bits_are_told() -> None:
    """The largest and the smallest."""
    assert plain_value([2**63 - 1, -(2**63) + 1], 10) == [2**63 - 1, -(2**63) + 1]
