"""What is known of writing systems."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.scripts import _SAFE, _UNSPACED, encode, is_mark, is_symbol, is_unspaced


def test_the_ranges_can_be_bisected() -> None:
    """In order, without overlap."""
    for ranges in (_UNSPACED, _SAFE):
        points = [point for pair in ranges for point in pair]
        assert points == sorted(points)


def test_the_edges_of_a_range_are_in_it() -> None:
    """First and last of Hiragana to Bopomofo, and what lies on both sides of the Han."""
    assert [is_unspaced(chr(point)) for point in (0x303F, 0x3040, 0x312F, 0x33FF, 0x4E00, 0x9FFF)] == [
        False,
        True,
        True,
        False,
        True,
        True,
    ]


def test_marks_and_symbols_are_told_from_letters() -> None:
    """A virama modifies, an emoji stands for itself, a plus sign only parts."""
    assert [is_mark(c) for c in "्aำ́"] == [True, False, False, True]
    assert [is_symbol(c) for c in "🎉₿+a。"] == [True, True, False, False, False]


@given(st.text(min_size=1), st.text(min_size=1))
def test_encoded_tokens_begin_alike_only_when_they_do(first: str, second: str) -> None:
    """A coded character is never the beginning of another one, so a query for one finds no other."""
    one, two = encode(first), encode(second)
    if not one.isascii() or not two.isascii() or first.isascii() or second.isascii():
        return
    assert two.startswith(one) == second.startswith(first)


def test_plain_tokens_stay_as_they_are() -> None:
    """What every SQLite takes for letters is not rewritten."""
    for token in ("drain", "naïveté".replace("ï", "i").replace("é", "e"), "привет", "東京", "한국"):
        assert encode(token) == token


def test_no_sign_of_ascii_is_a_symbol() -> None:
    """They part words, and are never looked for."""
    assert not any(is_symbol(chr(code)) for code in range(128))
