"""What a text carries: its words without those that carry nothing, each with what it stands for and stands behind."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from memhtml.domain.inflection import roots
from memhtml.domain.polarity import NUMBER_WORDS
from memhtml.domain.statements import sentences
from memhtml.domain.stems import stem
from memhtml.domain.synonyms import GLUE, KINDS, LIGHT, PARTICIPLES, PHRASES, STARTS, SYNONYMS, TELLING

BE = "be"
"""The lead of what is said of something: forms of ``be``, and of ``get`` before a participle."""
WHICH_IS = "which is"
OF = "of"
AND = "and"
THIS = "this"
GENITIVE = "'s"
EACH = frozenset({"each", "every"})

_OWNS = "\ue000"
_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+|[^\w\s]")
_CONTRACTIONS = (
    (re.compile(r"\b(can)(?:'t|not)\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(w)on't\b", re.IGNORECASE), r"\1ill not"),
    (re.compile(r"\b(sha)n't\b", re.IGNORECASE), r"\1ll not"),
    (re.compile(r"n't\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\w)'(?:re|ve|ll|d|m)\b", re.IGNORECASE), ""),
    (re.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s)", re.IGNORECASE), " \ue000 "),
)
_AFTER_Y = re.compile(r"(?<=y)ments?$")
_ISE = re.compile(r"(?<=[a-z]{3})is(e[ds]?|ing|ers?|ations?)$")
_OUR = re.compile(r"(?<=[a-z]{3})our(s|ed|ing|al|ite|ites)?$")
_JOINS = frozenset("_./:@#\\")
_TELLING_SIGNS = frozenset("#%@?")
_LEADS = frozenset({"of", "in", "on", "at", "to", "into", "onto", "upon", "within"})
_UNITS = {"s": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day", "k": "thousand"}
_FORMS_OF_BE = frozenset({"am", "is", "are", "was", "were", "be", "been", "being"})
_GET = frozenset({"get", "gets", "getting", "got", "gotten"})
_ARTICLES = frozenset("a an the this that these those its their".split())  # noqa: SIM905 - a list would be longer
_RELATIVES = frozenset({"that", "which", "who"})
_PARTICLES = frozenset({"around"})
_ABOUT = frozenset({"about", "around"})
_TIMES = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "quarter", "year"})
_LONGEST_PHRASE = max(map(len, PHRASES))


class Token(NamedTuple):
    """A word as it stands; ``marked`` when it looks like a name, an identifier or a number."""

    word: str
    marked: bool


class Item(NamedTuple):
    """A word that carries something, and what before it is left out: a preposition, a form of be, an article."""

    key: str
    word: str
    marked: bool
    light: bool
    lead: str
    article: bool


class Carried(Struct, frozen=True):
    """A text.

    Attributes:
        parts: what each sentence carries.
        words: all of its words.
    """

    parts: tuple[tuple[Item, ...], ...]
    words: frozenset[str]

    @property
    def items(self) -> tuple[Item, ...]:
        """All that it carries."""
        return tuple(item for part in self.parts for item in part)


def words(text: str) -> frozenset[str]:
    """The words of ``text`` in lower case, accents off: what a name is made of.

    >>> sorted(words("Checkout-API of Zoë"))
    ['api', 'checkout', 'of', 'zoe']
    """
    return frozenset(token.word for token in _tokens(text) if token.word[0].isalnum())


@lru_cache(maxsize=4096)
def carried(text: str) -> Carried:
    """What ``text`` carries, sentence by sentence.

    >>> [item.key for item in carried("It isn't retried prior to the deploy.").items]
    ['not', 'retri', 'befor', 'deploi']
    """
    parts: list[tuple[Item, ...]] = []
    held: set[str] = set()
    for sentence in sentences(text):
        tokens = _tokens(sentence)
        held.update(token.word for token in tokens)
        parts.append(tuple(_items(tokens)))
    return Carried(tuple(parts), frozenset(held))


def _items(tokens: Sequence[Token]) -> Iterator[Item]:
    lead = before = ""
    for place, token in enumerate(tokens):
        after = tokens[place + 1].word if place + 1 < len(tokens) else ""
        if _is_glue(token, before, after):
            lead = _lead(token.word, before) or lead
        else:
            light = not token.marked and (token.word in LIGHT or (token.word == "you" and before in STARTS))
            # On Sunday is not every Sunday; before every deploy is before deploys, and of each month is of the month.
            light = light and not (token.word in EACH and stem(after) in TELLING and before != OF)
            yield Item(_key(token), token.word, token.marked, light, lead, before in _ARTICLES)
            lead = ""
        before = token.word


def _is_glue(token: Token, before: str, after: str) -> bool:
    """Whether a word carries nothing where it stands."""
    if token.word == "called":
        return before in KINDS and after != "by"  # A bucket called harbour is the bucket harbour.
    if token.word in _GET:
        return after.endswith("ed") or after in PARTICIPLES
    if token.word in _PARTICLES:
        return True  # Kept around for a week is kept for a week; around 7 days has become approximately 7.
    return (token.word in GLUE and not token.marked) or token.word == _OWNS


def _lead(word: str, before: str) -> str:
    if word in _FORMS_OF_BE or word in _GET:
        return WHICH_IS if before in _RELATIVES else BE
    if word == _OWNS:
        return GENITIVE
    if word == THIS:
        return THIS
    if word == AND:
        return AND
    return word if word in _LEADS else ""


def _key(token: Token) -> str:
    if token.marked and token.word in (GLUE | LIGHT):
        # US and IT are no pronouns.
        return token.word.upper()
    if token.word[0].isdigit():
        return token.word.replace(",", "")
    if _AFTER_Y.search(token.word):
        # Porter's stem of a y depends on its place: deploy, deployment.
        return stem(_AFTER_Y.sub("", token.word))
    groups = sorted(SYNONYMS[root] for root in roots(token.word) if root in SYNONYMS)
    return NUMBER_WORDS.get(token.word) or (groups[0] if groups else stem(token.word))


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[Token, ...]:
    """The words and signs of a sentence, phrases put into a word, punctuation left out."""
    plain = _plain(text)
    shouts = plain == plain.upper()
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        said = match.group()
        before, after = plain[: match.start()][-2:], plain[match.end() : match.end() + 2]
        if _is_punctuation(said) and not (said == "-" and after[:1].isdigit() and not before[-1:].strip()):
            continue
        word = _american(said.lower())
        if found and found[-1].word[0].isdigit() and word in _UNITS:
            found.append(Token(_UNITS[word], marked=False))
            continue
        capital = (said[0].isupper() and bool(found)) or said[1:] != said[1:].lower()
        joined = _is_joined(before[::-1]) or _is_joined(after)
        found.append(Token(word, marked=said[0].isdigit() or joined or (capital and not shouts)))
    return tuple(_with_phrases([*itertools.starmap(_before, itertools.pairwise(found)), *found[-1:]]))


def _before(token: Token, after: Token) -> Token:
    """A word for what it says before another: a host named beacon is called so, about 40 is approximately 40."""
    if token.word in {"a", "an"} and after.word in _TIMES:
        return Token("per", marked=False)
    if token.word == "named" and after.word != "by":
        return Token("called", marked=False)
    if token.word in _ABOUT and _is_number(after.word):
        return Token("approximately", marked=False)
    return token


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in NUMBER_WORDS or word in {"one", "half"}


def _plain(text: str) -> str:
    """``text`` with accents off and contractions written out."""
    plain = text.replace(_OWNS, " ").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain)
        plain = unicodedata.normalize("NFKC", "".join(c for c in decomposed if not unicodedata.combining(c)))
    if "'" in plain or "cannot" in plain.lower():
        for pattern, written_out in _CONTRACTIONS:
            plain = pattern.sub(written_out, plain)
    return plain


def _american(word: str) -> str:
    """``word`` in one of its two spellings: organise, organize. What it makes of other words it makes of all."""
    return _OUR.sub(r"or\1", _ISE.sub(r"iz\1", word))


def _is_punctuation(sign: str) -> bool:
    return unicodedata.category(sign[0]).startswith("P") and sign not in _TELLING_SIGNS


def _is_joined(beside: str) -> bool:
    """Whether a word is part of something longer, by the two characters beside it, the nearer one first."""
    return beside[:1].isalnum() or (beside[:1] in _JOINS and beside[1:].isalnum())


def _with_phrases(tokens: Sequence[Token]) -> Iterator[Token]:
    place = 0
    while place < len(tokens):
        for length in range(min(_LONGEST_PHRASE, len(tokens) - place), 0, -1):
            plain = PHRASES.get(tuple(token.word for token in tokens[place : place + length]))
            of_each = place > 0 and tokens[place - 1].word == OF and tokens[place].word in EACH
            if plain is not None and not of_each:
                yield from (Token(word, marked=False) for word in plain)
                place += length
                break
        else:
            yield tokens[place]
            place += 1
