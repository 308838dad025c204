"""Spellings of one name are told from names of two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.naming import are_distinct, are_words_alike, may_abbreviate, plain_name, similarity

names = st.text("abcA -_./é's1", max_size=12)


def common(first: str, second: str) -> int:
    """The longest common subsequence, by the book."""
    rows = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            rows[i + 1][j + 1] = rows[i][j] + 1 if one == other else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


@given(names, names)
def test_similarity_is_what_the_book_says(first: str, second: str) -> None:
    """Symmetric, 0 to 1, and 1 for the same alone."""
    alike = similarity(first, second)
    assert alike == similarity(second, first)
    assert alike == (2 * common(first, second) / (len(first) + len(second)) if first or second else 1.0)
    assert (alike == 1.0) == (first == second)


def test_similarity_by_hand() -> None:
    """Worked: `chekout` and `checkout` have 7 letters in common, twice 7 of 15."""
    assert similarity("chekout", "checkout") == pytest.approx(14 / 15)
    assert similarity("abc", "xyz") == 0.0


@given(names)
def test_a_plain_name_is_its_own(name: str) -> None:
    """And holds no signs, capitals or double spaces."""
    plain = plain_name(name)
    assert plain_name(plain) == plain.removeprefix("the ")
    assert plain == " ".join(plain.lower().split())


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("checkoutApi", "checkout api"), ("HTTPServer", "http server"), ("a_b.c/d:e", "a b c d e"), ("Zoë", "zoe"),
        ("O\N{RIGHT SINGLE QUOTATION MARK}Brien", "o brien"), ("The", "the"),
        ("The A Team", "a team"), ("The API", "api"), ("hall A", "hall a"), ("", ""),
    ],
)  # fmt: skip
def test_names_are_normalised(name: str, plain: str) -> None:
    """Worked, with the edge of a name that is nothing but an article."""
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("node 1", "node 2"), ("node 1", "node"), ("a 1 2", "a 2 2"), ("api beta", "api"), ("import", "export"),
        ("secure", "insecure"), ("cache read", "cache write"), ("north gate", "south gate"), ("job daily", "job"),
        ("k1s", "kas"),
    ],
)  # fmt: skip
def test_names_of_two_things_are_seen(first: str, second: str) -> None:
    """From either side."""
    assert are_distinct(first, second)
    assert are_distinct(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("api", "api"), ("payment", "payments"), ("read replica", "read replicas"), ("chekout", "checkout"),
        ("k8s", "kubernetes"), ("e4e", "e to e"),
    ],
)  # fmt: skip
def test_spellings_are_not_taken_for_two_things(first: str, second: str) -> None:
    """A plural, a letter, or the number of those left out; from either side."""
    assert not are_distinct(first, second)
    assert not are_distinct(second, first)


@given(names.map(plain_name), names.map(plain_name))
def test_each_look_is_symmetric(first: str, second: str) -> None:
    """And a name is no other than itself."""
    assert are_distinct(first, second) == are_distinct(second, first)
    assert are_words_alike(first, second, 0.85) == are_words_alike(second, first, 0.85)
    assert may_abbreviate(first, second) == may_abbreviate(second, first)
    assert not are_distinct(first, first)
    assert are_words_alike(first, first, 0.85)
    assert not may_abbreviate(first, first)


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("data warehouse", "datawarehouse", True), ("chekout api", "checkout api", True), ("api", "api gateway", False),
        ("billing api", "billing ui", False), ("auth", "oauth", False), ("abcdefg", "abcdefh", True),
        ("abcdef", "abcdeg", False),
    ],
)  # fmt: skip
def test_each_word_must_be_alike(first: str, second: str, alike: bool) -> None:  # noqa: FBT001 - a row of a table
    """Six letters of seven are 0.857, five of six 0.833. From either side."""
    assert are_words_alike(first, second, 0.85) is alike
    assert are_words_alike(second, first, 0.85) is alike


def test_a_word_at_the_floor_is_alike() -> None:
    """One letter of two is 0.5."""
    assert are_words_alike("ab", "ac", 0.5)
    assert not are_words_alike("ab", "ac", 0.51)


@pytest.mark.parametrize(
    ("short", "long", "may"),
    [
        ("ada", "ada lovelace", True), ("a lovelace", "ada lovelace", True), ("al", "ada lovelace", True),
        ("k8s", "kubernetes", True), ("k9s", "kubernetes", False), ("i18n", "internationalization", True),
        ("b lovelace", "ada lovelace", False), ("billing", "search", False), ("", "search", False), ("x", "y", False),
        ("lovelace ada", "ada lovelace", True), ("ci cd", "continuous integration continuous delivery", True),
        ("ad lovelace", "ada lovelace", False),
    ],
)  # fmt: skip
def test_short_forms_are_known(short: str, long: str, may: bool) -> None:  # noqa: FBT001 - a row of a table
    """Fewer words, initials, and numbers for the letters that are left out."""
    assert may_abbreviate(short, long) is may
