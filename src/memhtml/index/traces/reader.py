"""What is known of transcripts: how far they were read, and which session asked for what."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.terms import Term
from memhtml.domain.vocabulary import SessionRel

MOST_MATCHES = 3
"""Heads of one session that a search shows."""

_MARK = """
SELECT id, path, size, modified, position, seam FROM transcripts WHERE root = :root AND path = :path
"""
_MARKS = "SELECT id, path, size, modified, position, seam FROM transcripts WHERE root = :root ORDER BY path"
_TOTALS = """
SELECT
  (SELECT count(*) FROM transcripts),
  (SELECT count(DISTINCT session) FROM parts),
  (SELECT count(*) FROM heads WHERE kind = 'prompt' AND subagent = 0),
  (SELECT count(*) FROM (SELECT DISTINCT session, rel, memory FROM memory_session_links))
"""
_FATES = "SELECT fate, sum(lines) FROM fates GROUP BY fate ORDER BY fate"
# A session is as good as its best head; equal ones newer first. The heads are ranked once, then laid out by session.
_SEARCH = """
WITH found AS MATERIALIZED (
  SELECT h.session, h.kind, h.head, h.prompt, coalesce(h.at, p.ended) AS at, h.position, h.subagent,
    t.root, t.path, round(-bm25(head_words), 9) AS score
  FROM head_words JOIN heads AS h ON h.id = head_words.rowid
  JOIN transcripts AS t ON t.id = h.transcript
  JOIN parts AS p ON p.transcript = h.transcript AND p.session = h.session
  WHERE head_words MATCH :query
    AND (:project IS NULL OR t.project = :project OR p.folder = :project)
    AND (:since IS NULL OR coalesce(h.at, p.ended) >= :since)
    AND (:until IS NULL OR coalesce(h.at, p.ended) < :until)
), placed AS (
  SELECT *,
    row_number() OVER (PARTITION BY session ORDER BY score DESC, at DESC, root, path, position, kind) AS place,
    max(score) OVER (PARTITION BY session) AS best,
    max(at) OVER (PARTITION BY session) AS newest
  FROM found
)
SELECT session, kind, head, prompt, at, position, subagent, root, path, score FROM placed
WHERE place <= :matches
ORDER BY best DESC, newest DESC, session, place
LIMIT :matches * :limit
"""
_RECENT = """
SELECT session, max(ended) AS last FROM parts
GROUP BY session HAVING sum(prompts) > 0 AND (:since IS NULL OR last >= :since)
ORDER BY last DESC, session
LIMIT :limit
"""
_PARTS = """
SELECT t.root, t.path, t.project, p.records, p.prompts, p.started, p.ended, p.folder, p.branch,
  p.pull_request
FROM parts AS p JOIN transcripts AS t ON t.id = p.transcript
WHERE p.session = :session
ORDER BY t.subagent, t.root, t.path
"""
_FIRST_PROMPT = """
SELECT h.head FROM heads AS h JOIN transcripts AS t ON t.id = h.transcript
WHERE h.session = :session AND h.kind = 'prompt'
ORDER BY h.subagent, t.subagent, t.root, t.path, h.position
LIMIT 1
"""
_LAST_NAME = """
SELECT h.head FROM heads AS h JOIN transcripts AS t ON t.id = h.transcript
WHERE h.session = :session AND h.kind = :kind
ORDER BY t.subagent, h.at DESC, t.root, t.path, h.position DESC
LIMIT 1
"""
_OF_SESSION = """
SELECT session, rel, memory, sum(times), min(first), max(last) FROM memory_session_links
WHERE session = :session GROUP BY session, rel, memory ORDER BY memory, rel
"""
_OF_MEMORIES = """
SELECT session, rel, memory, sum(times), min(first), max(last) FROM memory_session_links
WHERE memory IN (SELECT value FROM json_each(:memories)) GROUP BY session, rel, memory ORDER BY session, rel, memory
"""


class Mark(Struct, frozen=True):
    """How far a transcript was read.

    Attributes:
        id: its number.
        size: of the file, in bytes, when it was read.
        modified: of the file, in nanoseconds, when it was read.
        position: the end of the last line that was read.
        seam: digest of what stands right before that.
    """

    id: int
    path: str
    size: int
    modified: int
    position: int
    seam: bytes


class Totals(Struct, frozen=True):
    """How much is known.

    Attributes:
        links: what sessions did with memories; the same thing done twice counts once.
    """

    transcripts: int
    sessions: int
    prompts: int
    links: int


class Match(Struct, frozen=True):
    """A head that holds words of a question.

    Attributes:
        kind: ``prompt``, ``title`` or ``agent``.
        prompt: the id of the prompt, where its record has one.
        at: when; of a head without a time, when its session ended.
        position: offset of the line in its transcript.
        subagent: an agent asked it, not a person; 0 or 1.
        score: higher is better.
    """

    session: str
    kind: str
    head: str
    prompt: str | None
    at: Instant | None
    position: int
    subagent: int
    root: str
    path: str
    score: float


class Session(Struct, frozen=True):
    """A session, put together from all of its transcripts.

    Attributes:
        project: the folder that its transcript is filed under.
        folder: where the agent began to work.
        started: the earliest time that a record names.
        records: lines that were read, those of subagents included.
        prompts: what a person asked; not what an agent asked its subagents.
        first_prompt: its head, at most 500 characters.
        file: its transcript.
        subagents: how many more transcripts belong to it.
    """

    session: str
    project: str
    folder: str | None
    branch: str | None
    started: Instant | None
    ended: Instant | None
    records: int
    prompts: int
    first_prompt: str | None
    title: str | None
    agent: str | None
    pull_request: str | None
    file: Path
    subagents: int


class _Part(Struct, frozen=True):
    """What one transcript has of a session."""

    root: str
    path: str
    project: str
    records: int
    prompts: int
    started: Instant | None
    ended: Instant | None
    folder: str | None
    branch: str | None
    pull_request: str | None


class SessionLink(Struct, frozen=True):
    """What a session did with a memory, by its transcripts.

    Attributes:
        memory: its path as it was then.
        times: how often.
        first: when first, as far as the transcript says.
        last: when last.
    """

    session: str
    rel: SessionRel
    memory: MemoryPath
    times: int
    first: Instant | None
    last: Instant | None


def mark(connection: sqlite3.Connection, root: str, path: str) -> Mark | None:
    """How far a transcript was read; ``None`` for an unknown one."""
    row = connection.execute(_MARK, {"root": root, "path": path}).fetchone()
    return None if row is None else Mark(*row)


class TraceReader:
    """One state of what is known. Get it from `Transcripts.reading`, and use it there only."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def marks(self, root: str) -> dict[str, Mark]:
        """How far each transcript below ``root`` was read, by path."""
        rows = self._connection.execute(_MARKS, {"root": root})
        return {row[1]: Mark(*row) for row in rows}

    def totals(self) -> Totals:
        """How much is known, of all roots."""
        return Totals(*self._connection.execute(_TOTALS).fetchone())

    def fates(self) -> dict[str, int]:
        """What became of all lines that were ever read of the transcripts that are known."""
        return dict(self._connection.execute(_FATES))

    def search(
        self,
        terms: Sequence[Term],
        limit: int,
        *,
        project: str | None = None,
        since: Instant | None = None,
        until: Instant | None = None,
    ) -> list[list[Match]]:
        """The best sessions that hold any of ``terms``, each as its best heads, at most three; the best ones first.

        ``project`` is a folder of transcripts, or the folder where an agent worked; ``until`` itself is outside.
        Equally good sessions are in order of time, the newest first, then by id.
        """
        if not terms:
            return []
        query = " OR ".join(f'"{term.text}"*' if term.prefix else f'"{term.text}"' for term in terms)
        parameters = {
            "query": query,
            "project": project,
            "since": since,
            "until": until,
            "limit": limit,
            "matches": MOST_MATCHES,
        }
        found: dict[str, list[Match]] = {}
        for row in self._connection.execute(_SEARCH, parameters):
            match = Match(*row)
            found.setdefault(match.session, []).append(match)
        return list(found.values())[:limit]

    def recent(self, limit: int, since: Instant | None = None) -> list[Session]:
        """The sessions in which a person asked something, those that ended last first, then by id.

        With ``since`` only those that ended then or later. Those without any time are the oldest.
        """
        rows = self._connection.execute(_RECENT, {"since": since, "limit": limit}).fetchall()
        return [found for session, _ in rows if (found := self.session(session)) is not None]

    def session(self, session: str) -> Session | None:
        """What is known of a session; ``None`` for an unknown one."""
        parts = [_Part(*row) for row in self._connection.execute(_PARTS, {"session": session})]
        if not parts:
            return None
        return Session(
            session=session,
            project=parts[0].project,
            folder=next((part.folder for part in parts if part.folder), None),
            branch=next((part.branch for part in parts if part.branch), None),
            started=min((part.started for part in parts if part.started), default=None),
            ended=max((part.ended for part in parts if part.ended), default=None),
            records=sum(part.records for part in parts),
            prompts=sum(part.prompts for part in parts),
            first_prompt=self._head(_FIRST_PROMPT, session),
            title=self._head(_LAST_NAME, session, "title"),
            agent=self._head(_LAST_NAME, session, "agent"),
            pull_request=next((part.pull_request for part in parts if part.pull_request), None),
            file=Path(parts[0].root, parts[0].path),
            subagents=sum(part.root == parts[0].root for part in parts) - 1,
        )

    def links_of_session(self, session: str) -> list[SessionLink]:
        """What a session did with memories, by memory, then by what."""
        return self._links(_OF_SESSION, {"session": session})

    def links_of_memories(self, memories: Iterable[MemoryPath]) -> list[SessionLink]:
        """What sessions did with any of ``memories``, by session, then by what."""
        return self._links(_OF_MEMORIES, {"memories": json.dumps(list(memories))})

    def _links(self, query: str, parameters: dict[str, str]) -> list[SessionLink]:
        rows = self._connection.execute(query, parameters)
        return [
            SessionLink(session, SessionRel(rel), MemoryPath(memory), *rest) for session, rel, memory, *rest in rows
        ]

    def _head(self, query: str, session: str, kind: str | None = None) -> str | None:
        row: tuple[str] | None = self._connection.execute(query, {"session": session, "kind": kind}).fetchone()
        return None if row is None else row[0]
