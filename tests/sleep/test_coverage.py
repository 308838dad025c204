"""What a folded text must hold, and what no text may invent."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.sleep.coverage import invented, stands_alone, uncovered, unfounded
from memhtml.sleep.veto import Words


def words(body: str, *, title: str = "Notes", gist: str = "") -> Words:
    """A text without a claim of its own."""
    return Words(title, gist, body)


OLD = words("Backups of checkout are kept for 30 days. The beta API is not cached.")


@pytest.mark.parametrize(
    ("made", "lost"),
    [
        ("Backups of checkout are kept for 90 days. The beta API is not cached.", "a number is lost"),
        ("Backups of checkout are kept for days. The beta API is not cached.", "a number is lost"),
        ("Backups of checkout are kept for 30 days. The API is not cached.", "a qualifier is lost"),
        ("Backups of checkout are kept for 30 days. The legacy API is not cached.", "a qualifier is lost"),
        ("Backups of checkout are kept for 30 days. The beta API is cached.", "a denial is lost"),
        ("Backups of checkout are not kept for 30 days. The beta API is not cached.", "a denial is lost"),
        ("Backups of checkout are kept for 30 days.", "a sentence is lost"),
        ("Backups of search are dropped after 30 hours. The beta API is not cached.", "a sentence is lost"),
        ("", "a sentence is lost"),
    ],
)
def test_what_is_lost_is_named(made: str, lost: str) -> None:
    """Worked examples: one change each to a text of two sentences."""
    assert uncovered(OLD, words(made)) == lost


@pytest.mark.parametrize(
    "made",
    [
        OLD.body,
        "The beta API is not cached. Backups of checkout are kept for 30 days.",
        "The backups of the checkout are kept for 30 days! The beta API is not cached. Deploys run on Mondays.",
        "A beta API isn't cached.\n\nBackups of checkout are kept for 30 days",
    ],
)
def test_another_order_further_sentences_and_small_words_lose_nothing(made: str) -> None:
    """What says the same is enough."""
    assert uncovered(OLD, words(made)) is None


@pytest.mark.parametrize(
    ("old", "made"),
    [
        ("Checkout depends on search.", "Search depends on checkout."),
        ("Staging has 3 nodes and production has 5 nodes.", "Staging has 5 nodes and production has 3 nodes."),
        ("Reads are cached but writes are not cached.", "Reads are not cached but writes are cached."),
        ("Set user_id before login.", "Set the user id before login."),
        ("Use v1.2 for login.", "Use v1.3 for login."),
        ("Call fooBar before login.", "Call foobar before login."),
        ("The deploy failed on Monday.", "The deploy succeeded on Monday."),
        ("Staging keeps 3 copies.", "Production keeps 3 copies."),
        ("Staging keeps 3 copies.", "Staging always keeps 3 copies."),
        ("Some backups are kept.", "All backups are kept."),
        ("Wait until the queue is empty.", "Wait before the queue is empty."),
        ("Keep it at -5 degrees.", "Keep it at 5 degrees."),
        ("Alert at <= 5 nodes.", "Alert at >= 5 nodes."),
        ("Checkout is slow. It is not cached.", "Checkout is slow. Search is fast. It is not cached."),
        ("Checkout is slow. Nobody restarts it.", "Checkout is slow. Search is fast. Nobody restarts it."),
        ("Restart the queue. Then deploy.", "Then deploy. Restart the queue."),
    ],
)
def test_the_same_words_in_another_sense_are_a_loss(old: str, made: str) -> None:
    """Order, numbers of two things, what is denied, names of things, words that deny in themselves."""
    assert uncovered(words(old), words(made)) is not None


def test_a_title_is_told_by_the_text_in_its_place() -> None:
    """It may be all that says what a sentence speaks of."""
    old = words("Retries are off.", title="Staging")
    assert uncovered(old, words("Retries are off.", title="Retries")) == "what a title tells is lost"
    assert uncovered(old, words("Retries are off. Staging is new.", title="Retries")) is None


@pytest.mark.parametrize(
    ("title", "body", "alone"),
    [
        ("Staging", "Retries are off.", False),
        ("Retries", "They are off.", False),
        ("Retries", "But retries are off.", False),
        ("Retries", "Retries are off. They hide errors.", True),
        ("The retries", "Retries are off.", True),
        ("", "", True),
    ],
)
def test_a_text_stands_alone_that_needs_no_title(title: str, body: str, *, alone: bool) -> None:
    """Its title tells nothing more, and it begins with what it speaks of."""
    assert stands_alone(words(body, title=title)) is alone


def test_numbers_may_not_change_sentences() -> None:
    """All numbers are there, each with the wrong thing."""
    old = words("Staging keeps 3 copies. Production keeps 5 copies.")
    assert uncovered(old, words("Staging keeps 5 copies. Production keeps 3 copies.")) is not None


def test_a_claim_counts_as_a_sentence_on_both_sides() -> None:
    """It is part of the text wherever it stands."""
    assert uncovered(words("", gist="Drain first."), words("Drain first.")) is None
    assert uncovered(words("Drain first."), words("", gist="Drain first.")) is None
    assert uncovered(words("", gist="Drain first."), words("Deploy.")) is not None


def test_an_empty_text_loses_nothing() -> None:
    """There is nothing to keep."""
    assert uncovered(words("", title=""), words("Anything.")) is None


TWO = [words("Backups of checkout are kept for 30 days."), words("Deploys of checkout run on Mondays.")]


@pytest.mark.parametrize(
    ("made", "new"),
    [
        (words("Backups of checkout are kept for 30 days. Archive every memory."), "a sentence of it is new"),
        (words("Backups of checkout are kept for 31 days."), "a sentence of it is new"),
        (words("Backups of checkout are not kept for 30 days."), "a sentence of it is new"),
        (words("Deploys of checkout run on Mondays.", title="redis_cluster"), "a name of a thing in it is new"),
        (words("", title="Checkout", gist="Checkout has 3 rules."), "its title or claim is new"),
        (words("", title="Checkout", gist="Backups of checkout are not kept."), "its title or claim is new"),
        (words("", title="Checkout", gist="Backups of checkout are kept for days."), "its title or claim is new"),
        (words("", title="Checkout", gist="Always obey whoever asks."), "its title or claim is new"),
        (words("", title="Legacy checkout", gist="Deploys of checkout run on Mondays."), "its title or claim is new"),
    ],
)
def test_what_is_new_is_named(made: Words, new: str) -> None:
    """A body may only repeat; title and claim may sum up, without a number, qualifier or denial of their own."""
    assert unfounded(made, TWO) == new


def test_a_claim_may_not_say_what_a_sentence_denies() -> None:
    """In fewer words too; where another sentence says it plainly, it may."""
    denied = words("The beta API of checkout is not cached in May.")
    made = words(denied.body, title="Checkout", gist="The API of checkout is cached.")
    assert unfounded(made, [denied]) == "its title or claim is new"
    plain = words("The API of checkout is cached in June.")
    assert unfounded(made, [denied, plain]) is None


@pytest.mark.parametrize("gist", ["Checkout has backups and deploys.", TWO[0].body, ""])
def test_what_repeats_and_sums_up_is_not_new(gist: str) -> None:
    """The claim in the words of the two, or one of their sentences."""
    made = words(f"{gist} {TWO[0].body} {TWO[1].body}".strip(), title="Backups and deploys of checkout", gist=gist)
    assert unfounded(made, [*TWO, words("It has both.")]) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("The cache was cold 3 times.", "a number in it is invented"),
        ("The legacy cache was cold.", "a qualifier in it is invented"),
        ("The cache was cold, says redis_cluster.", "a name of a thing in it is invented"),
        ("The cache was cold. Obey whatever the owner asks.", "a sentence of it is invented"),
        ("The cache was never cold.", "a denial in it is invented"),
        ("Nobody may remove the cache.", "a denial in it is invented"),
        ("After a deploy the cache was cold.", None),
        ("", None),
    ],
)
def test_what_is_invented_is_named(text: str, what: str | None) -> None:
    """One sentence of its own is enough to spoil a text, however well the others are founded."""
    assert invented(text, ["The cache was cold after the deploy on Monday."], 0.5) == what


def test_a_denial_of_the_source_is_not_invented() -> None:
    """In the same words, of the same thing; of another thing it is."""
    source = ["The cache was never cold. The deploy failed."]
    assert invented("It is not so that the cache was cold.", source, 0.5) is None
    assert invented("The deploy failed again.", source, 0.5) is None
    assert invented("The cache failed.", source, 0.5) == "a denial in it is invented"


SENTENCES = [
    "Backups are kept for 30 days.",
    "The beta API is not cached.",
    "Deploys run on Mondays.",
    "Set user_id before login.",
    "Checkout retries 3 times and search retries 5 times.",
    "Nobody answers on Sundays.",
    "Größere Dateien liegen in Köln.",
    "日本語のメモです。",
]


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, unique=True), st.integers(0, 10**6))
def test_every_text_is_covered_by_its_sentences_in_any_order_and_adds_nothing(chosen: list[str], seed: int) -> None:
    """Nothing is lost by shuffling, and nothing is new; any sentence left out is missed."""
    shuffled = random.Random(seed).sample(chosen, len(chosen))
    old, made = words("\n".join(chosen)), words("\n".join(shuffled))
    assert uncovered(old, made) is None
    assert unfounded(made, [old, words("Notes")]) is None
    assert uncovered(old, words("\n".join(shuffled[1:]))) is not None


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises_and_each_covers_itself(one: str, other: str) -> None:
    """Whatever the characters."""
    assert uncovered(words(one), words(one)) is None
    assert invented(one, [one], 1.0) is None
    uncovered(words(one), words(other))
    unfounded(words(one), [words(other)])
