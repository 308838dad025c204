"""Controls: nearly identical, deliberately wrong versions of a memory, derived by rule and by nobody's imagination.

Three families, one for each way in which twins diverge. A control is checked with the predicate of its own family;
what did not come out as wrong, as new and as a sentence is thrown away and counted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.divergence import Divergence, negations_diverge, numbers_diverge, qualifiers_diverge
from memhtml.domain.terms import fold
from memhtml.evals import negation, numbers, qualifiers
from memhtml.evals.grammar.sentence import LONGEST, Flip, reads_as_sentence


class Control(Struct, frozen=True):
    """A wrong twin: what it claims and what its body says."""

    family: Divergence
    claim: str
    body: str


class Rejection(StrEnum):
    """Why a derived text is no control."""

    NOT_DIVERGED = "not_diverged"
    SAME_AS_TARGET = "same_as_target"
    SAME_AS_ANOTHER = "same_as_another"
    NO_SENTENCE = "no_sentence"


class Rejected(Struct, frozen=True):
    """A derived text that was thrown away."""

    family: Divergence
    reason: Rejection


class Derived(Struct, frozen=True):
    """What came of one target: at most one control a family, and everything that was thrown away on the way."""

    controls: tuple[Control, ...]
    rejected: tuple[Rejected, ...]


class _Family(Struct, frozen=True):
    flips: Callable[[str, str], Iterator[Flip]]
    diverge: Callable[[str, str], bool]


FAMILIES = {
    Divergence.NEGATION: _Family(negation.flips, negations_diverge),
    Divergence.NUMBER: _Family(numbers.flips, numbers_diverge),
    Divergence.QUALIFIER: _Family(qualifiers.flips, qualifiers_diverge),
}


_MOST_TRIES = 12


def derive(claim: str, body: str, taken: Collection[str] = ()) -> Derived:
    """The controls of a memory, in the order negation, number, qualifier; the same ones every time.

    What is changed in the claim is changed in the body too, where that says the same again. A family that has nothing
    to change in the claim gives nothing, and counts nothing. Where the first try of a family is thrown away the next
    is taken, as far as there is one.

    Args:
        claim: one or more sentences; more than `LONGEST` characters give nothing.
        body: what stands below it; may be empty.
        taken: claims that other memories hold.

    >>> [control.claim for control in derive("The worker retries 3 times.", "").controls]
    ['The worker does not retry 3 times.', 'The worker retries 5 times.', 'The legacy worker retries 3 times.']
    >>> derive("Hm", "")
    Derived(controls=(), rejected=())
    """
    if len(claim) > LONGEST:
        return Derived((), ())
    others = {fold(other) for other in taken}
    controls: list[Control] = []
    rejected: list[Rejected] = []
    for name, family in FAMILIES.items():
        for flip in itertools.islice(family.flips(claim, body), _MOST_TRIES):
            reason = _fault(flip.claim, family, claim)
            if reason is None and fold(flip.claim) in others:
                reason = Rejection.SAME_AS_ANOTHER
            if reason is None:
                controls.append(Control(name, flip.claim, flip.body))
                break
            rejected.append(Rejected(name, reason))
    return Derived(tuple(controls), tuple(rejected))


def _fault(text: str, family: _Family, claim: str) -> Rejection | None:
    if fold(text) == fold(claim):
        return Rejection.SAME_AS_TARGET
    if not reads_as_sentence(text):
        return Rejection.NO_SENTENCE
    if not family.diverge(claim, text):
        return Rejection.NOT_DIVERGED
    return None
