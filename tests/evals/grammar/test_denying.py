"""A denial put in: a sentence stays one, and says the contrary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import negations_diverge
from memhtml.evals.grammar.denying import denied


@pytest.mark.parametrize(
    ("sentence", "forms"),
    [
        (
            "The worker retries jobs.",
            [
                "The worker does not retry jobs.",
                "The worker doesn't retry jobs.",
                "The worker never retries jobs.",
            ],
        ),
        ("Deploys run.", ["Deploys do not run.", "Deploys don't run.", "Deploys never run."]),
        ("The cache froze.", ["The cache did not freeze.", "The cache didn't freeze."]),
        ("The team has 5 members.", ["The team does not have 5 members.", "The team doesn't have 5 members."]),
        ("Users have to sign in.", ["Users do not have to sign in.", "Users don't have to sign in."]),
        ("Logs are kept.", ["Logs are not kept.", "Logs aren't kept."]),
        ("It can wait.", ["It cannot wait.", "It can't wait."]),
        ("It will wait.", ["It will not wait.", "It won't wait."]),
        ("It may wait.", ["It may not wait."]),
        ("It must wait.", ["It must not wait.", "It mustn't wait."]),
        ("The team has decided.", ["The team has not decided.", "The team hasn't decided."]),
        ("It's cached.", ["It's not cached."]),
        ("It's been cached.", ["It hasn't been cached."]),
        ("I'll surely wait.", ["I surely won't wait."]),
        ("We've cached it.", ["We haven't cached it."]),
        ("I'd cache it.", ["I wouldn't cache it."]),
        ("They'd cached it.", ["They hadn't cached it."]),
        ("Use the queue.", ["Do not use the queue.", "Don't use the queue.", "Never use the queue."]),
        ("Always use the queue.", ["Never use the queue."]),
        ("When it is full, drain it.", [f"When it is full, {form} drain it." for form in ("do not", "don't", "never")]),
        ("Chose the queue.", ["Did not choose the queue."]),
        ("The worker always retries.", ["The worker never retries."]),
        ("The worker sometimes retries.", ["The worker never retries."]),
        ("The worker still retries.", ["The worker no longer retries."]),
        ("It is always kept.", ["It is never kept."]),
        ("It is still kept.", ["It is no longer kept."]),
        ("It has already been kept.", ["It has not yet been kept."]),
        ("I'm always there.", ["I'm never there."]),
        ("It is also kept.", ["It is also not kept."]),
        ("It can safely wait.", ["It safely cannot wait."]),
        ("It already runs.", ["It does not yet run.", "It doesn't yet run."]),
        ("It safely waits.", ["It does not safely wait.", "It doesn't safely wait."]),
        ("There is a backup.", ["There is no backup."]),
        ("All workers retry it.", ["Not all workers retry it."]),
        ("Only admins can delete it.", ["Not only admins can delete it."]),
        ("Everyone has a key.", ["Not everyone has a key."]),
        ("It keeps some jobs.", [f"It {form} any jobs." for form in ("does not keep", "doesn't keep", "never keeps")]),
    ],
)
def test_each_kind_of_verb_has_its_forms_of_denial(sentence: str, forms: list[str]) -> None:
    """In order, the plainest first; another sway begins with another."""
    assert list(denied(sentence, 0)) == forms
    assert sorted(denied(sentence, 1)) == sorted(forms)
    assert next(denied(sentence, 1)) == forms[1 % len(forms)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Is it kept?",
        "What a day!",
        "It can't wait.",
        "It is not kept.",
        "It is only kept.",
        "It rarely waits.",
        "Note that it waits.",
        "Appreciate your help.",
        "Thank the team for it.",
        "Never deploy it.",
        "Do not deploy it.",
        "Nearly all of it is kept.",
        "What's there is kept.",
    ],
)
def test_what_cannot_be_denied_plainly_is_left_alone(sentence: str) -> None:
    """Questions, fragments, what is denied, and what a denial would not turn around."""
    assert list(denied(sentence, 0)) == []


def test_some_far_away_stays() -> None:
    """It does not belong to the denial any more."""
    assert (
        next(denied("It waits for the reports of some people.", 0))
        == "It does not wait for the reports of some people."
    )
    assert next(denied("It waits, as some people do.", 0)) == "It does not wait, as some people do."


@given(st.sampled_from(["The worker", "We", "Jobs", "It"]), st.sampled_from(["can", "must", "will", "should", "may"]))
def test_a_denial_is_seen_as_one(subject: str, modal: str) -> None:
    """By the predicate that controls are checked with."""
    claim = f"{subject} {modal} wait."
    assert all(negations_diverge(claim, form) for form in denied(claim, 0))
