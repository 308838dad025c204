"""Where two texts that look alike say different things: the three predicates no likeness may overrule."""

from __future__ import annotations

from enum import StrEnum

from memhtml.domain.statements import read, sentences


class Divergence(StrEnum):
    """A way in which twins differ."""

    NEGATION = "negation"
    NUMBER = "number"
    QUALIFIER = "qualifier"


def negations_diverge(first: str, second: str) -> bool:
    """Whether exactly one of two texts has a negation marker, contractions written out. Symmetric.

    >>> negations_diverge("It retries.", "It doesn't retry."), negations_diverge("It cannot.", "It can't.")
    (True, False)
    """
    return _negated(first) != _negated(second)


def numbers_diverge(first: str, second: str) -> bool:
    """Whether the sets of numbers in two texts differ; number words count as their digits. Symmetric.

    >>> numbers_diverge("3 retries", "5 retries"), numbers_diverge("three retries", "3 retries")
    (True, False)
    """
    return _numbers(first) != _numbers(second)


def qualifiers_diverge(first: str, second: str) -> bool:
    """Whether the sets of words that tell variants apart differ (``beta``, ``legacy``, …). Symmetric.

    >>> qualifiers_diverge("the beta API", "the API"), qualifiers_diverge("Legacy API", "legacy API")
    (True, False)
    """
    return _qualifiers(first) != _qualifiers(second)


_PREDICATES = {
    Divergence.NEGATION: negations_diverge,
    Divergence.NUMBER: numbers_diverge,
    Divergence.QUALIFIER: qualifiers_diverge,
}


def divergences(first: str, second: str) -> frozenset[Divergence]:
    """Every way in which two texts diverge; empty when none is seen. Symmetric.

    >>> sorted(divergences("keeps 3 copies", "never keeps 5 copies"))
    [<Divergence.NEGATION: 'negation'>, <Divergence.NUMBER: 'number'>]
    """
    return frozenset(way for way, diverge in _PREDICATES.items() if diverge(first, second))


def _negated(text: str) -> bool:
    return any(read(sentence).negations for sentence in sentences(text))


def _numbers(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(read(sentence).numbers for sentence in sentences(text)))


def _qualifiers(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(read(sentence).qualifiers for sentence in sentences(text)))
