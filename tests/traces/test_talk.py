"""What was said, read where it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memhtml.traces.records import Fate
from memhtml.traces.talk import LONGEST_TEXT, Said, said

if TYPE_CHECKING:
    from conftest import Says


def test_messages_come_in_order_with_their_texts(transcript: Path, says: Says) -> None:
    """Those of both sides, whole; results of tools, calls, titles and what is broken are no messages."""
    first = says.user([{"type": "text", "text": "Why is\nit slow?"}, {"type": "text", "text": "Look."}])
    lines = [
        first,
        says.line("assistant", message={"content": [{"type": "text", "text": "The cache is cold."}]}, timestamp="x"),
        says.calls(("c1", "Bash", {"command": "ls"})),
        says.result("c1", "a.py"),
        b"{\n",
        says.line("ai-title", aiTitle="T", message={"content": "no"}),
        says.user("\ud800 again", sessionId="s2"),
        says.user("not ended")[:-1],
    ]
    transcript.write_bytes(b"".join(lines))
    asked = Said(says.SESSION, Fate.USER, "Why is\nit slow?\n\nLook.", "2026-08-01T10:00:00Z", 0)
    told = Said(says.SESSION, Fate.ASSISTANT, "The cache is cold.", None, len(first))
    again = Said("s2", Fate.USER, "? again", "2026-08-01T10:00:00Z", sum(map(len, lines[:6])))
    assert list(said(transcript)) == [asked, told, again]
    assert list(said(transcript, len(first))) == [told, again]


def test_a_message_is_bounded_and_a_file_that_is_not_there_is_an_error(transcript: Path, says: Says) -> None:
    """Whoever asks decides what that means."""
    transcript.write_bytes(says.user("x" * (LONGEST_TEXT + 1)))
    assert [len(each.text) for each in said(transcript)] == [LONGEST_TEXT]
    with pytest.raises(FileNotFoundError):
        list(said(transcript.with_name("none.jsonl")))
