"""Changing a sentence, and the marks of one that came out wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from memhtml.domain.statements import sentences

LONGEST = 2000
"""Characters of a claim that is turned around or asked for; a longer one is a page, and no twin of it is near."""


class Flip(Struct, frozen=True):
    """One way to make a memory say something else."""

    claim: str
    body: str


_FEWEST_WORDS = 3
_WORD = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}][^\W_]+)*")
_GRAMMAR = (
    "not|never|no|the|an?|always|do|does|did|without|with|some|any|is|are|was|were|can|will|still|already|every|must"
)
_REPEATED = re.compile(rf"\b({_GRAMMAR})\s+\1\b", re.IGNORECASE)
_CLASHING = re.compile(
    r"\b(?:(?:the|an?|my|our|every|no|some)\s+(?:the|an?|no|not|every|is|are|was|were|does|do|did|has|have|never)"
    r"|(?:do|does|did)\s+(?:not\s+)?(?:is|are|was|were|been|does|did|has|had|can|must|should|will|would|the|an?)"
    r"|(?:not|never)\s+(?:never|not|no|always\s+never)|(?:can|must|should|will|would)\s+(?:is|are|was|does|has))\b",
    re.IGNORECASE,
)
_CUT_OFF = re.compile(
    r"\b(?:not|the|an?|and|or|of|with|without|does|did|is|are|was|were|never|always|every|some|any)[.!]?$",
    re.IGNORECASE,
)
_VOWELS = frozenset("aeiouAEIOU")
_SPELLED_WITH_VOWEL = frozenset("AEFHILMNORSX")  # letters whose names begin with one
_LIKE_YOU = ("uni", "use", "usa", "usu", "util", "eu", "one", "once", "ub")
_MUTE_H = ("hour", "honest", "honor", "honour", "heir")


def reads_as_sentence(text: str) -> bool:
    """Whether ``text`` shows none of the marks of a sentence that a rule has broken. It is no parser.

    >>> reads_as_sentence("The worker does not retry."), reads_as_sentence("The worker does not not retry.")
    (True, False)
    """
    stripped = text.strip()
    return (
        len(_WORD.findall(text)) >= _FEWEST_WORDS
        and not _REPEATED.search(text)
        and not _CLASHING.search(text)
        and not _CUT_OFF.search(stripped)
        and stripped.count("(") == stripped.count(")")
        and stripped.count("`") % 2 == 0
    )


def article(following: str) -> str:
    """``a`` or ``an`` before a word, by its sound.

    >>> [article(word) for word in ("owner", "user", "hour", "SQL", "URL", "8-core", "3-node")]
    ['an', 'a', 'an', 'an', 'a', 'an', 'a']
    """
    word = following.lstrip("`\"'(")
    low = word.lower()
    if word.isupper() and word.isalpha() and len(word) > 1:
        return "an" if word[0] in _SPELLED_WITH_VOWEL else "a"
    if low.startswith(("8", "11", "18", *_MUTE_H)):
        return "an"
    return "an" if low[:1] in _VOWELS and not low.startswith(_LIKE_YOU) else "a"


def replaced(text: str, start: int, end: int, new: str) -> str:
    """``text`` with a stretch replaced; an empty ``new`` takes a space along, and a capital at the start stays one.

    >>> replaced("Never retry it.", 0, 5, ""), replaced("Use it.", 0, 3, "do not use")
    ('Retry it.', 'Do not use it.')
    """
    before, after = text[:start], text[end:]
    if not new:
        after = after.lstrip(" ") if not before or before.endswith((" ", "\n", "(")) else after
    made = before + new + after
    if text[start : start + 1].isupper() and made[start : start + 1].islower():
        made = made[:start] + made[start].upper() + made[start + 1 :]
    return made


def lowered(word: str) -> str:
    """``word`` without the capital of a sentence's start; names that show that they are names keep theirs.

    >>> [lowered(word) for word in ("Use", "I", "API", "GitHub")]
    ['use', 'I', 'API', 'GitHub']
    """
    return word.lower() if word == "A" or (word[:1].isupper() and word[1:].islower()) else word


def placed(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of ``text`` in order, each with where it begins.

    >>> list(placed("One is. Two are."))
    [(0, 'One is.'), (8, 'Two are.')]
    """
    place = 0
    for sentence in sentences(text):
        place = text.index(sentence, place)
        yield place, sentence
        place += len(sentence)
