"""Where a sentence has its verb: enough grammar to deny a claim and to ask for it, and no more.

There is no tagger here. A word is taken for the verb when it can be one, stands where one stands, and agrees with its
subject; where that does not decide, no verb is found, and nothing is made of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from msgspec import Struct

from memhtml.evals.grammar.finite import I_YOU, JOINS, NAMES, is_auxiliary, lexical
from memhtml.evals.grammar.verbs import Form, Verb, is_gerund, readings
from memhtml.evals.grammar.words import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    HAVE,
    MODALS,
    OPENERS,
    PREPOSITIONS,
    Word,
    words_of,
)
from memhtml.evals.grammar.words import words as listed

_LEADS = (PREPOSITIONS | OPENERS | listed("last next earlier later according due based compared usually")) - listed(
    "that which who whose how why what"
)
_DRY = listed(
    "cool warm slow dry free live complete total separate last own light clean present back mean like love clear"
)
"""Verbs that are other words more often, where nothing before or after them says that they are verbs."""
_TAKES = DETERMINERS | listed("it them him her us me you that to up out down off on in at from for with")

CONTRACTED = re.compile(r"(?i)(i|you|we|they|he|she|it|that|there|this|here|who|what)'(m|re|s|ve|ll|d)")
_REACH = 3  # words in which an auxiliary has its verb
_LABEL = re.compile(r"[A-Z][\w .-]{0,30}: +")


class Kind(Enum):
    """What stands as the verb of a sentence."""

    AUXILIARY = "is, can, has, does: takes the denial itself"
    LEXICAL = "a verb of its own, which needs a form of do"
    IMPERATIVE = "a command, without a subject"
    NOTE = "the past without a subject, as people note what they did"


class Clause(Struct, frozen=True):
    """The main clause of a sentence.

    Attributes:
        words: of the whole sentence.
        first: place of the first word of its subject, or of the verb where there is none.
        at: place of the verb.
        kind: what the verb is.
        verb: its base and form; an auxiliary is its own base.
    """

    words: tuple[Word, ...]
    first: int
    at: int
    kind: Kind
    verb: Verb

    @property
    def word(self) -> Word:
        """The verb's word."""
        return self.words[self.at]

    def after(self, places: int = 1) -> str:
        """The word some places after the verb, in small letters; empty where a stop or the end comes first."""
        found = self.words[self.at : self.at + places + 1]
        return found[-1].low if len(found) == places + 1 and not any(word.closes for word in found[:-1]) else ""


@lru_cache(maxsize=512)
def clause(sentence: str) -> Clause | None:
    """The main clause of one sentence; ``None`` for a question, a fragment, and where the rules cannot tell.

    A pure function; the cache saves what one claim's controls and queries share.

    >>> found = clause("When it rains, the nightly jobs of the worker fail twice.")
    >>> found.word.text, found.kind.name, found.verb.form.name
    ('fail', 'LEXICAL', 'BASE')
    >>> clause("Restart the worker.").kind.name, clause("Chose the queue.").kind.name, clause("What a day!")
    ('IMPERATIVE', 'NOTE', None)
    """
    words = words_of(sentence)
    if not words or "?" in sentence[words[-1].end :]:
        return None
    first = _start(sentence, words)
    if first >= len(words) or _is_asked(words, first):
        return None
    command = _command(words, first)
    if command is not None:
        return command
    found = _finite(words, first)
    begun = _without_subject(words, first)
    # "Stop imports of it", "Keep copies of the cache": what stands first is a verb sooner than the name of a thing.
    if found is None or (found.kind is Kind.LEXICAL and begun is not None and begun.verb.base not in NAMES):
        return begun
    return found


def _is_asked(words: Sequence[Word], first: int) -> bool:
    """Whether what begins here is a question, though without its mark: "how do", "can you", "have you"."""
    low, following = words[first].low, words[first + 1].low if first + 1 < len(words) else ""
    if low in OPENERS:
        return following in AUXILIARIES
    return low in AUXILIARIES and (low not in {"do", "have"} or following in I_YOU or following in {"it", "he", "she"})


def _start(sentence: str, words: Sequence[Word]) -> int:
    """The place where the main clause begins: after a label, and after a clause or phrase in front."""
    label = _LABEL.match(sentence)
    place = next((at for at, word in enumerate(words) if label is None or word.start >= label.end()), len(words))
    while place < len(words):
        low, closes = words[place].low, words[place].closes
        if low in JOINS or closes:
            place += 1  # "And", "Wow,", "Today,"
            continue
        if low in _LEADS or is_gerund(low):
            comma = next((at for at in range(place, len(words)) if words[at].closes), len(words))
            # "Running it is slow, …": there it is the subject.
            subject = low not in _LEADS and any(word.low in BE | MODALS | HAVE for word in words[place:comma])
            if comma + 1 < len(words) and not subject:
                place = comma + 1
                continue
        return place
    return place


def _finite(words: Sequence[Word], first: int) -> Clause | None:
    """The first verb that agrees with what stands before it and is not the verb of a clause inside."""
    inside = helped = 0
    for at in range(first, len(words)):
        word = words[at]
        if at > first and word.low in OPENERS and not (word.low == "that" and words[at - 1].low in PREPOSITIONS):
            inside += 1
            continue
        found = _verb_at(words, first, at)
        if found is None:
            continue
        if inside and at > first:
            inside -= 1
            helped = at + _REACH if found.kind is Kind.AUXILIARY else 0
            continue
        if found.kind is Kind.LEXICAL and at <= helped and not any(word.closes for word in words[helped - _REACH : at]):
            continue  # "who can read": the verb of the auxiliary that was passed over
        return found
    return None


def _verb_at(words: Sequence[Word], first: int, at: int) -> Clause | None:
    word = words[at]
    low = word.low
    if CONTRACTED.fullmatch(low):
        return Clause(tuple(words), first, at, Kind.AUXILIARY, Verb(low, Form.BASE))
    if low.endswith("n't") or low == "cannot":
        return Clause(tuple(words), first, at, Kind.AUXILIARY, Verb(low, Form.BASE))
    if at == first:
        return None
    if low in AUXILIARIES and is_auxiliary(words, at):
        return Clause(tuple(words), first, at, Kind.AUXILIARY, Verb(low, Form.BASE))
    verb = lexical(words, first, at)
    return None if verb is None else Clause(tuple(words), first, at, Kind.LEXICAL, verb)


def _command(words: Sequence[Word], first: int) -> Clause | None:
    """A command that shows at once: "always use", "use the". A noun stands before neither."""
    at = _past_adverbs(words, first)
    if at + 1 >= len(words) or words[at].closes or words[at].low in AUXILIARIES:
        return None
    verbs = readings(words[at].low)
    verb = next((verb for verb in verbs if verb.form is Form.BASE), None)
    if verb is None and at == first and words[at].text[0].isupper() and words[at + 1].low in DETERMINERS:
        noted = next((verb for verb in verbs if verb.form is Form.PAST), None)
        return None if noted is None else Clause(tuple(words), first, at, Kind.NOTE, noted)
    shows = at > first or words[at + 1].low in DETERMINERS | {"it", "them"} or words[at + 1].text[0] == "`"
    return None if verb is None or not shows else Clause(tuple(words), first, at, Kind.IMPERATIVE, verb)


def _past_adverbs(words: Sequence[Word], at: int) -> int:
    while at < len(words) - 1 and words[at].low in {"always", "never", "please", "then", "only", "just", "also"}:
        at += 1
    return at


def _without_subject(words: Sequence[Word], first: int) -> Clause | None:
    """A command, or a note of what was done."""
    at = _past_adverbs(words, first)
    word = words[at]
    if not word.text.isalpha() or at + 1 >= len(words):
        return None
    following = words[at + 1]
    if word.closes:
        return None
    for verb in readings(word.low):
        doubtful = word.low in AUXILIARIES | _DRY or following.low in OPENERS
        if verb.form is Form.BASE and not doubtful:
            return Clause(tuple(words), first, at, Kind.IMPERATIVE, verb)
        takes = following.low in _TAKES or not following.text.isalpha() or following.text[0].isupper()
        if verb.form is Form.PAST and takes and at == first and word.text[0].isupper():
            return Clause(tuple(words), first, at, Kind.NOTE, verb)
    return None
