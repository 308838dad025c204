"""Queries for a claim, as an agent types them: never the claim itself, always with what decides between its twins."""

from __future__ import annotations

import re
from enum import StrEnum

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.stopwords import STOP_WORDS
from memhtml.domain.terms import fold


class Style(StrEnum):
    """How a query is typed."""

    REORDERED = "reordered"
    QUESTION = "question"
    KEYWORDS = "keywords"


_WORD = re.compile(r"[^\s,;:.!?()]+(?:[.:,]\d[^\s,;()]*)*")


def query(claim: str, family: Divergence, style: Style, turn: int) -> str | None:
    """A query about ``claim`` in one style, or ``None`` where it cannot be asked so.

    It holds the polarity, the numbers and the qualifiers of the claim, whichever ``family`` it is turned around.

    Args:
        claim: what the target says.
        family: what the query is about before all else.
        style: how it is typed.
        turn: which of the style's forms is taken; any number, 0 and up.
    """
    words = _WORD.findall(claim)
    content = [word for word in words if fold(word) not in STOP_WORDS]
    half = len(content) // 2 + turn % 2
    asked = {
        Style.REORDERED: " ".join([*content[half:], *content[:half]]),
        Style.QUESTION: f"is it true that {claim[:1].lower()}{claim[1:].rstrip('.!')}?",
        Style.KEYWORDS: " ".join(reversed(content)).lower(),
    }[style]
    holds = family not in divergences(claim, asked) and not divergences(claim, asked)
    return asked if holds and fold(asked) != fold(claim) else None
