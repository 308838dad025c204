"""Asking what is known of transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.terms import content_terms, terms
from memhtml.domain.vocabulary import SessionRel
from memhtml.index.traces import reader as module
from memhtml.index.traces.reader import Match, Session, SessionLink, Totals
from memhtml.index.traces.transcripts import Transcripts
from memhtml.index.traces.writer import Head, Part, TraceWriter


def day(number: int) -> Instant:
    """A day of August."""
    return Instant(f"2026-08-{number:02d}T10:00:00Z")


def asked(
    writer: TraceWriter, transcript: int, session: str, position: int, text: str, at: Instant | None = None
) -> None:
    """A prompt, and what it adds to its session."""
    writer.prompt(transcript, Head(session, position, False, at, text, f"p{position}"))  # noqa: FBT003 - in order
    writer.add(transcript, [Part(session, 1, 1, at, at, "/home/ada/checkout", "main", None)])


@pytest.fixture
def known() -> Iterator[Transcripts]:
    """Three sessions in two projects, one of them with a subagent."""
    with Transcripts.in_memory() as opened:
        with opened.writing() as writer:
            own = writer.enter("/agents", "projects/-checkout/s1.jsonl", "-checkout", subagent=False)
            asked(writer, own, "s1", 0, "Why is the build slow?", day(2))
            asked(writer, own, "s1", 90, "Is the cache cold?", day(3))
            writer.name(own, "title", Head("s1", 180, False, None, "The slow build"))  # noqa: FBT003 - in order
            writer.name(own, "agent", Head("s1", 200, False, None, "builder"))  # noqa: FBT003 - in order
            writer.add(own, [Part("s1", 1, 0, None, None, None, None, "https://example.org/pr/7")])
            side = writer.enter("/agents", "projects/-checkout/s1/subagents/a.jsonl", "-checkout", subagent=True)
            writer.prompt(side, Head("s1", 0, True, day(4), "Look for slow steps of the build."))  # noqa: FBT003 - in order
            writer.add(side, [Part("s1", 2, 0, day(1), day(4), "/tmp/x", "side", None)])  # noqa: S108 - a text
            other = writer.enter("/agents", "projects/-billing/s2.jsonl", "-billing", subagent=False)
            asked(writer, other, "s2", 0, "Why is the invoice wrong?", day(5))
            asked(writer, other, "s3", 70, "Why is the build slow?", day(6))
        yield opened


def sessions(known: Transcripts, query: str, limit: int = 10, **given: str) -> list[str]:
    """Which sessions a question finds."""
    with known.reading() as reader:
        found = reader.search(content_terms(terms(query)), limit, **given)  # type: ignore[arg-type] - fields as they are given
    return [matches[0].session for matches in found]


def test_a_session_is_found_once_with_its_best_heads(known: Transcripts) -> None:
    """Equally good sessions are in order of time, the newest first."""
    with known.reading() as reader:
        found = reader.search(content_terms(terms("slow build")), 10)
    assert [[(match.kind, match.session) for match in matches] for matches in found] == [
        [("title", "s1"), ("prompt", "s1"), ("prompt", "s1")],
        [("prompt", "s3")],
    ]
    (only,) = found[1]
    assert only == Match(
        "s3",
        "prompt",
        "Why is the build slow?",
        "p70",
        day(6),
        70,
        0,
        "/agents",
        "projects/-billing/s2.jsonl",
        only.score,
    )
    assert found[0][0].score > only.score > 0


def test_equally_good_sessions_are_the_newest_first(known: Transcripts) -> None:
    """By the time of what was found, then by id."""
    with known.writing() as writer:
        for session, at in (("s4", day(7)), ("s5", day(9)), ("s7", day(8)), ("s6", day(8))):
            asked(writer, 3, session, 900, "Drain the queue.", at)
    assert sessions(known, "queue") == ["s5", "s6", "s7", "s4"]


def test_a_limit_counts_sessions(known: Transcripts) -> None:
    """Not heads."""
    assert sessions(known, "slow build", limit=1) == ["s1"]


def test_words_are_found_in_other_forms_and_none_finds_nothing(known: Transcripts) -> None:
    """Stemmed as memories are; a question without words has no answer."""
    assert sessions(known, "invoices") == ["s2"]
    assert sessions(known, "?!") == []
    assert sessions(known, "kubernetes") == []


def test_a_word_is_looked_for_whole_and_a_single_sign_as_a_beginning(known: Transcripts) -> None:
    """As in memories: half a word is no word, one character of an unspaced script is."""
    with known.writing() as writer:
        asked(writer, 3, "s4", 900, "東京都のビルドは遅い")
    assert sessions(known, "京") == sessions(known, "東京都") == ["s4"]
    assert sessions(known, "invo") == []


def test_a_session_without_any_time_has_none(known: Transcripts) -> None:
    """And nothing else that it does not say."""
    with known.writing() as writer:
        writer.add(3, [Part("s9", 1, 0, None, None, None, None, None)])
    with known.reading() as reader:
        found = reader.session("s9")
    assert found is not None
    assert (found.started, found.ended, found.folder, found.branch, found.title) == (None, None, None, None, None)
    assert (found.first_prompt, found.agent, found.pull_request, found.records) == (None, None, None, 1)


def test_a_search_keeps_to_a_project_and_to_a_time(known: Transcripts) -> None:
    """By either name of a folder; from a time on, and before one."""
    assert sessions(known, "slow", project="-billing") == ["s3"]
    assert sessions(known, "slow", project="/home/ada/checkout") == ["s1", "s3"]
    assert sessions(known, "slow", since=day(6)) == ["s3"]
    assert sessions(known, "slow", until=day(6)) == ["s1"]
    assert sessions(known, "slow", since=day(7)) == []


def test_a_session_is_put_together_from_its_transcripts(known: Transcripts) -> None:
    """Counts add up, what a person asked is not what an agent asked, the session's own transcript comes first."""
    with known.reading() as reader:
        assert reader.session("s1") == Session(
            session="s1",
            project="-checkout",
            folder="/home/ada/checkout",
            branch="main",
            started=day(1),
            ended=day(4),
            records=5,
            prompts=2,
            first_prompt="Why is the build slow?",
            title="The slow build",
            agent="builder",
            pull_request="https://example.org/pr/7",
            file=Path("/agents/projects/-checkout/s1.jsonl"),
            subagents=1,
        )
        assert reader.session("s9") is None
        assert reader.totals() == Totals(3, 3, 4, 0)


def test_recent_sessions_are_those_that_ended_last(known: Transcripts) -> None:
    """Where a person asked something; one without any time is the oldest."""
    with known.writing() as writer:
        writer.add(3, [Part("s8", 9, 0, day(9), day(9), None, None, None)])
        writer.add(3, [Part("s9", 1, 1, None, None, None, None, None)])
    with known.reading() as reader:
        assert [session.session for session in reader.recent(10)] == ["s3", "s2", "s1", "s9"]
        assert [session.session for session in reader.recent(1)] == ["s3"]
        assert [session.session for session in reader.recent(10, day(5))] == ["s3", "s2"]
        assert reader.recent(10, day(7)) == []


def test_links_are_found_from_both_sides(known: Transcripts) -> None:
    """Added up over transcripts; those of a neighbour stay out."""
    a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    with known.writing() as writer:
        writer.link(1, "s1", ((SessionRel.READ, a), (SessionRel.READ, a)), day(3))
        writer.link(2, "s1", ((SessionRel.READ, a),), day(2))
        writer.link(3, "s2", ((SessionRel.READ, a), (SessionRel.WROTE, b)), None)
        writer.link(3, "s3", ((SessionRel.CORRECTED, b),), day(6))
    first = SessionLink("s1", SessionRel.READ, a, 2, day(2), day(3))
    with known.reading() as reader:
        assert reader.links_of_session("s1") == [first]
        assert reader.links_of_memories([a]) == [first, SessionLink("s2", SessionRel.READ, a, 1, None, None)]
        assert [(link.session, link.rel) for link in reader.links_of_memories([b])] == [
            ("s2", SessionRel.WROTE),
            ("s3", SessionRel.CORRECTED),
        ]
        assert reader.links_of_memories([]) == []
        assert reader.totals().links == 4


@pytest.mark.parametrize(
    ("query", "parameters", "index"),
    [
        ("_OF_SESSION", {"session": "s"}, "memory_session_links_session"),
        ("_OF_MEMORIES", {"memories": "[]"}, "memory_session_links_memory"),
        ("_PARTS", {"session": "s"}, "parts_session"),
        ("_FIRST_PROMPT", {"session": "s"}, "heads_session"),
    ],
)
def test_look_ups_walk_their_index(known: Transcripts, query: str, parameters: dict[str, str], index: str) -> None:
    """None of them goes through all rows."""
    plan = known._connection.execute(f"EXPLAIN QUERY PLAN {getattr(module, query)}", parameters).fetchall()
    assert any(index in step for *_, step in plan), plan
    assert not any(
        step.startswith("SCAN ") and "json_each" not in step and "wanted" not in step for *_, step in plan
    ), plan


@given(st.text(max_size=60))
def test_any_text_is_a_question(query: str) -> None:
    """It finds something or nothing."""
    with Transcripts.in_memory() as known, known.reading() as reader:
        assert reader.search(content_terms(terms(query)), 5) == []
