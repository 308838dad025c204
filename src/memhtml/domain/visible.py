"""Text that shows what is in it: characters that a reader would obey, or not see, are written as escapes."""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Format characters that scripts and emoji are written with, and that turn nothing around.
JOINERS = frozenset("\u200c\u200d")
# Marks that choose a form of the character before them; no font shows these, and each may stand for a byte.
_SELECTORS = frozenset(map(chr, range(0xE0100, 0xE01F0)))


def visible(text: str) -> str:
    r"""``text`` with control and direction characters as visible escapes; newlines and tabs stay.

    >>> visible("a\x1b[31mb"), visible("\u202eabc")
    ('a\\x1b[31mb', '\\u202eabc')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one.encode("unicode_escape").decode("ascii") if hides(one) else one for one in text)


def hides(one: str) -> bool:
    r"""Whether a reader would obey a character, or not see it at all; not newlines, tabs, and what joins letters.

    >>> [hides(one) for one in ("\u202e", "\u200b", "\U000e0041", "\u200d", "\n", "a")]
    [True, True, True, False, False, False]
    """
    if one in _KEPT or one in JOINERS:
        return False
    return unicodedata.category(one) in _HIDDEN or one in _SELECTORS
