"""The lexicons hold together: stems on both sides, opposites mutual, affixes told from beginnings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.polarity import (
    AFFIRMING,
    DENYING,
    NEGATIONS,
    NUMBER_WORDS,
    OPPOSITES,
    QUALIFIERS,
    denials_of,
    denies_by_affix,
)
from memhtml.domain.stems import stem


def test_the_lexicons_are_written_as_sentences_are_read() -> None:
    """Stems where stems are looked up: a word that no stem can be would never be found."""
    assert {stem("refusal"), stem("hardly"), stem("incorrectly")} <= DENYING
    assert {stem("including"), stem("usually")} <= AFFIRMING
    assert not DENYING & AFFIRMING
    assert (
        frozenset(["pro", "max", "beta", "alpha", "rc", "preview", "legacy", "deprecated", "experimental"])
        == QUALIFIERS
    )
    assert {"not", "no", "never", "without"} <= NEGATIONS


def test_opposites_are_mutual() -> None:
    """Each pair is found from both of its ends, and nothing is its own opposite."""
    for word, opposites in OPPOSITES.items():
        assert word not in opposites
        assert all(word in OPPOSITES[other] for other in opposites)
    assert stem("decrease") in OPPOSITES[stem("increasing")]
    assert OPPOSITES[stem("allow")] == {stem(word) for word in ("prohibit", "forbid", "ban")}


@pytest.mark.parametrize(
    ("word", "number"),
    [
        *[("zero", "0"), ("two", "2"), ("thirteen", "13"), ("twenty", "20"), ("thirty", "30"), ("ninety", "90")],
        *[("hundred", "100"), ("thousand", "1000"), ("million", "1000000"), ("one", None)],
    ],
)
def test_number_words_worked_out(word: str, number: str | None) -> None:
    """From zero to a million; one is a pronoun."""
    assert NUMBER_WORDS.get(word) == number


@pytest.mark.parametrize(
    ("word", "denies"),
    [
        *[("unsafe", True), ("stateless", True), ("nonzero", True), ("misread", True), ("uneven", True)],
        *[("under", False), ("unit", False), ("union", False), ("bless", False), ("less", False), ("unless", False)],
        *[("misty", False), ("safe", False), ("", False), ("unfit", False), ("unlocked", False)],
    ],
)
def test_affixes_that_deny_are_told_from_beginnings(word: str, *, denies: bool) -> None:
    """Six letters at least, and no word that only looks like a denial."""
    assert denies_by_affix(word) is denies


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=12))
def test_what_an_affix_makes_is_longer_and_holds_the_word(word: str) -> None:
    """Nothing for what is too short to tell."""
    made = denials_of(word)
    assert bool(made) == (len(word) >= 4)
    assert all(word in denial and len(denial) > len(word) for denial in made)


def test_denials_of_a_word_worked_out() -> None:
    """Eight prefixes and one ending."""
    assert denials_of("care") == {
        *("careless", "uncare", "incare", "imcare", "ircare", "ilcare", "discare", "noncare", "miscare"),
    }
    assert denials_of("act") == frozenset()
