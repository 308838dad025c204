"""Invented transcripts: lines as an agent's program writes them, and trees of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.index.transcripts import Transcripts

SESSION = "0b9f41d2-0000-4000-8000-000000000001"
STORE = "/home/ada/memhtml"


def line(kind: str, **fields: object) -> bytes:
    """A record of that type in the session, unless the fields say otherwise."""
    record = {"type": kind, "sessionId": SESSION, "timestamp": "2026-08-01T10:00:00.000Z", **fields}
    return json.dumps({name: value for name, value in record.items() if value is not None}).encode() + b"\n"


class Says:
    """Lines of an invented session."""

    SESSION = SESSION
    STORE = STORE
    line = staticmethod(line)

    @staticmethod
    def user(text: object, **fields: object) -> bytes:
        """What a person typed."""
        return line("user", message={"role": "user", "content": text}, **fields)

    @staticmethod
    def calls(*calls: tuple[str, str, dict[str, object]], **fields: object) -> bytes:
        """Tools that an agent calls, each as (id, name, input)."""
        blocks = [{"type": "tool_use", "id": call, "name": name, "input": given} for call, name, given in calls]
        return line("assistant", message={"role": "assistant", "content": blocks}, **fields)

    @staticmethod
    def result(call: str, text: object = "", *, failed: bool = False, **fields: object) -> bytes:
        """What came of a call."""
        block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed}
        return line("user", message={"role": "user", "content": [block]}, **fields)


@pytest.fixture
def says() -> Says:
    """Makes lines."""
    return Says()


@pytest.fixture
def known() -> Iterator[Transcripts]:
    """Nothing is known yet."""
    with Transcripts.in_memory() as opened:
        yield opened


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A root with one project, and nothing in it."""
    root = tmp_path / "agents"
    (root / "projects" / "-home-ada-checkout").mkdir(parents=True)
    return root


@pytest.fixture
def transcript(tree: Path) -> Path:
    """Where the session's transcript goes."""
    return tree / "projects" / "-home-ada-checkout" / f"{SESSION}.jsonl"
