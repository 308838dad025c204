"""Transcripts as a person sees them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.cli.screen import Screen
from memhtml.cli.transcripts import found, indexed, linked
from memhtml.config.settings import load
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.init import init
from memhtml.ops.traces.index import index_traces
from memhtml.ops.traces.links import memory_sessions, session_memories
from memhtml.ops.traces.search import search_traces
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace


@pytest.fixture
def workspace(root: Path, environment: dict[str, str]) -> Iterator[Workspace]:
    """A store with a memory that a session wrote, and that session's transcript, which ends in the middle of a line."""
    traces = root.parent / "agents"
    folder = traces / "projects" / "-home-ada-checkout"
    (folder / "s2.jsonl").mkdir(parents=True)
    asked = {"type": "user", "sessionId": "s1", "timestamp": "2026-08-01T10:00:00Z", "cwd": "/home/ada/checkout"}
    side = {**asked, "isSidechain": True, "message": {"content": "Look for slow steps."}}
    lines = [{**asked, "message": {"content": "Why is the build slow?"}}, side]
    (folder / "s1.jsonl").write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in lines) + b'{"type":')
    variables = {**environment, "MEMHTML_TRACE_ROOT": str(traces)}
    settings = load({"root": str(root), "embed": "off"}, variables, root.parent / "user.toml", root.parent)
    with Workspace(settings, variables=variables) as made:
        init(made)
        write(made, Draft(MemoryType.SEMANTIC, claim="Builds take ten minutes.", session="s1"))
        yield made


def drawn(draw: object, result: object) -> str:
    """What a person would see."""
    stream = io.StringIO()
    draw(Screen(stream, 100), result)  # type: ignore[operator] - one of three functions
    return stream.getvalue()


def test_a_run_is_told_in_a_few_lines(workspace: Workspace) -> None:
    """How much, what could not be read, and what is known now."""
    with workspace:
        text = drawn(indexed, index_traces(workspace))
        assert "1 transcripts at " in text
        assert "1 new, 0 grown, 0 read anew, 0 as they were, 0 gone" in text
        assert "2 lines read: 2 user\n1 with a last line that is not ended yet\n" in text
        assert "passed over: projects/-home-ada-checkout/s2.jsonl (no_file)\n" in text
        assert text.endswith("Known: 1 sessions, 1 prompts, 0 links to memories\n")
        assert "0 lines read\n" in drawn(indexed, index_traces(workspace))


def test_of_much_that_cannot_be_read_some_is_named(workspace: Workspace) -> None:
    """And the rest is counted; so are links that are not shown."""
    folder = workspace.settings.trace_root / "projects" / "-home-ada-checkout"
    for number in range(60):
        (folder / f"t{number}.jsonl").mkdir()
    with workspace:
        text = drawn(indexed, index_traces(workspace))
        assert text.count("passed over: ") == 50
        assert "\nand 11 more\n" in text
        write(workspace, Draft(MemoryType.SEMANTIC, claim="The cache is cold.", session="s1"))
        assert drawn(linked, session_memories(workspace, "s1", limit=1)).endswith("1 of 2 links\n")


def test_sessions_are_shown_with_what_was_found(workspace: Workspace) -> None:
    """Where the line stands, in one piece, so that it can be copied; and who asked."""
    with workspace:
        assert drawn(found, search_traces(workspace, "slow")) == (
            "nothing is known yet: memhtml trace index reads the transcripts\n"
        )
        index_traces(workspace)
        text = drawn(found, search_traces(workspace, "slow"))
        assert text.startswith("2026-08-01 10:00 Why is the build slow?\n  s1  /home/ada/checkout, 1 prompts\n")
        assert "  Look for slow steps. (to a subagent)\n" in text
        assert f"{Path('-home-ada-checkout', 's1.jsonl')}:0\n" in text
        assert drawn(found, search_traces(workspace, "kubernetes")) == "nothing was found\n"


def test_links_are_a_table(workspace: Workspace) -> None:
    """Of sessions or of memories, as was asked."""
    with workspace:
        index_traces(workspace)
        path = "areas/inbox/builds-take-ten-minutes.html"
        text = drawn(linked, memory_sessions(workspace, path))
        assert "Why is the build slow?" in text
        assert [word for word in text.splitlines()[-1].split() if word != "-"][2:] == ["wrote", "1", "s1"]
        assert drawn(linked, session_memories(workspace, "s1")).splitlines()[-1].split()[2:] == ["wrote", "1", path]
        assert drawn(linked, session_memories(workspace, "s9")) == "no links are known\n"
