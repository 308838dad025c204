"""The language model that answers by a script."""

from __future__ import annotations

import pytest
from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.language import LanguageModel, Passage, Question, Reply
from memhtml.models.scripted import Scripted


class Verdict(Struct, frozen=True):
    """An answer."""

    same: bool


def question(task: str = "Compare them.", *texts: str) -> Question:
    """A question about some texts."""
    return Question(task, tuple(Passage(f"m{n}", text) for n, text in enumerate(texts, start=1)), Verdict)


def test_a_function_answers_and_the_cost_is_a_quarter_of_the_characters() -> None:
    """13 characters of task and 7 of text are 5 tokens; the question is kept."""
    model: LanguageModel = Scripted(lambda asked: {"same": len(asked.passages) == 1})
    assert model.ask(question("Compare them.", "seven.7")) == Reply({"same": True}, 5)


def test_the_first_rule_that_fits_answers() -> None:
    """A rule fits by words of the task, by words of a passage, and by the name of the form."""
    model = Scripted([("them", 1), ("retries", 2), ("Verdict", 3)])
    assert model.ask(question()).data == 1
    assert model.ask(question("Go.", "It retries.")).data == 2
    assert model.ask(question("Go.")).data == 3
    assert [len(asked.passages) for asked in model.asked] == [0, 1, 0]


def test_an_error_of_the_script_is_raised_and_the_next_question_is_answered() -> None:
    """A model that is down once is no model that is down."""
    model = Scripted([("Fail", ModelUnavailableError("down")), ("Go", "fine")])
    with pytest.raises(ModelUnavailableError, match="down"):
        model.ask(question("Fail."))
    assert model.ask(question("Go.")).data == "fine"


def test_where_no_rule_fits_the_model_is_unavailable() -> None:
    """A script with a hole must not look like an empty answer."""
    with pytest.raises(ModelUnavailableError, match="no answer"):
        Scripted([]).ask(question())
