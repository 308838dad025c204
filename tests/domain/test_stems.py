"""Our Porter stemmer is SQLite's: what the index holds is what the query's words are compared with."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.stems import stem


def words(text: str) -> list[str]:
    """The words of ``text``."""
    return text.split()


ROOTS = words(
    "a be cat day sky tie agr relat hop fall fizz control digit form happ sens adopt yield fayy rate oper log"
)
ENDINGS = words(
    "ational ization iveness fulness ousness tional biliti entli ousli ation alism aliti iviti enci anci izer logi "
    "alli ator bli eli icate ative alize iciti ical ness ful ement ance ence able ible ment ant ent ion sion tion "
    "ism ate iti ous ive ize al er ic ou s es ss ed eed ing ies sses y e ll at bl iz ly"
)


def by_sqlite(given_words: Sequence[str]) -> list[str]:
    """What the index stores for each of ``given_words``."""
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
        database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
        database.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(given_words))
        stored = dict(database.execute("SELECT doc, term FROM v"))
    finally:
        database.close()
    return [stored[number] for number in range(len(given_words))]


def test_every_ending_on_every_root_is_cut_as_sqlite_cuts_it() -> None:
    """One ending, and one upon another: about seventy thousand words."""
    made = [root + first + second for root, first, second in product(ROOTS, ENDINGS, ["", *ENDINGS])]
    assert len(set(made)) > 60_000
    assert [word for word, stored in zip(made, by_sqlite(made), strict=True) if stem(word) != stored] == []


@given(st.lists(st.text("aeiouybcdlnrstz", min_size=1, max_size=12), min_size=1, max_size=30))
def test_any_letters_are_cut_as_sqlite_cuts_them(made: list[str]) -> None:
    """Also those that are no words."""
    assert [stem(word) for word in made] == by_sqlite(made)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *[("caresses", "caress"), ("ponies", "poni"), ("agreed", "agre"), ("feed", "feed"), ("plastered", "plaster")],
        *[("motoring", "motor"), ("sing", "sing"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file")],
        *[("happy", "happi"), ("sky", "sky"), ("vietnamization", "vietnam"), ("adoption", "adopt"), ("rate", "rate")],
        *[("sses", "sse"), ("ies", "ie"), ("eed", "e"), ("fayyed", "fai")],
        *[("controlling", "control"), ("rolled", "roll"), ("cease", "ceas")],
        *[("profitabling", "profit"), ("yying", "y")],
    ],
)
def test_words_worked_out(word: str, expected: str) -> None:
    """From the article that describes the algorithm, and by its rules."""
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["", "a", "is", "of", "\u6771\u4eac", "na\u00efvely", "x" * 65, "running" * 10])
def test_what_is_no_english_word_is_its_own_stem(word: str) -> None:
    """One or two letters, another alphabet, longer than any word."""
    assert stem(word) == word


def test_64_letters_are_still_a_word() -> None:
    """As many as a token of the index has."""
    assert stem("x" * 60 + "ings") == "x" * 60 + "ing"
    assert stem("o" + "x" * 60 + "ing") == "o" + "x" * 59
