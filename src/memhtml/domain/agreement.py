"""How well a statement answers to a question that is about the same thing: not nearness, but saying the same.

Cosine and shared words rank a wrong twin above a right paraphrase, since a denial or another number changes few words.
What is compared here is what those words change: denials and where they stand, numbers, qualifiers, opposites.
"""

from __future__ import annotations

import math
import re

from msgspec import Struct

from memhtml.domain.polarity import AFFIRMING, OPPOSITES, denials_of
from memhtml.domain.statements import Statement

_ASKS = frozenset(
    """
    what which who whom whose when where why how is are was were do does did has have had can could will would should
    may might am
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_MOST_DENIALS = 3  # more of them say nothing more about which of two is meant
_MOST_OPPOSITES = 2
_NONE = frozenset[str]()


class Agreement(Struct, frozen=True):
    """A statement against a question. All but ``order`` and ``length`` are 0 where the two agree.

    Attributes:
        order: share of neighbouring words that both have, 0 to 1 (cosine of the two sets).
        denial: 1.0 when one of them plainly denies and the other denies nothing at all.
        plain: 1.0 when one of them plainly denies and the other denies nothing, but for what both do.
        denials: by how many denials they differ, 0 to 1.
        misplaced: how much what they deny differs, 0 to 1, over the content words that both have.
        negation: 1.0 when exactly one of them has a plain denial, whatever other words deny.
        numbers: share of their numbers that only one of them has, 0 to 1.
        qualifiers: the same for words that tell variants apart.
        opposites: words that say the contrary of a word of the other, 0, 1 or 2 (and more).
        affirmations: words of affirmation in the statement alone.
        length: logarithm of the statement's length in words.
    """

    order: float
    denial: float
    plain: float
    denials: float
    misplaced: float
    negation: float
    numbers: float
    qualifiers: float
    opposites: int
    affirmations: int
    length: float


class Weights(Struct, frozen=True):
    """What each sign counts when two near-twins are weighed against each other; cosine and bm25 count as well."""

    cosine: float
    lexical: float
    order: float
    denial: float
    denials: float
    misplaced: float
    negation: float
    numbers: float
    qualifiers: float
    opposites: float
    affirmations: float
    length: float
    denied: float


CLAIMED = Weights(
    cosine=3.6,
    lexical=0.5,
    order=2.0,
    denial=-1.5,
    denials=-1.5,
    misplaced=-1.0,
    negation=0.0,
    numbers=-1.3,
    qualifiers=-1.3,
    opposites=-1.4,
    affirmations=-1.8,
    length=-1.6,
    denied=-0.6,
)
"""For a text that claims something: what agrees with it denies what it denies."""

ASKED = Weights(
    cosine=3.0,
    lexical=0.0,
    order=1.5,
    denial=0.0,
    denials=1.1,
    misplaced=1.3,
    negation=-2.0,
    numbers=-1.0,
    qualifiers=-1.3,
    opposites=0.0,
    affirmations=-1.0,
    length=0.0,
    denied=-3.0,
)
"""For a question: a memory that takes a stand on what is asked (``rarely``, ``unable``, ``except``) answers it rather
than one that says the same smoothly; but a plain denial must be shared, for `does it` asks for what it does."""


def asks(text: str) -> bool:
    """Whether ``text`` is a question rather than a claim, by its mark or its first word.

    >>> asks("Is it retried?"), asks("where the logs are"), asks("It is retried.")
    (True, True, False)
    """
    if text.rstrip().endswith("?"):
        return True
    first = _FIRST_WORD.search(text.lower())
    return first is not None and first.group() in _ASKS


def compare(question: Statement, statement: Statement) -> Agreement:
    """How ``statement`` answers to ``question``."""
    missing = question.held - statement.held
    added = statement.held - question.held
    pairs = math.sqrt(max(1, len(question.pairs)) * max(1, len(statement.pairs)))
    unlike = min(abs(question.denials - statement.denials), _MOST_DENIALS)
    return Agreement(
        order=len(question.pairs & statement.pairs) / pairs,
        denial=float(_denies_alone(question, statement) or _denies_alone(statement, question)),
        plain=float(_denies_beside(question, statement) or _denies_beside(statement, question)),
        denials=unlike / _MOST_DENIALS,
        misplaced=_misplaced(question, statement),
        negation=float((question.negations > 0) != (statement.negations > 0)),
        numbers=_unshared(question.numbers, statement.numbers),
        qualifiers=_unshared(question.qualifiers, statement.qualifiers),
        opposites=min(_opposites(missing, added), _MOST_OPPOSITES),
        affirmations=len(added & AFFIRMING),
        length=math.log1p(len(statement.stems)),
    )


def stand(agreement: Agreement, weights: Weights) -> float:
    """The signs that are the same however alike two statements are, weighed; higher agrees better."""
    return (
        weights.denial * agreement.denial
        + weights.denials * agreement.denials
        + weights.misplaced * agreement.misplaced
        + weights.negation * agreement.negation
        + weights.numbers * agreement.numbers
        + weights.qualifiers * agreement.qualifiers
        + weights.opposites * agreement.opposites
        + weights.affirmations * agreement.affirmations
    )


def same_stand(first: Agreement, second: Agreement) -> bool:
    """Whether two statements say what a question names in the same way, whatever else they say."""
    return (first.denial, first.denials, first.misplaced, first.opposites, first.affirmations) == (
        second.denial,
        second.denials,
        second.misplaced,
        second.opposites,
        second.affirmations,
    )  # fmt: skip - two rows of the same names


def _denies_alone(one: Statement, other: Statement) -> bool:
    return one.negations > 0 and other.denials == 0


def _denies_beside(one: Statement, other: Statement) -> bool:
    # A word that both hold denies nothing that the plain denial is about: a failed call is retried, or it is not.
    return one.negations > 0 and other.negations == 0 and other.denying <= one.denying


def _misplaced(question: Statement, statement: Statement) -> float:
    unlike = either = 0.0
    for word in question.content & statement.content:
        asked, said = question.near.get(word, 0.0), statement.near.get(word, 0.0)
        unlike += abs(asked - said)
        either += max(asked, said)
    return unlike / (1 + either)


def _unshared(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first ^ second) / max(1, len(first | second))


def _opposites(missing: frozenset[str], added: frozenset[str]) -> int:
    found = 0
    for word in missing:
        found += not OPPOSITES.get(word, _NONE).isdisjoint(added)
        found += len(denials_of(word) & added)
        # Looked at from the shorter word, so each pair is seen once whichever of the two has the affix.
        found += sum(word in denials_of(other) for other in added if len(other) < len(word))
    return found
