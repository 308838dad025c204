"""Writing systems, as far as finding words needs them: which are written without spaces, and which letters are safe.

SQLite's tokenizers know Unicode 6.1, the Python that runs us knows a later one, so a letter that was added since is a
gap between words to the one and a letter to the other. Every character outside the ranges below is therefore written
as digits before SQLite sees it, on both sides alike: documents and queries.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

# First and last code point of each block whose words are not parted by spaces (or, as in Korean, are parted in
# places where a reader looks for less than the whole word). In order, without overlap: bisected.
_UNSPACED: tuple[tuple[int, int], ...] = (
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1B7F),  # Balinese
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration mark and zero
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3031, 0x3035),  # Kana repeat marks
    (0x3038, 0x303C),  # Hangzhou numerals, Masu mark
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x3130, 0x318F),  # Hangul letters, compatible
    (0x31A0, 0x31BF),  # Bopomofo, extended
    (0x31F0, 0x31FF),  # Katakana, extended
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA000, 0xA4CF),  # Yi
    (0xA960, 0xA97F),  # Hangul letters, extended A
    (0xA980, 0xA9FF),  # Javanese, Myanmar extended B
    (0xAA60, 0xAA7F),  # Myanmar, extended A
    (0xAC00, 0xD7FF),  # Hangul syllables and letters, extended B
    (0xF900, 0xFAFF),  # Han, compatible
    (0x1B000, 0x1B16F),  # Kana, supplements
    (0x20000, 0x3FFFF),  # Han, extensions B and later
)
_STARTS = tuple(first for first, _ in _UNSPACED)

# Letters and digits that every SQLite takes for parts of a word. Latin, Greek and Cyrillic come folded to here.
_SAFE: tuple[tuple[int, int], ...] = (
    (0x00AA, 0x0377),
    (0x037A, 0x0523),
    (0x3041, 0x3096),
    (0x30A1, 0x30FA),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FCB),
    (0xAC00, 0xD7A3),
)
_SAFE_STARTS = tuple(first for first, _ in _SAFE)


def is_unspaced(character: str) -> bool:
    """Whether ``character`` belongs to a script whose words are found by overlapping pairs.

    >>> [is_unspaced(c) for c in "aж東ไ한"]
    [False, False, True, True, True]
    """
    return _within(ord(character), _UNSPACED, _STARTS)


def is_mark(character: str) -> bool:
    """Whether ``character`` only modifies the one before it: an accent, a vowel sign, a tone.

    >>> is_mark("́"), is_mark("a")
    (True, False)
    """
    return unicodedata.category(character).startswith("M")


def is_symbol(character: str) -> bool:
    """Whether ``character`` is a sign that people search for by itself: an emoji, an arrow, a currency.

    >>> [is_symbol(c) for c in "🎉€→,"]
    [True, True, True, False]
    """
    return character > "\x7f" and unicodedata.category(character) in {"So", "Sc", "Sm"}


def encode(token: str) -> str:
    """``token`` in characters that no tokenizer splits: itself, or each of its characters as seven digits.

    Digits at the end keep the Porter stemmer away; equal widths keep one token from being a prefix of another whose
    first character is not its own.

    >>> encode("przełom"), encode("東京"), encode("हि")
    ('przełom', '東京', 'u0002361u0002367')
    """
    if (token.isascii() and token.isalnum()) or all(_is_safe(character) for character in token):
        return token
    return "".join(f"u{ord(character):07d}" for character in token)


def _is_safe(character: str) -> bool:
    return character.isalnum() and (character.isascii() or _within(ord(character), _SAFE, _SAFE_STARTS))


def _within(point: int, ranges: tuple[tuple[int, int], ...], starts: tuple[int, ...]) -> bool:
    position = bisect_right(starts, point) - 1
    return position >= 0 and point <= ranges[position][1]
