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

from memhtml.domain.polarity import NUMBER_WORDS
from memhtml.evals.verbs import Form, Verb, is_gerund, readings
from memhtml.evals.words import (
    ADVERBS,
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
from memhtml.evals.words import words as listed

_LEADS = (PREPOSITIONS | OPENERS | listed("last next earlier later according due based compared usually")) - listed(
    "that which who whose how why what"
)
_DRY = listed(
    "cool warm slow dry free live complete total separate last own light clean present back mean like love clear"
)
"""Verbs that are other words more often, where nothing before or after them says that they are verbs."""
_I_YOU = listed("i you we they")
_IT = listed("he she it this that everyone everybody someone somebody nobody something everything nothing anyone one")
_MANY = listed("all both many most some several few none half people children men women criteria media those these")
_ONE_IN_S = listed("postgres kubernetes jenkins rails pandas windows kerberos sales news prometheus cypress vitess")
_NOUNS = listed(
    """
    time place test check note log build report list index cache queue result change state cost plan work start end name
    type group form order light face number record release request track trade value view visit study support control
    function interest access review schedule backup script filter load purchase approach
    deploy retry upload download import export push pull merge commit block lock page post rate share mail host store
    hash map link cover swim train
    """
)
"""Verbs that are nouns at least as often."""
_WANTS_A_NOUN = listed("the a an my your his her its our their every whose")
_UNDECIDED = listed("none some most all half data staff team people no each either neither any")
_SAYS = listed(
    "say know think find decide agree show confirm report note suggest believe claim mean see hope check ensure"
)
_NOT_FINITE_AFTER = DETERMINERS | PREPOSITIONS
_JOINS = listed("and or but nor yet")
_TAKES = DETERMINERS | listed("it them him her us me you that to up out down off on in at from for with")

CONTRACTED = re.compile(r"(?i)(i|you|we|they|he|she|it|that|there|this|here|who|what)'(m|re|s|ve|ll|d)")
_REACH = 3  # words in which an auxiliary has its verb
_LABEL = re.compile(r"[A-Z][\w .-]{0,30}: +")
_SUFFIXES_OF_ONE = ("ss", "us", "is", "ics")


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
    if first >= len(words) or (
        words[first].low in OPENERS and first + 1 < len(words) and words[first + 1].low in AUXILIARIES
    ):
        return None
    command = _command(words, first)
    if command is not None:
        return command
    found = _finite(words, first)
    begun = _without_subject(words, first)
    # "Stop imports of it", "Keep copies of the cache": what stands first is a verb sooner than the name of a thing.
    if found is None or (found.kind is Kind.LEXICAL and begun is not None and begun.verb.base not in _NOUNS):
        return begun
    return found


def plural(words: Sequence[Word]) -> tuple[bool, bool]:
    """Whether a subject can be one, and whether it can be many."""
    lows = [word.low for word in words]
    if not lows:
        return False, False
    cut = next((place for place, low in enumerate(lows) if place and low in PREPOSITIONS | OPENERS), len(lows))
    core = [word for word in words[:cut] if word.low not in ADVERBS] or list(words[:cut])
    if "and" in lows:
        return core[-1].low != "they", True
    head, first = core[-1], core[0].low
    nightly = head.low.endswith("ly") and len(core) > 1 and core[-2].low in DETERMINERS
    # Of "the" and "the nightly" the noun is still to come.
    if nightly or head.low in _WANTS_A_NOUN:
        return False, False
    if head.low in _I_YOU | _IT:
        return head.low in _IT, head.low in _I_YOU
    if head.low in _UNDECIDED or first in _UNDECIDED:
        return True, True
    many = head.low in _MANY or first in _MANY or (head.low.endswith("s") and not head.low.endswith(_SUFFIXES_OF_ONE))
    # The name of a product, of a file or of a thing in code may end in any way.
    named = (
        not head.text.isalpha()
        or head.low in _ONE_IN_S
        or not head.text[1:].islower()
        or (head.text[0].isupper() and not many)
    )
    return not many or named, many


def is_participle(low: str) -> bool:
    """Whether a word may be a past participle."""
    return any(verb.form is Form.PARTICIPLE for verb in readings(low)) or low in {"been", "had"}


def is_base(low: str) -> bool:
    """Whether a word may be a verb's base."""
    return any(verb.form is Form.BASE for verb in readings(low))


def _start(sentence: str, words: Sequence[Word]) -> int:
    """The place where the main clause begins: after a label, and after a clause or phrase in front."""
    label = _LABEL.match(sentence)
    place = next((at for at, word in enumerate(words) if label is None or word.start >= label.end()), len(words))
    while place < len(words):
        low, closes = words[place].low, words[place].closes
        if low in _JOINS or closes:
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
    if low in AUXILIARIES and _is_auxiliary(words, at):
        return Clause(tuple(words), first, at, Kind.AUXILIARY, Verb(low, Form.BASE))
    verb = _lexical(words, first, at)
    return None if verb is None else Clause(tuple(words), first, at, Kind.LEXICAL, verb)


def _is_auxiliary(words: Sequence[Word], at: int) -> bool:
    low = words[at].low
    # A month and a tin are written like two of them.
    if low in MODALS and (
        words[at].text != low or words[at - 1].low in _NOT_FINITE_AFTER - {"all", "both", "that", "this"}
    ):
        return False
    if low in BE | MODALS:
        return True
    later = next((word.low for word in words[at + 1 : at + 4] if not _is_adverb(word.low) or word.low == "not"), "")
    if later == "not":
        return True
    if low in HAVE:
        return (is_participle(later) or later.endswith("ed")) and not words[at].closes
    return is_base(later) and not words[at].closes


def _lexical(words: Sequence[Word], first: int, at: int) -> Verb | None:
    word, before = words[at], words[at - 1]
    if not word.text.isalpha() or word.text != word.low:
        return None
    if (
        before.low in _NOT_FINITE_AFTER - {"this", "all", "both", "each"}
        or before.low.endswith("'s")
        or before.low[0].isdigit()
        or before.low in NUMBER_WORDS
    ):
        return None
    subject = words[first:at]
    if all(_is_adverb(word.low) or word.low in {"do", "please"} for word in subject):
        return None
    one, many = plural(subject)
    if word.low == "like" and before.low not in _I_YOU:
        return None
    for verb in readings(word.low):
        if verb.form is Form.BASE and one and before.low not in _I_YOU and _may_be_verb(words, at + 1):
            continue  # after what may be one or many, a base is more often a part of its name
        if before.low in _JOINS or (verb.form is Form.BASE and verb.base in _NOUNS and _is_named(words, at)):
            continue
        agrees = {Form.BASE: many, Form.THIRD: one, Form.PAST: True, Form.PARTICIPLE: False}[verb.form]
        if agrees and not _is_noun(words, at, verb):
            return verb
    return None


def _is_named(words: Sequence[Word], at: int) -> bool:
    """Whether a word that may be a noun stands where a noun ends: "the asthma control.", "the group of"."""
    return words[at].closes or at + 1 == len(words) or words[at + 1].low == "of"


def _may_be_verb(words: Sequence[Word], at: int) -> bool:
    if at >= len(words) or words[at - 1].closes:
        return False
    forms = {verb.form for verb in readings(words[at].low)}
    return bool(forms & {Form.THIRD, Form.PAST})


def _is_noun(words: Sequence[Word], at: int, verb: Verb) -> bool:
    """Whether what comes next shows that this was a noun or a participle and the verb is still to come."""
    if words[at].closes or at + 1 == len(words):
        return False
    rest = [word for word in words[at + 1 :] if not _is_adverb(word.low) or word.low == "no"]
    following = rest[0].low if rest else ""
    if following in AUXILIARIES or following.endswith("n't") or following == "cannot":
        return True
    if verb.form is Form.PAST:
        return following == "by" or (following not in DETERMINERS and _verb_follows(words, at, verb))
    forms = {other.form for other in readings(following)}
    if words[at + 1].low != following:
        return False
    if verb.form is Form.THIRD:
        return following not in _NOUNS and bool(forms & {Form.BASE, Form.PAST}) and not following.endswith("ed")
    return bool(forms & {Form.THIRD}) and len(words) > at + 2


def _verb_follows(words: Sequence[Word], at: int, verb: Verb) -> bool:
    """Whether a plain auxiliary comes later in the same clause, so that a past was a participle."""
    if verb.base in _SAYS:
        return False
    for place in range(at + 1, len(words)):
        low = words[place].low
        if words[place - 1].closes or low in OPENERS | _JOINS | _I_YOU | _IT:
            return False
        if low in BE | MODALS | HAVE | {"does", "did"}:
            return True
        if low in DETERMINERS or words[at + 1].low not in PREPOSITIONS:
            continue
        if any(other.form is Form.THIRD for other in readings(low)) and words[place - 1].low not in PREPOSITIONS:
            return True
    return False


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


def _is_adverb(low: str) -> bool:
    return low in ADVERBS or (low.endswith("ly") and len(low) > len("only"))
