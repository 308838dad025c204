"""The negation flip of a whole memory: the claim, and the body where it says the same again."""

from __future__ import annotations

import pytest

from memhtml.evals.negation import flips


def claims(claim: str) -> list[str]:
    """What a claim becomes."""
    return [flip.claim for flip in flips(claim, "")]


def test_a_claim_that_denies_gets_its_denial_taken_out_and_another_gets_one() -> None:
    """Never one more on top."""
    assert "The worker does not retry." in claims("The worker retries.")
    assert set(claims("The worker never retries.")) <= {"The worker retries.", "The worker always retries."}
    assert claims("Thanks!") == claims("") == []


def test_the_sentence_that_denies_is_the_one_that_turns() -> None:
    """Wherever it stands; the others stay."""
    assert claims("It runs. It isn't kept. It is small.")[0] == "It runs. It is kept. It is small."
    assert claims("It runs at night. It is small.")[0].endswith("It is small.")


@pytest.mark.parametrize(
    ("body", "turned"),
    [
        ("", ""),
        ("Ask Ada.", "Ask Ada."),
        ("Ask Ada. Jobs are kept for a day. It helps.", "Ask Ada. Jobs aren't kept for a day. It helps."),
        ("JOBS ARE KEPT FOR A DAY.", "Jobs aren't kept for a day."),
        ("It is so. Jobs are kept for a day. 3 is 9. Ask.", "It is so. Jobs aren't kept for a day. 3 is 9. Ask."),
        ("All jobs are kept for one day.", "Not all jobs are kept for one day."),
        ("Jobs are not kept for a week.", "Jobs are not kept for a week."),
        ("Reports are kept elsewhere.", "Reports are kept elsewhere."),
    ],
)
def test_the_body_turns_where_it_says_the_same_again(body: str, turned: str) -> None:
    """In the same words or in most of them; what else it says, and what it denies by itself, stays."""
    assert next(flips("Jobs are kept for a day.", body)).body == turned


def test_a_body_that_denies_again_turns_too() -> None:
    """With the verb as it must be there."""
    flip = next(flips("The worker does not retry failed jobs.", "So the worker does not retry any failed jobs. Why?"))
    assert (flip.claim, flip.body) == (
        "The worker retries failed jobs.",
        "So the worker retries some failed jobs. Why?",
    )


def test_what_is_said_again_word_for_word_turns_wherever_sentences_end() -> None:
    """A number before a full stop can hide the end of a sentence."""
    flip = next(flips("It was not checked on June 9.", "It was not checked on June 9. The change came later."))
    assert flip.body == "It was checked on June 9. The change came later."
