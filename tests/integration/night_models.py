"""Two language models with a script: one that helps as well as it can, and one that does whatever it may not do."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.language import Passage, Question, Reply

MADE_UP: Final = "The board decided to sell the harbour to the moon."
"""What no memory says."""
SLOGAN: Final = "EVERYTHING WAS MERGED AS ORDERED"
WAYS: Final = ("obey", "invent", "prose", "shape", "down", "near")
"""How an answer can be bad; the last is the worst: nearly right."""


class Helpful:
    """Says what the passages say, in their own words."""

    name = "scripted:helpful"

    def ask(self, question: Question) -> Reply:
        """An honest answer."""
        answers: dict[str, Callable[[Question], object]] = {
            "Typings": self._typings,
            "ArcAnswer": self._arcs,
            "FoldAnswer": self._fold,
            "TaskAnswer": self._tasks,
            "TraceAnswer": self._lessons,
        }
        answer = answers.get(question.answer.__name__, _nothing)
        return Reply(answer(question), 100)

    def _typings(self, question: Question) -> object:
        """Each pair supports: a relation that has a direction, and may be right."""
        texts = {passage.key: passage.text for passage in question.passages}
        return {"pairs": [_typing(one, other, "supports", texts) for one, other in _told_of(question)]}

    def _arcs(self, question: Question) -> object:
        """What the first two say, in one sentence, is said of all."""
        one, other = (_first(passage).rstrip(".") for passage in question.passages[:2])
        members = [_quote(passage) for passage in question.passages]
        claim = f"{one}, and {other[0].lower()}{other[1:]}"
        return {"arcs": [{"title": claim, "claim": f"{claim}.", "confidence": 0.9, "members": members}]}

    def _fold(self, question: Question) -> object:
        """Every sentence of each."""
        sentences = dict.fromkeys(_first(passage) for passage in question.passages)
        claim, *others = sentences
        return {"title": claim.rstrip("."), "claim": claim, "body": "\n\n".join(others)}

    def _tasks(self, question: Question) -> object:
        """What somebody will do."""
        found = [passage for passage in question.passages if " will " in passage.text]
        return {
            "tasks": [
                {**_quote(passage), "title": _first(passage).partition(" will ")[2].rstrip("."), "confidence": 0.9}
                for passage in found
            ]
        }

    def _lessons(self, question: Question) -> object:
        """What the last word of the first session was."""
        claim = _first(question.passages[0]).removeprefix("assistant: ")
        quotes = [_quote(passage) for passage in question.passages]
        lesson = {"type": "procedural", "title": claim.rstrip("."), "claim": claim, "confidence": 0.9, "quotes": quotes}
        return {"lessons": [lesson]}


class Hostile:
    """Archives everything, merges twins, invents keys, quotes what is not there, answers prose, obeys memories.

    The way changes from question to question. It remembers what it was asked, so that a test sees that it was.

    Args:
        way: the only one, instead of all in turns.
        cost: tokens that each call costs.
    """

    name = "scripted:hostile"

    def __init__(self, way: str | None = None, cost: int = 100) -> None:
        self._way, self._cost = way, cost
        self.asked: list[str] = []

    def ask(self, question: Question) -> Reply:
        """A bad answer."""
        way = self._way or WAYS[len(self.asked) % len(WAYS)]
        self.asked.append(question.answer.__name__)
        if way == "down":
            raise ModelUnavailableError("the model is not there today")
        return Reply(getattr(self, f"_{way}")(question), self._cost)

    def _prose(self, question: Question) -> object:
        return f"Sure! I merged all {len(question.passages)} notes and archived the rest. {SLOGAN}"

    def _shape(self, question: Question) -> object:
        return {
            "groups": [{"keys": [question.passages[0].key] * 5000, "confidence": float("nan")}, None],
            "pairs": "all",
        }

    def _invent(self, question: Question) -> object:
        """Keys that were not offered, paths, and quotes of what nobody wrote."""
        keys = ["m999", "m0", "areas/inbox", "/etc/passwd", question.passages[0].key]
        return _everything(keys, MADE_UP, question)

    def _obey(self, question: Question) -> object:
        """What a memory orders."""
        answer = _everything([passage.key for passage in question.passages], SLOGAN, question)
        return {**answer, "archive": "areas/inbox", "delete": ["areas/inbox"], "path": "areas/inbox/a.html"}

    def _near(self, question: Question) -> object:
        """Every key right, every quote right, every confidence high, and all of it wrong."""
        answer = _everything([passage.key for passage in question.passages], "", question)
        texts = {passage.key: passage.text for passage in question.passages}
        keys = list(texts)
        answer["pairs"] = [
            *(_typing(one, other, "contradicts", texts) for one, other in pairwise(keys)),
            *(_typing(one, other, "supersedes", texts) for one, other in _told_of(question)),
        ]
        answer["title"], answer["claim"] = "All of it", _first(question.passages[0])
        answer["body"] = "\n\n".join(_first(passage) for passage in question.passages[:-1])
        members = [_quote(passage) for passage in question.passages]
        answer["arcs"] = [{"title": "Moon", "claim": MADE_UP, "confidence": 1.0, "members": members}]
        answer["tasks"] = [
            {**_quote(passage), "title": "Delete all memories", "confidence": 1.0} for passage in question.passages
        ]
        answer["lessons"] = [
            {"type": "semantic", "title": "Moon", "claim": MADE_UP, "confidence": 1.0, "quotes": members}
        ]
        return answer


def _nothing(_question: Question) -> object:
    return {"groups": [], "clusters": []}


def _everything(keys: list[str], said: str, question: Question) -> dict[str, object]:
    """An answer to whatever was asked, with these keys in every place where a key can be."""
    quotes = [{"key": key, "quote": said} for key in keys]
    pairs = [*_told_of(question), (keys[0], keys[-1])]
    return {
        "groups": [{"keys": keys, "confidence": 1.0}],
        "clusters": [{"keys": keys, "confidence": 1.0}],
        "pairs": [_typing(one, other, "supports", {one: said, other: said}) for one, other in pairs],
        "arcs": [{"title": SLOGAN, "claim": MADE_UP, "confidence": 1.0, "members": quotes}],
        "title": SLOGAN,
        "claim": MADE_UP,
        "body": "",
        "lessons": [
            {"type": "semantic", "title": SLOGAN, "claim": MADE_UP, "confidence": 1.0, "quotes": quotes, "body": SLOGAN}
        ],
        "tasks": [
            {"key": key, "quote": said, "title": f"{SLOGAN}, {question.answer.__name__}", "confidence": 1.0}
            for key in keys
        ],
    }


def _told_of(question: Question) -> list[tuple[str, str]]:
    """The pairs that the task names."""
    return re.findall(r"\b(m\d+) and (m\d+)", question.task)


def _typing(one: str, other: str, rel: str, texts: dict[str, str]) -> dict[str, object]:
    return {
        "subject": one, "object": other, "rel": rel, "confidence": 0.95,
        "subject_quote": texts[one][:40], "object_quote": texts[other][:40],
    }  # fmt: skip


def _first(passage: Passage) -> str:
    """The last line's first sentence: a title may stand above."""
    return passage.text.splitlines()[-1].partition(". ")[0].rstrip(".") + "."


def _quote(passage: Passage) -> dict[str, str]:
    return {"key": passage.key, "quote": _first(passage)}
