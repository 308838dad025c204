"""Porter's stemmer: words as SQLite's full-text index compares them.

The algorithm is M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with the two changes that its
author published later (``logi``, and ``bli`` for ``abli``); FTS5 applies the same, and an ending never is a whole word.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = "aeiou"
_SHORTEST = 3
_LONGEST = 64  # characters: no word is longer, and Porter's rules look at the end only

_STEP_2 = (
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("logi", "log"),
    ("alli", "al"),
    ("ator", "ate"),
    ("bli", "ble"),
    ("eli", "e"),
)  # fmt: skip - a table, longest first
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
)  # fmt: skip - a table, longest first
_STEP_4 = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ion",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "al",
    "er",
    "ic",
    "ou",
)  # fmt: skip - a table, longest first


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a folded ``word``; words of one or two letters, and of other alphabets, are their own.

    >>> [stem(word) for word in ("retries", "retrying", "hopping", "relational", "sky", "水")]
    ['retri', 'retri', 'hop', 'relat', 'sky', '水']
    """
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isascii():
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    word = _without_suffix(word)
    return _tidied(word)


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")) and word not in {"sses", "ies"}:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed") and word != "eed":
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(rest):
            return _restored(rest)
    return word


def _restored(word: str) -> str:
    """What a verb was before its ending: hop for hopp, like for lik."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    # SQLite takes a doubled y for a consonant here, whatever stands before it; so do we, to meet what it indexed.
    if len(word) > 1 and word[-1] == word[-2] and word[-1] not in _VOWELS:
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if _measure(word) == 1 and _is_short(word) else word


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in table:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            dropped = _measure(rest) > 1 and (suffix != "ion" or rest[-1:] in {"s", "t"})
            return rest if dropped else word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _is_consonant(word: str, place: int) -> bool:
    letter = word[place]
    if letter == "y":
        return place == 0 or not _is_consonant(word, place - 1)
    return letter not in _VOWELS


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant."""
    count = 0
    after_vowel = False
    for place in range(len(word)):
        consonant = _is_consonant(word, place)
        count += after_vowel and consonant
        after_vowel = not consonant
    return count


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, place) for place in range(len(word)))


def _is_short(word: str) -> bool:
    """Ends in consonant, vowel, consonant, and the last is no w, x or y."""
    last = len(word) - 1
    return (
        last > 1
        and _is_consonant(word, last - 2)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last)
        and word[last] not in "wxy"
    )
