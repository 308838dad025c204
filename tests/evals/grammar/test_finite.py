"""A verb agrees with its subject and stands where verbs stand."""

from __future__ import annotations

import pytest

from memhtml.evals.grammar.finite import is_adverb, is_auxiliary, is_base, is_participle, lexical, plural
from memhtml.evals.grammar.words import words_of


@pytest.mark.parametrize(
    ("subject", "one_or_many"),
    [
        ("the worker", (True, False)),
        ("the workers", (False, True)),
        ("the logs of the worker", (False, True)),
        ("the class", (True, False)),
        ("Ada and Bob", (True, True)),
        ("we", (False, True)),
        ("it", (True, False)),
        ("Postgres", (True, True)),
        ("the API", (True, False)),
        ("none of the workers", (True, True)),
        ("the nightly", (False, False)),
        ("the", (False, False)),
        ("", (False, False)),
    ],
)
def test_a_subject_is_one_or_many(subject: str, one_or_many: tuple[bool, bool]) -> None:
    """By its head, and both where that does not say."""
    assert plural(words_of(subject)) == one_or_many


@pytest.mark.parametrize(
    ("text", "place", "base"),
    [
        ("The worker retries jobs", 2, "retry"),
        ("The workers retry jobs", 2, "retry"),
        ("The worker retry jobs", 2, None),
        ("The workers retries jobs", 2, None),
        ("The worker retried jobs", 2, "retry"),
        ("The retries worked", 1, None),
        ("3 retries worked", 1, None),
        ("three retries worked", 1, None),
        ("Tier 3 broke it", 2, "break"),
        ("Tier 3 has it", 2, "have"),
        ("Ada's retries worked", 1, None),
        ("love and support of it", 2, None),
        ("Abuse and other causes of it", 3, None),
        ("members and related small jobs", 2, None),
        ("The worker Retries jobs", 2, None),
        ("clients like these", 1, None),
        ("We like these", 1, "like"),
        ("Never deploy it", 1, None),
        ("The asthma control", 2, None),
        ("The cache misses are logged", 2, None),
        ("The job done by it", 2, None),
        ("The job scheduled at night is slow", 2, None),
        ("The team decided it is slow", 2, "decide"),
        ("The team hiked the trail that is long", 2, "hike"),
    ],
)
def test_a_word_is_a_verb_where_it_agrees_and_stands_right(text: str, place: int, base: str | None) -> None:
    """Not after what wants a noun, and not where the verb is still to come."""
    verb = lexical(words_of(text), 0, place)
    assert (None if verb is None else verb.base) == base


@pytest.mark.parametrize(
    ("text", "place", "is_one"),
    [
        ("It is kept", 1, True),
        ("It has been kept", 1, True),
        ("It has 5 of them", 1, False),
        ("It does wait", 1, True),
        ("It does the work", 1, False),
        ("It has not 5", 1, True),
        ("In May it waits", 1, False),
        ("The can is full", 1, False),
        ("It can wait", 1, True),
    ],
)
def test_an_auxiliary_has_another_verb(text: str, place: int, *, is_one: bool) -> None:
    """Or is the verb itself, or a noun that is written like one."""
    assert is_auxiliary(words_of(text), place) is is_one


def test_single_words_are_told() -> None:
    """By their form alone."""
    assert [is_base(word) for word in ("retry", "retries", "jobless")] == [True, False, False]
    assert [is_participle(word) for word in ("been", "frozen", "ran")] == [True, True, False]
    assert [is_adverb(word) for word in ("safely", "never", "only", "fly", "job")] == [True, True, True, False, False]
