r"""JSON that is nearly right: what some clients send where a text was cut inside a character, and whose it is."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole character
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\."
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_TEXT = re.compile(r'"[^"\\\x00-\x1f]{1,200}"')


def mended(text: str) -> str:
    r"""JSON with every half of a character, written as an escape, made into the sign for what cannot be read.

    JSON allows such a half, and no UTF-8 can hold it: a program that cuts its texts by units of UTF-16 sends one where
    it cut an emoji in two.

    >>> mended(r'"cut \ud83d, whole \ud83c\udf89, a backslash \\ud83d"')
    '"cut \\ufffd, whole \\ud83c\\udf89, a backslash \\\\ud83d"'
    """
    return _ESCAPE.sub(lambda found: r"\ufffd" if found["half"] else found[0], text)


def request_id(text: str) -> int | str | None:
    """The id of the request that ``text`` would be if the rest of it could be read; ``None`` when none is seen.

    >>> request_id('{"params": {"id": 1}, "id": 7, "deep": ' + "[" * 99_999)
    7

    A text that ends too soon, or an id that is no plain number or text, is nobody's.
    """
    depth, key, named = 0, "", False
    for found in _TOKEN.finditer(text):
        part = found[0]
        if part in "[{":
            depth += 1
        elif part in "]}":
            depth -= 1
        elif depth == 1 and part == ":":
            named = key == '"id"'
            continue
        elif depth == 1 and named:
            return _id(part)
        key, named = part, False
    return None


def _id(part: str) -> int | str | None:
    if _NUMBER.fullmatch(part):
        return int(part)
    return part[1:-1] if _TEXT.fullmatch(part) else None
