"""What a memory holds is shown at a terminal, never obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.cli.plain import JOINERS, complaint, plain
from memhtml.domain.errors import StoreMissingError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é, 日本, 👩\u200d🚀", "plain text, é, 日本, 👩\u200d🚀"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\x9bb\x7f", "a\\x9bb\\x7f"),
        ("two\nlines\tand\ra", "two\nlines\tand\\ra"),
        ("\udcff", "\\udcff"),
    ],
)
def test_worked_examples(text: str, shown: str) -> None:
    """Escapes and direction marks become visible; scripts, emoji and newlines stay."""
    assert plain(text) == shown


@given(st.text(st.characters()))
def test_nothing_that_moves_a_terminal_is_left(text: str) -> None:
    """Whatever a memory holds."""
    hidden = {c for c in plain(text) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert hidden <= JOINERS | {"\n", "\t"}
    assert plain(plain(text)) == plain(text)


def test_a_complaint_says_what_is_wrong_and_what_to_do() -> None:
    """One line each, the code for those who look it up."""
    assert complaint(StoreMissingError("nothing is at /s")) == (
        "memhtml: nothing is at /s (ERR_REPO_REQUIRED)\n  memhtml init"
    )
