"""The words of a sentence where they stand, and the closed classes of English words."""

from __future__ import annotations

import re

from msgspec import Struct, structs


def words(listed: str) -> frozenset[str]:
    """A closed class, written as one text."""
    return frozenset(listed.split())


MODALS = words("can could must should will would may might shall")
BE = words("is are was were am")
HAVE = words("has have had")
DO = words("do does did")
AUXILIARIES = MODALS | BE | HAVE | DO
DETERMINERS = words(
    "the a an this these those my your his her its our their each every some any no all both another what which whose"
)
PREPOSITIONS = words(
    """
    of in on at by for with from to into onto over under between among through during without within against about above
    below across along around behind beside beyond near off per than toward towards upon via as like except despite
    inside outside plus versus vs
    """
)
OPENERS = words(
    """
    if when while because although though unless until once since whereas whenever where wherever after before as that
    which who whom whose whether how why what so lest
    """
)
"""Words that open a clause of its own, whose verb is not the sentence's."""

ADVERBS = words(
    """
    always never often usually sometimes rarely seldom still also already just only even now then soon again not ever
    almost too quite very here there once twice no longer yet all both either
    """
)

_WORD = re.compile(r"`[^`]+`|\S+")
_QUOTES = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_EDGES = f"\"'()[]{{}}*_{_QUOTES}\N{RIGHT SINGLE QUOTATION MARK}"
_STOPS = ",;:.!?\N{HORIZONTAL ELLIPSIS}"
_DASHES = "\N{EM DASH}\N{EN DASH}"


class Word(Struct, frozen=True):
    """A word where it stands in the text.

    Attributes:
        start: where its core begins; punctuation around it is left out.
        end: where its core ends.
        text: the core.
        low: the core in small letters, with a plain apostrophe.
        closes: whether a comma, a colon or another stop comes right after it.
    """

    start: int
    end: int
    text: str
    low: str
    closes: bool


def words_of(text: str) -> tuple[Word, ...]:
    """The words of ``text`` in order; a span of code is one word.

    >>> [(word.text, word.closes) for word in words_of("Use `a b`, (really).")]
    [('Use', False), ('`a b`', True), ('really', True)]
    """
    found: list[Word] = []
    for match in _WORD.finditer(text):
        raw = match.group()
        bare = raw.rstrip(_STOPS + _EDGES)
        core = bare.lstrip(_EDGES)
        if not any(map(str.isalnum, core)):
            if found and not raw.strip(f"-{_DASHES}"):
                found[-1] = structs.replace(found[-1], closes=True)
            continue
        start = match.start() + len(bare) - len(core)
        low = core.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        tail = text[start + len(core) : start + len(core) + 3].lstrip(_EDGES)[:1]
        found.append(Word(start, start + len(core), core, low, bool(tail) and tail in _STOPS + _DASHES))
    return tuple(found)
