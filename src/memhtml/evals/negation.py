"""The negation flip: what a claim says denied, what it denies said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memhtml.evals.sentence import Flip

_AUXILIARY = re.compile(r"\b(is|are|was|were|can|could|must|should|will|would|may|might)\b(?! not)", re.IGNORECASE)
_DENIED = re.compile(r"\b(is|are|was|were|must|should|will|would|may|might) not\b", re.IGNORECASE)
_PRESENT = re.compile(r"(?<=[a-z] )(retries|keeps|sends|rotates|closes|holds)\b")
_BASES = {"retries": "retry", "keeps": "keep", "sends": "send", "rotates": "rotate", "closes": "close", "holds": "hold"}
_THIRD = {base: third for third, base in _BASES.items()}
_NOT_DONE = re.compile(rf"\b(?:does not|doesn't) ({'|'.join(_THIRD)})\b")
_NEVER = re.compile(r"\bnever (?=\w)")


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with one denial put in or taken away, the best first; nothing where the rules cannot tell how."""
    changed = _flipped(claim)
    if changed is not None:
        yield Flip(changed, body.replace(claim, changed))


def _flipped(claim: str) -> str | None:
    for pattern, written in (
        (_NOT_DONE, lambda found: _THIRD[found[1]]),
        (_DENIED, lambda found: found[1]),
        (_NEVER, lambda _: ""),
        (_AUXILIARY, lambda found: f"{found[1]} not"),
        (_PRESENT, lambda found: f"doesn't {_BASES[found[1]]}"),
    ):
        changed, times = pattern.subn(written, claim, count=1)
        if times:
            return changed
    return None
