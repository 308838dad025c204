"""A sentence read for what decides between twins: its words, what it denies, its numbers and its qualifiers."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from memhtml.domain.polarity import DENYING, NEGATIONS, NUMBER_WORDS, QUALIFIERS, denies_by_affix
from memhtml.domain.stems import stem
from memhtml.domain.stopwords import STOP_WORDS

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*%?|[^\W\d_]+|[.,;:!?()]")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'(?:re|s|ve|ll|d|m)\b"), ""),
)
_TURNS = frozenset({"but", "although", "though", "however", "while", "whereas", "yet"})
_CLOSES_CLAUSE = frozenset(".;:!?()")
_REACH_BACK = 3  # content words on either side that a denial is taken to speak of
_REACH_ON = 4
_BACK_COST = 1.5  # English denies what follows more often than what went before

_SENTENCE_END = re.compile(r"([.!?][\"')\]]*)\s+|\n+")
_ABBREVIATIONS = frozenset(
    "st dr mr mrs ms no vs jr sr prof gen col lt fig inc ltd co corp e.g i.e u.s etc p.m a.m".split()  # noqa: SIM905 - a list would take a line a word
)


class Statement(Struct, frozen=True):
    """What one sentence says, as far as words show it. Stems unless said otherwise.

    Attributes:
        stems: every word and number, in order.
        held: the same, as a set.
        pairs: neighbours in order.
        content: words that are no function words and deny nothing.
        negations: how many plain denials there are.
        denials: the same and the words that deny in themselves.
        denying: those words, the plain denials left out.
        near: content words near a denial, each with how near: 1 next after it, less further off.
        numbers: digits and number words, without separators of thousands or a percent sign.
        qualifiers: words that tell variants apart, not stemmed.
    """

    stems: tuple[str, ...]
    held: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    content: frozenset[str]
    negations: int
    denials: int
    denying: frozenset[str]
    near: Mapping[str, float]
    numbers: frozenset[str]
    qualifiers: frozenset[str]


class _Word(NamedTuple):
    """What a word says by itself, wherever it stands."""

    stem: str
    number: str | None
    qualifies: bool
    negates: bool
    turns: bool
    tells: bool  # no function word
    denies: bool


class _Mark(NamedTuple):
    """A word that is no function word: its clause, and whether it denies, in whatever way and plainly."""

    clause: int
    denies: bool
    negates: bool
    stem: str


def sentences(text: str) -> tuple[str, ...]:
    """``text`` cut at the ends of sentences and lines, in order; ``()`` when it is blank.

    A full stop after a common abbreviation or an initial, or before a small letter, ends nothing.

    >>> sentences("Ask Dr. Chan. She knows!")
    ('Ask Dr. Chan.', 'She knows!')
    """
    found: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if end.group(1) and _goes_on(text[start : end.start()], text[end.end() : end.end() + 1]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return tuple(filter(None, found))


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """``text`` as one statement. A pure function; the cache saves what twins and repeated searches share.

    >>> said = read("It isn't retried 3 times.")
    >>> said.negations, sorted(said.numbers), sorted(said.near)
    (1, ['3'], ['3', 'retri', 'time'])
    """
    stems: list[str] = []
    marks: list[_Mark] = []
    numbers: set[str] = set()
    qualifiers: set[str] = set()
    negations = clause = 0
    for word in _words(text):
        if not word[0].isalnum():
            clause += word in _CLOSES_CLAUSE
            continue
        stemmed, number, qualifies, negates, turns, tells, denies = _known(word)
        stems.append(stemmed)
        if number is not None:
            numbers.add(number)
        if qualifies:
            qualifiers.add(word)
        negations += negates
        if turns:
            clause += 1
        elif tells:
            marks.append(_Mark(clause, denies, negates, stemmed))
    return Statement(
        stems=tuple(stems),
        held=frozenset(stems),
        pairs=frozenset(itertools.pairwise(stems)),
        content=frozenset(mark.stem for mark in marks if not mark.denies),
        negations=negations,
        denials=sum(mark.denies for mark in marks),
        denying=frozenset(mark.stem for mark in marks if mark.denies and not mark.negates),
        near=_near(marks),
        numbers=frozenset(numbers),
        qualifiers=frozenset(qualifiers),
    )


def _goes_on(before: str, after: str) -> bool:
    words = before.rsplit(None, 1)
    last = words[-1].lower().lstrip("(\"'") if words else ""
    return last in _ABBREVIATIONS or len(last) == 1 or after.islower()


def _words(text: str) -> list[str]:
    folded = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    if "'" in folded or "cannot" in folded:
        for pattern, written_out in _CONTRACTIONS:
            folded = pattern.sub(written_out, folded)
    return _TOKEN.findall(folded)


@lru_cache(maxsize=1 << 14)
def _known(word: str) -> _Word:
    stemmed = stem(word)
    return _Word(
        stem=stemmed,
        number=_number(word),
        qualifies=word in QUALIFIERS,
        negates=word in NEGATIONS,
        turns=word in _TURNS,
        tells=word not in STOP_WORDS,
        denies=_denies(word, stemmed),
    )


def _number(word: str) -> str | None:
    return word.rstrip("%").replace(",", "") if word[0].isdigit() else NUMBER_WORDS.get(word)


def _denies(word: str, stemmed: str) -> bool:
    return word in NEGATIONS or stemmed in DENYING or denies_by_affix(word)


def _near(marks: list[_Mark]) -> dict[str, float]:
    """Content words of a denial's clause and how near they stand, the nearest place counting."""
    near: dict[str, float] = {}
    for place, mark in enumerate(marks):
        if not mark.denies:
            continue
        first = max(0, place - _REACH_BACK)
        for other, word in enumerate(marks[first : place + _REACH_ON + 1], first):
            if word.denies or word.clause != mark.clause:
                continue
            distance = other - place if other > place else _BACK_COST * (place - other)
            near[word.stem] = max(near.get(word.stem, 0.0), 1 / distance)
    return near
