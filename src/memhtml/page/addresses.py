"""Which addresses may stand in a memory."""

from __future__ import annotations

import re

# What a browser takes off, or out, before it looks for a scheme.
_IGNORED_ENDS = "".join(map(chr, range(0x21)))
_IGNORED_INSIDE = r"[\t\n\r]+"
_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]*):"

ALLOWED = frozenset({"http", "https", "mailto"})
EXECUTED = frozenset({"javascript", "vbscript"})
"""Schemes that run code wherever an address is followed or loaded."""


def scheme(address: str) -> str | None:
    r"""The scheme that a browser sees in ``address``, lower case; ``None`` for a relative address.

    >>> scheme("https://a.example/"), scheme(" java\nscript:alert(1)"), scheme("/a:b"), scheme("a/b.html")
    ('https', 'javascript', None, None)
    """
    match = re.match(_SCHEME, re.sub(_IGNORED_INSIDE, "", address.strip(_IGNORED_ENDS)))
    return None if match is None else match[1].lower()


def is_allowed(address: str) -> bool:
    """Whether ``address`` may stand in an ``href`` or a ``cite``: http, https, mailto or relative.

    >>> is_allowed("mailto:ada@example.org"), is_allowed("data:text/html,x")
    (True, False)
    """
    found = scheme(address)
    return found is None or found in ALLOWED


def is_elsewhere(address: str) -> bool:
    r"""Whether a browser would leave the store for ``address``; what ``data:`` holds is at hand.

    >>> is_elsewhere("http://a.example/"), is_elsewhere("\\\\a.example"), is_elsewhere("//a.example/b")
    (True, True, True)
    >>> is_elsewhere("a.png"), is_elsewhere("/a//b"), is_elsewhere("data:image/png;base64,AAAA")
    (False, False, False)
    """
    found = scheme(address)
    if found is not None:
        return found != "data"
    begun = re.sub(_IGNORED_INSIDE, "", address.strip(_IGNORED_ENDS))[:2]
    return len(begun) == len("//") and set(begun) <= {"/", "\\"}
