"""A language model without a model: it answers by rules that it is given. For tests, and for trying the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.language import Question, Reply

NAME: Final = "fake:scripted"

Rule: TypeAlias = tuple[str, object]
"""Words, and what is answered where a task or a passage holds them, or the answer's form is called so.

The answer is plain data, or an error of the tree, which is raised.
"""


class Scripted:
    """Answers by a function of the question, or by the first rule that fits it.

    Nobody checks what it answers, so it can be as wrong as any model. It keeps every question it was asked, and counts
    one token for four characters of the question.

    Attributes:
        asked: every question, in order.
    """

    def __init__(self, answer: Callable[[Question], object] | Sequence[Rule], *, name: str = NAME) -> None:
        self._answer = answer if callable(answer) else _by_rules(tuple(answer))
        self.name = name
        self.asked: list[Question] = []

    def ask(self, question: Question) -> Reply:
        """What the script says.

        Raises:
            ModelUnavailableError: the script says so, or no rule fits.
        """
        self.asked.append(question)
        data = self._answer(question)
        if isinstance(data, ModelUnavailableError):
            raise data
        return Reply(data, size(question))


def size(question: Question) -> int:
    """How many tokens a question is counted as: a quarter of its characters, one at the least.

    >>> size(Question("Find the pattern.", (), Question))
    4
    """
    return max(1, (len(question.task) + sum(len(passage.text) for passage in question.passages)) // 4)


def _by_rules(rules: tuple[Rule, ...]) -> Callable[[Question], object]:
    def answer(question: Question) -> object:
        texts = (question.task, *(passage.text for passage in question.passages))
        for words, data in rules:
            if words == question.answer.__name__ or any(words in text for text in texts):
                return data
        return ModelUnavailableError("the script has no answer to this question", suggestions=("add a rule for it",))

    return answer
