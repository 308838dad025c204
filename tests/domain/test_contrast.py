"""Twins are dealt anew among their own places; whoever has no twin keeps the place that it had."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.agreement import ASKED, CLAIMED
from memhtml.domain.contrast import TWIN, Candidate, Question, deal, keep, likeness, one_value_apart
from memhtml.domain.statements import read, sentences

CLAIMS = [
    "Checkout drains its queue before every deploy.",
    "Checkout does not drain its queue before every deploy.",
    "Checkout drains its queue after every deploy.",
    "The cache holds 12 entries.",
    "The cache holds 21 entries.",
    "The cache never holds entries.",
    "Nodes reboot on Sundays. The pager is silent.",
    "Ansa likes tea",
]


def candidate(text: str, relevance: float = 0.5, moment: str = "2026-01-01", cosine: float = 0.0) -> Candidate:
    """A candidate that says ``text``."""
    return Candidate(relevance, cosine, 0.0, moment, tuple(map(read, sentences(text))))


def question(text: str) -> Question:
    """A claim or a question whose content words all count alike."""
    said = read(text)
    return Question(said, dict.fromkeys(said.content, 1.0), ASKED if text.endswith("?") else CLAIMED)


def order(asked: str, *candidates: Candidate) -> tuple[int, ...]:
    """Places, best first."""
    return deal(question(asked), candidates).order


candidates = st.lists(
    st.builds(candidate, st.sampled_from(CLAIMS), st.floats(0, 1), st.sampled_from(["2026-01-01", "2026-02-02"])),
    max_size=8,
)


@given(st.sampled_from(CLAIMS), candidates)
def test_all_candidates_come_back_once(asked: str, given_candidates: list[Candidate]) -> None:
    """Nobody is lost or doubled; a group of twins has two members at least, and each stands in one group."""
    dealt = deal(question(asked), given_candidates)
    assert sorted(dealt.order) == list(range(len(given_candidates)))
    grouped = [place for group in dealt.twins for place in group]
    assert len(grouped) == len(set(grouped))
    assert all(len(group) > 1 for group in dealt.twins)
    place = {member: rank for rank, member in enumerate(dealt.order)}
    assert all(place[a] < place[b] for group in dealt.twins for a, b in pairwise(group))


def test_without_twins_relevance_decides_and_equals_keep_their_order() -> None:
    """Nothing is compared."""
    strangers = [candidate("Nodes reboot.", 0.2), candidate("Ansa likes tea", 0.9), candidate("Cache holds 12.", 0.2)]
    dealt = deal(question("why"), strangers)
    assert dealt.order == (1, 0, 2)
    assert dealt.twins == ()
    assert deal(question("why"), []).order == ()


@pytest.mark.parametrize(
    ("asked", "right", "wrong"),
    [
        ("checkout drains its queue before every deploy", CLAIMS[0], CLAIMS[1]),
        ("checkout does not drain its queue before every deploy", CLAIMS[1], CLAIMS[0]),
        ("the cache holds 12 entries", CLAIMS[3], CLAIMS[4]),
        ("the cache holds 21 entries", CLAIMS[4], CLAIMS[3]),
        ("use the beta client", "Use the beta client.", "Use the legacy client."),
        ("drain the queue before a deploy", CLAIMS[0], CLAIMS[2]),
    ],
)
def test_a_wrong_twin_goes_below_the_right_one(asked: str, right: str, wrong: str) -> None:
    """In whichever order and with whichever date they come, as equally relevant as twins are."""
    for moment in ("2025-01-01", "2026-01-01", "2027-01-01"):
        assert order(asked, candidate(wrong, moment=moment), candidate(right)) == (1, 0)
        assert order(asked, candidate(right), candidate(wrong, moment=moment)) == (0, 1)


def test_twins_are_dealt_among_their_own_places() -> None:
    """The stranger between them keeps its rank, though it is less relevant than the one and more than the other."""
    wrong, stranger, right = candidate(CLAIMS[4], 0.65), candidate(CLAIMS[7], 0.6), candidate(CLAIMS[3], 0.5)
    dealt = deal(question("the cache holds 12 entries"), [wrong, stranger, right])
    assert dealt.order == (2, 1, 0)
    assert dealt.twins == ((2, 0),)


def test_a_twin_that_is_far_behind_is_lifted_by_nothing() -> None:
    """More than 0.2 of relevance apart they are no rivals, however well the one behind agrees."""
    far, near = candidate(CLAIMS[3], 0.69), candidate(CLAIMS[3], 0.71)
    assert order("the cache holds 12 entries", candidate(CLAIMS[4], 0.9), far) == (0, 1)
    assert order("the cache holds 12 entries", candidate(CLAIMS[4], 0.9), near) == (1, 0)


def test_of_two_states_of_one_thing_the_newer_comes_first() -> None:
    """They differ in one value, and the question names neither."""
    old = candidate("The pool of the ledger holds 40 connections.", 0.6, "2026-01-01")
    new = candidate("The pool of the ledger holds 60 connections.", 0.5, "2026-03-01T10:00:00Z")
    asked = "how many connections does the pool of the ledger hold?"
    assert order(asked, old, new) == (1, 0)
    assert order(asked, new, old) == (0, 1)
    assert order("does the pool of the ledger hold 40 connections?", old, new) == (0, 1)


def test_states_of_the_same_moment_are_twins_like_others() -> None:
    """Equal in everything, they keep the order in which they were given."""
    one, other = "The pool of the ledger holds 40 connections.", "The pool of the ledger holds 60 connections."
    asked = "how many connections does the pool of the ledger hold?"
    assert order(asked, candidate(one), candidate(other)) == (0, 1)
    assert order(asked, candidate(other), candidate(one)) == (0, 1)
    assert order(asked, candidate(one), candidate(other, cosine=0.2)) == (1, 0)


def test_a_denial_costs_even_where_no_twin_stands_beside_it() -> None:
    """Outright, of the very thing; not in a question that denies as well."""
    denial, stranger = candidate("Checkout never drains.", 0.5), candidate("Ansa likes tea", 0.4)
    assert order("checkout drains", denial, stranger) == (1, 0)
    assert order("checkout never drains", denial, stranger) == (0, 1)


def test_a_denial_in_passing_costs_little() -> None:
    """A long sentence that denies among much else is hardly about the question."""
    passing = "Checkout never drains, says the long page on nodes and pagers of the southern region on Sundays."
    assert order("checkout drains", candidate(passing, 0.5), candidate("Ansa likes tea", 0.4)) == (0, 1)


def test_what_both_twins_say_is_not_held_against_one() -> None:
    """Both deny what is asked; they are told apart by the number alone."""
    right = candidate("Checkout never drains its queue before a deploy. Retries: 3.")
    wrong = candidate("Checkout never drains its queue before a deploy. Retries: 5.")
    asked = "checkout drains its queue before a deploy, with retries: 3"
    assert order(asked, right, wrong) == (0, 1)
    assert order(asked, wrong, right) == (1, 0)


def test_twins_of_many_sentences_are_compared_by_what_differs() -> None:
    """What both say decides nothing, however much it is about the question."""
    right = candidate(f"{CLAIMS[0]} Retries: 3.")
    wrong = candidate(f"{CLAIMS[0]} Retries: 5.")
    asked = "checkout drains its queue before every deploy, with retries:"
    assert order(f"{asked} 3", wrong, right) == (1, 0)
    assert order(f"{asked} 5", wrong, right) == (0, 1)


@given(st.sampled_from(CLAIMS), st.sampled_from(CLAIMS))
def test_likeness_is_symmetric_and_a_share(one: str, other: str) -> None:
    """1 for the same words, whatever their order."""
    a, b = read(one), read(other)
    assert likeness(a, b) == likeness(b, a)
    assert 0.0 <= likeness(a, b) <= 1.0
    assert likeness(a, a) == 1.0


def test_likeness_worked_out() -> None:
    """Two of four words; nothing in common; nothing at all."""
    assert likeness(read("queue drain fast"), read("queue drain slow")) == 0.5
    assert likeness(read("queue"), read("cache")) == 0.0
    assert likeness(read(""), read("")) == 0.0
    assert 0.0 < TWIN < 0.5


@given(st.sampled_from(CLAIMS), st.sampled_from(CLAIMS))
def test_one_value_apart_is_symmetric_and_never_of_oneself(one: str, other: str) -> None:
    """Whichever is asked about which."""
    a, b = read(one), read(other)
    assert one_value_apart(a, b, frozenset()) == one_value_apart(b, a, frozenset())
    assert not one_value_apart(a, a, frozenset())


@pytest.mark.parametrize(
    ("first", "second", "named", "apart"),
    [
        ("pool holds 40 rows", "pool holds 60 rows", "", True),
        ("pool holds 40 rows", "pool holds 60 rows", "40", False),
        ("pool holds 40 rows", "pool holds 60 rows", "60", False),
        ("pool holds 40 rows", "pool holds 60 rows", "row", True),
        ("pool holds 40", "pool holds sixty five", "", True),
        ("pool holds 40 rows", "pool holds rows", "", False),
        ("pool holds 40", "cache keeps 40", "", False),
        ("pool holds", "cache holds", "", True),
        ("a b c d", "x b c y", "", False),
        ("", "", "", False),
    ],
)
def test_one_value_apart_worked_out(first: str, second: str, named: str, *, apart: bool) -> None:
    """One stretch on each side, which the question does not name, and half of the shorter one around it."""
    assert one_value_apart(read(first), read(second), frozenset(named.split())) is apart


@given(st.permutations(range(9)), st.permutations(range(9)), st.integers(0, 9), st.integers(0, 9))
def test_groups_are_put_over_their_own_places(given_order: list[int], members: list[int], one: int, other: int) -> None:
    """Everybody else stays, the groups are in their order, nobody is lost."""
    low, high = sorted([one, other])
    groups = [members[:low], members[low:high]]
    kept = keep(given_order, groups)
    assert sorted(kept) == sorted(given_order)
    outside = set(members[high:])
    assert all(kept[place] == member for place, member in enumerate(given_order) if member in outside)
    for group in groups:
        assert [member for member in kept if member in set(group)] == group


def test_keeping_without_groups_changes_nothing() -> None:
    """No groups, an empty one, and one of one."""
    for groups in ([], [[]], [["b"]]):
        assert keep(["a", "b", "c"], groups) == ["a", "b", "c"]
