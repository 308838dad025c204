"""Parts of a sentence that may stand elsewhere, and those whose places say who does what to whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.carried import Item, carried
from memhtml.domain.wordorder import begins_part, in_order, keys

MAY = [
    ("checkout drains its queue before the deploy", "before the deploy checkout drains its queue"),
    ("if the pool is full, the worker stops", "the worker stops if the pool is full"),
    ("it ships parts to Oslo over the sea", "it ships parts over the sea to Oslo"),
    ("tokens are stored in Vault", "store tokens in Vault"),
    ("when it fails, restart the billing worker", "when it fails, the billing worker is restarted"),
    ("Ada approves deploys on Friday", "deploys are approved by Ada on Friday"),
    ("a woman puts the baby into a cot", "the baby is put into a cot by a woman"),
    ("a player of soccer scores", "a soccer player scores"),
    ("the disk of the build host is full", "the build host's disk is full"),
    ("the retry queue of checkout is full", "checkout's retry queue is full"),
    ("it is in the folder Intake", "it is in the Intake folder"),
    ("it drops idle links", "it drops links that are idle"),
    ("the cache is cleared nightly", "nightly the cache is cleared"),
    ("it safely drains the pool", "it drains the pool safely"),
    ("usually it drains the pool", "it drains the pool usually"),
    ("releases have the date and the number", "releases have the number and the date"),
    ("it is tagged with dates and numbers", "it is tagged with numbers and dates"),
    ("the house was painted last spring", "last spring the house was painted"),
    ("the house is painted this week", "this week the house is painted"),
    ("the house is painted every Sunday at noon", "every Sunday at noon the house is painted"),
    ("the large old cache of shop hosts is cleared nightly", "nightly the large old cache of shop hosts is cleared"),
    ("checkout nightly clears old build caches", "checkout clears old build caches nightly"),
    ("checkout safely drains the pool", "checkout drains the pool safely"),
    ("it safely drains the old pool links", "it drains the old pool links safely"),
    ("store the four old small tokens", "the four old small tokens are stored"),
    ("it stores tokens", "tokens are stored"),
    ("the disk of the big old build host is full", "the big old build host's disk is full"),
    ("it is in the folder alder birch cedar elder", "it is in the alder birch cedar elder folder"),
    ("it is tagged with alder birch cedar elder and numbers", "it is tagged with numbers and alder birch cedar elder"),
    ("the pool drained by Ada", "Ada drained the pool"),
    ("in Oslo drain before noon", "drain before noon in Oslo"),
]
MAY_NOT = [
    ("deploy before migrating", "before deploying migrate"),
    ("checkout calls billing", "billing calls checkout"),
    ("copy the keys from Oslo to Bergen", "copy the keys from Bergen to Oslo"),
    ("drain checkout before billing", "drain billing before checkout"),
    ("if checkout fails restart billing", "if billing fails restart checkout"),
    ("the bot asks Ada", "Ada asks the bot"),
    ("drain and deploy", "deploy and drain"),
    ("it is done by draining and deploying", "it is done by deploying and draining"),
    ("he rarely gives credit and comments", "he gives credit and rarely comments"),
    ("it usually ships and bills and fails", "it ships and bills and usually fails"),
    ("the manager of Ada is Bob", "the manager of Bob is Ada"),
    ("it clears the cache of checkout", "checkout clears the cache it"),
    ("clears the cache of checkout", "checkout clears the cache"),
    ("restart the bot", "the bot restarts"),
    ("this worker drains the pool", "drains the pool this worker"),
    ("the next worker drains the pool", "drains the pool the next worker"),
    ("the job is a worker", "the worker job"),
    ("deploys are approved by Ada", "deploys approve Ada"),
    ("Ada's manager is Bob", "Bob's manager is Ada"),
    ("it reads from Kafka and writes to disk", "it writes from Kafka and reads to disk"),
    ("the parent of node four is node five", "the parent of node five is node four"),
    ("it clears the cache if billing fails nightly", "nightly it clears the cache if billing fails"),
    ("checkout nightly clears big old build caches", "checkout clears big old build caches nightly"),
    ("checkout usually drains the pool", "checkout drains the pool usually"),
    ("falsely it reports the pool", "it reports the pool falsely"),
    ("it safely drains the old broken pool links", "it drains the old broken pool links safely"),
    ("it is in the folder alder birch cedar elder fir", "it is in the alder birch cedar elder fir folder"),
    ("the channel team night posts", "the team night channel posts"),
    ("the folder alder in birch is full", "the alder birch folder is full"),
    ("the folder alder birch is full", "the alder in birch folder is full"),
    ("drain and deploy before", "deploy and drain before"),
    ("the pool drained fully by Ada", "Ada drained the pool fully"),
    ("drained by Ada", "Ada drained"),
    ("the pool is drained by Ada", "drain the pool of Ada"),
    ("Ada sings for billing", "sings for billing Ada"),
    ("and billing drains pools", "drains pools and billing"),
    ("that is cold drains pools", "drains pools that is cold"),
]


def said(text: str) -> tuple[Item, ...]:
    """What one sentence carries, light words left out."""
    return tuple(item for item in carried(text).items if not item.light)


@pytest.mark.parametrize(("first", "second"), MAY)
def test_a_part_that_may_stand_elsewhere_does(first: str, second: str) -> None:
    """One of each kind, from either side."""
    assert in_order(said(first), said(second))
    assert in_order(said(second), said(first))
    assert keys(said(first)) != keys(said(second))


@pytest.mark.parametrize(("first", "second"), MAY_NOT)
def test_what_changes_the_fact_is_no_move(first: str, second: str) -> None:
    """Who does what to whom, what comes first, and what is denied."""
    assert not in_order(said(first), said(second))
    assert not in_order(said(second), said(first))


@pytest.mark.parametrize(
    "time",
    ["daily", "nightly", "weekly", "monthly", "quarterly", "yearly", "hourly", "now", "today", "tomorrow", "yesterday"],
)
def test_a_time_may_stand_before_what_is_done_or_behind(time: str) -> None:
    """Each of those that are one word."""
    assert in_order(said(f"the bot posts the old big logs {time}"), said(f"{time} the bot posts the old big logs"))


@pytest.mark.parametrize("which", ["last", "next", "previous"])
def test_a_time_with_a_word_in_front_may_stand_elsewhere(which: str) -> None:
    """But nothing else with that word."""
    first, second = said(f"the house is painted {which} spring"), said(f"{which} spring the house is painted")
    assert in_order(first, second)
    first, second = said(f"the house is painted {which} worker"), said(f"{which} worker the house is painted")
    assert not in_order(first, second)


@pytest.mark.parametrize("lead", ["in", "on", "at", "into", "onto", "upon", "within", "of"])
def test_things_behind_a_preposition_have_no_order(lead: str) -> None:
    """Behind `to` they may be things that are done."""
    assert in_order(said(f"pairs {lead} dates and numbers"), said(f"pairs {lead} numbers and dates"))
    assert not in_order(said("pairs to dates and numbers"), said("pairs to numbers and dates"))


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        *[(f"it is {one} a box", f"it is {other} a box", False) for one, other in [
            ("within", "on"), ("into", "on"), ("upon", "in"), ("onto", "in"), ("at", "to"), ("of", "to"), ("in", "to"),
        ]],
        *[(f"it is {one} a box", f"it is {other} a box", True) for one, other in [
            ("into", "to"), ("onto", "to"), ("at", "on"), ("of", "in"), ("of", "on"), ("upon", "onto"), ("in", "into"),
        ]],
        ("the key is in the box", "the key is on the box", False),
        ("ask for access to Ada", "ask for access of Ada", False),
        ("it runs at the office", "it runs in the office", True),
        ("it runs within the office", "it runs into the office", True),
        ("it runs upon the office", "it runs onto the office", True),
        ("the office runs", "in the office runs", True),
        ("they decided to move", "they decided on moving", True),
    ],
)  # fmt: skip
def test_a_preposition_in_the_same_place_may_be_another(first: str, second: str, alike: bool) -> None:  # noqa: FBT001 - a row of a table
    """Where it says the same, or stands before a verb; from either side."""
    assert keys(said(first)) == keys(said(second))
    assert in_order(said(first), said(second)) is alike
    assert in_order(said(second), said(first)) is alike


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("before noon", True),
        ("and noon", True),
        ("in Oslo", True),
        ("noon", False),
        ("is noon", False),
        ("of noon", False),
    ],
)
def test_a_part_begins_with_a_preposition_or_and(text: str, begins: bool) -> None:  # noqa: FBT001 - a row of a table
    """The preposition itself, or the first word that one without weight stands before."""
    assert begins_part(said(text)[0]) is begins


WORDS = [
    "checkout",
    "drains",
    "the",
    "queue",
    "before",
    "of",
    "is",
    "and",
    "drained",
    "by",
    "daily",
    "safely",
    "host",
    "Ada",
]
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(sentences, sentences)
def test_it_is_symmetric(first: str, second: str) -> None:
    """Whatever the sentences."""
    assert in_order(said(first), said(second)) == in_order(said(second), said(first))


@given(sentences)
def test_nothing_has_moved_in_the_same_sentence(text: str) -> None:
    """The empty one too."""
    assert in_order(said(text), said(text))


@given(st.permutations(["alder", "birch", "cedar", "elder"]))
def test_bare_words_move_nowhere(order: list[str]) -> None:
    """Without a preposition, a passive or a name's kind, every place says something."""
    plain = said("alder birch cedar elder")
    assert in_order(plain, said(" ".join(order))) == (order == ["alder", "birch", "cedar", "elder"])


def test_a_sentence_without_end_is_not_searched() -> None:
    """A part of more than 200 words is not looked for."""
    long = " ".join(f"w{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(230))
    assert in_order(said(f"before noon {long}"), said(f"{long} before noon")) is False
    short = " ".join(long.split()[:150])
    assert in_order(said(f"before noon {short}"), said(f"{short} before noon")) is True


@pytest.mark.parametrize(("between", "found"), [(196, True), (197, False)])
def test_only_what_has_moved_is_counted(between: int, found: bool) -> None:  # noqa: FBT001 - a row of a table
    """With its two phrases of two words: 200 are looked for, however many stand before them."""
    words = [f"q{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(130 + between)]
    before, beside = " ".join(words[:130]), " ".join(words[130:])
    first, second = said(f"{before} for noon {beside} with ada"), said(f"{before} with ada for noon {beside}")
    assert len(first) == len(second) == 134 + between
    assert in_order(first, second) is found
