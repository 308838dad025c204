"""Agreement sees what likeness does not: who denies what, which numbers, which variant, which opposite."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.agreement import ASKED, CLAIMED, Agreement, asks, compare, same_stand, stand
from memhtml.domain.statements import read

WORDS = [
    "checkout",
    "drains",
    "queue",
    "never",
    "not",
    "fails",
    "3",
    "5",
    "beta",
    "increase",
    "decrease",
    "always",
    "but",
]
texts = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)


def of(question: str, statement: str) -> Agreement:
    """How a statement answers to a question."""
    return compare(read(question), read(statement))


@given(texts, texts)
def test_every_sign_is_in_its_range(question: str, statement: str) -> None:
    """Shares between 0 and 1, counts bounded."""
    found = of(question, statement)
    for share in (found.order, found.denials, found.misplaced, found.numbers, found.qualifiers):
        assert 0.0 <= share <= 1.0
    assert found.denial in {0.0, 1.0}
    assert 0 <= found.opposites <= 2
    assert found.affirmations >= 0
    assert found.length == math.log1p(len(statement.split()))


@given(texts)
def test_a_statement_agrees_with_itself(text: str) -> None:
    """No sign against it, whatever it denies; the order of its words is its own."""
    found = of(text, text)
    assert (found.denial, found.denials, found.misplaced, found.numbers, found.qualifiers) == (0, 0, 0, 0, 0)
    assert (found.opposites, found.affirmations) == (0, 0)
    assert stand(found, CLAIMED) == stand(found, ASKED) == 0.0
    assert found.order == pytest.approx(1.0 if len(text.split()) > 1 else 0.0)


@given(texts, texts)
def test_what_differs_differs_from_either_side(one: str, other: str) -> None:
    """All but affirmations and length, which are the statement's alone."""
    here, there = of(one, other), of(other, one)
    assert (here.order, here.denial, here.denials, here.numbers, here.qualifiers, here.opposites) == (
        *(there.order, there.denial, there.denials, there.numbers, there.qualifiers, there.opposites),
    )
    assert here.misplaced == pytest.approx(there.misplaced)


def test_a_plain_denial_alone_is_the_strongest_sign() -> None:
    """On either side; not when both deny, and not by a word that denies in itself."""
    assert of("It drains the queue.", "It never drains the queue.").denial == 1.0
    assert of("It doesn't drain the queue.", "It drains the queue.").denial == 1.0
    assert of("It never drains the queue.", "It does not drain the queue.").denial == 0.0
    assert of("It drains the queue.", "It fails to drain the queue.").denial == 0.0
    assert of("It fails to drain.", "It never drains.").denial == 0.0


def test_a_word_that_both_hold_denies_nothing_of_a_plain_denial() -> None:
    """A failed call is retried or it is not, whatever failed; a denial that only the other holds is its own."""
    assert of("It does not retry a failed call.", "It retries a failed call.").plain == 1.0
    assert of("It retries a failed call.", "It never retries a failed call.").plain == 1.0
    assert of("It does not retry a failed call.", "It never retries a failed call.").plain == 0.0
    assert of("It does not retry a call.", "It retries a failed call.").plain == 0.0
    assert of("It does not retry a failed call.", "It refuses a failed call.").plain == 0.0
    assert of("It retries a failed call.", "It retries a failed call.").plain == 0.0
    assert of("It retries a call.", "It retries a failed call.").plain == 0.0


def test_denials_are_counted_up_to_three() -> None:
    """One apart is a third, more than three no more than three."""
    assert of("drain", "never drain").denials == pytest.approx(1 / 3)
    assert of("drain", "never not fail drain").denials == 1.0
    assert of("drain", "never not fail lose drain").denials == 1.0


def test_a_denial_of_another_thing_is_misplaced() -> None:
    """Both deny once, and not the same: queue 1 against .5, cache .5 against 1, over one and the larger of each."""
    apart = of("not queue cache", "not cache queue")
    assert (apart.denial, apart.denials) == (0.0, 0.0)
    assert apart.misplaced == pytest.approx((0.5 + 0.5) / (1 + 1 + 1))
    assert of("not queue", "not queue").misplaced == 0.0


def test_a_denial_of_what_only_one_speaks_of_is_not_misplaced() -> None:
    """Only words that both have can be denied by one and not by the other."""
    assert of("not queue", "not cache").misplaced == 0.0


def test_order_is_the_cosine_of_neighbouring_words() -> None:
    """One pair of one and one, one of two and three, none."""
    assert of("queue drain", "queue drain").order == 1.0
    assert of("queue drain", "queue drain fast").order == pytest.approx(1 / math.sqrt(2))
    assert of("slow queue drain", "queue drain fast today").order == pytest.approx(1 / math.sqrt(6))
    assert of("queue drain", "drain queue").order == 0.0


def test_a_plain_denial_is_shared_or_not() -> None:
    """Whatever other words deny, and however often."""
    assert of("It drains.", "It never drains.").negation == 1.0
    assert of("It fails to drain.", "It never drains.").negation == 1.0
    assert of("It never drains.", "It does not fail to drain.").negation == 0.0
    assert of("It never drains.", "It never does not drain.").negation == 0.0
    assert of("It drains.", "It fails to drain.").negation == 0.0


def test_numbers_and_variants_are_compared_as_sets() -> None:
    """The share that only one of the two has."""
    assert of("3 of 5 pods", "5 of 3 pods").numbers == 0.0
    assert of("3 pods", "5 pods").numbers == 1.0
    assert of("3 pods and 5 nodes", "3 pods").numbers == 0.5
    assert of("beta client", "client").qualifiers == 1.0
    assert of("beta client", "beta client").qualifiers == 0.0


def test_opposites_are_found_by_word_and_by_affix() -> None:
    """From either side, each pair once; two say as much as many."""
    assert of("Load will increase.", "Load will decrease.").opposites == 1
    assert of("The path is regular.", "The path is irregular.").opposites == 1
    assert of("The path is irregular.", "The path is regular.").opposites == 1
    assert of("increase always early", "decrease never late").opposites == 2
    assert of("increase", "increase and decrease").opposites == 0


def test_affirmations_of_the_statement_alone_count() -> None:
    """What the question affirms as well says nothing."""
    assert of("It drains.", "It always and usually drains.").affirmations == 2
    assert of("It always drains.", "It always drains.").affirmations == 0


def test_the_signs_are_weighed_each_by_its_own_weight() -> None:
    """One sign alone gives its weight; the two that depend on likeness are left out, and what only twins weigh."""
    signs = ("denial", "denials", "misplaced", "negation", "numbers", "qualifiers", "opposites", "affirmations")
    zero = dict.fromkeys([*signs, "order", "length", "plain"], 0)
    for weights in (CLAIMED, ASKED):
        for sign in signs:
            assert stand(Agreement(**{**zero, sign: 1}), weights) == getattr(weights, sign)
        assert stand(Agreement(**{**zero, "order": 1, "length": 1, "plain": 1}), weights) == 0.0


def test_two_statements_stand_alike_when_they_differ_in_numbers_and_order_only() -> None:
    """What they deny, oppose and affirm is what counts."""
    question = "how many copies are kept"
    assert same_stand(of(question, "3 copies are kept"), of(question, "kept are 5 copies, in beta"))
    assert not same_stand(of(question, "3 copies are kept"), of(question, "3 copies are not kept"))
    assert not same_stand(of(question, "copies are kept"), of(question, "copies are always kept"))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        *[("Is it retried?", True), ("where the logs are", True), ("it is retried?  ", True), ("  HOW so", True)],
        *[("It is retried.", False), ("retry policy", False), ("", False), ("?!", False)],
    ],
)
def test_questions_are_known_by_their_mark_or_their_first_word(text: str, *, question: bool) -> None:
    """Anything else claims something."""
    assert asks(text) is question
