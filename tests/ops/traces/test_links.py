"""What sessions did with memories."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from tests.ops.conftest import Hands, fact, git

from memhtml.domain.errors import MissingArgumentError, PathNotFoundError, UnexpectedArgumentError
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import SessionRel
from memhtml.ops.archive import archive
from memhtml.ops.arguments import bind
from memhtml.ops.correct import correct
from memhtml.ops.rows_traces import TRACES
from memhtml.ops.traces.index import index_traces
from memhtml.ops.traces.links import TraceLinks, memory_sessions, run, session_memories
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

LIMIT = "areas/inbox/the-limit-is-3.html"


def from_session(claim: str, session: str) -> Draft:
    """A memory that a session wrote."""
    return replace(fact(claim), session=session)


def shown(workspace: Workspace, session: str, *commands: str, at: str = "2026-08-01T10:00:00Z") -> None:
    """A transcript of a session that runs these commands, each with success; read into the index."""
    folder = workspace.settings.trace_root / "projects" / "-p"
    folder.mkdir(parents=True, exist_ok=True)
    common = {"sessionId": session, "timestamp": at}
    with (folder / f"{session}.jsonl").open("ab") as stream:
        for number, command in enumerate(commands):
            call = {"type": "tool_use", "id": f"{at}{number}", "name": "Bash", "input": {"command": command}}
            result = {"type": "tool_result", "tool_use_id": f"{at}{number}", "content": "done"}
            for kind, block in (("assistant", call), ("user", result)):
                stream.write(json.dumps({"type": kind, "message": {"content": [block]}, **common}).encode() + b"\n")
    index_traces(workspace)


def told(links: TraceLinks) -> list[tuple[str, str, str, int]]:
    """Session, relation, memory, times."""
    return [(link.session, link.rel.value, link.path, link.times) for link in links.links]


def test_a_memory_shows_who_wrote_read_corrected_and_reinforced_it(workspace: Workspace, clock: Hands) -> None:
    """By time, whatever path it had then, from the memories themselves and from transcripts."""
    write(workspace, from_session("The limit is 3.", "s1"))
    shown(workspace, "s2", f"memhtml read {LIMIT}", f"memhtml read {LIMIT}", f"memhtml reinforce {LIMIT}")
    clock.instant = "2026-09-01T10:00:00Z"
    new = correct(workspace, LIMIT, from_session("The limit is 5.", "s3"))
    found = memory_sessions(workspace, LIMIT)
    assert found.path == new.superseded
    assert told(found) == [
        ("s1", "wrote", new.superseded, 1),
        ("s2", "read", new.superseded, 2),
        ("s2", "reinforced", new.superseded, 1),
        ("s3", "corrected", new.superseded, 1),
    ]
    assert [(link.in_memory, link.in_transcript) for link in found.links] == [
        (True, False),
        (False, True),
        (False, True),
        (True, False),
    ]
    assert {(link.found, link.gist) for link in found.links} == {(True, "The limit is 3.")}
    assert [session.session for session in found.sessions] == ["s2"]
    assert told(memory_sessions(workspace, new.path)) == [("s3", "wrote", new.path, 1)]


def test_a_session_shows_what_it_did_with_memories(workspace: Workspace) -> None:
    """By memory, where that is now; one that is nowhere is told by the path that it had."""
    write(workspace, from_session("The limit is 3.", "s1"))
    write(workspace, fact("Drain the queue."))
    shown(workspace, "s1", "memhtml read areas/inbox/drain-the-queue.html areas/none.html", f"memhtml read {LIMIT}")
    moved = archive(workspace, ["areas/inbox/drain-the-queue.html"]).memories[0].path
    found = session_memories(workspace, "s1")
    assert told(found) == [
        ("s1", "read", moved, 1),
        ("s1", "read", LIMIT, 1),
        ("s1", "wrote", LIMIT, 1),
        ("s1", "read", "areas/none.html", 1),
    ]
    assert [link.found for link in found.links] == [True, True, True, False]
    assert (found.session, found.path, found.total) == ("s1", None, 4)


def test_reads_under_two_paths_are_of_one_memory(workspace: Workspace) -> None:
    """Before and after it went to the archive, counted together, from the first to the last."""
    write(workspace, fact("The limit is 3."))
    shown(workspace, "s1", f"memhtml read {LIMIT}", at="2026-08-02T10:00:00Z")
    moved = archive(workspace, [LIMIT]).memories[0].path
    shown(workspace, "s1", f"memhtml read {moved}", f"memhtml read {moved}", at="2026-08-03T10:00:00Z")
    for found in (memory_sessions(workspace, LIMIT), session_memories(workspace, "s1")):
        assert told(found) == [("s1", "read", moved, 3)]
        assert (found.links[0].first, found.links[0].last) == ("2026-08-02T10:00:00Z", "2026-08-03T10:00:00Z")


def test_what_both_sources_tell_is_one_link(workspace: Workspace) -> None:
    """A session that a memory names, and whose transcript shows the same."""
    write(workspace, from_session("The limit is 3.", "s1"))
    old = "memhtml correct " + LIMIT
    new = correct(workspace, LIMIT, from_session("The limit is 5.", "s2"))
    shown(workspace, "s2", old, at="2026-07-28T10:00:00Z")
    (link,) = [link for link in session_memories(workspace, "s2").links if link.rel is SessionRel.CORRECTED]
    assert (link.path, link.times, link.in_memory, link.in_transcript) == (new.superseded, 1, True, True)


def test_both_directions_tell_the_same(workspace: Workspace) -> None:
    """Every link of a session is one of its memories', and the other way round."""
    write(workspace, from_session("The limit is 3.", "s1"))
    new = correct(workspace, LIMIT, from_session("The limit is 5.", "s2"))
    shown(workspace, "s1", f"memhtml read {new.path}")
    shown(workspace, "s2", f"memhtml read {LIMIT}")
    by_session = [each for session in ("s1", "s2") for each in told(session_memories(workspace, session))]
    by_memory = [each for path in (new.path, new.superseded) for each in told(memory_sessions(workspace, path))]
    assert sorted(by_session) == sorted(by_memory)
    assert len(by_session) == 5


def test_memories_name_the_sessions_that_the_commits_name(workspace: Workspace) -> None:
    """Counted another way: by the trailers in the history, of writes and corrections."""
    write(workspace, from_session("The limit is 3.", "s1"))
    correct(workspace, LIMIT, from_session("The limit is 5.", "s2"))
    write(workspace, from_session("Drain the queue.", "s1"))
    write(workspace, fact("Nobody says who wrote this."))
    log = git(workspace.settings.root, "log", "--format=%s|%(trailers:key=Memhtml-Session,valueonly,separator=%x2C)")
    commits = [line.partition("|") for line in log.splitlines()]
    trailers = sorted(
        (session, rel)
        for subject, _, session in commits
        if session
        for rel in (("wrote", "corrected") if subject.startswith("memory(correct)") else ("wrote",))
    )
    links = [link for session in ("s1", "s2") for link in session_memories(workspace, session).links]
    assert sorted((link.session, link.rel.value) for link in links) == trailers
    assert len(trailers) == 4


def test_links_may_be_asked_for_by_relation_and_number(workspace: Workspace) -> None:
    """The total counts those of the relation."""
    write(workspace, fact("The limit is 3."))
    for number in range(4):
        shown(workspace, f"s{number}", f"memhtml read {LIMIT}", at=f"2026-08-0{4 - number}T10:00:00Z")
    found = run(workspace, bind(TRACES[2], {"path": LIMIT, "rel": ["read", "wrote"], "limit": 2}))
    assert ([link.session for link in found.links], found.total) == (["s3", "s2"], 4)
    assert memory_sessions(workspace, LIMIT, rels=[SessionRel.WROTE]).total == 0


def test_one_side_is_asked_about(workspace: Workspace) -> None:
    """A memory or a session: neither and both are no question; an unknown memory is an error, as everywhere."""
    with pytest.raises(MissingArgumentError, match="the path of a memory, or --session"):
        run(workspace, bind(TRACES[2], {}))
    with pytest.raises(UnexpectedArgumentError):
        run(workspace, bind(TRACES[2], {"path": LIMIT, "session": "s1"}))
    with pytest.raises(PathNotFoundError):
        run(workspace, bind(TRACES[2], {"path": "areas/none.html"}))
    nothing = run(workspace, bind(TRACES[2], {"session": "unknown"}))
    assert (nothing.links, nothing.total, nothing.sessions) == ((), 0, ())
