"""Whether a new text holds what the texts hold that it takes the place of, sentence by sentence, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from memhtml.domain.statements import Statement, read, sentences
from memhtml.domain.stems import stem
from memhtml.sleep.veto import Words

FOUNDED = 0.6
"""Share of a title's or claim's telling words that what it sums up must have."""

_IDENTIFIER = re.compile(r"[^\W_]*(?:[_/.:@]+[^\W_]+)+|[a-z]+[A-Z]\w*|[^\W\d_]+\d\w*|\d+[^\W\d_]\w*|[A-Z]{2,}\w*")
_JOINTS = re.compile(r"[_/.:@]+")


def uncovered(absorbed: Words, made: Words) -> str | None:
    """What of ``absorbed`` is lost in ``made``, as a sentence; ``None`` when nothing is.

    Every sentence must have one in ``made`` with the same numbers, qualifiers and denials, the same names of things
    (``user_id``, ``v1.2``, ``/etc/hosts``), and its telling words in the same order, whatever stands between them. A
    sentence that denies something, or holds two numbers, must be there word for word.

    >>> old = Words("Backups", "Backups are kept for 30 days.", "Backups are kept for 30 days.")
    >>> uncovered(old, Words("Backups", "", "All backups are kept for 30 days.")) is None
    True
    >>> uncovered(old, Words("Backups", "", "Backups are kept for 90 days."))
    'a number is lost'
    """
    places = _sentences(made)
    for sentence in dict.fromkeys((*sentences(absorbed.gist), *sentences(absorbed.body))):
        lost = [_lost(sentence, place) for place in places]
        if None not in lost:
            return f"{min(lost, key=_HOW_FAR.index) if lost else _WORDS} is lost"
    return None if _names(absorbed) <= _names(made) else "a name of a thing is lost"


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
    telling = _telling(said)
    return sum(word in held for word in telling) >= FOUNDED * len(telling)


_NUMBER, _QUALIFIER, _DENIAL, _WORDS = "a number", "a qualifier", "a denial", "a sentence"
_HOW_FAR = (_NUMBER, _QUALIFIER, _DENIAL, _WORDS)
"""From what a sentence nearly is to what it is not at all: the first is the best that can be said of what is lost."""


@lru_cache(maxsize=4096)
def _lost(sentence: str, place: str) -> str | None:
    """What of ``sentence`` is not in ``place``; ``None`` when ``place`` says the same."""
    wanted, found = read(sentence), read(place)
    passed_over = wanted.numbers | {stem(word) for word in wanted.qualifiers}
    if not _in_order([word for word in _telling(wanted) if word not in passed_over], found.stems):
        return _WORDS
    if wanted.numbers != found.numbers:
        return _NUMBER
    if wanted.qualifiers != found.qualifiers:
        return _QUALIFIER
    if wanted.negations != found.negations or wanted.denying != found.denying:
        return _DENIAL
    if (wanted.denials or len(wanted.numbers) > 1) and not _run(wanted.stems, found.stems):
        return _WORDS
    return None


def _telling(said: Statement) -> tuple[str, ...]:
    """Content words in their order; of a sentence without any, all of its words."""
    return tuple(word for word in said.stems if word in said.content) or said.stems


def _in_order(wanted: Iterable[str], found: Iterable[str]) -> bool:
    """Whether each word is found after the one before it."""
    rest = iter(found)
    return all(word in rest for word in wanted)


def _run(wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    return any(found[start : start + len(wanted)] == wanted for start in range(len(found) - len(wanted) + 1))


def _sentences(words: Words) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*sentences(words.gist), *sentences(words.body))))


def _names(words: Words) -> frozenset[str]:
    return frozenset(name for text in (words.title, words.gist, words.body) for name in _identifiers(text))


def _identifiers(text: str) -> Iterator[str]:
    for found in _IDENTIFIER.findall(text):
        if any(len(part) > 1 for part in _JOINTS.split(found)):  # e.g. is none
            yield found
