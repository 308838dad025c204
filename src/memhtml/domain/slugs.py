"""Readable ASCII names out of any text."""

from __future__ import annotations

import re

LONGEST_SLUG = 80
UNTITLED = "untitled"

_UNSAFE = re.compile(r"[^a-z0-9]+")
_SURROGATE = "[\ud800-\udfff]"


def slug(text: str) -> str:
    """``text`` as a file name: transliterated, lower case, ``[a-z0-9-]``, at most 80 characters, no edge hyphens.

    ``untitled`` only when nothing is left. A slug is its own slug.

    >>> slug("Drain before deploy!"), slug("日本語"), slug("Привет, мир"), slug("…")
    ('drain-before-deploy', 'ribenyu', 'privet-mir', 'untitled')
    """
    plain = text if text.isascii() else _transliterated(text)
    return _UNSAFE.sub("-", plain.lower()).strip("-")[:LONGEST_SLUG].rstrip("-") or UNTITLED


def _transliterated(text: str) -> str:
    from anyascii import anyascii  # 5 CPU ms that an ASCII title does not pay

    return anyascii(re.sub(_SURROGATE, " ", text))


def numbered(name: str, ordinal: int) -> str:
    """The name of the ``ordinal``-th memory called ``name``: itself, then with ``-2``, ``-3`` and so on behind it.

    The number stands inside the 80 characters, and two ordinals never give one name.

    >>> numbered("drain", 1), numbered("drain", 2)
    ('drain', 'drain-2')

    Raises:
        ValueError: ``ordinal`` is below 1.
    """
    if ordinal < 1:
        raise ValueError(f"ordinals count from 1, {ordinal} is none")
    if ordinal == 1:
        return name
    suffix = f"-{ordinal}"
    room = LONGEST_SLUG - len(suffix)
    numbered_name = name[:room].rstrip("-") + suffix
    if numbered_name == name:
        # A full-length name that already ends with this number would be its own second name.
        numbered_name = name[: room - 2].rstrip("-") + suffix
    return numbered_name
