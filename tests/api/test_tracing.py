"""Transcripts from Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml import Store, UsageError
from memhtml.domain.vocabulary import SessionRel

PATH = "areas/inbox/builds-take-ten-minutes.html"


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Iterator[Store]:
    """A memory that a session wrote, and that session's transcript."""
    folder = root.parent / "agents" / "projects" / "-p"
    folder.mkdir(parents=True)
    record = {"type": "user", "sessionId": "s1", "message": {"content": "Why is the build slow?"}}
    (folder / "s1.jsonl").write_text(json.dumps(record) + "\n")
    variables = {**environment, "MEMHTML_TRACE_ROOT": str(root.parent / "agents")}
    with Store.init(root, embed="off", variables=variables) as made:
        made.write("Builds take ten minutes.", session_id="s1")
        yield made


def test_transcripts_are_read_searched_and_joined_to_memories(store: Store) -> None:
    """As on the command line."""
    assert store.index_traces().added == 1
    assert store.index_traces(rebuild=True).added == 1
    assert [hit.session.session for hit in store.search_traces("slow builds", project="-p").hits] == ["s1"]
    # A record without a time is of no time that can be asked for.
    assert store.search_traces("slow builds", since="2026-01-01").hits == ()
    for links in (store.memory_sessions(PATH), store.session_memories("s1", rels=["wrote"])):
        assert [(link.session, link.rel, link.path) for link in links.links] == [("s1", SessionRel.WROTE, PATH)]
    assert store.session_memories("s1", rels={"read", "corrected"}).links == ()  # type: ignore[arg-type] - any list


def test_a_relation_that_is_none_is_refused(store: Store) -> None:
    """With those that there are."""
    with pytest.raises(UsageError, match="wrote, read, corrected, reinforced; not 'wrot'"):
        store.memory_sessions(PATH, rels=["wrot"])
