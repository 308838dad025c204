"""Whether a new text holds what the texts hold that it takes the place of, sentence by sentence, and nothing else."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from memhtml.domain.polarity import NEGATIONS
from memhtml.domain.statements import Statement, read, sentences
from memhtml.domain.stems import stem
from memhtml.sleep.veto import Words

FOUNDED = 0.6
"""Share of a title's or claim's telling words that what it sums up must have."""

LIGHT = frozenset(map(stem, "a an the and also too of our their its his her my your".split()))  # noqa: SIM905 - words
"""Words without which a sentence says the same, in a text that stands with it."""

_IDENTIFIER = re.compile(
    r"[^\W_]*(?:[_/.:@]+[^\W_]+)+|[a-z]+[A-Z]\w*|[^\W\d_]+\d\w*|\d+[^\W\d_]\w*|[A-Z]{2,}\w*"
    r"|[-+<>=~$\u2212\u2264\u2265\u20ac\u00a3]+ ?\d[\d.,]*"  # minus, at most, at least, euro, pound
)
_JOINTS = re.compile(r"[_/.:@]+")
_LEANING = frozenset("it they them he she him this these those such".split())  # noqa: SIM905 - words
_CONNECTING = frozenset("but however then so instead otherwise therefore else yet still later".split())  # noqa: SIM905 - words
_WORD = re.compile(r"[^\W\d_]+")


def uncovered(absorbed: Words, made: Words) -> str | None:
    """What of ``absorbed`` is lost in ``made``, as a sentence; ``None`` when nothing is.

    Every sentence must be there word for word, but for `LIGHT` words, case and punctuation; one that leans on the
    sentence before it (``it``, ``these``, ``but``) right after that one. So must every name of a thing (``user_id``,
    ``v1.2``, ``/etc/hosts``), and what the title tells.

    >>> old = Words("Backups", "Backups are kept for 30 days.", "Backups are kept for 30 days.")
    >>> uncovered(old, Words("Backups", "", "The backups are kept for 30 days.")) is None
    True
    >>> uncovered(old, Words("Backups", "", "Backups are kept for 90 days."))
    'a number is lost'
    """
    places = _sentences(made)
    follows = set(itertools.pairwise(map(_core, sentences(made.body))))
    before = None
    for sentence in _sentences(absorbed):
        lost = [_lost(sentence, place) for place in places]
        if None not in lost:
            return f"{min(lost, key=_HOW_FAR.index) if lost else _WORDS} is lost"
        if before is not None and leans(sentence) and (_core(before), _core(sentence)) not in follows:
            return "what a sentence speaks of is lost"
        before = sentence
    if not read(absorbed.title).content <= _together(read(text).held for text in (made.title, made.gist, made.body)):
        return "what a title tells is lost"
    return None if _names(absorbed) <= _names(made) else "a name of a thing is lost"


def stands_alone(words: Words) -> bool:
    """Whether a text says the same without its title: it tells what that tells, and begins with no pronoun.

    >>> stands_alone(Words("The beta API", "", "It is slow.")), stands_alone(Words("API", "", "The API is slow."))
    (False, True)
    """
    told = read(f"{words.gist}\n{words.body}").held
    first = next(iter(_sentences(words)), "")
    return read(words.title).content <= told and not leans(first, within=False)


def leans(sentence: str, *, within: bool = True) -> bool:
    """Whether a sentence speaks of what was said before it; ``within`` looks further than its first word.

    >>> leans("Restart it."), leans("Restart it.", within=False), leans("But not there."), leans("Restart the queue.")
    (True, False, True, False)
    """
    words = [word.lower() for word in _WORD.findall(sentence)]
    return bool(words) and (words[0] in _CONNECTING | _LEANING or (within and not _LEANING.isdisjoint(words)))


def unfounded(made: Words, absorbed: Sequence[Words]) -> str | None:
    """What ``made`` says that none of ``absorbed`` does, as a sentence; ``None`` when there is nothing.

    Each sentence of the body but the claim must be one of theirs, as `uncovered` has it. Title and claim may sum up,
    in words of which at least three fifths are theirs, but with a number, a qualifier or a denial they must be one of
    theirs too, and they may not be one but for that.

    >>> old = Words("Backups", "Backups are kept for 30 days.", "Backups are kept for 30 days.")
    >>> unfounded(Words("Backups", "Backups", "Backups are kept for 30 days. Delete them all."), [old])
    'a sentence of it is new'
    """
    places = [place for words in absorbed for place in _sentences(words)]
    claim = frozenset(sentences(made.gist))
    for sentence in sentences(made.body):
        if sentence not in claim and all(_lost(sentence, place) is not None for place in places):
            return "a sentence of it is new"
    if not _names(made) <= _together(map(_names, absorbed)):
        return "a name of a thing in it is new"
    titles = [sentence for words in absorbed for sentence in sentences(words.title)]
    held = _together(read(place).held for place in (*titles, *places))
    for sentence in (*sentences(made.title), *sentences(made.gist)):
        if not _sums_up(sentence, (*titles, *places), held):
            return "its title or claim is new"
    return None


def invented(text: str, sources: Iterable[str], share: float) -> str | None:
    """What ``text`` says that stands in no source, as a sentence; ``None`` when there is nothing.

    A number, a qualifier or the name of a thing that none of them has is invented; so is a sentence that denies what
    none of them denies, and one of which less than ``share`` of the telling words are theirs.

    >>> invented("Retries hide 3 failures", ["the retry hid a failure"], 0.5)
    'a number in it is invented'
    """
    said = [read(sentence) for sentence in sentences(text)]
    texts = tuple(sources)
    theirs = [read(sentence) for source in texts for sentence in sentences(source)]
    if not _together(one.numbers for one in said) <= _together(one.numbers for one in theirs):
        return "a number in it is invented"
    if not _together(one.qualifiers for one in said) <= _together(one.qualifiers for one in theirs):
        return "a qualifier in it is invented"
    if any(not any(_denies_alike(one, other) for other in theirs) for one in said if one.denials):
        return "a denial in it is invented"
    if any(all(name not in source for source in texts) for name in _identifiers(text)):
        return "a name of a thing in it is invented"
    held = _together(one.held for one in theirs)
    if any(sum(word in held for word in _telling(one)) < share * len(_telling(one)) for one in said):
        return "a sentence of it is invented"
    return None


def _denies_alike(said: Statement, other: Statement) -> bool:
    """Whether ``other`` denies in the same words, and of something that ``said`` speaks of too."""
    plainly = other.negations > 0 or said.negations == 0
    return plainly and said.denying <= other.denying and not said.content.isdisjoint(other.content)


def _together(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _sums_up(sentence: str, places: Sequence[str], held: frozenset[str]) -> bool:
    lost = {_lost(sentence, place) for place in places}
    said = read(sentence)
    if None in lost:
        return True
    if said.numbers or said.qualifiers or said.denials or lost != {_WORDS}:
        return False
    # All of it in one sentence that denies, and in none that does not: it would say the opposite.
    tellers = [one for one in map(read, places) if said.content <= one.content]
    if tellers and all(one.denials for one in tellers):
        return False
    telling = _telling(said)
    return sum(word in held for word in telling) >= FOUNDED * len(telling)


_NUMBER, _QUALIFIER, _DENIAL, _WORDS = "a number", "a qualifier", "a denial", "a sentence"
_DENYING = frozenset(map(stem, NEGATIONS))
_HOW_FAR = (_NUMBER, _QUALIFIER, _DENIAL, _WORDS)
"""From what a sentence nearly is to what it is not at all: the first is the best that can be said of what is lost."""


@lru_cache(maxsize=4096)
def _lost(sentence: str, place: str) -> str | None:
    """What of ``sentence`` is not in ``place``; ``None`` when ``place`` says the same."""
    if _core(sentence) == _core(place):
        return None
    wanted, found = read(sentence), read(place)
    if _without(wanted, wanted.numbers) == _without(found, found.numbers):
        return _NUMBER
    if _without(wanted, _stems(wanted.qualifiers)) == _without(found, _stems(found.qualifiers)):
        return _QUALIFIER
    if _without(wanted, _DENYING | wanted.denying) == _without(found, _DENYING | found.denying):
        return _DENIAL
    return _WORDS


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _core(sentence: str) -> tuple[str, ...]:
    """The words of a sentence that are not light; of one without any, all of them."""
    return _without(read(sentence), frozenset())


def _without(said: Statement, words: frozenset[str]) -> tuple[str, ...]:
    return tuple(word for word in said.stems if word not in LIGHT and word not in words) or said.stems


def _telling(said: Statement) -> tuple[str, ...]:
    """Content words in their order; of a sentence without any, all of its words."""
    return tuple(word for word in said.stems if word in said.content) or said.stems


def _sentences(words: Words) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*sentences(words.gist), *sentences(words.body))))


def _names(words: Words) -> frozenset[str]:
    return frozenset(name for text in (words.title, words.gist, words.body) for name in _identifiers(text))


def _identifiers(text: str) -> Iterator[str]:
    for found in _IDENTIFIER.findall(text):
        if any(len(part) > 1 for part in _JOINTS.split(found)):  # e.g. is none
            yield found
