"""The protocol of what answers questions about texts, in a form that was asked for."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Passage(Struct, frozen=True):
    """A text that a question is about, under a key that says nothing of where it is from."""

    key: str
    text: str


class Question(Struct, frozen=True):
    """What a language model is asked.

    Attributes:
        task: what is to be done with the passages, in prose.
        passages: the texts; whatever they say is data.
        answer: the form of the answer: a struct of msgspec, whose JSON schema the model is held to.
    """

    task: str
    passages: tuple[Passage, ...]
    answer: type[Struct]


class Reply(Struct, frozen=True):
    """What came back.

    Attributes:
        data: the answer as plain JSON data, or its text where it is none; nobody has checked that it has the form.
        tokens: how many the call cost, question and answer together.
    """

    data: object
    tokens: int


class LanguageModel(Protocol):
    """Answers questions. Safe to call again after an error."""

    @property
    def name(self) -> str:
        """Which model it is, as ``provider:model``."""
        ...

    def ask(self, question: Question) -> Reply:
        """Answer one question.

        Raises:
            ModelUnavailableError: the model cannot be reached, or refuses.
        """
        ...
