"""Which word is the verb of the subject before it: what it may be, where it stands, and whether the two agree."""

from __future__ import annotations

from collections.abc import Sequence

from memhtml.domain.polarity import NUMBER_WORDS
from memhtml.evals.grammar.verbs import Form, Verb, readings
from memhtml.evals.grammar.words import ADVERBS, AUXILIARIES, BE, DETERMINERS, HAVE, MODALS, OPENERS, PREPOSITIONS, Word
from memhtml.evals.grammar.words import words as listed

I_YOU = listed("i you we they")
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
NAMES = _NOUNS | listed(
    """
    feature version pause source label signal target sample figure package process project document level profile
    program comment exercise estimate detail design display format guarantee guide hook issue limit loop match measure
    model monitor object offset offer patch phone plant point poll pool proxy query quote race range rank reference
    register remark repair reply reserve respect reward risk route scale score seal shape shift sign slice slide
    snapshot sort sound span split sponsor stack stage stamp step stock stream stress structure style subject supply
    surface switch tag task taste tick touch trace transfer treat trigger trip tune turn update upgrade value voice
    volume vote walk wash watch weight wish wrap yield batch bundle crash dump filter flag frame hint handle copy
    """
)
"""Those, and others that begin the name of a thing where they stand first."""
_WANTS_A_NOUN = listed("the a an my your his her its our their every whose")
_UNDECIDED = listed("none some most all half data staff team people no each either neither any")
_SAYS = listed(
    "say know think find decide agree show confirm report note suggest believe claim mean see hope check ensure"
)
_NOT_FINITE_AFTER = DETERMINERS | PREPOSITIONS | listed("other such same own new various certain additional further")
JOINS = listed("and or but nor yet")
_SUFFIXES_OF_ONE = ("ss", "us", "is", "ics")


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
    if head.low in I_YOU | _IT:
        return head.low in _IT, head.low in I_YOU
    if head.low in _UNDECIDED or first in _UNDECIDED:
        return True, True
    many = head.low in _MANY or first in _MANY or plural_form(head.low)
    # The name of a product, of a file or of a thing in code may end in any way.
    named = (
        not head.text.isalpha()
        or head.low in _ONE_IN_S
        or not head.text[1:].islower()
        or (head.text[0].isupper() and not many)
    )
    return not many or named, many


def plural_form(low: str) -> bool:
    """Whether a word looks like many: an s that is no ending of one."""
    return low.endswith("s") and not low.endswith(_SUFFIXES_OF_ONE)


def is_participle(low: str) -> bool:
    """Whether a word may be a past participle."""
    return any(verb.form is Form.PARTICIPLE for verb in readings(low)) or low in {"been", "had"}


def is_base(low: str) -> bool:
    """Whether a word may be a verb's base."""
    return any(verb.form is Form.BASE for verb in readings(low))


def is_auxiliary(words: Sequence[Word], at: int) -> bool:
    """Whether one of the auxiliary words is one here: "has" and "does" may be verbs of their own, "may" a month."""
    low = words[at].low
    # A month and a tin are written like two of them.
    if low in MODALS and (
        words[at].text != low or words[at - 1].low in _NOT_FINITE_AFTER - {"all", "both", "that", "this"}
    ):
        return False
    if low in BE | MODALS:
        return True
    later = next((word.low for word in words[at + 1 : at + 4] if not is_adverb(word.low) or word.low == "not"), "")
    if later == "not":
        return True
    if low in HAVE:
        return (is_participle(later) or later.endswith("ed")) and not words[at].closes
    return is_base(later) and not words[at].closes


def lexical(words: Sequence[Word], first: int, at: int) -> Verb | None:
    """The verb that a word is for the subject that begins at ``first``; ``None`` where it is none that agrees."""
    if not _may_stand(words, at):
        return None
    subject, before = words[first:at], words[at - 1].low
    if all(is_adverb(word.low) or word.low in {"do", "please"} for word in subject):
        return None
    one, many = plural(subject)
    for verb in readings(words[at].low):
        if verb.form is Form.BASE and one and before not in I_YOU and _may_be_verb(words, at + 1):
            continue  # after what may be one or many, a base is more often a part of its name
        if verb.form is Form.BASE and verb.base in NAMES and (_is_named(words, at) or _is_inside(subject)):
            continue
        agrees = {Form.BASE: many, Form.THIRD: one, Form.PAST: True, Form.PARTICIPLE: False}[verb.form]
        if agrees and not _is_noun(words, at, verb, one=one):
            return verb
    return None


def _may_stand(words: Sequence[Word], at: int) -> bool:
    """Whether a verb may stand here at all, by the word before it."""
    word, before = words[at], words[at - 1].low
    if not word.text.isalpha() or word.text != word.low:
        return False
    if before[0].isdigit() or before in NUMBER_WORDS:
        return word.low in HAVE or _is_past_alone(word.low)
    if before in JOINS or before in _NOT_FINITE_AFTER - {"this", "all", "both", "each"} or before.endswith("'s"):
        return False
    return word.low != "like" or before in I_YOU


def _is_past_alone(low: str) -> bool:
    """Whether a word is a past that is no participle too: "broke" has a subject, whatever stands before it."""
    return any(verb.form is Form.PAST for verb in readings(low)) and not is_participle(low)


def _is_named(words: Sequence[Word], at: int) -> bool:
    """Whether a word that may be a noun stands where a noun ends: "the asthma control.", "the group of"."""
    return words[at].closes or at + 1 == len(words) or words[at + 1].low == "of"


def _is_inside(subject: Sequence[Word]) -> bool:
    """Whether a base may belong to a clause inside the subject: "sites that follow an interaction design"."""
    inside = any(word.low in OPENERS for word in subject[1:])
    return inside and not plural_form(subject[-1].low) and not is_adverb(subject[-1].low)


def _may_be_verb(words: Sequence[Word], at: int) -> bool:
    if at >= len(words) or words[at - 1].closes:
        return False
    forms = {verb.form for verb in readings(words[at].low)}
    return bool(forms & {Form.THIRD, Form.PAST})


def _is_noun(words: Sequence[Word], at: int, verb: Verb, *, one: bool) -> bool:
    """Whether what comes next shows that this was a noun or a participle and the verb is still to come."""
    if words[at].closes or at + 1 == len(words):
        return False
    following = next((word.low for word in words[at + 1 :] if not is_adverb(word.low) or word.low == "no"), "")
    if following in AUXILIARIES or following.endswith("n't") or following == "cannot":
        return True
    if verb.form is Form.PAST:
        return following == "by" or (following not in DETERMINERS and _verb_follows(words, at, verb))
    return words[at + 1].low == following and _names(words, at, verb, one=one)


def _names(words: Sequence[Word], at: int, verb: Verb, *, one: bool) -> bool:
    """Whether a base or a third person is a noun, by the word after it."""
    following = words[at + 1].low
    forms = {other.form for other in readings(following)}
    if verb.form is Form.BASE:
        return one and Form.THIRD in forms and len(words) > at + 2
    if following in PREPOSITIONS:
        return verb.base in NAMES and _acts_later(words, at)
    return following not in _NOUNS and bool(forms & {Form.BASE, Form.PAST}) and not following.endswith("ed")


def _acts_later(words: Sequence[Word], at: int) -> bool:
    """Whether a base with an object comes later in the same clause: "GC pauses above a second trigger an alert"."""
    for place in range(at + 2, len(words) - 1):
        low, before = words[place].low, words[place - 1]
        if before.closes or low in OPENERS | JOINS:
            return False
        free = before.low not in DETERMINERS | PREPOSITIONS | AUXILIARIES
        if free and is_base(low) and words[place + 1].low in DETERMINERS:
            return True
    return False


def _verb_follows(words: Sequence[Word], at: int, verb: Verb) -> bool:
    """Whether a plain auxiliary comes later in the same clause, so that a past was a participle."""
    if verb.base in _SAYS:
        return False
    for place in range(at + 1, len(words)):
        low = words[place].low
        if words[place - 1].closes or low in OPENERS | JOINS | I_YOU | _IT:
            return False
        if low in BE | MODALS | HAVE | {"does", "did"}:
            return True
        if low in DETERMINERS or words[at + 1].low not in PREPOSITIONS:
            continue
        if any(other.form is Form.THIRD for other in readings(low)) and words[place - 1].low not in PREPOSITIONS:
            return True
    return False


def is_adverb(low: str) -> bool:
    """Whether a word may stand between a subject and its verb without being either."""
    return low in ADVERBS or (low.endswith("ly") and len(low) > len("only"))
