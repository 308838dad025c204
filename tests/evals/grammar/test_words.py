"""Words keep their places."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memhtml.evals.grammar.words import words_of


@given(st.text(alphabet="ab.,;()'`- \u2019\u2014\n", max_size=40) | st.text(max_size=40))
def test_a_word_is_where_it_says(text: str) -> None:
    """Its core is the text between its ends; words come in order and do not overlap."""
    words = words_of(text)
    assert all(text[word.start : word.end] == word.text != "" for word in words)
    assert all(one.end <= other.start for one, other in pairwise(words))


def test_punctuation_is_around_words_and_not_of_them() -> None:
    """A stop or a dash closes the word before it; a span of code is one word; apostrophes are made plain."""
    words = words_of("\u201cIt\u2019s `a, b` (fast)\u201d \u2014 so 1.5, no\u2026")
    assert [(word.low, word.closes) for word in words] == [
        ("it's", False),
        ("`a, b`", False),
        ("fast", True),
        ("so", False),
        ("1.5", True),
        ("no", True),
    ]
    assert words_of(" \u2014 ... ") == ()
