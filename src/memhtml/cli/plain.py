"""Text for a terminal that cannot move it: what memories and messages hold is shown, never obeyed."""

from __future__ import annotations

import unicodedata

from memhtml.domain.errors import MemhtmlError
from memhtml.ops.advice import suggestions

KEPT = frozenset("\n\t")
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = frozenset("\u200c\u200d")
"""Format characters that scripts and emoji are written with, and that turn nothing around."""


def plain(text: str) -> str:
    r"""``text`` with control and direction characters as visible escapes; newlines and tabs stay.

    >>> plain("a\x1b[31mb"), plain("\u202eabc")
    ('a\\x1b[31mb', '\\u202eabc')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _shows(character) else _escape(character) for character in text)


def complaint(error: MemhtmlError) -> str:
    """An error as a person reads it: what is wrong, then what to do, one line each."""
    lines = [f"memhtml: {plain(error.message)} ({error.code})"]
    lines += [f"  {plain(suggestion)}" for suggestion in suggestions(error)]
    return "\n".join(lines)


def _shows(character: str) -> bool:
    return character in KEPT or character in JOINERS or unicodedata.category(character) not in HIDDEN


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
