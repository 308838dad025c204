"""What a memory holds is shown, never obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.visible import JOINERS, hides, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é, 日本, 👩\u200d🚀", "plain text, é, 日本, 👩\u200d🚀"),
        ("\x1b]0;owned\x07", "\\x1b]0;owned\\x07"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\x9bb\x7f", "a\\x9bb\\x7f"),
        ("two\nlines\tand\ra", "two\nlines\tand\\ra"),
        ("\udcff", "\\udcff"),
        ("a\u200b\u2060\u00adb\U000e0041c\U000e0100", "a\\u200b\\u2060\\xadb\\U000e0041c\\U000e0100"),
    ],
)
def test_worked_examples(text: str, shown: str) -> None:
    """Escapes and direction marks become visible; scripts, emoji and newlines stay."""
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_nothing_that_moves_a_terminal_is_left(text: str) -> None:
    """Whatever a memory holds."""
    hidden = {c for c in visible(text) if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert hidden <= JOINERS | {"\n", "\t"}
    assert all(hides(c) == (visible(c) != c) for c in text)
    assert visible(visible(text)) == visible(text)
