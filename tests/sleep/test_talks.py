"""Sessions for a night: read where they lie, and given up quietly where they cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memhtml.domain.memory import Instant
from memhtml.index.traces.transcripts import Transcripts
from memhtml.index.traces.writer import Part
from memhtml.sleep.corpus import Talk, Talks
from memhtml.sleep.talks import MOST_SAID, Transcribed


def line(session: str, kind: str, text: str, at: str = "2026-07-27T10:00:00Z") -> str:
    """A line of a transcript."""
    message = {"role": kind, "content": text}
    return json.dumps({"type": kind, "sessionId": session, "timestamp": at, "uuid": "u", "message": message}) + "\n"


def said(path: Path, session: str = "s-one") -> str:
    """What was said in a transcript."""
    with Transcripts.in_memory() as transcripts:
        talks: Talks = Transcribed(transcripts)
        return talks.said(Talk(session, "", str(path)))


def test_what_was_said_is_a_paragraph_a_message_with_its_speaker(tmp_path: Path) -> None:
    """What tools print, other sessions in the file and broken lines are passed over."""
    file = tmp_path / "s.jsonl"
    tool = [{"type": "tool_result", "content": "printed by a tool", "tool_use_id": "t"}]
    printed = json.dumps({"type": "user", "sessionId": "s-one", "message": {"role": "user", "content": tool}})
    file.write_text(
        line("s-one", "user", "The deploy hangs.")
        + f"{printed}\n{{broken\n"
        + line("s-two", "user", "Something else.")
        + line("s-one", "assistant", "The cache was cold."),
        encoding="utf-8",
    )
    assert said(file) == "user: The deploy hangs.\n\nassistant: The cache was cold."
    assert said(file, "s-nine") == ""


def test_the_newest_sessions_of_the_index_come_first_with_the_place_of_their_own_transcript() -> None:
    """Those in which a person asked something, as many as are wanted; a session without a time has none."""
    root = str(Path("/agents"))
    with Transcripts.in_memory() as transcripts:
        with transcripts.writing() as writer:
            for session, at in (("s1", "2026-07-01"), ("s2", "2026-07-03"), ("s3", None), ("s4", "2026-07-02")):
                moment = None if at is None else Instant(f"{at}T10:00:00Z")
                known = writer.enter(root, f"projects/-x/{session}.jsonl", "-x", subagent=False)
                writer.add(known, [Part(session, 1, 1, moment, moment, None, None, None)])
            silent = writer.enter(root, "projects/-x/s5.jsonl", "-x", subagent=False)
            writer.add(silent, [Part("s5", 4, 0, None, Instant("2026-07-09T10:00:00Z"), None, None, None)])
        talks: Talks = Transcribed(transcripts)
        assert [talk.session for talk in talks.recent(9)] == ["s2", "s4", "s1", "s3"]
        newest, *_ = talks.recent(1)
        assert newest == Talk("s2", "2026-07-03T10:00:00Z", str(Path("/agents/projects/-x/s2.jsonl")))
        assert talks.recent(9)[-1].ended == ""


def test_an_index_without_sessions_gives_none() -> None:
    """A store whose agents were never looked at."""
    with Transcripts.in_memory() as transcripts:
        assert list(Transcribed(transcripts).recent(5)) == []


@pytest.mark.parametrize("name", ["gone.jsonl", "folder", "a\0b", ""])
def test_what_cannot_be_read_says_nothing(tmp_path: Path, name: str) -> None:
    """A file that is gone, a folder, a name that no file has."""
    (tmp_path / "folder").mkdir()
    assert said(tmp_path / name if "\0" not in name else Path(f"{tmp_path}/{name}")) == ""


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A transcript is a file."""
    (tmp_path / "real.jsonl").write_text(line("s-one", "user", "Hidden."), encoding="utf-8")
    link = tmp_path / "link.jsonl"
    try:
        link.symlink_to(tmp_path / "real.jsonl")
    except OSError:
        pytest.skip("no links here")
    assert said(link) == ""


def test_a_long_session_is_read_from_its_beginning_up_to_a_size(tmp_path: Path) -> None:
    """No more than 400,000 characters, however long it is."""
    file = tmp_path / "s.jsonl"
    file.write_text("".join(line("s-one", "user", f"{n} " + "x" * 50_000) for n in range(12)), encoding="utf-8")
    text = said(file)
    assert len(text) == MOST_SAID
    assert text.startswith("user: 0 xxx")
