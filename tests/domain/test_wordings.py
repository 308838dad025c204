"""Texts are told apart by their words, and by nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.terms import search_text
from memhtml.domain.wordings import LONGEST, digest, digests

TEXTS = st.text(max_size=60)


def number(text: str) -> int:
    """The digest of a text that has words."""
    found = digest(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Thanks! What's new?", " thanks: WHAT\N{RIGHT SINGLE QUOTATION MARK}s\n new", True),
        ("ÅNGSTRÖM", "angstrom", True),
        ("the deploy is frozen", "the deploy was frozen", False),
        ("deploys are frozen", "deploy is frozen", False),  # no stems: very words
        ("a b", "b a", False),
        ("a b", "ab", False),
        ("C++", "C", False),
        ("keep 20", "keep 30", False),
        ("क", "कि", False),
    ],
)
def test_case_punctuation_and_white_space_do_not_count_and_words_do(one: str, other: str, *, same: bool) -> None:
    """Each word, in its order, as it is spelt."""
    assert (number(one) == number(other)) is same


def test_a_digest_is_the_same_everywhere_and_always() -> None:
    """Written in full, because indexes hold it: another rule for it needs another projection."""
    assert number("Thanks!") == 127991660047219
    assert number("Deploys are frozen on Fridays.") == 230826475561591880


@given(TEXTS, TEXTS)
def test_digests_are_equal_where_the_words_are(one: str, other: str) -> None:
    """Those of the index: what it cannot tell apart has one digest, what it can has two."""
    assert (digest(one) == digest(other)) is (search_text(one) == search_text(other))


@given(TEXTS)
def test_a_digest_fits_the_index(text: str) -> None:
    """SQLite's integers end at 63 bits."""
    found = digest(text)
    assert found is None or 0 <= found < 2**63


@pytest.mark.parametrize("text", ["", " \n", "?!", "-- …", "a" * 20 + " a" * (LONGEST // 2)])
def test_what_has_no_words_or_far_too_many_has_no_digest(text: str) -> None:
    """Nothing is found by nothing, and no book by being typed in."""
    assert digest(text) is None


def test_the_longest_text_has_a_digest() -> None:
    """Of 32,768 characters; a lone surrogate is no part of any word."""
    assert digest("a " * (LONGEST // 2)) is not None
    assert number("a\ud800b") == number("a b")


def test_a_body_of_many_lines_is_one_text() -> None:
    """And an instant inside a line belongs to it."""
    assert digests("", "", "X a\nb X") == (number("x a b x"),)
    assert digests("", "", "since 2026-01-05 frozen\n 2026-01-05 ") == (number("since 2026-01-05 frozen"),)


def test_a_memory_is_known_by_its_title_its_claim_and_its_body() -> None:
    """In that order, each once; an instant on a line of its own is no part of the body."""
    body = "Deploys are frozen. Ask Ada.\n2026-01-05\n2026-01-05T10:00:00Z"
    assert digests("Freeze", "Deploys are frozen.", body) == (
        number("freeze"),
        number("deploys are frozen"),
        number("deploys are frozen ask ada"),
    )
    assert digests("Deploys are frozen", "Deploys are frozen.", "Deploys are frozen.") == (
        number("deploys are frozen"),
    )
    assert digests("On 2026-01-05", "It was 2026-01-05.", "It was 2026-01-05.") == (
        number("on 2026-01-05"),
        number("it was 2026-01-05"),
    )


def test_a_memory_without_words_is_known_by_nothing() -> None:
    """No digest that other such memories would share."""
    assert digests("?", "!", "…") == ()
