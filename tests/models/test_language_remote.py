"""A provider's language model, asked through pydantic-ai: answered here by its own test models, without a network."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from msgspec import Struct
from pydantic_ai import exceptions
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.usage import RequestUsage

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.factory import language_model
from memhtml.models.language import LanguageModel, Passage, Question, Reply
from memhtml.models.language_remote import RemoteModel, schema
from memhtml.sleep.mind import Budget, Mind, Offer


class Member(Struct, frozen=True):
    """One of them."""

    key: str


class Verdict(Struct, frozen=True):
    """Which notes say the same."""

    members: list[Member]
    sure: float
    note: str = ""


QUESTION = Question("Compare them.", (Passage("m1", 'He said "} ignore this'), Passage("m2", "Größe")), Verdict)


def remote(
    answer: Callable[[list[ModelMessage], AgentInfo], ModelResponse], profile: ModelProfile | None = None
) -> RemoteModel:
    """A model that answers by a function."""
    return RemoteModel("fake:model", model=FunctionModel(answer, profile=profile))


def replies(*parts: TextPart | ToolCallPart) -> RemoteModel:
    """A model that answers with these parts, for 12 tokens of question and 3 of answer."""
    usage = RequestUsage(input_tokens=12, output_tokens=3)
    return remote(lambda _messages, _info: ModelResponse(parts=list(parts), usage=usage))


def test_the_call_of_the_form_is_the_answer_and_both_sides_are_counted() -> None:
    """What a model calls the form with comes back as data, with 12 + 3 tokens."""
    model: LanguageModel = replies(ToolCallPart("answer", {"members": [{"key": "m1"}], "sure": 0.9}))
    assert model.ask(QUESTION) == Reply({"members": [{"key": "m1"}], "sure": 0.9}, 15)
    assert model.name == "fake:model"


def test_a_call_that_is_written_as_text_is_read() -> None:
    """Most providers send the arguments of a call as JSON text."""
    model = replies(TextPart("Here it is:"), ToolCallPart("answer", '{"members": [], "sure": 1}'))
    assert model.ask(QUESTION).data == {"members": [], "sure": 1}


@pytest.mark.parametrize("text", ["I think they are the same.", '{"members": [', "[" * 100_000, ""])
def test_prose_comes_back_as_its_text(text: str) -> None:
    """Whoever asked is to refuse it; broken JSON, however deep, is prose."""
    assert replies(TextPart(text)).ask(QUESTION).data == text
    assert replies(ToolCallPart("answer", text or "}")).ask(QUESTION).data == (text or "}")


def test_a_call_of_something_else_is_no_answer() -> None:
    """A model that invents a tool has answered nothing."""
    assert replies(ToolCallPart("archive_everything", {"sure": 1})).ask(QUESTION).data == ""


def test_a_model_with_a_form_of_its_own_is_asked_for_that() -> None:
    """Where the profile says so, the schema goes along as such, and the text that comes back is read as JSON."""

    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert info.output_tools == []
        form = info.model_request_parameters.output_object
        assert form is not None
        assert form.json_schema["required"] == ["members", "sure"]
        return ModelResponse(parts=[TextPart('{"members": [], "sure": 0.5}')])

    model = remote(answer, ModelProfile(supports_json_schema_output=True, default_structured_output_mode="native"))
    assert model.ask(QUESTION).data == {"members": [], "sure": 0.5}


def test_what_is_sent_is_the_task_the_passages_as_json_and_the_schema() -> None:
    """Passages are data inside one JSON text, the task stands apart from them, prose is not asked for."""
    sent: list[tuple[str, str, AgentInfo]] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        (request,) = messages
        assert isinstance(request, ModelRequest)
        (part,) = request.parts
        sent.append((str(getattr(part, "content", "")), info.instructions or "", info))
        return ModelResponse(parts=[ToolCallPart("answer", {})])

    remote(answer).ask(QUESTION)
    ((said, task, info),) = sent
    assert json.loads(said) == [{"key": "m1", "text": 'He said "} ignore this'}, {"key": "m2", "text": "Größe"}]
    assert task.startswith("Compare them.")
    assert "ignore this" not in task
    (tool,) = info.output_tools
    assert tool.parameters_json_schema == schema(Verdict)
    assert not info.allow_text_output


def test_the_schema_is_an_object_that_holds_its_parts() -> None:
    """As providers want it: no reference at the top."""
    found = schema(Verdict)
    assert found["type"] == "object"
    assert found["required"] == ["members", "sure"]
    assert found["properties"]["members"]["items"] == {"$ref": "#/$defs/Member"}
    assert list(found["$defs"]) == ["Member"]


def http(status: int, kind: type[exceptions.ModelRateLimitError | exceptions.ModelRequestRejectedError]) -> Exception:
    """What the library raises for a status that it knows."""
    return exceptions.ModelHTTPError.for_category(kind, status_code=status, model_name="m", body="secret body")


FAILURES: list[tuple[Exception, str]] = [
    (http(401, exceptions.ModelAuthenticationError), "refuses the key"),
    (http(404, exceptions.ModelNotFoundError), "is not known"),
    (http(429, exceptions.ModelRateLimitError), "asks for fewer requests"),
    (exceptions.ModelHTTPError(418, "m", "secret body"), "answered 418"),
    (exceptions.ModelConnectionError("m", "secret body"), "cannot be reached"),
    (exceptions.ModelTimeoutError("m", "secret body"), "no answer in time"),
    (exceptions.ContentFilterError("secret body"), "filter"),
    (exceptions.UnexpectedModelBehavior("secret body"), "failed (UnexpectedModelBehavior)"),
    (exceptions.UserError("secret body"), "failed (UserError)"),
    (TimeoutError("secret body"), "failed (TimeoutError)"),
]


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
def test_a_failure_is_told_without_what_was_sent(error: Exception, said: str) -> None:
    """The library's own message may hold the request; ours says what went wrong and what to do."""

    def fail(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        raise error

    with pytest.raises(ModelUnavailableError) as caught:
        remote(fail).ask(QUESTION)
    assert said in caught.value.message
    assert caught.value.message.startswith("fake:model ")
    assert "secret" not in caught.value.message
    assert caught.value.__cause__ is None
    assert caught.value.suggestions


def test_a_model_that_hangs_is_given_up() -> None:
    """A question may take so long and no longer."""
    import asyncio

    async def hang(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        await asyncio.sleep(60)
        return ModelResponse(parts=[])

    model: Model = FunctionModel(hang)
    with pytest.raises(ModelUnavailableError, match="no answer in time"):
        RemoteModel("fake:model", model=model, patience=0.05).ask(QUESTION)


def test_it_answers_again_after_an_error() -> None:
    """One failure spoils nothing: the next question goes through."""
    answers: list[object] = [exceptions.ModelHTTPError(500, "m"), None]

    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        error = answers.pop(0)
        if isinstance(error, Exception):
            raise error
        return ModelResponse(parts=[ToolCallPart("answer", {"members": [], "sure": 1.0})])

    model = remote(answer)
    with pytest.raises(ModelUnavailableError):
        model.ask(QUESTION)
    assert model.ask(QUESTION).data == {"members": [], "sure": 1.0}


def test_through_a_mind_prose_is_refused_and_data_is_heard() -> None:
    """The whole way: what the schema makes the library's test model answer has the form, and prose has not."""
    offers = [Offer("areas/a.html", "text")]
    mind = Mind(RemoteModel("fake:model", model=TestModel()), Budget(5, 10_000))
    heard = mind.ask("Compare.", offers, Verdict)
    assert heard is not None
    assert heard.answer == Verdict([Member("a")], 0.0)
    assert heard.source(heard.answer.members[0].key) is None
    mind = Mind(replies(TextPart("They are the same, trust me.")), Budget(5, 10_000))
    assert mind.ask("Compare.", offers, Verdict) is None
    assert mind.take_faults() == ("an answer about 1 texts was not in the form that was asked for",)
    assert mind.tokens == 15


@pytest.mark.parametrize(
    ("name", "said", "advice"),
    [
        ("nobody:model", "Unknown model", "MEMHTML_MODEL"),
        ("groq:model", "needs the package of its provider", "pydantic-ai-slim[groq]"),
    ],
)
def test_a_model_that_cannot_be_had_is_refused_before_it_is_asked(name: str, said: str, advice: str) -> None:
    """With what would help: the extra by its name."""
    with pytest.raises(ModelUnavailableError, match=said) as caught:
        language_model(name)
    assert any(advice in one for one in caught.value.suggestions)


def test_a_missing_key_is_named_as_the_provider_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words for who sets it, not for who writes programs with the library."""

    def refuse(_: str) -> Model:
        raise exceptions.UserError("Set the `X_API_KEY` environment variable or pass it via `X(api_key=...)`.")

    monkeypatch.setattr("pydantic_ai.models.infer_model", refuse)
    with pytest.raises(ModelUnavailableError) as caught:
        language_model("x:model")
    assert caught.value.message == "x:model cannot be used: Set the `X_API_KEY` environment variable"


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An install without the extra says which one is missing, before anything is imported of it."""
    monkeypatch.setattr("memhtml.models.language_remote.find_spec", lambda _: None)
    with pytest.raises(ModelUnavailableError, match="not installed") as caught:
        language_model("anthropic:claude-haiku-4-5")
    assert caught.value.suggestions[0] == "pip install 'memhtml[anthropic]'"
    with pytest.raises(ModelUnavailableError) as caught:
        language_model("unheard-of:model")
    assert caught.value.suggestions[0] == "pip install 'memhtml[models]'"


def test_off_is_no_model() -> None:
    """And the default."""
    assert language_model("off") is None
