"""Writing down what transcripts hold. Every row belongs to one transcript, and goes when that goes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping

from msgspec import Struct

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.terms import search_text
from memhtml.domain.vocabulary import SessionRel
from memhtml.index.traces.reader import Mark, mark

_ENTER = """
INSERT INTO transcripts (root, path, project, subagent, size, modified, position, seam)
VALUES (:root, :path, :project, :subagent, 0, 0, 0, x'')
RETURNING id
"""
_SETTLE = """
UPDATE transcripts SET size = :size, modified = :modified, position = :position, seam = :seam WHERE id = :transcript
"""
_FORGET = "DELETE FROM transcripts WHERE id = :transcript"
_FORGET_ALL = "DELETE FROM transcripts"
_COUNT = """
INSERT INTO fates (transcript, fate, lines) VALUES (:transcript, :fate, :lines)
ON CONFLICT (transcript, fate) DO UPDATE SET lines = lines + excluded.lines
"""
# The first folder, for that is where the session was begun, and the last branch and pull request.
_PART = """
INSERT INTO parts (transcript, session, records, prompts, started, ended, folder, branch, pull_request)
VALUES (:transcript, :session, :records, :prompts, :started, :ended, :folder, :branch, :pull_request)
ON CONFLICT (transcript, session) DO UPDATE SET
  records = records + excluded.records,
  prompts = prompts + excluded.prompts,
  started = coalesce(min(started, excluded.started), started, excluded.started),
  ended = coalesce(max(ended, excluded.ended), ended, excluded.ended),
  folder = coalesce(folder, excluded.folder),
  branch = coalesce(excluded.branch, branch),
  pull_request = coalesce(excluded.pull_request, pull_request)
"""
_ASKED = """
SELECT 1 FROM heads WHERE transcript = :transcript AND session = :session AND kind = 'prompt' AND subagent = 0 LIMIT 1
"""
_PROMPT = """
INSERT INTO heads (transcript, session, kind, position, subagent, prompt, at, head, words)
VALUES (:transcript, :session, 'prompt', :position, :subagent, :prompt, :at, :head, :words)
"""
_NAME = """
INSERT INTO heads (transcript, session, kind, position, subagent, at, head, words)
VALUES (:transcript, :session, :kind, :position, :subagent, :at, :head, :words)
ON CONFLICT (transcript, session, kind) WHERE kind <> 'prompt' DO UPDATE SET
  position = excluded.position, subagent = excluded.subagent, at = excluded.at, head = excluded.head,
  words = excluded.words
"""
_CALL = "INSERT OR REPLACE INTO calls (transcript, call, tells, links) VALUES (:transcript, :call, :tells, :links)"
_ANSWERED = "DELETE FROM calls WHERE transcript = :transcript AND call = :call RETURNING tells, links"
_LINK = """
INSERT INTO memory_session_links (transcript, session, rel, memory, times, first, last)
VALUES (:transcript, :session, :rel, :memory, 1, :at, :at)
ON CONFLICT (transcript, session, rel, memory) DO UPDATE SET
  times = times + 1,
  first = coalesce(min(first, excluded.first), first, excluded.first),
  last = coalesce(max(last, excluded.last), last, excluded.last)
"""

Links = tuple[tuple[SessionRel, MemoryPath], ...]


class Part(Struct, frozen=True):
    """What some lines of a transcript add to a session. Times are the earliest and the latest that they name."""

    session: str
    records: int
    prompts: int
    started: Instant | None
    ended: Instant | None
    folder: str | None
    branch: str | None
    pull_request: str | None


class Head(Struct, frozen=True):
    """A head of a prompt, a title or a name.

    Attributes:
        position: offset of its line.
        prompt: the id of the prompt, where there is one.
        text: at most 500 characters.
    """

    session: str
    position: int
    subagent: bool
    at: Instant | None
    text: str
    prompt: str | None = None


class TraceWriter:
    """One transaction's changes. Get it from `Transcripts.writing`, and use it there only."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def mark(self, root: str, path: str) -> Mark | None:
        """How far the transcript was read; ``None`` for an unknown one."""
        return mark(self._connection, root, path)

    def enter(self, root: str, path: str, project: str, *, subagent: bool) -> int:
        """A new transcript, nothing of it read; gives its number."""
        given = {"root": root, "path": path, "project": project, "subagent": subagent}
        row: tuple[int] = self._connection.execute(_ENTER, given).fetchone()
        return row[0]

    def forget(self, transcript: int) -> None:
        """Take out a transcript and all that came from it."""
        self._connection.execute(_FORGET, {"transcript": transcript})

    def forget_all(self) -> None:
        """Take out everything."""
        self._connection.execute(_FORGET_ALL)

    def settle(self, transcript: int, *, size: int, modified: int, position: int, seam: bytes) -> None:
        """Say how far a transcript was read, and how it looked."""
        self._connection.execute(
            _SETTLE,
            {"transcript": transcript, "size": size, "modified": modified, "position": position, "seam": seam},
        )

    def count(self, transcript: int, fates: Mapping[str, int]) -> None:
        """Add what became of lines."""
        rows = ({"transcript": transcript, "fate": fate, "lines": lines} for fate, lines in fates.items() if lines)
        self._connection.executemany(_COUNT, rows)

    def add(self, transcript: int, parts: Iterable[Part]) -> None:
        """Add to sessions what lines say of them, later lines later."""
        self._connection.executemany(
            _PART,
            (
                {"transcript": transcript, **{name: getattr(part, name) for name in part.__struct_fields__}}
                for part in parts
            ),
        )

    def asked(self, transcript: int, session: str) -> bool:
        """Whether a prompt of a person's in this session is known from this transcript."""
        row: object = self._connection.execute(_ASKED, {"transcript": transcript, "session": session}).fetchone()
        return row is not None

    def prompt(self, transcript: int, head: Head) -> None:
        """One more prompt."""
        self._connection.execute(_PROMPT, {**_fields(transcript, head), "prompt": head.prompt})

    def name(self, transcript: int, kind: str, head: Head) -> None:
        """The ``title`` of a session, or its ``agent``, in place of an earlier one."""
        self._connection.execute(_NAME, {**_fields(transcript, head), "kind": kind})

    def call(self, transcript: int, call: str, links: Links, *, tells: bool) -> None:
        """A call whose answer is to come."""
        text = json.dumps([[rel.value, memory] for rel, memory in links])
        self._connection.execute(_CALL, {"transcript": transcript, "call": call, "tells": tells, "links": text})

    def answered(self, transcript: int, call: str) -> tuple[Links, bool] | None:
        """The call that an answer is to, which waits no longer: what it did, and whether its answer tells of more."""
        row: tuple[int, str] | None = self._connection.execute(
            _ANSWERED, {"transcript": transcript, "call": call}
        ).fetchone()
        if row is None:
            return None
        pairs: list[tuple[str, str]] = json.loads(row[1])
        return tuple((SessionRel(rel), MemoryPath(memory)) for rel, memory in pairs), bool(row[0])

    def link(self, transcript: int, session: str, links: Links, at: Instant | None) -> None:
        """Count what a session did with memories, each once."""
        self._connection.executemany(
            _LINK,
            (
                {"transcript": transcript, "session": session, "rel": rel.value, "memory": memory, "at": at}
                for rel, memory in dict.fromkeys(links)
            ),
        )


def _fields(transcript: int, head: Head) -> dict[str, str | int | None]:
    return {
        "transcript": transcript,
        "session": head.session,
        "position": head.position,
        "subagent": head.subagent,
        "at": head.at,
        "head": head.text,
        "words": search_text(head.text),
    }
