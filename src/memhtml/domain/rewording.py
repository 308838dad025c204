"""Whether two texts are wordings of one fact, as far as words show it.

Likeness of vectors cannot tell: a text and the same text of another service, day or unit are nearer to each other than
two honest wordings. So the words are looked at, and the answer has three sides. `Sense.SAME`: every word of the one has
its counterpart in the other (itself, inflected, or a synonym), but for words that carry no facts, in the same order but
for one part of a sentence that stands elsewhere. `Sense.APART`: what differs are words that make it another fact.
`Sense.UNCLEAR`: neither is seen; somebody has to read them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from memhtml.domain.divergence import divergences
from memhtml.domain.inflection import roots, same_word
from memhtml.domain.polarity import DENYING, NEGATIONS, NUMBER_WORDS, OPPOSITES, QUALIFIERS, denials_of, denies_by_affix
from memhtml.domain.statements import sentences
from memhtml.domain.stems import stem
from memhtml.domain.synonyms import GLUE, LIGHT, PHRASES, RESTRICTING, STARTS, SYNONYMS, TELLING

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+|[^\w\s]")
_CONTRACTIONS = (
    (re.compile(r"\b(can)(?:'t|not)\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(w)on't\b", re.IGNORECASE), r"\1ill not"),
    (re.compile(r"\b(sha)n't\b", re.IGNORECASE), r"\1ll not"),
    (re.compile(r"n't\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\w)'(?:re|s|ve|ll|d|m)\b", re.IGNORECASE), ""),
)
_JOINS = frozenset("_./:@#\\")
_TELLING_SIGNS = frozenset("#%@?")
_PAST = frozenset({"was", "were", "did"})
_PRESENT = frozenset({"is", "are", "am", "does", "do"})
_LEADS = frozenset({"in", "on", "at", "to", "into", "onto", "upon", "within"})
_ADVERBS = frozenset({"daily", "nightly", "weekly", "monthly", "yearly", "hourly", "often", "twice", "again", "now"})
_UNITS = {"s": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day", "k": "thousand"}
_BE = "be"
_FORMS_OF_BE = frozenset({"am", "is", "are", "was", "were", "be", "been", "being"})
_BY = stem("by")
_LONGEST_MOVE = 200  # words
_MOST_SHOWN = 4  # words
_LONGEST_PHRASE = max(map(len, PHRASES))
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


class _Token(NamedTuple):
    """A word as it stands; ``marked`` when it looks like a name, an identifier or a number."""

    word: str
    marked: bool


class _Item(NamedTuple):
    """A word that carries something, and the preposition before it that is left out."""

    key: str
    word: str
    marked: bool
    light: bool
    lead: str


class _Read(Struct, frozen=True):
    """A text.

    Attributes:
        parts: what each sentence carries.
        words: all of its words.
    """

    parts: tuple[tuple[_Item, ...], ...]
    words: frozenset[str]

    @property
    def items(self) -> tuple[_Item, ...]:
        """All that it carries."""
        return tuple(item for part in self.parts for item in part)


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
    ways = divergences(first, second)
    if ways:
        return Compared(Sense.APART, f"they differ by {' and '.join(sorted(ways))}")
    one, other = _read(first), _read(second)
    return _by_words(one, other, names) or _by_order(one, other) or Compared(Sense.SAME)


def words(text: str) -> frozenset[str]:
    """The words of ``text`` in lower case, accents off: what a name is made of.

    >>> sorted(words("Checkout-API of Zoë"))
    ['api', 'checkout', 'of', 'zoe']
    """
    return frozenset(token.word for token in _tokens(text) if token.word[0].isalnum())


def _by_words(one: _Read, other: _Read, names: frozenset[str]) -> Compared | None:
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


def _by_tense(one: _Read, other: _Read) -> Compared | None:
    for was, now in ((one.words, other.words), (other.words, one.words)):
        if was & _PAST and now & _PRESENT and not (now & _PAST or was & _PRESENT):
            return Compared(Sense.UNCLEAR, "one says what was, the other what is")
    return None


def _by_order(one: _Read, other: _Read) -> Compared | None:
    parts, others = [_weighty(part) for part in one.parts], [_weighty(part) for part in other.parts]
    parts, others = [part for part in parts if part], [part for part in others if part]
    if len(parts) == len(others):
        if all(_in_order(part, like) for part, like in zip(parts, others, strict=True)):
            return None
    elif _keys(sum(parts, ())) == _keys(sum(others, ())):
        return None
    return Compared(Sense.APART, "they have the same words in another order")


def _beyond(one: _Read, other: _Read) -> tuple[_Item, ...]:
    """What ``one`` carries and ``other`` has no counterpart for, in order; light words are not looked for."""
    left = Counter(item.key for item in one.items)
    left.subtract(item.key for item in other.items)
    theirs: dict[str, set[str]] = {}
    for item in other.items:
        theirs.setdefault(item.key, set()).add(item.word)
    return tuple(
        item for item in one.items if not item.light and (left[item.key] > 0 or not _is_met(item, theirs[item.key]))
    )


def _is_met(item: _Item, others: set[str]) -> bool:
    """Whether one of the words with the same key says the same; stems join more than forms of one word."""
    return item.key.startswith("=") or any(same_word(item.word, word) for word in others)


def _crossed(one: _Read, other: _Read) -> str:
    """A word of one and the one of the other that says its contrary; "" when there is none."""
    mine, theirs = (sorted(set(map(stem, a.words)) - set(map(stem, b.words))) for a, b in ((one, other), (other, one)))
    for word in mine:
        for contrary in theirs:
            if contrary in OPPOSITES.get(word, _NONE) or contrary in denials_of(word) or word in denials_of(contrary):
                return f"{word} and {contrary}"
    return ""


def _tells(item: _Item, names: frozenset[str]) -> bool:
    """Whether one text has a word more, or another one in its place, that makes it another fact."""
    stemmed = stem(item.word)
    return (
        item.marked
        or not item.word[0].isalpha()
        or item.word in names
        or item.word in NEGATIONS
        or item.word in QUALIFIERS
        or stemmed in TELLING
        or stemmed in RESTRICTING
        or stemmed in DENYING
        or denies_by_affix(item.word)
    )


def _one_stretch(one: _Read, other: _Read) -> bool:
    """Whether both are the same but for one stretch of words, in which each has some."""
    mine, theirs = (_keys([item for item in each.items if not item.light]) for each in (one, other))
    shorter = min(len(mine), len(theirs))
    start = 0
    while start < shorter and mine[start] == theirs[start]:
        start += 1
    end = 0
    while end < shorter - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    return start + end < shorter and start + end >= shorter / 2


def _in_order(one: Sequence[_Item], other: Sequence[_Item]) -> bool:
    """Whether two sentences have the same words in the same order, but for one part that stands elsewhere."""
    mine, theirs = _keys(one), _keys(other)
    if mine == theirs:
        return True
    if len(mine) != len(theirs):
        return _is_passive(mine, theirs) or _is_passive(theirs, mine)
    return _is_moved(one, other)


def _is_moved(one: Sequence[_Item], other: Sequence[_Item]) -> bool:
    """Whether an adverb stands elsewhere, or a part that begins with a preposition is in front in one of the two."""
    mine, theirs = _keys(one), _keys(other)
    start, end = 0, len(mine)
    while start < end and mine[start] == theirs[start]:
        start += 1
    while end > start and mine[end - 1] == theirs[end - 1]:
        end -= 1
    if end - start > _LONGEST_MOVE:
        return False
    for cut in range(start + 1, end):
        if mine[cut:end] + mine[start:cut] == theirs[start:end]:
            place = start + end - cut
            first, second = (one[start:cut], other[place:end]), (one[cut:end], other[start:place])
            return _may_move(first, second, in_front=start == 0) or _may_move(second, first, in_front=start == 0)
    return False


def _may_move(
    moved: tuple[Sequence[_Item], Sequence[_Item]], over: tuple[Sequence[_Item], Sequence[_Item]], *, in_front: bool
) -> bool:
    """Whether a part, as it stands in the one text and in the other, may have changed places with what is beside it."""
    first, second = moved[0][0], moved[1][0]
    # An adverb, or a verb that the other text has in the passive: tokens are stored, store the tokens.
    if len(moved[0]) == 1 and (_is_adverb(first.word) or (in_front and {first.lead, second.lead} == {"", _BE})):
        return True
    # What a preposition governs goes with it: deploy before migrating is not before deploying, migrate.
    if not in_front or moved[0][-1].word in STARTS or over[0][-1].word in STARTS:
        return False
    return first.word in STARTS or (first.lead in _LEADS and first.lead == second.lead)


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") or word in _ADVERBS


def _is_passive(passive: tuple[str, ...], active: tuple[str, ...]) -> bool:
    """Whether the one says in the passive voice (what, verb, by, whom) what the other says in the active."""
    if passive.count(_BY) != 1 or len(passive) != len(active) + 1:
        return False
    by = passive.index(_BY)
    what, verb, rest = passive[: by - 1], passive[by - 1 : by], passive[by + 1 :]
    return bool(what and verb) and any(
        rest[:cut] + verb + what + rest[cut:] == active for cut in range(1, len(rest) + 1)
    )


def _keys(items: Sequence[_Item]) -> tuple[str, ...]:
    return tuple(item.key for item in items)


def _weighty(part: Sequence[_Item]) -> tuple[_Item, ...]:
    return tuple(item for item in part if not item.light)


def _shown(items: Sequence[_Item]) -> str:
    distinct = list(dict.fromkeys(item.word for item in items))
    said = ", ".join(distinct[:_MOST_SHOWN]) + (" and more" if len(distinct) > _MOST_SHOWN else "")
    return said or "nothing for it"


@lru_cache(maxsize=4096)
def _read(text: str) -> _Read:
    parts: list[tuple[_Item, ...]] = []
    held: set[str] = set()
    for sentence in sentences(text):
        tokens = _tokens(sentence)
        held.update(token.word for token in tokens)
        parts.append(tuple(_items(tokens)))
    return _Read(tuple(parts), frozenset(held))


def _items(tokens: Sequence[_Token]) -> Iterator[_Item]:
    lead = ""
    for token in tokens:
        if token.word in GLUE and not token.marked:
            lead = _BE if token.word in _FORMS_OF_BE else token.word if token.word in _LEADS else lead
            continue
        light = not token.marked and not roots(token.word).isdisjoint(LIGHT)
        yield _Item(_key(token), token.word, token.marked, light, lead)
        lead = ""


def _key(token: _Token) -> str:
    if token.marked and token.word in (GLUE | LIGHT):
        # US and IT are no pronouns.
        return token.word.upper()
    if token.word[0].isdigit():
        return token.word.replace(",", "")
    groups = sorted(SYNONYMS[root] for root in roots(token.word) if root in SYNONYMS)
    return NUMBER_WORDS.get(token.word) or (groups[0] if groups else stem(token.word))


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[_Token, ...]:
    """The words and signs of a sentence, phrases put into a word, punctuation left out."""
    plain = _plain(text)
    shouts = plain == plain.upper()
    found: list[_Token] = []
    for match in _TOKEN.finditer(plain):
        said = match.group()
        before, after = plain[: match.start()][-2:], plain[match.end() : match.end() + 2]
        if _is_punctuation(said) and not (said == "-" and after[:1].isdigit() and not before.strip()):
            continue
        word = said.lower()
        if found and found[-1].word[0].isdigit() and word in _UNITS:
            found.append(_Token(_UNITS[word], marked=False))
            continue
        capital = (said[0].isupper() and bool(found)) or said[1:] != said[1:].lower()
        joined = _is_joined(before[::-1]) or _is_joined(after)
        found.append(_Token(word, marked=said[0].isdigit() or joined or (capital and not shouts)))
    return tuple(_with_phrases(found))


def _plain(text: str) -> str:
    """``text`` with accents off and contractions written out."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain)
        plain = unicodedata.normalize("NFKC", "".join(c for c in decomposed if not unicodedata.combining(c)))
    if "'" in plain or "cannot" in plain.lower():
        for pattern, written_out in _CONTRACTIONS:
            plain = pattern.sub(written_out, plain)
    return plain


def _is_punctuation(sign: str) -> bool:
    return unicodedata.category(sign[0]).startswith("P") and sign not in _TELLING_SIGNS


def _is_joined(beside: str) -> bool:
    """Whether a word is part of something longer, by the two characters beside it, the nearer one first."""
    return beside[:1].isalnum() or (beside[:1] in _JOINS and beside[1:].isalnum())


def _with_phrases(tokens: Sequence[_Token]) -> Iterator[_Token]:
    place = 0
    while place < len(tokens):
        for length in range(min(_LONGEST_PHRASE, len(tokens) - place), 1, -1):
            plain = PHRASES.get(tuple(token.word for token in tokens[place : place + length]))
            if plain is not None:
                yield from (_Token(word, marked=False) for word in plain)
                place += length
                break
        else:
            yield tokens[place]
            place += 1
