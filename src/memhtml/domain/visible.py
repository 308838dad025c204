"""Text that shows what is in it: characters that a reader would obey, or not see, are written as escapes."""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Format characters that scripts and emoji are written with, and that turn nothing around.
JOINERS = frozenset("\u200c\u200d")


def visible(text: str) -> str:
    r"""``text`` with control and direction characters as visible escapes; newlines and tabs stay.

    >>> visible("a\x1b[31mb"), visible("\u202eabc")
    ('a\\x1b[31mb', '\\u202eabc')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if _shows(one) else one.encode("unicode_escape").decode("ascii") for one in text)


def _shows(one: str) -> bool:
    return one in _KEPT or one in JOINERS or unicodedata.category(one) not in _HIDDEN
