"""The qualifier flip: the same claim about another variant of the thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memhtml.domain.polarity import QUALIFIERS
from memhtml.evals.sentence import Flip

_OTHER = {
    "pro": "max",
    "max": "pro",
    "beta": "alpha",
    "alpha": "beta",
    "rc": "beta",
    "preview": "legacy",
    "legacy": "preview",
    "deprecated": "experimental",
    "experimental": "deprecated",
}
_ANY = re.compile(rf"\b(?:{'|'.join(sorted(QUALIFIERS))})\b")
_DETERMINED = re.compile(r"\b([Tt]he|[Oo]ur|[Tt]his) (?=(?:worker|service|client|api|server|queue|cache|cluster)\b)")


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with a qualifier exchanged, taken away or put in, the best first; nothing where none fits."""
    found = _ANY.search(claim)
    if found is not None:
        word = found.group()
        yield Flip(
            f"{claim[: found.start()]}{_OTHER[word]}{claim[found.end() :]}",
            re.sub(rf"\b{word}\b", _OTHER[word], body),
        )
        return
    place = _DETERMINED.search(claim)
    if place is not None:
        yield Flip(f"{claim[: place.end()]}legacy {claim[place.end() :]}", body)
