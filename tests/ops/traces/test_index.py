"""The index of transcripts, from a store's side."""

from __future__ import annotations

import json
from pathlib import Path

from tests.ops.conftest import seen

from memhtml.ops.index import verify_index
from memhtml.ops.rows_traces import TRACES
from memhtml.ops.traces.index import index_traces, run
from memhtml.ops.traces.search import search_traces
from memhtml.traces.tree import Obstacle
from memhtml.workspace.workspace import Workspace


def said(session: str, text: str) -> bytes:
    """A prompt."""
    record = {"type": "user", "sessionId": session, "timestamp": "2026-08-01T10:00:00Z", "message": {"content": text}}
    return json.dumps(record).encode() + b"\n"


def transcript(workspace: Workspace, name: str = "s1.jsonl") -> Path:
    """Where a transcript goes, by the settings."""
    path = workspace.settings.trace_root / "projects" / "-p" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_what_was_read_is_told_and_found(workspace: Workspace) -> None:
    """Counts by kind, with a place for every kind; nothing of the store or of the transcripts changes."""
    path = transcript(workspace)
    path.write_bytes(said("s1", "Why is the build slow?") + b"{\n")
    (path.parent / "s2.jsonl").mkdir()
    before, files = seen(workspace.settings.root), path.read_bytes()
    done = index_traces(workspace)
    assert (done.transcripts, done.added, done.opened, done.bytes_read) == (1, 1, 1, path.stat().st_size)
    assert {kind: count for kind, count in done.lines.items() if count} == {"user": 1, "broken": 1}
    assert len(done.lines) == len(done.lines_known) == 14
    assert [(each.path, each.reason) for each in done.named] == [("projects/-p/s2.jsonl", Obstacle.NO_FILE)]
    assert (done.known.sessions, done.known.prompts, done.passed_over) == (1, 1, 1)
    assert search_traces(workspace, "slow builds").hits[0].session.file == path
    assert (seen(workspace.settings.root), path.read_bytes()) == (before, files)


def test_a_run_without_news_reads_nothing(workspace: Workspace) -> None:
    """Its own lines are none, those that are known stay."""
    transcript(workspace).write_bytes(said("s1", "Why?"))
    index_traces(workspace)
    done = index_traces(workspace)
    assert (done.opened, done.unchanged, sum(done.lines.values()), sum(done.lines_known.values())) == (0, 1, 0, 1)


def test_no_folder_at_all_is_a_warning(workspace: Workspace) -> None:
    """Not everybody has such an agent; nothing is forgotten, also when all was to be read again."""
    transcript(workspace).write_bytes(said("s1", "Why?"))
    index_traces(workspace)
    root = workspace.settings.trace_root
    root.rename(root.with_name("elsewhere"))
    for rebuild in (False, True):
        done = index_traces(workspace, rebuild=rebuild)
        assert (done.transcripts, done.known.transcripts, done.forgotten) == (0, 1, 0)
        assert [notice.code for notice in done.warnings] == ["ERR_INVALID_SETTING"]
        assert str(root) in done.warnings[0].message


def test_everything_is_read_again_when_that_is_asked(workspace: Workspace) -> None:
    """What is known afterwards is the same."""
    from memhtml.ops.arguments import bind

    transcript(workspace).write_bytes(said("s1", "Why?") * 3)
    first = run(workspace, bind(TRACES[0], {}))
    again = run(workspace, bind(TRACES[0], {"rebuild": True}))
    assert (again.added, again.opened, again.lines) == (1, 1, first.lines)
    assert (again.known, again.lines_known) == (first.known, first.lines_known)


def test_a_damaged_database_is_made_anew_and_that_is_said(workspace: Workspace) -> None:
    """With nothing lost but time."""
    transcript(workspace).write_bytes(said("s1", "Why?"))
    index_traces(workspace)
    (workspace.settings.root / ".memhtml" / "traces.db").write_bytes(b"nothing of the kind" * 1000)
    done = index_traces(workspace)
    assert (done.added, done.known.prompts) == (1, 1)
    assert [notice.code for notice in done.warnings] == ["INDEX_DAMAGED"]


def test_the_index_of_memories_does_not_notice(workspace: Workspace) -> None:
    """It verifies with and without transcripts, and making it anew leaves them known."""
    transcript(workspace).write_bytes(said("s1", "Why?"))
    index_traces(workspace)
    assert verify_index(workspace).same
    workspace.index.rebuild(workspace.repository)
    assert search_traces(workspace, "why").transcripts == 1
    assert index_traces(workspace).opened == 0
