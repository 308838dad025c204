"""Wordings of one fact are told from facts about two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain import rewording
from memhtml.domain.carried import carried
from memhtml.domain.divergence import divergences
from memhtml.domain.rewording import Compared, Sense, compare, holds

WORDS = [
    *["checkout", "billing", "drains", "its", "queue", "before", "every", "deploy", "the", "not", "3", "beta", "and"],
    *[
        "is",
        "drained",
        "by",
        "Redis",
        "fast",
        "slow",
        "stored",
        "in",
        "of",
        "was",
        "US",
        "us",
        "never",
        "?",
        "30s",
        "-5",
    ],
]
texts = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=40)

SAME = [
    ("The API is fast.", "the api is fast"),
    ("Tokens are stored in Vault.", "Tokens get saved in Vault."),
    ("Backups must be encrypted.", "Backups have to be encrypted."),
    ("It keeps logs for 30 days.", "It retains logs for thirty days."),
    ("The nightly job takes 30s.", "The nightly task takes 30 seconds."),
    ("Note that the cache is cleared.", "The cache is cleared."),
    ("The colour is organised.", "The color is organized."),
    ("It can't retry.", "It cannot retry."),
    ("Checkout drains its queue before every deploy.", "Before each deploy, checkout drains the queue."),
    ("The queue is drained by checkout.", "Checkout drains the queue."),
    ("The load is 5 percent.", "The load is 5 %."),
    ("Ask twice a day.", "Ask twice per day."),
    ("It takes about 40 minutes.", "It takes roughly 40 minutes."),
    ("Drain it before you deploy.", "Drain it before deploying."),
    ("The café is open.", "The cafe is open."),
    ("It is in a bucket called harbour.", "It is in the bucket harbour."),
    ("It runs on the first of each month.", "It runs on the first of the month."),
    ("It was deployed.", "It has been deployed."),
    ("It runs at the office.", "It runs in the office."),
    ("They decided to move.", "They decided on moving."),
    ("First, drain. Then deploy.", "First drain.\nThen deploy."),
    ("Drain first. Then deploy.", "Drain first, then deploy."),
    ("They were paid.", "They got paid."),
]
APART = [
    ("Checkout drains its queue.", "Checkout fills its queue."),
    ("Checkout drains its queue.", "Billing drains its queue."),
    ("Deploys are on Monday.", "Deploys are on Tuesday."),
    ("It waits 30 seconds.", "It waits 30 minutes."),
    ("It runs in staging.", "It runs in production."),
    ("Use getUser here.", "Use getOrder here."),
    ("It is written in C++.", "It is written in C#."),
    ("It goes to US customers.", "It goes to us customers."),
    ("It is -5 degrees.", "It is 5 degrees."),
    ("a is < b", "a is > b"),
    ("Is it retried?", "It is retried."),
    ("The import is important.", "The importance is important."),
    ("It is allowed.", "It is always allowed."),
    ("It may run.", "It must run."),
    ("He owns it.", "She owns it."),
    ("It runs when idle.", "It runs only when idle."),
    ("Checkout calls billing.", "Billing calls checkout."),
    ("Checkout is called by billing.", "Checkout calls billing."),
    ("Drain. Deploy.", "Deploy. Drain."),
    ("It is safe.", "It is unsafe."),
    ("Never use it.", "Use it."),
    ("Use 3 of 5.", "Use 5 of 3."),
    ("Keep the beta.", "Keep the release."),
    ("Open the left valve.", "Open the right valve."),
    ("The API is slow.", "The API was slow."),
    ("The API had a limit.", "The API has a limit."),
    ("The key is in the box.", "The key is on the box."),
    ("Ask for access to Ada.", "Ask for access of Ada."),
    ("Drain. Deploy.", "Deploy and drain."),
    ("The queue is drained.", "The queue is drained nightly."),
    ("The beta holds the keys.", "The beta holds the beta keys."),
    ("Shops hold keys.", "Corner bakeries hold keys."),
    ("They sort the keys of shops.", "They sort the keys of corner bakeries."),
    ("Keys of shops are sorted.", "Keys of corner bakeries are sorted."),
]
UNCLEAR = [
    ("Checkout drains its queue.", "Checkout has the habit of draining its queue."),
    ("Invoices need approval.", "Large invoices need approval."),
    ("The server is restarted on Sunday.", "The server is restarted every Sunday."),
    ("Sorted keys.", "Sorted keys, sorted keys."),
    ("Keys of wooden garden gates are sorted.", "Keys of round corner bakeries are sorted."),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_wordings_of_one_fact_are_the_same(first: str, second: str) -> None:
    """Inflection, synonyms, order of parts, signs, and words that carry nothing."""
    assert compare(first, second) == compare(second, first) == Compared(Sense.SAME)


@pytest.mark.parametrize(("first", "second"), APART)
def test_facts_about_two_things_are_apart(first: str, second: str) -> None:
    """However few words differ."""
    assert compare(first, second).sense is compare(second, first).sense is Sense.APART


@pytest.mark.parametrize(("first", "second"), UNCLEAR)
def test_what_words_do_not_show_is_left_open(first: str, second: str) -> None:
    """A word more or less that is common, or another tense."""
    assert compare(first, second).sense is compare(second, first).sense is Sense.UNCLEAR


def test_the_reason_is_said() -> None:
    """Worked, one for each way to be told apart."""
    reasons = {
        compare(first, second).why
        for first, second in [
            ("It is on.", "It is not on."), ("Deploys are on Monday.", "Deploys are on Tuesday."),
            ("It is fast.", "It is slow."), ("Checkout calls billing.", "Billing calls checkout."),
            ("Checkout is called by billing.", "Checkout calls billing."), ("It is slow.", "It was slow."),
        ]
    }  # fmt: skip
    assert reasons == {
        "they differ by negation",
        "one has monday, the other tuesday",
        "they say the contrary: fast and slow",
        "they say the same words of one another otherwise",
        "they say otherwise who does it",
        "one says what was, the other what is",
    }


def test_a_reason_names_what_is_different() -> None:
    """Worked: every way, both words from either side, four words at most, and nothing where there is none."""
    assert [
        compare(first, second).why
        for first, second in [
            ("It takes 5 s.", "It does not take 6 s."),
            ("It is regular.", "It is irregular."),
            ("It is irregular.", "It is regular."),
            ("Old shops hold keys.", "Corner bakeries hold keys."),
            ("The queue holds messages.", "The queue holds messages made by bakeries."),
            ("The queue of old round wooden gates.", "The queue."),
            ("The queue of old round wooden garden gates.", "The queue."),
        ]
    ] == [
        "they differ by negation and number",
        "they say the contrary: regular and irregular",
        "they say the contrary: irregular and regular",
        "one has old, shops, the other corner, bakeries",
        "one has nothing for it, the other made, by, bakeries",
        "one has old, round, wooden, gates, the other nothing for it",
        "one has old, round, wooden, garden and more, the other nothing for it",
    ]


def test_a_name_of_the_store_tells_apart_however_it_is_written() -> None:
    """One common word more is unclear, a name more is another fact."""
    first, second = "The small queue is drained.", "The small checkout queue is drained."
    assert compare(first, second).sense is Sense.UNCLEAR
    assert compare(first, second, frozenset({"checkout"})).sense is Sense.APART


@given(texts, texts)
def test_it_is_symmetric(first: str, second: str) -> None:
    """In all but the order in which the reason names the words."""
    assert compare(first, second).sense is compare(second, first).sense


@given(texts)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    """In capitals at its beginning, with other white space and another full stop too."""
    assert compare(text, text) == Compared(Sense.SAME)
    assert compare(text, f"  {text}\n") == Compared(Sense.SAME)


@given(texts, texts)
def test_the_veto_is_never_passed(first: str, second: str) -> None:
    """What diverges by the three predicates is apart, and so never the same."""
    if divergences(first, second):
        assert compare(first, second).sense is Sense.APART


@given(
    st.lists(st.sampled_from(["redis", "checkout", "tuesday", "vault", "seconds"]), min_size=2, max_size=2, unique=True)
)
def test_one_word_in_place_of_another_is_never_the_same(pair: list[str]) -> None:
    """In any place of a sentence."""
    for frame in ("{} holds the keys of the shop", "the keys of {} are lost", "we have lost the keys of {}"):
        assert compare(frame.format(pair[0]), frame.format(pair[1])).sense is Sense.APART


@pytest.mark.parametrize("guard", ["_crossed", "_tells", "_one_stretch"])
def test_each_look_holds_something_that_the_others_let_pass(guard: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, a text that is another fact would no longer be apart."""
    held = {
        "_crossed": ("It is a fast and small one.", "It is a slow and tiny thing that stays."),
        "_tells": ("The queue is drained.", "The queue is drained on Tuesday by us."),
        "_one_stretch": ("The keys of the old shop are lost.", "The keys of the corner bakery are lost."),
    }
    first, second = held[guard]
    assert compare(first, second).sense is Sense.APART
    monkeypatch.setattr(rewording, guard, lambda *_: "" if guard == "_crossed" else False)
    assert compare(first, second).sense is not Sense.APART


@pytest.mark.parametrize(
    ("whole", "part", "does"),
    [
        ("Drain first. Then deploy.", "Then deploy.", True),
        ("Drain first. Then deploy.", "Then deploy. Drain first.", False),
        ("Large refunds need approval.", "Refunds need approval.", False),
        ("Keys are kept in the vault cache.", "Keys are kept in the vault.", False),
        ("Keys are kept in the vault of the bank.", "Keys are kept in the vault.", False),
        ("Keys are kept in the vault on disk.", "Keys are kept in the vault.", True),
        ("Checkout drains its queue and tells Ada.", "Checkout drains its queue.", True),
        ("Checkout drains its retry queue.", "Checkout drains its queue.", False),
        ("Checkout drains its queue.", "Checkout drains its queue and tells Ada.", False),
        ("It is not cached in the shop.", "It is not cached.", False),
        ("It is uncached in the shop.", "It is uncached.", False),
        ("It fails in the shop.", "It fails.", False),
        ("Anything.", "", True),
    ],
)
def test_what_holds_another_text(whole: str, part: str, does: bool) -> None:  # noqa: FBT001 - a row of a table
    """More at the end alone, sentence after sentence; nothing where something is denied."""
    assert holds(whole, part) is does


@given(texts)
def test_a_text_holds_itself_unless_it_denies(text: str) -> None:
    """And the nothing that an empty one says."""
    denied = any(rewording._denies(item) for item in carried(text).items)
    assert holds(text, text) is not denied
    assert holds(text, "") is not denied


def test_nothing_is_the_same_as_nothing() -> None:
    """Two empty texts; one word is more than none."""
    assert compare("", " \n") == Compared(Sense.SAME)
    assert compare("", "word").sense is Sense.UNCLEAR
