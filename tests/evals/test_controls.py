"""Controls of a memory: one a family, each checked, and everything else thrown away and counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import Divergence, negations_diverge, numbers_diverge, qualifiers_diverge
from memhtml.domain.terms import fold
from memhtml.evals.controls import FAMILIES, Control, Derived, Rejected, Rejection, _fault, derive
from memhtml.evals.grammar.sentence import LONGEST, reads_as_sentence

PREDICATES = {
    Divergence.NEGATION: negations_diverge,
    Divergence.NUMBER: numbers_diverge,
    Divergence.QUALIFIER: qualifiers_diverge,
}


def test_a_claim_gets_one_control_a_family_in_a_fixed_order() -> None:
    """Negation, number, qualifier, with the body changed as the claim was."""
    derived = derive("The worker retries jobs 3 times.", "Ada set it to 3 times.")
    assert derived == Derived(
        (
            Control(Divergence.NEGATION, "The worker doesn't retry jobs 3 times.", "Ada set it to 3 times."),
            Control(Divergence.NUMBER, "The worker retries jobs 5 times.", "Ada set it to 5 times."),
            Control(Divergence.QUALIFIER, "The beta worker retries jobs 3 times.", "Ada set it to 3 times."),
        ),
        (),
    )


def test_a_family_with_nothing_to_change_is_no_fault() -> None:
    """It gives no control, and nothing is counted."""
    assert derive("Thanks a lot, Ada!", "It keeps 3 jobs.") == Derived((), ())
    assert [control.family for control in derive("Ada prefers tabs.", "").controls] == [Divergence.NEGATION]


def test_a_flip_that_does_not_diverge_is_thrown_away() -> None:
    """Two denials: one that goes leaves the other, and the predicate sees a denial on both sides."""
    derived = derive("It never runs without a lock.", "")
    assert derived.controls == ()
    assert {one.reason for one in derived.rejected} == {Rejection.NOT_DIVERGED}
    assert {one.family for one in derived.rejected} == {Divergence.NEGATION}


def test_what_another_memory_says_is_thrown_away_and_the_next_form_taken() -> None:
    """In any case and spacing; with every form taken there is no control."""
    claim = "Ada owns the keys."
    first, second = (f"Ada {form} own the keys." for form in ("does not", "doesn't"))
    free = [control.claim for control in derive(claim, "").controls]
    assert free[0] in {first, second}
    other = derive(claim, "", {free[0].upper().replace(" ", "  ")})
    assert other.controls[0].claim != free[0]
    assert other.rejected == (Rejected(Divergence.NEGATION, Rejection.SAME_AS_ANOTHER),)
    none = derive(claim, "", {first, second})
    assert none.controls == ()
    assert len(none.rejected) == 2


def test_a_page_has_no_twin() -> None:
    """What is longer than any claim gives nothing; up to that, it does."""
    sentence = "The worker retries jobs 3 times. "
    assert derive(sentence * (LONGEST // len(sentence)), "").controls
    assert derive(sentence * (LONGEST // len(sentence) + 1), "") == Derived((), ())


def test_not_every_number_of_a_list_is_tried() -> None:
    """A claim that reads as no sentence costs a few tries, however much could be changed in it."""
    derived = derive(f"Of {' and '.join(f'{count} jobs' for count in range(20, 60))} and", "")
    assert 0 < len([one for one in derived.rejected if one.family is Divergence.NUMBER]) <= 12


def test_what_reads_as_no_sentence_is_thrown_away() -> None:
    """Two words are none."""
    assert derive("It isn't.", "").rejected == (Rejected(Divergence.NEGATION, Rejection.NO_SENTENCE),)


def test_what_says_the_same_as_the_target_is_thrown_away_for_that() -> None:
    """In any case and spacing; no rule of today makes such a text, and one of tomorrow may."""
    for family in FAMILIES.values():
        assert _fault("THE API  IS OFF.", family, "The API is off.") is Rejection.SAME_AS_TARGET
        assert _fault("The API is on.", family, "The API is off.") is Rejection.NOT_DIVERGED


WORDS = """
    the a worker queue never not no without is are does doesn't can't cannot retries retry 3 five 2.5 v2 10% beta
    2026-03-01 legacy, jobs. and or neither nor nobody none of , . ( ) ` 'tis it's I've was deploys Use Do running
    been has have had any some until yet -- \u2014 1,000 30s twenty-five twice at least
""".split()  # noqa: SIM905 - a list would take a line a word
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=12).map(" ".join)


@given(TEXTS, TEXTS)
def test_every_control_diverges_and_reads_as_a_sentence(claim: str, body: str) -> None:
    """Whatever the text is; and the same text always gives the same ones."""
    derived = derive(claim, body)
    assert [control.family for control in derived.controls] == sorted(
        {control.family for control in derived.controls}, key=list(Divergence).index
    )
    for control in derived.controls:
        assert PREDICATES[control.family](claim, control.claim)
        assert reads_as_sentence(control.claim)
        assert fold(control.claim) != fold(claim)
    assert derive(claim, body) == derived


@pytest.mark.parametrize(
    ("claim", "controls"),
    [
        ("No deploys run on Fridays.", ["Deploys run on Fridays."]),
        ("The legacy API is off.", ["The legacy API isn't off.", "The preview API is off."]),
        ("Keep 30 days of logs.", ["Never keep 30 days of logs.", "Keep 45 days of logs."]),
    ],
)
def test_controls_worked_out(claim: str, controls: list[str]) -> None:
    """From both directions."""
    assert [control.claim for control in derive(claim, "").controls] == controls
