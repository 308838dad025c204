"""Each predicate sees its own kind of difference, from either side, and no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import (
    Divergence,
    divergences,
    negations_diverge,
    numbers_diverge,
    qualifiers_diverge,
)

WORDS = [
    *["checkout", "doesn't", "never", "not", "can't", "retry", "retries", "3", "5", "three", "1,000"],
    *["beta", "legacy", "preview", "the", "API.", "queue?", "no", "without"],
]
texts = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join) | st.text(max_size=40)
QUALIFIERS = ["pro", "max", "beta", "alpha", "rc", "preview", "legacy", "deprecated", "experimental"]
PREDICATES = [negations_diverge, numbers_diverge, qualifiers_diverge]


@given(texts, texts)
def test_each_predicate_is_symmetric(first: str, second: str) -> None:
    """And so is what they say together."""
    for predicate in PREDICATES:
        assert predicate(first, second) == predicate(second, first)
    assert divergences(first, second) == divergences(second, first)


@given(texts)
def test_nothing_diverges_from_itself(text: str) -> None:
    """However it is written, upper case and spaced out included."""
    assert divergences(text, text) == frozenset()
    assert divergences(text, f"  {text}\n") == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "ways"),
    [
        ("Checkout drains its queue.", "Checkout does not drain its queue.", {Divergence.NEGATION}),
        ("Checkout drains its queue.", "Checkout never drains its queue.", {Divergence.NEGATION}),
        ("It can retry.", "It can't retry.", {Divergence.NEGATION}),
        ("It won't retry.", "It will not retry.", set()),
        ("It shan't retry.", "It shall retry.", {Divergence.NEGATION}),
        ("The pool holds 12 connections.", "The pool holds 21 connections.", {Divergence.NUMBER}),
        ("The pool holds twelve connections.", "The pool holds 12 connections.", set()),
        ("It keeps 1,000 rows.", "It keeps 1000 rows.", set()),
        ("It failed.", "It failed 3 times.", {Divergence.NUMBER}),
        ("Use the beta client.", "Use the client.", {Divergence.QUALIFIER}),
        ("Use the Legacy client.", "Use the legacy client.", set()),
        ("The preview is deprecated.", "The preview is experimental.", {Divergence.QUALIFIER}),
        ("Never keep 3 beta copies.", "Keep 5 copies.", set(Divergence)),
        ("The queue is drained.", "Drained is the queue!", set()),
        ("", "", set()),
        ("", "not", {Divergence.NEGATION}),
    ],
)
def test_pairs_worked_out(first: str, second: str, ways: set[Divergence]) -> None:
    """Negation, number and variant, alone, together and not at all."""
    assert divergences(first, second) == ways


@pytest.mark.parametrize("word", QUALIFIERS)
def test_every_variant_of_the_list_tells_two_things_apart(word: str) -> None:
    """As a word, in any case; not as a part of one."""
    assert qualifiers_diverge(f"the {word} client", "the client")
    assert not qualifiers_diverge(f"the {word.upper()} client", f"the {word} client")
    assert not qualifiers_diverge(f"the x{word}x client", "the client")


def test_two_negations_are_as_negated_as_one() -> None:
    """The question is whether a side denies at all, in any of its sentences."""
    assert not negations_diverge("It does not retry. It never will.", "It does not retry.")
    assert negations_diverge("It retries. It never gives up.", "It retries. It gives up.")


def test_numbers_are_a_set() -> None:
    """Order and repetition say nothing; one more number does."""
    assert not numbers_diverge("3 of 5, then 3", "5, and 3")
    assert numbers_diverge("3 of 5", "3 of 5 in 2")
