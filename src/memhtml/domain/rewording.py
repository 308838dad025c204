"""Whether two texts are wordings of one fact, as far as words show it.

Likeness of vectors cannot tell: a text and the same text of another service, day or unit are nearer to each other than
two honest wordings. So the words are looked at, and the answer has three sides. `Sense.SAME`: every word of the one has
its counterpart in the other (itself, inflected, or a synonym), but for words that carry no facts, in the same order but
for one part of a sentence that stands elsewhere. `Sense.APART`: what differs are words that make it another fact.
`Sense.UNCLEAR`: neither is seen; somebody has to read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.carried import Carried, Item, carried
from memhtml.domain.divergence import divergences
from memhtml.domain.inflection import same_word
from memhtml.domain.polarity import DENYING, NEGATIONS, OPPOSITES, QUALIFIERS, denials_of, denies_by_affix
from memhtml.domain.stems import stem
from memhtml.domain.synonyms import RESTRICTING, TELLING
from memhtml.domain.wordorder import begins_part, in_order, keys

_PAST = frozenset({"was", "were", "did", "had", "been"})
_PRESENT = frozenset({"is", "are", "am", "does", "do", "has", "have"})
_BY = stem("by")
_MOST_SHOWN = 4  # words
_NONE = frozenset[str]()


class Sense(StrEnum):
    """What two texts are to each other."""

    SAME = "same"
    UNCLEAR = "unclear"
    APART = "apart"


class Compared(Struct, frozen=True):
    """Two texts, compared.

    Attributes:
        sense: what they are to each other.
        why: what tells them apart, as half a sentence; "" when nothing does.
    """

    sense: Sense
    why: str = ""


def compare(first: str, second: str, names: frozenset[str] = _NONE) -> Compared:
    """What two texts are to each other. Symmetric; a text is the same as itself.

    >>> compare("Before every deploy, checkout drains its queue.", "Checkout drains the queue prior to each deploy.")
    Compared(sense=<Sense.SAME: 'same'>, why='')
    >>> compare("Checkout drains its queue.", "Billing drains its queue.").sense
    <Sense.APART: 'apart'>

    Args:
        first: one text.
        second: the other.
        names: folded words that are names where the texts come from, however they are written.
    """
    if first == second:
        return Compared(Sense.SAME)
    ways = divergences(first, second)
    if ways:
        return Compared(Sense.APART, f"they differ by {' and '.join(sorted(ways))}")
    one, other = carried(first), carried(second)
    return _by_words(one, other, names) or _by_order(one, other) or Compared(Sense.SAME)


def holds(whole: str, part: str) -> bool:
    """Whether ``whole`` says all that ``part`` says, word for word, and more at the end of its sentences alone.

    What is more must begin with a preposition, or with ``and``: a word more elsewhere may say of what, as in large
    refunds. Where something is denied, less says more; so then it is not seen.

    >>> holds("Checkout drains its queue before the deploy.", "Checkout drains its queue.")
    True
    >>> holds("Large refunds need approval.", "Refunds need approval.")
    False
    """
    one, other = carried(whole), carried(part)
    if any(_denies(item) for item in (*one.items, *other.items)):
        return False
    sentences = iter(_weighty(sentence) for sentence in one.parts)
    wanted = [_weighty(sentence) for sentence in other.parts]
    return all(any(_begins(sentence, said) for sentence in sentences) for said in wanted)


def _begins(sentence: Sequence[Item], said: Sequence[Item]) -> bool:
    more = sentence[len(said) :]
    return keys(sentence[: len(said)]) == keys(said) and (not more or begins_part(more[0]))


def _by_words(one: Carried, other: Carried, names: frozenset[str]) -> Compared | None:
    mine, theirs = _beyond(one, other), _beyond(other, one)
    crossed = _crossed(one, other)
    if crossed:
        return Compared(Sense.APART, f"they say the contrary: {crossed}")
    if not mine and not theirs:
        return _by_tense(one, other)
    if [item.key for item in (*mine, *theirs)] == [_BY]:
        in_order = _by_order(one, other) is None
        return None if in_order else Compared(Sense.APART, "they say otherwise who does it")
    said = f"one has {_shown(mine)}, the other {_shown(theirs)}"
    if any(_tells(item, names) for item in (*mine, *theirs)):
        return Compared(Sense.APART, said)
    if len({item.key for item in mine}) == len({item.key for item in theirs}) == 1 or _one_stretch(one, other):
        return Compared(Sense.APART, said)
    return Compared(Sense.UNCLEAR, said)


def _by_tense(one: Carried, other: Carried) -> Compared | None:
    for was, now in ((one.words, other.words), (other.words, one.words)):
        if was & _PAST and now & _PRESENT and not (now & _PAST or was & _PRESENT):
            return Compared(Sense.APART, "one says what was, the other what is")
    return None


def _by_order(one: Carried, other: Carried) -> Compared | None:
    parts, others = [_weighty(part) for part in one.parts], [_weighty(part) for part in other.parts]
    parts, others = [part for part in parts if part], [part for part in others if part]
    if len(parts) == len(others):
        if all(in_order(part, like) for part, like in zip(parts, others, strict=True)):
            return None
    elif keys(sum(parts, ())) == keys(sum(others, ())):
        return None
    return Compared(Sense.APART, "they say the same words of one another otherwise")


def _beyond(one: Carried, other: Carried) -> tuple[Item, ...]:
    """What ``one`` carries and ``other`` has no counterpart for, in order; light words are not looked for."""
    left = Counter(item.key for item in one.items)
    left.subtract(item.key for item in other.items)
    theirs: dict[str, set[str]] = {}
    for item in other.items:
        theirs.setdefault(item.key, set()).add(item.word)
    return tuple(
        item for item in one.items if not item.light and (left[item.key] > 0 or not _is_met(item, theirs[item.key]))
    )


def _is_met(item: Item, others: set[str]) -> bool:
    """Whether one of the words with the same key says the same; stems join more than forms of one word."""
    return item.key[0] == "=" or item.key[0].isdigit() or any(same_word(item.word, word) for word in others)


def _crossed(one: Carried, other: Carried) -> str:
    """A word of one and the one of the other that says its contrary; "" when there is none."""
    mine, theirs = (sorted(set(map(stem, a.words)) - set(map(stem, b.words))) for a, b in ((one, other), (other, one)))
    for word in mine:
        for contrary in theirs:
            if contrary in OPPOSITES.get(word, _NONE) or contrary in denials_of(word) or word in denials_of(contrary):
                return f"{word} and {contrary}"
    return ""


def _tells(item: Item, names: frozenset[str]) -> bool:
    """Whether one text has a word more, or another one in its place, that makes it another fact."""
    stemmed = stem(item.word)
    return (
        item.marked
        or not item.word[0].isalpha()
        or item.word in names
        or item.word in QUALIFIERS
        or stemmed in TELLING
        or stemmed in RESTRICTING
        or _denies(item)
    )


def _denies(item: Item) -> bool:
    return item.word in NEGATIONS or stem(item.word) in DENYING or denies_by_affix(item.word)


def _one_stretch(one: Carried, other: Carried) -> bool:
    """Whether both are the same but for one stretch of words, in which each has some."""
    mine, theirs = (keys([item for item in each.items if not item.light]) for each in (one, other))
    shorter = min(len(mine), len(theirs))
    start = 0
    while start < shorter and mine[start] == theirs[start]:
        start += 1
    end = 0
    while end < shorter - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    return start + end < shorter and start + end >= shorter / 2


def _weighty(part: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(item for item in part if not item.light)


def _shown(items: Sequence[Item]) -> str:
    distinct = list(dict.fromkeys(item.word for item in items))
    said = ", ".join(distinct[:_MOST_SHOWN]) + (" and more" if len(distinct) > _MOST_SHOWN else "")
    return said or "nothing for it"
