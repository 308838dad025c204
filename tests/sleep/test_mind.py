"""A model under a budget: what comes back is data of the form that was asked for, or nothing."""

from __future__ import annotations

import pytest
from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.scripted import Scripted
from memhtml.sleep.mind import Budget, Mind, Offer

OFFERS = (Offer("areas/a.html", "Apples are  red\nin autumn."), Offer("areas/b.html", "Bananas are yellow."))


class Verdict(Struct):
    """An answer."""

    key: str
    quote: str


def mind(answer: object, calls: int = 9, tokens: int = 9_999) -> Mind:
    """One whose model says this whatever it is asked."""
    return Mind(Scripted([("", answer)]), Budget(calls, tokens))


def test_a_model_sees_keys_and_no_paths() -> None:
    """In the order of the texts, from m1 on; the answer's keys lead back."""
    model = Scripted([("", {"key": "m2", "quote": "Bananas are"})])
    heard = Mind(model, Budget(1, 1_000)).ask("Which?", OFFERS, Verdict)
    assert heard is not None
    assert [passage.key for passage in model.asked[0].passages] == ["m1", "m2"]
    assert "areas" not in str(model.asked[0].passages)
    assert heard.source(heard.answer.key) == "areas/b.html"


def test_a_key_that_was_not_offered_leads_nowhere() -> None:
    """Nor does a path in its place."""
    heard = mind({"key": "areas/b.html", "quote": "x"}).ask("Which?", OFFERS, Verdict)
    assert heard is not None
    assert heard.source("areas/b.html") is None
    assert heard.source("m3") is None
    assert not heard.holds("m3", "Bananas are yellow.")


@pytest.mark.parametrize(
    ("key", "quote", "there"),
    [
        ("m1", "Apples are red in", True),
        ("m1", "red\n  in autumn.", True),
        ("m1", "apples are red", False),
        ("m1", "Bananas are yellow.", False),
        ("m2", "are yell", True),
        ("m2", "yellow.", False),
        ("m2", "", False),
    ],
)
def test_a_quote_is_looked_up_in_the_text_that_it_names(key: str, quote: str, *, there: bool) -> None:
    """White space collapsed, letters as they are; fewer than eight characters are none."""
    heard = mind({"key": key, "quote": quote}).ask("Which?", OFFERS, Verdict)
    assert heard is not None
    assert heard.holds(heard.answer.key, heard.answer.quote) is there


@pytest.mark.parametrize("answer", ["I think that m1 is right.", None, [], {}, {"key": 1, "quote": "x"}, {"key": "m1"}])
def test_an_answer_of_another_form_costs_its_call_alone(answer: object) -> None:
    """It is noted, and the next question is asked."""
    asked = mind(answer)
    assert asked.ask("Which?", OFFERS, Verdict) is None
    assert asked.ask("Which?", OFFERS, Verdict) is None
    assert asked.calls == 2
    assert asked.take_faults() == ("an answer about 2 texts was not in the form that was asked for",)
    assert asked.take_faults() == ()


def test_a_model_that_cannot_answer_costs_its_call_alone() -> None:
    """What it says of itself is told, and no more."""
    asked = mind(ModelUnavailableError("the server is down"))
    assert asked.ask("Which?", OFFERS, Verdict) is None
    assert asked.take_faults() == ("the model could not answer: the server is down",)


@pytest.mark.parametrize(("calls", "tokens", "asked"), [(2, 10_000, 2), (0, 10_000, 0), (9, 0, 0), (9, 1, 1)])
def test_a_budget_ends_the_asking(calls: int, tokens: int, asked: int) -> None:
    """By calls or by tokens, whichever ends first; the last call may go over its tokens."""
    model = Scripted([("", {"key": "m1", "quote": "x"})])
    under = Mind(model, Budget(calls, tokens))
    for _ in range(4):
        under.ask("Which?", OFFERS, Verdict)
    assert len(model.asked) == asked
    assert under.is_spent
    assert under.take_faults() == (f"the budget of {calls} calls and {tokens} tokens is used up",)
