"""Generated files that show whether they still are what was generated, so that nobody's own file is taken for one."""

from __future__ import annotations

import hashlib
import re

SLOT = "@" * 64
"""Stands in a text for its seal."""

_SEAL = re.compile(rb"memhtml publish ([0-9a-f]{64})")


def seal(text: str) -> str:
    """``text`` with a digest of all the rest of it in its first ``memhtml publish`` and slot.

    What comes after may hold anything, another slot included.

    >>> is_sealed(seal(f"<!-- memhtml publish {SLOT} --> a").encode())
    True

    Raises:
        ValueError: there is no slot.
    """
    before, slot, after = text.partition(f"memhtml publish {SLOT}")
    if not slot:
        raise ValueError("a text is sealed in a slot")
    return f"{before}memhtml publish {_digest((before + after).encode())}{after}"


def is_sealed(data: bytes) -> bool:
    """Whether ``data`` is, to the byte, a text that was sealed.

    >>> is_sealed(b"<!-- mine -->"), is_sealed(seal(f"<!-- memhtml publish {SLOT} --> a").encode() + b"b")
    (False, False)
    """
    found = _SEAL.search(data)
    return found is not None and found[1].decode() == _digest(data[: found.start()] + data[found.end() :])


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
