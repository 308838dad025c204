"""Whether two words are forms of one word. Stricter than a stem, which also joins import and important."""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 2  # letters of what is left when an ending is taken off
_SIBILANT = ("s", "x", "z", "ch", "sh", "o")
_NOUNS = ("ment", "ion", "ation")
_VOWELS = "aeiou"


def same_word(first: str, second: str) -> bool:
    """Whether two lower-case words are the same, or differ in number, tense, or an ending that makes verbs nouns.

    Symmetric. A word that is formed from another and names another thing (work, worker) is another.

    >>> same_word("retries", "retrying"), same_word("rotate", "rotation"), same_word("planned", "plan")
    (True, True, True)
    >>> same_word("import", "important"), same_word("plan", "plane"), same_word("work", "worker")
    (False, False, False)
    """
    return first == second or not roots(first).isdisjoint(roots(second))


@lru_cache(maxsize=1 << 14)
def roots(word: str) -> frozenset[str]:
    """What a lower-case word may be a form of, itself among it; not all of them are words.

    >>> sorted(roots("rotating"))
    ['rotat', 'rotate', 'rotating']
    """
    found = {word}
    if not word.isascii():
        return frozenset(found)
    found |= _of_plural(word)
    for form in tuple(found):
        for ending in ("ed", "ing", *_NOUNS):
            if form.endswith(ending):
                found |= _restored(form[: -len(ending)])
    if word.endswith("ly"):
        found.add(word[:-2])
    return frozenset(root for root in found if len(root) >= _SHORTEST)


def _of_plural(word: str) -> set[str]:
    if word.endswith(("ies", "ied")):
        return {word[:-3] + "y"}
    if word.endswith("es") and word[:-2].endswith(_SIBILANT):
        return {word[:-2], word[:-1]}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return {word[:-1]}
    return set()


def _restored(rest: str) -> set[str]:
    """What a word was before its ending: itself, with the e that it lost, or with one of two consonants."""
    if len(rest) < _SHORTEST or not any(vowel in rest for vowel in (*_VOWELS, "y")):
        return set()
    found = {rest, rest + "e"}
    if rest[-1] == rest[-2] and rest[-1] not in _VOWELS:
        found.add(rest[:-1])
    return found
