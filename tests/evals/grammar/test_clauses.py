"""Where a sentence has its verb, and where nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.evals.grammar.clauses import Kind, clause
from memhtml.evals.grammar.verbs import Form
from memhtml.evals.grammar.words import words_of


@pytest.mark.parametrize(
    ("sentence", "verb", "kind"),
    [
        ("The worker retries jobs.", "retries", Kind.LEXICAL),
        ("The worker retries", "retries", Kind.LEXICAL),
        ("Deploys run at night.", "run", Kind.LEXICAL),
        ("The logs of the worker contain tokens.", "contain", Kind.LEXICAL),
        ("The deploy checks run at night.", "run", Kind.LEXICAL),
        ("The nightly imports start at six.", "start", Kind.LEXICAL),
        ("Progress takes time to show.", "takes", Kind.LEXICAL),
        ("Postgres holds the sessions.", "holds", Kind.LEXICAL),
        ("Backup jobs write to the standby.", "write", Kind.LEXICAL),
        ("The job scheduled at night fails.", "fails", Kind.LEXICAL),
        ("The worker that leaks sockets restarts hourly.", "restarts", Kind.LEXICAL),
        ("Clients who can read the logs own them.", "own", Kind.LEXICAL),
        ("The migration added an index and dropped a table.", "added", Kind.LEXICAL),
        ("The team has 5 members.", "has", Kind.LEXICAL),
        ("The team has brandished its report.", "has", Kind.AUXILIARY),
        ("The release notes are written by hand.", "are", Kind.AUXILIARY),
        ("The cache misses are logged.", "are", Kind.AUXILIARY),
        ("Rows deleted by the janitor are kept.", "are", Kind.AUXILIARY),
        ("When the queue is full, the worker sleeps.", "sleeps", Kind.LEXICAL),
        ("Running it is slow, they say.", "is", Kind.AUXILIARY),
        ("Draining the queue, the worker sleeps.", "sleeps", Kind.LEXICAL),
        ("Ada: we can't restart it.", "can't", Kind.AUXILIARY),
        ("It's cached.", "It's", Kind.AUXILIARY),
        ("We all hiked the trails last week - the views were fine.", "hiked", Kind.LEXICAL),
        ("Kafka consumers commit offsets after it.", "commit", Kind.LEXICAL),
        ("GC pauses above a second trigger an alert.", "trigger", Kind.LEXICAL),
        ("Feature flags live in a file.", "live", Kind.LEXICAL),
        ("Version 4.2.1 of the kit leaks handles.", "leaks", Kind.LEXICAL),
        ("Moving to Django 5.0 broke the login.", "broke", Kind.LEXICAL),
        ("OpenSearch 2.11 has a bug.", "has", Kind.LEXICAL),
        ("Use the legacy client.", "Use", Kind.IMPERATIVE),
        ("Always use access on cache objects.", "use", Kind.IMPERATIVE),
        ("Restart workers that leak memory.", "Restart", Kind.IMPERATIVE),
        ("When it is full, stop imports of the worker.", "stop", Kind.IMPERATIVE),
        ("Keep 2 copies of the cache that it reads.", "Keep", Kind.IMPERATIVE),
        ("Chose the queue over a table.", "Chose", Kind.NOTE),
        ("Moved the cache to staging in two steps.", "Moved", Kind.NOTE),
        ("Drew it by hand.", "Drew", Kind.NOTE),
    ],
)
def test_the_verb_is_found(sentence: str, verb: str, kind: Kind) -> None:
    """Nouns that look like verbs, clauses inside and phrases in front are passed over."""
    found = clause(sentence)
    assert found is not None
    assert (found.word.text, found.kind) == (verb, kind)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Thanks!",
        "What a day!",
        "Is it retried?",
        "How do we test this",
        "Will do.",
        "Can you tell",
        "Have you seen it",
        "Must have been fun.",
        "examples of sites that follow an interaction design approach",
        "Nice quote!",
        "Cool that you came.",
        "Multicenter phase II study of pumps.",
        "The cache of the worker",
        "Last year, alone.",
    ],
)
def test_no_verb_is_made_up(sentence: str) -> None:
    """Questions and fragments have none that could be denied."""
    assert clause(sentence) is None


def test_the_word_after_the_verb_ends_with_its_clause() -> None:
    """A stop in between, and there is none."""
    found = clause("The worker retries failed jobs.")
    assert found is not None
    assert (found.after(), found.after(2), found.after(3)) == ("failed", "jobs", "")
    stopped = clause("The worker retries, always.")
    assert stopped is not None
    assert stopped.after() == ""
    assert found.verb.form is Form.THIRD


WORDS = "the worker it's retries retry deploys run was not cannot who and to , of 3 Use `x` failed by - been?"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=10).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """And a verb that is found is one of its words, after its subject's first."""
    found = clause(text)
    assert found is None or (found.first <= found.at < len(found.words) and found.words == words_of(text))
