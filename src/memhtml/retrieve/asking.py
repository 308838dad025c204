"""A query read for the arms: its words, how rare each is, and what of it the index is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.agreement import ASKED, CLAIMED, asks
from memhtml.domain.contrast import Question
from memhtml.domain.relevance import is_at_home
from memhtml.domain.statements import read
from memhtml.domain.stems import stem
from memhtml.domain.terms import Term, content_terms, phrase, terms
from memhtml.domain.wordings import digest

if TYPE_CHECKING:
    from memhtml.index.view import View

LONGEST = 4000
"""Characters of a query that are looked at. What comes after is context that nobody types."""

MOST_TERMS = 64
"""Terms that the index is asked for, the rarest: a pasted page costs no more than a paragraph."""

LONGEST_PHRASE = 100
"""Words of a query that is looked for whole inside of memories. A longer one has enough words to be found by."""

COMMON = 1000
"""Memories that must hold a word before it can be too common; stores below that lose nothing by looking."""

_COMMON_SHARE = 10  # a word in more than one of so many memories tells little and costs most


class Asked(Struct, frozen=True):
    """A query.

    Attributes:
        text: what of it is looked at.
        content: its words without function words, if any other remain.
        sought: those that the index is asked for: without the too common ones, while others remain.
        rarity: idf of the content words.
        at_home: those of them that the memories are about.
        perfect: the sum of the idf of what is sought.
        question: the same for telling twins apart.
        digest: of the whole query, by which a memory with the very same words is found; ``None`` without any.
        phrase: its words in order, for memories that hold it whole; empty for one of a word or two, or of very many.
    """

    text: str
    content: tuple[Term, ...]
    sought: tuple[Term, ...]
    rarity: Mapping[Term, float]
    at_home: frozenset[Term]
    perfect: float
    question: Question
    digest: int | None
    phrase: str


def asked(query: str, view: View) -> Asked:
    """``query`` for the memories of ``view``. Without any word, nothing is sought."""
    text = query[:LONGEST]
    content = content_terms(terms(text))
    total = view.total
    common = max(COMMON, total // _COMMON_SHARE)
    held = view.document_frequency(content, cap=common + 1)
    rarity = {term: _idf(total, held[term]) for term in content}
    sought = _rarest([term for term in content if held[term] <= common] or content, rarity)
    kind = ASKED if asks(text) else CLAIMED
    weights = {stem(term.text): rare for term, rare in rarity.items()}
    return Asked(
        text=text,
        content=content,
        sought=sought,
        rarity=rarity,
        at_home=frozenset(term for term in content if is_at_home(held[term], total)),
        perfect=sum(rarity[term] for term in sought),
        question=Question(read(text), weights, kind),
        digest=digest(query),
        phrase=phrase(text, LONGEST_PHRASE),
    )


def _idf(total: int, held: int) -> float:
    """Inverse document frequency, never negative."""
    return math.log1p((total - held + 0.5) / (held + 0.5)) if held <= total else 0.0


def _rarest(given: Sequence[Term], rarity: Mapping[Term, float]) -> tuple[Term, ...]:
    if len(given) <= MOST_TERMS:
        return tuple(given)
    return tuple(sorted(given, key=lambda term: (-rarity[term], term.text))[:MOST_TERMS])
