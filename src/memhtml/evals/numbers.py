"""The numeric flip: the same claim with another number, of the same kind and size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memhtml.evals.sentence import Flip

_INTEGER = re.compile(r"(?<![\w.,:/#-])\d+(?![\w.,:/-]*\d)")


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with one of its numbers changed, the best first; nothing when it has none that can be changed."""
    held = {int(number) for number in re.findall(r"\d+", f"{claim} {body}")}
    for found in _INTEGER.finditer(claim):
        value = int(found.group())
        other = next(value + step for step in (2, 3, 4, 5, 6, *range(7, 99)) if value + step not in held)
        changed = f"{claim[: found.start()]}{other}{claim[found.end() :]}"
        yield Flip(changed, re.sub(rf"(?<![\w.]){value}(?![\w.])", str(other), body))
