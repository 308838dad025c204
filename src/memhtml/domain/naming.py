"""When two names are spellings of one, as far as their letters show it."""

from __future__ import annotations

import re
from functools import lru_cache

from memhtml.domain.polarity import OPPOSITES, QUALIFIERS, denials_of
from memhtml.domain.stems import stem
from memhtml.domain.synonyms import TELLING
from memhtml.domain.terms import fold

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PARTING = re.compile(r"[\s\-_./:,'\N{RIGHT SINGLE QUOTATION MARK}]+")
_NUMBER = re.compile(r"\d+")
_NONE = frozenset[str]()


def plain_name(name: str) -> str:
    """A name as it is compared: folded, its words parted by one space, without an article in front.

    >>> plain_name("Checkout-API"), plain_name("checkoutApi"), plain_name("The Checkout API")
    ('checkout api', 'checkout api', 'checkout api')
    """
    words = _PARTING.sub(" ", fold(_HUMP.sub(" ", name))).split()
    return " ".join(words[1:] if words[0:1] == ["the"] and len(words) > 1 else words)


def similarity(first: str, second: str) -> float:
    """The share of characters that two names have in common in the same order, 0 to 1; two empty ones are the same.

    Twice the length of the longest common subsequence over both lengths. Symmetric.

    >>> similarity("payment api", "payments api"), similarity("ab", "ba"), similarity("", "a")
    (0.9565217391304348, 0.5, 0.0)
    """
    if first == second:
        return 1.0
    return 2 * _common(*sorted((first, second))) / (len(first) + len(second))


@lru_cache(maxsize=1 << 14)
def are_distinct(first: str, second: str) -> bool:
    """Whether two plain names name two things, however alike they are. Symmetric.

    They do when numbers or words for variants differ, when one has a word that says the contrary of the other's, or
    when a word that differs is one that tells cases of a thing apart (sides, days, stages, roles).

    >>> are_distinct("eu west 1", "eu west 2"), are_distinct("import api", "export api")
    (True, True)
    >>> are_distinct("payment api", "payments api")
    False
    """
    if _is_numeronym(*sorted((first, second), key=len)):
        return False
    mine, theirs = set(first.split()), set(second.split())
    if sorted(_NUMBER.findall(first)) != sorted(_NUMBER.findall(second)):
        return True
    if (mine ^ theirs) & QUALIFIERS:
        return True
    ours, others = {stem(word) for word in mine - theirs}, {stem(word) for word in theirs - mine}
    if not ours & others and (ours | others) & TELLING:
        return True
    return any(
        other in OPPOSITES.get(word, _NONE) or other in denials_of(word) or word in denials_of(other)
        for word in ours - others
        for other in others - ours
    )


def are_words_alike(first: str, second: str, floor: float) -> bool:
    """Whether two plain names are the same but for spaces, or have as many words, each like the other's.

    A long name hides that one of its words is another: billing api, billing ui. Words that begin with another letter
    are others (auth, oauth). Symmetric.

    >>> are_words_alike("billing api", "billing ui", 0.85), are_words_alike("chekout api", "checkout api", 0.85)
    (False, True)
    """
    if first.replace(" ", "") == second.replace(" ", ""):
        return True
    mine, theirs = first.split(), second.split()
    return len(mine) == len(theirs) and all(
        one[0] == other[0] and similarity(one, other) >= floor for one, other in zip(mine, theirs, strict=True)
    )


def may_abbreviate(first: str, second: str) -> bool:
    """Whether one plain name may be short for the other: fewer of its words, their initials, or its ends (k8s).

    Symmetric.

    >>> may_abbreviate("ada", "ada lovelace"), may_abbreviate("a lovelace", "ada lovelace")
    (True, True)
    >>> may_abbreviate("k8s", "kubernetes"), may_abbreviate("ci", "continuous integration"), may_abbreviate("a", "b")
    (True, True, False)
    """
    short, long = sorted((first, second), key=lambda name: (len(name), name))
    brief, full = short.split(), long.split()
    if not brief or short == long:
        return False
    if set(brief) <= set(full) or short.replace(" ", "") == "".join(word[0] for word in full):
        return True
    if _is_numeronym(short, long):
        return True
    return len(brief) == len(full) and all(
        one == other or (len(one) == 1 and other.startswith(one)) for one, other in zip(brief, full, strict=True)
    )


def _is_numeronym(short: str, long: str) -> bool:
    """Whether ``short`` is ``long`` with most of its letters counted: k8s. One letter is no shorter when counted."""
    inner = short[1:-1]
    return (
        len(short) < len(long)
        and inner.isascii()
        and inner.isdecimal()
        and short[0] == long[0]
        and short[-1] == long[-1]
        and int(inner) == len(long) - 2
    )


def _common(first: str, second: str) -> int:
    """The length of the longest common subsequence, by rows of bits (Crochemore et al., 2001)."""
    places: dict[str, int] = {}
    for place, character in enumerate(first):
        places[character] = places.get(character, 0) | 1 << place
    full = (1 << len(first)) - 1
    row = full
    for character in second:
        met = row & places.get(character, 0)
        row = ((row + met) | (row - met)) & full
    return len(first) - row.bit_count()
