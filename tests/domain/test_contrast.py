"""Twins are dealt anew among their own places; whoever has no twin keeps the place that it had."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.agreement import ASKED, CLAIMED, Weights, compare, stand
from memhtml.domain.contrast import (
    _CLOSEST,
    _SOFTENING,
    LIFT,
    TWIN,
    Candidate,
    Question,
    _Pairs,
    _Sides,
    deal,
    is_denied,
    keep,
    likeness,
    one_value_apart,
)
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
    assert likeness(read("queue"), read("queue")) == 1.0
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
        ("pool holds 40 rows now", "pool holds 60 rows now", "row", True),
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


SCALES = Weights(
    cosine=1.0,
    lexical=0.5,
    order=2.0,
    denial=-1.5,
    denials=0.0,
    misplaced=0.0,
    negation=0.0,
    numbers=0.0,
    qualifiers=-0.4,
    opposites=0.0,
    affirmations=0.0,
    length=0.25,
    denied=0.0,
)
"""Weights that tell each part of a contest from the others."""


def sides(asked: str, **rarity: float) -> _Sides:
    """A question with these weights of its words."""
    return _Sides(Question(read(asked), rarity, SCALES))


def test_a_contest_worked_out() -> None:
    """Three twins, each pair by what differs: 2 of 5 words alike, 2 of 4, 2 of 5; only one has a qualifier.

    Of four words asked for in order, the first has two of three neighbours, the others one.
    """
    given_candidates = [
        Candidate(0.5, cosine, lexical, "2026-01-01", (read(text),))
        for text, cosine, lexical in (
            ("amber bravo charlie", 0.5, 1.0),
            ("amber bravo beta echo", 0.25, 0.5),
            ("amber bravo foxtrot", 0.5, 0.25),
        )
    ]
    pairs = _Pairs(
        sides("amber bravo charlie delta"), given_candidates, [one.statements[0] for one in given_candidates]
    )
    longer = 0.25 * math.log(5 / 4)
    small = {
        (0, 1): 0.25 + 0.5 * 0.5 + 2 * (2 / math.sqrt(6) - 1 / 3) - longer,
        (0, 2): 0.5 * 0.75 + 2 / math.sqrt(6),
        (1, 2): -0.25 + 0.5 * 0.25 + 2 * (1 / 3 - 1 / math.sqrt(6)) + longer,
    }
    first = math.tanh((small[0, 1] / (0.6 + _SOFTENING) + 0.4) / 2)
    second = math.tanh(small[0, 2] / (0.5 + _SOFTENING) / 2)
    third = math.tanh((small[1, 2] / (0.6 + _SOFTENING) - 0.4) / 2)
    less, more = 0.4**_CLOSEST, 0.5**_CLOSEST
    assert pairs.links == [(0, 1), (0, 2), (1, 2)]
    assert pairs.gain(0) == pytest.approx(LIFT * (less * first + more * second) / (less + more))
    assert pairs.gain(1) == pytest.approx(LIFT * (less * third - less * first) / (less + less))
    assert pairs.gain(2) == pytest.approx(LIFT * (-more * second - less * third) / (more + less))


def test_what_both_texts_say_weighs_by_the_texts_when_these_are_more_alike() -> None:
    """The sentences that differ have nothing in common, the texts' best ones everything; a third twin shows it."""
    texts = ("Amber bravo charlie. Echo.", "Amber bravo charlie. Golf delta.", "Amber bravo charlie hotel india.")
    given_candidates = [candidate(text) for text in texts]
    asked = sides("amber bravo charlie delta", amber=1.0, bravo=1.0, charli=1.0, delta=1.0)
    pairs = _Pairs(asked, given_candidates, [asked.best(one.statements) for one in given_candidates])
    assert pairs.links == [(0, 1), (0, 2), (1, 2)]
    assert pairs._weighed == pytest.approx([1 + 0.6**_CLOSEST, 1 + 0.6**_CLOSEST, 2 * 0.6**_CLOSEST])


def test_the_best_sentence_covers_most_of_the_question_with_the_fewest_other_words() -> None:
    """By how rare the words are; of equal ones the first."""
    long, short, other = read("drain one two three four five six queue"), read("queue drain"), read("queue")
    assert sides("drain queue", drain=1.0, queue=1.0).best([other, long, short]) is short
    assert sides("drain queue", drain=0.16, queue=0.84).best([other, long]) is long
    assert sides("drain queue", drain=0.14, queue=0.86).best([long, other]) is other
    assert sides("drain queue").best([read("queue x"), read("drain x")]).stems == ("queue", "x")
    assert sides("drain queue").best([long]) is long


def test_denying_outright_costs_by_how_much_of_the_question_is_denied() -> None:
    """A third of the weight of a denial, by the words that are shared: 1 of 1.2 by their weights, 1 of 1 by number."""
    never, bare, more = read("never drain"), read("drain"), read("drain queue")
    asked = sides("never drain", drain=1.0)
    assert asked.denial(bare) == pytest.approx(-0.5 * 1 / 1.2)
    assert asked.denial(more) == pytest.approx(-0.25 * 1 / 1.2)
    assert asked.denial(never) == 0.0
    assert sides("drain queue", drain=1.0, queue=3.0).denial(never) == pytest.approx(-0.25 * 1 / 4)
    assert sides("").denial(never) == 0.0


def test_groups_of_twins_hold_states_and_rivals_far_apart() -> None:
    """What comes after keeps the order of all of them."""
    old = candidate("The pool holds 40 connections.", 0.6, "2026-01-01")
    new = candidate("The pool holds 60 connections.", 0.5, "2026-03-01")
    assert deal(question("how many connections does the pool hold?"), [old, new]).twins == ((1, 0),)
    far = candidate(CLAIMS[3], 0.2)
    assert deal(question("the cache holds 12 entries"), [candidate(CLAIMS[4], 0.9), far]).twins == ((0, 1),)


def test_twins_are_found_behind_strangers_and_at_the_bounds_themselves() -> None:
    """Three of ten words alike and a difference of exactly 0.2 are enough."""
    stranger = candidate(CLAIMS[7])
    pair = [candidate("a b c d e f", 0.5), candidate("a b c x y z w", 0.3)]
    pairs = _Pairs(sides("a"), [stranger, *pair], [one.statements[0] for one in (stranger, *pair)])
    assert (pairs.links, pairs.settled) == ([(1, 2)], [])


def test_a_twin_that_says_all_of_the_other_and_more_is_compared_as_a_whole() -> None:
    """There is no sentence of the other that it has not."""
    more, less = candidate("Checkout drains its queue. Retries: 3."), candidate("Checkout drains its queue.")
    assert order("checkout drains its queue", more, less) == (0, 1)
    assert order("checkout drains its queue", less, more) == (0, 1)


@pytest.mark.parametrize(
    ("first", "second", "denied"),
    [
        ("The proxy cannot replay exports.", "The proxy can replay exports.", True),
        ("We did not choose the legacy scheduler.", "We chose the legacy scheduler.", True),
        ("It doesn't keep backups.", "It keeps backups.", True),
        ("It does not keep backups.", "It does not keep backups.", False),
        ("It does not keep backups.", "It keeps reports.", False),
        ("The proxy never keeps backups on disk.", "The proxy keeps backups.", False),
        ("We never chose the scheduler.", "We choose the scheduler.", False),  # two claims, and two times
        (
            "We never chose the scheduler over cron for exports.",
            "We choose the scheduler over cron for exports.",
            False,
        ),
        (
            "We did not choose the old scheduler over cron for jobs.",
            "We chose a new scheduler over cron for jobs.",
            False,
        ),
        ("It keeps backups.", "It keeps reports.", False),
    ],
)
def test_a_statement_and_its_plain_denial_are_known(first: str, second: str, *, denied: bool) -> None:
    """Function words may differ, and the form of the verb beside a ``do``; nothing else."""
    assert is_denied(read(first), read(second)) is denied
    assert is_denied(read(second), read(first)) is denied


@pytest.mark.parametrize(
    ("said", "also", "plain"),
    [
        ("The gateway retries a call.", "The gateway never retries a call.", -0.7),  # the denial is weighed already
        ("The gateway retries a failed call.", "The gateway never retries a failed call.", -0.7 - 1.5),
        ("The gateway retries a failed call.", "The gateway never retries a missed call.", None),
    ],
    ids=["alone", "beside another", "not all that differs"],
)
def test_a_plain_denial_weighs_where_it_is_all_that_differs(said: str, also: str, plain: float | None) -> None:
    """The one that denies loses by it, and likeness is at most a half then; any other pair is weighed as it was."""
    weights, asked = replace(SCALES, denied=-0.7), read(f"{said[:-1]} twice")
    one, other = read(said), read(also)
    mine, theirs = compare(asked, one), compare(asked, other)
    given_candidates = [Candidate(0.5, 0.2, 0.0, "2026", (one,)), Candidate(0.5, 0.1, 0.0, "2026", (other,))]
    pairs = _Pairs(_Sides(Question(asked, {}, weights)), given_candidates, [one, other])
    assert pairs.links == [(0, 1)]
    small = 0.1 + 2 * (mine.order - theirs.order) + 0.25 * (mine.length - theirs.length)
    large = stand(mine, weights) - stand(theirs, weights) - (plain or 0.0)
    distance = 1 - likeness(one, other) + _SOFTENING
    won = math.tanh((small / (distance if plain is None else max(distance, 0.5)) + large) / 2)
    assert pairs.gain(0) == pytest.approx(LIFT * won)
    assert pairs.gain(1) == pytest.approx(-LIFT * won)


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        (
            "can the proxy not replay exports older than 30 hours?",
            "The proxy cannot replay exports older than 30 hours.",
            "The proxy can replay exports older than 30 hours.",
        ),
        (
            "why did we choose the scheduler over cron for webhooks?",
            "We chose the scheduler over cron for webhooks.",
            "We did not choose the scheduler over cron for webhooks.",
        ),
    ],
)
def test_a_question_is_answered_by_what_denies_as_it_does(query: str, right: str, wrong: str) -> None:
    """Although the words, and vectors made of them, are nearer to the other one."""
    asked = Question(read(query), {}, ASKED)
    near = Candidate(0.7, 0.94, 1.0, "2026", (read(wrong),))
    far = Candidate(0.6, 0.84, 1.0, "2026", (read(right),))
    assert deal(asked, [near, far]).order == (1, 0)


@pytest.mark.parametrize("denied", ["does not retry", "cannot retry", "won't retry", "no longer retries"])
@pytest.mark.parametrize("thing", ["call", "failed call", "missing page"])
def test_a_claim_finds_the_denial_that_says_the_same_in_other_words(denied: str, thing: str) -> None:
    """However much nearer the words of the other are; and the claim that denies nothing finds that one."""
    right = Candidate(0.6, 0.72, 0.9, "2026", (read(f"The gateway never retries a {thing}."),))
    wrong = Candidate(0.7, 0.80, 1.0, "2026", (read(f"The gateway retries a {thing}."),))
    assert deal(Question(read(f"the gateway {denied} a {thing}"), {}, CLAIMED), [wrong, right]).order == (1, 0)
    assert deal(Question(read(f"the gateway retries a {thing}"), {}, CLAIMED), [right, wrong]).order == (1, 0)


def test_a_denial_is_told_apart_however_far_behind_its_words_leave_it() -> None:
    """Of a claim and its plain denial only; other twins that far apart keep their places."""
    asked = Question(read("why did we choose the scheduler over cron for webhooks?"), {}, ASKED)
    right = Candidate(0.6, 0.5, 0.7, "2026", (read("We chose the scheduler over cron for webhooks."),))
    denied = Candidate(0.9, 0.5, 1.0, "2026", (read("We did not choose the scheduler over cron for webhooks."),))
    other = Candidate(0.9, 0.5, 1.0, "2026", (read("We choose the legacy scheduler over cron for webhooks."),))
    assert deal(asked, [denied, right]).order == (1, 0)
    assert deal(asked, [other, right]).order == (0, 1)
