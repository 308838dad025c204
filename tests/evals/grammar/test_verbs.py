"""Forms of verbs, made and told."""

from __future__ import annotations

import pytest

from memhtml.evals.grammar.verbs import BASES, Form, Verb, gerund, is_gerund, participle, past, readings, third


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("retry", ("retries", "retried", "retried", "retrying")),
        ("deploy", ("deploys", "deployed", "deployed", "deploying")),
        ("push", ("pushes", "pushed", "pushed", "pushing")),
        ("fix", ("fixes", "fixed", "fixed", "fixing")),
        ("drop", ("drops", "dropped", "dropped", "dropping")),
        ("commit", ("commits", "committed", "committed", "committing")),
        ("transfer", ("transfers", "transferred", "transferred", "transferring")),
        ("open", ("opens", "opened", "opened", "opening")),
        ("index", ("indexes", "indexed", "indexed", "indexing")),
        ("cache", ("caches", "cached", "cached", "caching")),
        ("queue", ("queues", "queued", "queued", "queuing")),
        ("agree", ("agrees", "agreed", "agreed", "agreeing")),
        ("freeze", ("freezes", "froze", "frozen", "freezing")),
        ("run", ("runs", "ran", "run", "running")),
        ("write", ("writes", "wrote", "written", "writing")),
        ("have", ("has", "had", "had", "having")),
        ("do", ("does", "did", "done", "doing")),
        ("go", ("goes", "went", "gone", "going")),
        ("lie", ("lies", "lied", "lied", "lying")),
        ("quit", ("quits", "quit", "quit", "quitting")),
    ],
)
def test_forms_are_spelled_as_people_spell_them(base: str, forms: tuple[str, str, str, str]) -> None:
    """Third person, past, participle, and the form in -ing."""
    assert (third(base), past(base), participle(base), gerund(base)) == forms


def test_every_form_is_told_again() -> None:
    """Of each verb of the list, and nothing is told of a word that is none."""
    for base in BASES:
        assert Verb(base, Form.BASE) in readings(base)
        assert Verb(base, Form.THIRD) in readings(third(base))
        assert Verb(base, Form.PAST) in readings(past(base))
        assert Verb(base, Form.PARTICIPLE) in readings(participle(base))
        assert is_gerund(gerund(base))
    assert readings("orders database") == readings("jobs") == readings("") == ()
    assert not is_gerund("string")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("tokenizes", [("tokenize", Form.THIRD)]),
        ("notifies", [("notify", Form.THIRD)]),
        ("classified", [("classify", Form.PAST), ("classify", Form.PARTICIPLE)]),
        ("attenuated", [("attenuate", Form.PAST), ("attenuate", Form.PARTICIPLE)]),
        ("tokenize", [("tokenize", Form.BASE)]),
        ("plates", []),
        ("bloated", []),
        ("bleated", []),
        ("estates", []),
    ],
)
def test_some_endings_tell_a_verb_that_is_not_listed(word: str, told: list[tuple[str, Form]]) -> None:
    """Those that hardly any noun has; others are left alone."""
    assert [(verb.base, verb.form) for verb in readings(word)] == told
