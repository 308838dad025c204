"""Lone surrogates in texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.surrogates import has_surrogate


@given(st.text(st.characters()))
def test_a_text_with_one_has_one(text: str) -> None:
    """Every character is looked at, whatever is around it; nothing but surrogates counts."""
    assert has_surrogate(text) == any(0xD800 <= ord(one) <= 0xDFFF for one in text)


def test_the_first_and_the_last_of_them_count_and_their_neighbours_do_not() -> None:
    """U+D800 to U+DFFF, in the middle of a text of any script."""
    for one, wanted in (
        ("\ud7ff", False),
        ("\ud800", True),
        ("\udfff", True),
        ("\ue000", False),
        ("\U00010000", False),
    ):
        assert has_surrogate(f"a{one}é") is wanted


def test_nothing_and_plain_ascii_have_none() -> None:
    """The usual text."""
    assert not has_surrogate("")
    assert not has_surrogate("Drain before every deploy.\x00\x7f")
