"""What a message shows of what somebody else wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.page.violation import Reading, Violation, shown, shown_name


@given(st.text(max_size=200))
def test_whatever_is_shown_can_be_printed_anywhere(value: str) -> None:
    """ASCII without controls, and of bounded length, in quotes or as a name."""
    assert shown(value).isascii()
    assert shown(value).isprintable()
    assert len(shown(value)) <= 2 + 60 * len(r"\U0001f600")
    assert shown(value)[1:-1] == shown_name(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "''"),
        ("a", "'a'"),
        ("\u00e9\x1b", r"'\xe9\x1b'"),
        ("it's", '"it\'s"'),
        ("x" * 60, f"'{'x' * 60}'"),
        ("x" * 61, f"'{'x' * 57}...'"),
    ],
)
def test_values_are_shown_in_quotes(value: str, expected: str) -> None:
    """Sixty characters whole; of more than that 57, and dots."""
    assert shown(value) == expected


def test_a_violation_reads_as_a_sentence_with_its_line_and_its_code() -> None:
    """Without a line when it is nowhere."""
    assert str(Violation("claim-empty", "the <mark> is empty", 3)) == "line 3: the <mark> is empty [claim-empty]"
    assert str(Violation("nesting", "flatten the markup")) == "flatten the markup [nesting]"
    assert (Reading(None).violations, Reading(None).warnings) == ((), ())
