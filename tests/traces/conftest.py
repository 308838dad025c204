"""Invented transcripts: lines as an agent's program writes them, and trees of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memhtml.index.traces.transcripts import Transcripts

SESSION = "0b9f41d2-0000-4000-8000-000000000001"
STORE = "/home/ada/memhtml"


def line(kind: str, **fields: object) -> bytes:
    """A record of that type in the session, unless the fields say otherwise."""
    record = {"type": kind, "sessionId": SESSION, "timestamp": "2026-08-01T10:00:00.000Z", **fields}
    return json.dumps({name: value for name, value in record.items() if value is not None}).encode() + b"\n"


def mangled(chance: random.Random, whole: bytes) -> bytes:
    """``whole`` with pieces cut out, doubled, swapped for noise, or put elsewhere."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        stop = min(len(data), start + chance.randint(0, 12))
        match chance.randrange(6):
            case 0:
                del data[start:stop]
            case 1:
                data[start:start] = chance.randbytes(chance.randint(1, 8))
            case 2:
                data[start:start] = data[start:stop]
            case 3:
                data[start:stop] = chance.choice(
                    (
                        b'"',
                        b"[",
                        b"{",
                        b"null",
                        b"1e999",
                        b'"\\ud800"',
                        b"\x00",
                        b"[]",
                        b"{}",
                        b"-0",
                        b"\xff\xfe",
                        b"7" * 5000,
                    )
                )
            case 4:
                del data[start:]
            case _:
                data[start:start] = b'"type":"user",'
    return bytes(data)


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

    def mangled(self, lines: int, seed: int) -> Iterator[bytes]:
        """So many lines that were whole once."""
        chance = random.Random(seed)
        whole = [
            self.user("Why is the build slow?", promptId="p1", cwd="/home/ada", gitBranch="main"),
            self.user([{"type": "text", "text": "And the tests?"}], isSidechain=True),
            self.calls(("c1", "Bash", {"command": "memhtml read areas/a.html"}), ("c2", "mcp__m__memory_write", {})),
            self.result("c1", '{"data":{"path":"areas/a.html","deduped":false}}'),
            self.result("c2", [{"type": "text", "text": '{"results":[{"path":"areas/b.html","outcome":"written"}]}'}]),
            line("ai-title", aiTitle="A slow build"),
            line("pr-link", prUrl="https://example.org/pr/7"),
            line("mode", mode="plan"),
        ]
        for _ in range(lines):
            yield mangled(chance, chance.choice(whole))


@pytest.fixture
def says() -> Says:
    """Makes lines."""
    return Says()


@pytest.fixture
def known() -> Iterator[Transcripts]:
    """Nothing is known yet."""
    with Transcripts.in_memory() as opened:
        yield opened


QUERIES = {
    "transcripts": "SELECT path, project, subagent, size, position, hex(seam) FROM transcripts ORDER BY 1",
    "fates": "SELECT t.path, fate, lines FROM fates JOIN transcripts AS t ON t.id = transcript ORDER BY 1, 2",
    "parts": """
        SELECT t.path, session, records, prompts, started, ended, folder, branch, pull_request
        FROM parts JOIN transcripts AS t ON t.id = transcript ORDER BY 1, 2
    """,
    "heads": """
        SELECT t.path, h.position, kind, session, h.subagent, prompt, at, head, words
        FROM heads AS h JOIN transcripts AS t ON t.id = transcript ORDER BY 1, 2, 3
    """,
    "calls": "SELECT t.path, call, tells, links FROM calls JOIN transcripts AS t ON t.id = transcript ORDER BY 1, 2",
    "links": """
        SELECT t.path, session, rel, memory, times, first, last
        FROM memory_session_links JOIN transcripts AS t ON t.id = transcript ORDER BY 1, 2, 3, 4
    """,
}


@pytest.fixture
def everything() -> Callable[[Transcripts], dict[str, list[tuple[object, ...]]]]:
    """Gives all rows of all tables, without the numbers that depend on the history; the words are intact as well."""

    def rows(known: Transcripts) -> dict[str, list[tuple[object, ...]]]:
        known._connection.execute("INSERT INTO head_words (head_words, rank) VALUES ('integrity-check', 1)")
        return {name: known._connection.execute(query).fetchall() for name, query in QUERIES.items()}

    return rows


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
