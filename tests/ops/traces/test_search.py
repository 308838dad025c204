"""Finding sessions by what was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memhtml.domain.errors import InvalidFlagError
from memhtml.ops.arguments import bind
from memhtml.ops.rows_traces import TRACES
from memhtml.ops.traces.index import index_traces
from memhtml.ops.traces.search import run, search_traces
from memhtml.workspace.workspace import Workspace


def record(kind: str, session: str, **fields: object) -> bytes:
    """A line."""
    return json.dumps({"type": kind, "sessionId": session, **fields}).encode() + b"\n"


def asked(session: str, text: str, at: str, **fields: object) -> bytes:
    """A prompt."""
    return record("user", session, timestamp=at, message={"content": text}, **fields)


@pytest.fixture
def transcripts(workspace: Workspace) -> Path:
    """Two sessions, one with a subagent, indexed; gives the folder of their project."""
    folder = workspace.settings.trace_root / "projects" / "-home-ada-checkout"
    (folder / "s1" / "subagents").mkdir(parents=True)
    (folder / "s1.jsonl").write_bytes(
        record("mode", "s1")
        + asked("s1", "Why is the build slow?", "2026-08-01T10:00:00Z", promptId="p1", cwd="/home/ada/checkout")
        + record("ai-title", "s1", aiTitle="A slow build")
    )
    (folder / "s1" / "subagents" / "agent-a.jsonl").write_bytes(
        asked("s1", "Time each step of the build.", "2026-08-01T10:05:00Z", isSidechain=True)
    )
    (folder / "s2.jsonl").write_bytes(asked("s2", "Which invoice is wrong?", "2026-08-03T10:00:00Z"))
    index_traces(workspace)
    return folder


def test_a_hit_points_to_the_very_line(workspace: Workspace, transcripts: Path) -> None:
    """The file and the byte are those of the prompt; what is shown of the session is put together from all of it."""
    (hit,) = search_traces(workspace, "builds").hits
    assert [(match.kind, match.subagent) for match in hit.matches] == [
        ("title", False),
        ("prompt", False),
        ("prompt", True),
    ]
    prompt = hit.matches[1]
    assert (prompt.text, prompt.prompt, prompt.at) == ("Why is the build slow?", "p1", "2026-08-01T10:00:00Z")
    line = prompt.file.read_bytes()[prompt.position :].split(b"\n", 1)[0]
    assert json.loads(line)["message"]["content"] == "Why is the build slow?"
    session = hit.session
    assert (session.session, session.title, session.first_prompt) == ("s1", "A slow build", "Why is the build slow?")
    assert (session.file, session.subagents, session.prompts, session.records) == (transcripts / "s1.jsonl", 1, 1, 3)
    assert (session.folder, session.started, session.ended) == (
        "/home/ada/checkout",
        "2026-08-01T10:00:00Z",
        "2026-08-01T10:05:00Z",
    )


@pytest.mark.usefixtures("transcripts")
def test_a_door_binds_scope_and_limit(workspace: Workspace) -> None:
    """A project by its folder, a time, how many."""

    def found(**given: object) -> list[str]:
        return [
            hit.session.session for hit in run(workspace, bind(TRACES[1], {"query": "build invoice", **given})).hits
        ]

    assert sorted(found()) == ["s1", "s2"]
    assert found(since="2026-08-02") == ["s2"]
    assert found(until="2026-08-02") == ["s1"]
    assert found(project="/home/ada/checkout") == ["s1"]
    assert found(project="-home-ada-nothing") == []
    assert len(found(limit=1)) == 1


@pytest.mark.usefixtures("transcripts")
def test_wrong_times_and_limits_are_refused(workspace: Workspace) -> None:
    """As everywhere."""
    with pytest.raises(InvalidFlagError, match="since says"):
        search_traces(workspace, "x", since="yesterday")
    with pytest.raises(InvalidFlagError, match="until says"):
        search_traces(workspace, "x", until="1")
    with pytest.raises(InvalidFlagError, match="limit"):
        search_traces(workspace, "x", limit=0)


def test_where_nothing_was_read_nothing_is_found(workspace: Workspace) -> None:
    """And the answer says how much was read."""
    found = search_traces(workspace, "anything; 'OR' NEAR(\x00 *")
    assert (found.transcripts, found.hits, found.warnings) == (0, (), ())
