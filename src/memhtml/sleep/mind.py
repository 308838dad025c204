"""A language model, as a phase may use it: under a budget, with keys in place of paths, and its quotes looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.language import LanguageModel, Passage, Question

Answer = TypeVar("Answer", bound=Struct)

CALLS = 200
TOKENS = 1_000_000
"""What a night may use of a model, unless somebody says otherwise."""

SHORTEST_QUOTE = 8
"""Characters; what is shorter stands in every text and speaks for nothing."""


class Budget(Struct, frozen=True):
    """How much of a model a run may use; ``tokens`` counts questions and answers together."""

    calls: int
    tokens: int


class Offer(Struct, frozen=True):
    """A text that a model is shown, and where it is from, which it is not."""

    source: str
    text: str


class Heard(Struct, Generic[Answer], frozen=True):
    """An answer, and what its keys stand for.

    Attributes:
        answer: in the form that was asked for.
        offered: what was shown, by key.
    """

    answer: Answer
    offered: Mapping[str, Offer]

    def source(self, key: str) -> str | None:
        """Where the text under ``key`` is from; ``None`` for a key that was not offered."""
        offer = self.offered.get(key)
        return None if offer is None else offer.source

    def holds(self, key: str, quote: str) -> bool:
        """Whether the text that was offered under ``key`` has ``quote`` in it, white space collapsed.

        A quote of fewer than 8 characters is none.
        """
        offer = self.offered.get(key)
        wanted = " ".join(quote.split())
        return offer is not None and len(wanted) >= SHORTEST_QUOTE and wanted in " ".join(offer.text.split())


class Mind:
    """A model for one run.

    Attributes:
        name: of the model.
        calls: how often it was asked.
        tokens: what that has cost.
        faults: what went wrong, one sentence each; see `take_faults`.
    """

    def __init__(self, model: LanguageModel, budget: Budget, *, calls: int = 0, tokens: int = 0) -> None:
        self._model = model
        self._budget = budget
        self.name = model.name
        self.calls = calls
        self.tokens = tokens
        self.faults: list[str] = []

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self.calls >= self._budget.calls or self.tokens >= self._budget.tokens

    def ask(self, task: str, offers: Sequence[Offer], answer: type[Answer]) -> Heard[Answer] | None:
        """Show the model ``offers`` as ``m1``, ``m2`` and so on; ``None`` when nothing usable came back.

        A refused, malformed or unaffordable call costs its own batch: the fault is noted, and the next may be asked.
        """
        if self.is_spent:
            self._note(f"the budget of {self._budget.calls} calls and {self._budget.tokens} tokens is used up")
            return None
        keyed = {f"m{number}": offer for number, offer in enumerate(offers, start=1)}
        passages = tuple(Passage(key, offer.text) for key, offer in keyed.items())
        self.calls += 1
        try:
            reply = self._model.ask(Question(task, passages, answer))
            self.tokens += max(0, reply.tokens)
            return Heard(msgspec.convert(reply.data, answer), keyed)
        except ModelUnavailableError as error:
            self._note(f"the model could not answer: {error.message}")
        except msgspec.ValidationError:
            self._note(f"an answer about {len(keyed)} texts was not in the form that was asked for")
        return None

    def take_faults(self) -> tuple[str, ...]:
        """What went wrong since this was last asked, each sentence once, in order."""
        faults = tuple(dict.fromkeys(self.faults))
        self.faults.clear()
        return faults

    def _note(self, fault: str) -> None:
        self.faults.append(fault)
