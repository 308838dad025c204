"""A sentence as words that can be changed, and the marks of one that came out wrong."""

from __future__ import annotations

import re

from msgspec import Struct


class Flip(Struct, frozen=True):
    """One way to make a memory say something else."""

    claim: str
    body: str


_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W_]+)*")
_REPEATED = re.compile(r"\b(not|never|no|the|an?|always|do|does|did|without|with)\s+\1\b", re.IGNORECASE)
_CUT_OFF = re.compile(r"\b(?:not|the|an?|and|or|of|to|with|without|does|did)[.!]?$", re.IGNORECASE)


def reads_as_sentence(text: str) -> bool:
    """Whether ``text`` shows none of the marks of a sentence that a rule has broken. It is no parser.

    >>> reads_as_sentence("The worker does not retry."), reads_as_sentence("The worker does not not retry.")
    (True, False)
    """
    return (
        len(_WORD.findall(text)) >= _FEWEST_WORDS and not _REPEATED.search(text) and not _CUT_OFF.search(text.strip())
    )
