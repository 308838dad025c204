"""Lone surrogates: what Python makes of bytes that are no UTF-8, and what no file in UTF-8 can hold."""

from __future__ import annotations


def has_surrogate(text: str) -> bool:
    r"""Whether a surrogate is in ``text``: UTF-8 can write everything else.

    >>> has_surrogate("Grüße 🎉"), has_surrogate("a\udcff")
    (False, True)
    """
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
