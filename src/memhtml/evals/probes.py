"""Queries for a claim, as an agent types them: never the claim itself, always with what decides between its twins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.polarity import NEGATIONS, NUMBER_WORDS, QUALIFIERS
from memhtml.domain.statements import sentences
from memhtml.domain.stopwords import STOP_WORDS
from memhtml.domain.terms import fold
from memhtml.evals.grammar.asking import question
from memhtml.evals.grammar.clauses import clause
from memhtml.evals.grammar.sentence import LONGEST
from memhtml.evals.grammar.words import AUXILIARIES, OPENERS, PREPOSITIONS, Word, words_of


class Style(StrEnum):
    """How a query is typed.

    Attributes:
        REORDERED: the claim's phrases in another order, without articles.
        QUESTION: a question that asks for what the claim says, or why it is so.
        KEYWORDS: words of content alone, in small letters, in another order.
    """

    REORDERED = "reordered"
    QUESTION = "question"
    KEYWORDS = "keywords"


class _Phrase(Struct, frozen=True):
    """Words that stay together: ``lead`` is a preposition before them, if any."""

    lead: str
    words: tuple[str, ...]


_AFTER_A_NUMBER = PREPOSITIONS | OPENERS | (AUXILIARIES - {"am"}) | {"and", "or", "but"}
_DIGIT = re.compile(r"\d")
_FEWEST_PHRASES = 2
_FAMILIES = tuple(Divergence)


def query(claim: str, family: Divergence, style: Style, turn: int) -> str | None:
    """A query about ``claim`` in one style, or ``None`` where it cannot be asked so, or is longer than `LONGEST`.

    It holds the polarity, the numbers and the qualifiers of the claim, whichever ``family`` it is turned around, so it
    tells the claim from a twin of any family.

    Args:
        claim: what the target says.
        family: what the query is about before all else: where the style can, it comes first.
        style: how it is typed.
        turn: which of the style's forms is taken; any number, 0 and up.

    >>> for style in Style:
    ...     query("The checkout worker never retries failed jobs after a deploy.", Divergence.NEGATION, style, 0)
    'after deploy failed jobs never retries checkout worker'
    'why does the checkout worker never retry failed jobs after a deploy?'
    'never retries failed jobs deploy checkout worker'
    """
    if len(claim) > LONGEST:
        return None
    made = _MAKERS[style](claim, family, turn)
    return next((asked for asked in made if not divergences(claim, asked) and _words(asked) != _words(claim)), None)


def _question(claim: str, family: Divergence, turn: int) -> Iterator[str]:
    """From each sentence that makes one: not every sentence holds all that decides."""
    for sentence in sentences(claim):
        asked = question(sentence, turn + _FAMILIES.index(family))
        if asked is not None:
            yield asked


def _reordered(claim: str, _: Divergence, turn: int) -> Iterator[str]:
    phrases = list(_phrases(claim))
    if len(phrases) < _FEWEST_PHRASES:
        return
    order = [*reversed(phrases)] if turn % 2 == 0 else [phrases[-1], *phrases[:-1]]
    yield " ".join(word for phrase in order for word in (phrase.lead, *phrase.words) if word)


def _keywords(claim: str, family: Divergence, turn: int) -> Iterator[str]:
    phrases = list(_phrases(claim))
    if len(phrases) < _FEWEST_PHRASES:
        return
    first = next(
        (place for place, phrase in enumerate(phrases) if _tells(phrase, family)), 1 + turn % (len(phrases) - 1)
    )
    # Begun at the first phrase, the words would come in the order of the claim.
    order = [*phrases[first:], *phrases[:first]] if first else [phrases[0], *reversed(phrases[1:])]
    yield " ".join(word for phrase in order for word in phrase.words).lower()


def _tells(phrase: _Phrase, family: Divergence) -> bool:
    """Whether what a family changes is in a phrase."""
    lows = [word.lower() for word in phrase.words]
    if family is Divergence.NEGATION:
        return any(low in NEGATIONS for low in lows)
    if family is Divergence.QUALIFIER:
        return any(low in QUALIFIERS for low in lows)
    return any(low in NUMBER_WORDS or _DIGIT.search(low) for low in lows)


def _phrases(claim: str) -> Iterator[_Phrase]:
    """The words of content of a claim, those that stand together kept together, with what leads them."""
    for sentence in sentences(claim):
        words = words_of(sentence)
        found = clause(sentence)
        verb = None if found is None else found.at
        lead, held = "", list[str]()
        for at, word in enumerate(words):
            # "30 s", "9 am": what a unit is called may be a function word elsewhere.
            unit = bool(at) and words[at - 1].text[-1:].isdigit() and not words[at - 1].closes and word.text.isalpha()
            content = (word.text,) if unit and word.low not in _AFTER_A_NUMBER else _content(word)
            # A denial goes with what it denies, so it begins a phrase and never ends one.
            begins = not content or at == verb or _denies(content) or words[at - 1].closes or at - 1 == verb
            if begins and held and not _denies(held[-1:]):
                yield _Phrase(lead, tuple(held))
                lead, held = "", []
            if content:
                held.extend(content)
            elif not held:
                lead = word.low if word.low in PREPOSITIONS | OPENERS else lead
        if held:
            yield _Phrase(lead, tuple(held))


def _content(word: Word) -> tuple[str, ...]:
    """A word as it is typed for its content: nothing for a function word, the denial alone for a verb that has one."""
    if word.low in {"cannot", "can't"}:
        return ("cannot",)
    if word.low.endswith("n't"):
        return ("not",)
    stop = word.low.replace("'", "") in STOP_WORDS
    return () if stop else (word.text,)


def _denies(words: Sequence[str]) -> bool:
    return any(word.lower() in NEGATIONS or word.lower() == "cannot" for word in words)


def _words(text: str) -> list[str]:
    return [fold(word.text) for word in words_of(text)]


_MAKERS = {Style.REORDERED: _reordered, Style.QUESTION: _question, Style.KEYWORDS: _keywords}
