"""The slot that a claim fills."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.frames import CONNECTORS, Frame, conflict, frame

WORDS = st.text(alphabet="abmnosty019äéжλ", min_size=1, max_size=8)
PLAIN = WORDS.filter(lambda word: word.casefold() not in CONNECTORS)
CLAIMS = st.lists(st.one_of(WORDS, st.sampled_from(sorted(CONNECTORS))), max_size=14).map(" ".join)


def test_worked_example() -> None:
    """The last connector parts the slot from the value, and case and a full stop are no part of either."""
    assert frame("The retry limit of Checkout is 3.") == Frame("the retry limit of checkout is", "3")
    assert frame("Deploys go to the blue cluster") is None  # two words before the connector
    assert frame("All deploys go to the blue cluster") == Frame("all deploys go to", "the blue cluster")


@pytest.mark.parametrize(
    ("claim", "filled"),
    [
        ("a b is c", False),
        ("a b c is d", True),
        ("a b c is", False),
        ("a b c is 1 2 3 4 5 6", True),
        ("a b c is 1 2 3 4 5 6 7", False),
        ("", False),
        ("... --- is ?", False),
    ],
)
def test_a_frame_has_three_words_or_more_and_a_value_of_one_to_six(claim: str, *, filled: bool) -> None:
    """The bounds of the contract, at their edges."""
    assert (frame(claim) is not None) is filled


def test_claims_about_different_things_do_not_conflict() -> None:
    """Nothing happens: another slot, another connector, no slot at all."""
    limit = frame("the retry limit of checkout is 3")
    assert not conflict(limit, frame("the retry limit of billing is 5"))
    assert not conflict(frame("the checkout queue lives in memory"), frame("the checkout queue lives by redis"))
    assert not conflict(limit, None)
    assert not conflict(None, None)


def test_signs_and_percentages_are_part_of_a_value() -> None:
    """`-5` and `5` are different values; quotes around a value are not."""
    assert conflict(frame("the offset of it is -5"), frame("the offset of it is 5"))
    assert not conflict(frame("the offset of it is '5'"), frame("the offset of it is 5"))
    for dressed in ("'5'", "('5').", '"(5)"', "5", "5!?"):
        assert frame(f"the offset of it is {dressed}") == Frame("the offset of it is", "5")


@given(CLAIMS)
def test_a_frame_is_cut_from_the_claims_own_words(claim: str) -> None:
    """Slot and value together are the words of the claim, and the slot ends with the last connector."""
    found = frame(claim)
    if found is None:
        return
    assert f"{found.slot} {found.value}".split() == claim.casefold().split()
    assert found.slot.split()[-1] in CONNECTORS
    assert not CONNECTORS & set(found.value.split())


@given(CLAIMS, st.sampled_from(["{}", "{}.", " {}  ", "«{}»", "{}\n"]))
def test_case_space_and_edge_punctuation_do_not_matter(claim: str, dress: str) -> None:
    """The same claim dressed otherwise fills the same slot with the same value."""
    assert frame(dress.format(claim.upper().lower())) == frame(claim.upper().lower())
    assert frame("  ".join(claim.split())) == frame(claim)


@given(CLAIMS, CLAIMS)
def test_conflict_is_symmetric_and_never_with_itself(one: str, other: str) -> None:
    """Which claim came first is no matter of the frame."""
    assert conflict(frame(one), frame(other)) == conflict(frame(other), frame(one))
    assert not conflict(frame(one), frame(one))


@given(st.lists(PLAIN, min_size=3, max_size=8), st.sampled_from(sorted(CONNECTORS)), PLAIN, PLAIN)
def test_one_slot_with_two_values_is_a_conflict(subject: list[str], connector: str, one: str, other: str) -> None:
    """Exactly when the values differ."""
    start = " ".join([*subject, connector])
    conflicts = conflict(frame(f"{start} {one}"), frame(f"{start} {other}"))
    assert conflicts == (frame(f"{start} {one}") != frame(f"{start} {other}"))
