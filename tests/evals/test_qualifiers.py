"""The qualifier flip: the same claim about another variant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import qualifiers_diverge
from memhtml.domain.polarity import QUALIFIERS
from memhtml.evals.qualifiers import flips


def claims(claim: str) -> set[str]:
    """Everything that a claim may become."""
    return {flip.claim for flip in flips(claim, "")}


@pytest.mark.parametrize(
    ("claim", "changed"),
    [
        ("The beta client retries.", {f"The {word}client retries." for word in ("alpha ", "")}),
        ("The legacy API stays.", {f"The {word}API stays." for word in ("preview ", "experimental ", "")}),
        ("A legacy client stays.", {"A preview client stays.", "An experimental client stays.", "A client stays."}),
        ("An alpha client stays.", {"A beta client stays.", "A client stays."}),
        ("Deploy 2.0-rc1 first.", {"Deploy 2.0-beta1 first.", "Deploy 2.0-alpha1 first."}),
        ("The client_legacy file stays.", {f"The client_{word} file stays." for word in ("preview", "experimental")}),
        ("Preview builds stay.", {"Beta builds stay.", "Legacy builds stay.", "Builds stay."}),
        ("The Phone 15 Pro is slow.", {"The Phone 15 Max is slow."}),
        ("The Phone 15 Pro Max is slow.", {"The Phone 15 Max is slow."}),
        ("The LEGACY API stays.", {"The PREVIEW API stays.", "The EXPERIMENTAL API stays.", "The API stays."}),
    ],
)
def test_a_qualifier_is_exchanged_or_left_out(claim: str, changed: set[str]) -> None:
    """In its case, with the article that then goes before; attached to a name it is only exchanged."""
    assert claims(claim) == changed


@pytest.mark.parametrize(
    "claim",
    [
        "The checkout service retries.",
        "An importer of orders runs.",
        "Restart the worker after it.",
        "The job is done by a mail gateway.",
        "Our clients retry.",
    ],
)
def test_a_thing_that_has_variants_gets_one(claim: str) -> None:
    """One word more than before, a qualifier, behind an article that goes with it."""
    for changed in claims(claim):
        added = set(changed.split()) - set(claim.split()) - {"a", "A", "an", "An"}
        assert added <= QUALIFIERS
        assert len(added) == 1
        assert len(changed.split()) == len(claim.split()) + 1
    assert claims(claim)
    assert not any(article in changed for changed in claims(claim) for article in ("An legacy", "An beta"))


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "It waits.",
        "Max is my dog.",
        "Pros and cons were weighed.",
        "Set max 5 connections.",
        "The worker pool is full.",
        "Use an API key.",
        "The team deploys services.",
        "The potato is peeled.",
        "It is a helpful app.",
        "The Asp-Pro bond is weak.",
    ],
)
def test_what_has_no_variants_stays(claim: str) -> None:
    """People, amounts, things of other trades, and things that are a part of the name of another."""
    assert claims(claim) == set()


@pytest.mark.parametrize(
    ("claim", "body", "changed"),
    [
        (
            "The beta client retries.",
            "Ask for the beta client. The beta API waits.",
            "Ask for the {} client. The beta API waits.",
        ),
        ("The beta client retries.", "The Beta client waits.", "The {} client waits."),
        ("It is beta.", "They say it is beta. The beta API waits.", "They say it is {}. The beta API waits."),
    ],
)
def test_the_body_changes_where_it_names_the_same_variant(claim: str, body: str, changed: str) -> None:
    """Beside the same thing, and nowhere else."""
    for flip in flips(claim, body):
        new = next((word for word in flip.claim.rstrip(".").split() if word in QUALIFIERS), "")
        assert " ".join(flip.body.split()) == " ".join(changed.format(new).split())


def test_a_thing_without_a_variant_gets_the_same_one_in_the_body() -> None:
    """It is one thing, however often it is named."""
    flip = next(flips("The mail gateway waits.", "Restart the mail gateway; the gateway is slow."))
    new = flip.claim.split()[1]
    assert flip.body == f"Restart the {new} mail gateway; the gateway is slow."


@given(st.sampled_from(sorted(QUALIFIERS - {"pro", "max"})), st.sampled_from(["client", "API", "old worker"]))
def test_a_flip_always_diverges(word: str, thing: str) -> None:
    """By the predicate that controls are checked with."""
    claim = f"The {word} {thing} retries."
    assert all(qualifiers_diverge(claim, changed) for changed in claims(claim))
    assert claims(claim)
