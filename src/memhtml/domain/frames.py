"""The slot that a claim fills: two claims that fill one slot with different values cannot both be current.

The frame is what stands before the claim's last connector (`of is in to by as`), at least three words; the value is
the one to six words after it. Both are compared without case, runs of space and punctuation at the edges of words.
The connector belongs to the slot, since `the retry limit of checkout is 3` and `… in production` say different things.
"""

from __future__ import annotations

import unicodedata

from msgspec import Struct

CONNECTORS = frozenset({"of", "is", "in", "to", "by", "as"})
FEWEST_FRAME_WORDS = 3
MOST_VALUE_WORDS = 6


class Frame(Struct, frozen=True, order=True):
    """A filled slot, folded for comparing.

    Attributes:
        slot: the words up to and with the connector, joined by one space.
        value: the words after it, joined by one space.
    """

    slot: str
    value: str


def frame(claim: str) -> Frame | None:
    """The slot that ``claim`` fills, or ``None`` when it has no such form.

    >>> frame("The retry limit of Checkout is 3.")
    Frame(slot='the retry limit of checkout is', value='3')
    >>> frame("Checkout is slow") is None, frame("Drain nodes before deploying") is None
    (True, True)
    """
    words = _words(claim)
    at = max((place for place, word in enumerate(words) if word in CONNECTORS), default=0)
    value = words[at + 1 :]
    if at < FEWEST_FRAME_WORDS or not 1 <= len(value) <= MOST_VALUE_WORDS:
        return None
    return Frame(" ".join(words[: at + 1]), " ".join(value))


def conflict(one: Frame | None, other: Frame | None) -> bool:
    """Whether the two fill the same slot with different values; ``None`` fills none.

    >>> limit = "the retry limit is "
    >>> conflict(frame(limit + "3"), frame(limit + "5")), conflict(frame(limit + "3"), frame(limit + "3!"))
    (True, False)
    """
    return one is not None and other is not None and one.slot == other.slot and one.value != other.value


def _words(text: str) -> list[str]:
    """The words, folded, edge punctuation off; what is all punctuation is no word."""
    folded = unicodedata.normalize("NFKC", text).casefold().split()
    return [word for word in map(_bare, folded) if word]


def _bare(word: str) -> str:
    start, stop = 0, len(word)
    while start < stop and _is_edge(word[start]):
        start += 1
    while stop > start and _is_edge(word[stop - 1]):
        stop -= 1
    return word[start:stop]


def _is_edge(character: str) -> bool:
    # Symbols stay: `-5`, `+1`, `$3` and `50%` are values, and `%` and `-` count as punctuation in Unicode.
    return unicodedata.category(character).startswith("P") and character not in "-%#@&*/"
