"""Readable names out of any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.slugs import LONGEST_SLUG, numbered, slug

SHAPE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SLUGS = st.text(st.sampled_from("ab-1 "), max_size=120).map(slug)
ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@given(ANY_TEXT)
def test_a_slug_has_the_shape_of_one_and_is_its_own_slug(text: str) -> None:
    """Whatever the text, lone surrogates included."""
    name = slug(text)
    assert SHAPE.fullmatch(name)
    assert len(name) <= LONGEST_SLUG
    assert slug(name) == name


@given(SLUGS, st.integers(1, 1200), st.integers(1, 1200))
def test_two_ordinals_never_give_one_name(name: str, one: int, other: int) -> None:
    """And every numbered name is a slug inside the eighty characters."""
    first, second = numbered(name, one), numbered(name, other)
    assert (first == second) == (one == other)
    assert slug(first) == first
    assert len(first) <= LONGEST_SLUG


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Drain the LB: before deploy!", "drain-the-lb-before-deploy"),
        ("日本語", "ribenyu"),
        ("Привет, мир", "privet-mir"),
        ("Café déployé", "cafe-deploye"),
        ("Straße", "strasse"),
        ("🎉", "tada"),
        ("  --a--  ", "a"),
        ("a\ud800b", "a-b"),
        ("a\x00b", "a-b"),
        ("x" * 79 + " yz", "x" * 79),
        ("x" * 78 + " yz", "x" * 78 + "-y"),
        ("x" * 200, "x" * 80),
        ("", "untitled"),
        ("…!?", "untitled"),
        ("\u200b\u202e", "untitled"),
        ("untitled", "untitled"),
    ],
)
def test_slugs_by_example(text: str, name: str) -> None:
    """Transliterated, not dropped; `untitled` only when nothing is left."""
    assert slug(text) == name


@pytest.mark.parametrize(
    ("name", "ordinal", "expected"),
    [
        ("drain", 1, "drain"),
        ("drain", 2, "drain-2"),
        ("drain-2", 2, "drain-2-2"),
        ("a" * 80, 1, "a" * 80),
        ("a" * 80, 2, "a" * 78 + "-2"),
        ("a" * 80, 10, "a" * 77 + "-10"),
        ("a" * 77 + "-bc", 2, "a" * 77 + "-2"),
        ("a" * 78 + "-2", 2, "a" * 76 + "-2"),
        ("a" * 77 + "-2", 2, "a" * 76 + "-2"),
        ("a" * 76 + "-2", 2, "a" * 76 + "-2-2"),
        ("a" * 75 + "-bb-2", 2, "a" * 75 + "-2"),
        ("a" * 78 + "-2", 3, "a" * 78 + "-3"),
    ],
)
def test_numbers_by_example(name: str, ordinal: int, expected: str) -> None:
    """A name that already ends with the number gives way, so that its second name differs from it."""
    assert numbered(name, ordinal) == expected


@pytest.mark.parametrize("ordinal", [0, -1])
def test_ordinals_count_from_one(ordinal: int) -> None:
    """There is no zeroth memory of a name."""
    with pytest.raises(ValueError, match="count from 1"):
        numbered("drain", ordinal)
