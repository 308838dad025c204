"""A claim as listings show it."""

from __future__ import annotations

LONGEST = 400
"""Characters of a claim in a listing; the whole of it is read by opening the memory."""


def listed(gist: str) -> str:
    """``gist`` as a listing shows it: whole, unless it is longer than a claim has reason to be.

    >>> listed("Drain before every deploy."), len(listed("word " * 1000)), listed("word " * 1000)[-5:]
    ('Drain before every deploy.', 400, 'word…')
    """
    if len(gist) <= LONGEST:
        return gist
    cut = gist[: LONGEST - 1]
    return f"{cut.rstrip()}…"
