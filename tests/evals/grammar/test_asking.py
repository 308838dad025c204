"""A claim as a question: what it denies stays denied, and its verb goes where a question has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import divergences
from memhtml.evals.grammar.asking import question


@pytest.mark.parametrize(
    ("claim", "why", "whether"),
    [
        ("The worker retries jobs.", "why does the worker retry jobs?", "does the worker retry jobs?"),
        ("Deploys run at night.", "why do deploys run at night?", "do deploys run at night?"),
        ("The cache froze.", "why did the cache freeze?", "did the cache freeze?"),
        ("The worker never waits.", "why does the worker never wait?", "does the worker never wait?"),
        ("No deploys run.", "why do no deploys run?", "do no deploys run?"),
        ("Logs are not kept.", "why are logs not kept?", "are logs not kept?"),
        ("It doesn't wait.", "why doesn't it wait?", "does it not wait?"),
        ("It cannot wait.", "why can't it wait?", "can it not wait?"),
        ("It won't wait.", "why won't it wait?", "will it not wait?"),
        ("It's cached.", "why is it cached?", "is it cached?"),
        ("We've cached it.", "why have we cached it?", "have we cached it?"),
        ("On Fridays, deploys stop.", "why do deploys stop on Fridays?", "do deploys stop on Fridays?"),
        ("Ada: the API is off.", "why is the API off?", "is the API off?"),
        ("Use the queue.", "why should we use the queue?", "should we use the queue?"),
        ("Do not use it.", "why should we not use it?", "should we not use it?"),
        ("Never use it.", "why should we never use it?", "should we never use it?"),
        ("Chose the queue.", "why did we choose the queue?", "did we choose the queue?"),
    ],
)
def test_a_claim_is_asked_for(claim: str, why: str, whether: str) -> None:
    """With its reason in the first turn, and whether it holds in the second."""
    assert (question(claim, 0), question(claim, 1)) == (why, whether)


@pytest.mark.parametrize("claim", ["", "Thanks!", "Is it so?", "On Fridays deploys are frozen."])
def test_what_has_no_verb_to_go_first_is_not_asked_for(claim: str) -> None:
    """Nor what begins with a phrase that nobody can tell from the subject."""
    assert [question(claim, turn) for turn in range(4)] == [None] * 4


CLAIMS = st.sampled_from(["It doesn't wait 3 s.", "The beta API never stops.", "Do not use v2.", "We can't wait 5 s."])


@given(CLAIMS, st.integers(0, 40))
def test_nothing_that_decides_is_lost(claim: str, turn: int) -> None:
    """In any turn."""
    asked = question(claim, turn)
    assert asked is not None
    assert asked.endswith("?")
    assert divergences(claim, asked) == frozenset()
