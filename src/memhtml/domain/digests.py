"""SHA-1 and SHA-256 as hexadecimal text.

`hashlib` loads OpenSSL, which takes a command longer than git takes for its commit. Python has both digests without
it, for those who have no OpenSSL: a few microseconds a file slower, and the same digits. Where a Python was built
without them, `hashlib` gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Protocol


class _Digest(Protocol):
    def hexdigest(self) -> str: ...


_Function = Callable[[bytes], _Digest]


def sha1(data: bytes) -> str:
    """The SHA-1 of ``data``: git's names for things, no proof against anybody.

    >>> sha1(b"")
    'da39a3ee5e6b4b0d3255bfef95601890afd80709'
    """
    return _sha1(data).hexdigest()


def sha256(data: bytes) -> str:
    """The SHA-256 of ``data``.

    >>> sha256(b"")[:16]
    'e3b0c44298fc1c14'
    """
    return _sha256(data).hexdigest()


def function(modules: Iterable[str], name: str) -> _Function:
    """The digest ``name`` of the first of ``modules`` that this Python has; of `hashlib` when it has none of them."""
    for module in modules:
        try:
            found: _Function = getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
        return found
    import hashlib

    return lambda data: hashlib.new(name, data, usedforsecurity=False)


_sha1 = function(("_sha1",), "sha1")
_sha256 = function(("_sha2", "_sha256"), "sha256")  # under the first name since 3.12
