"""Operation `trace search`: sessions of agents by the words of their prompts and titles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import Instant
from memhtml.domain.terms import content_terms, terms
from memhtml.index.traces.reader import Session
from memhtml.index.traces.transcripts import Transcripts
from memhtml.ops.arguments import bounded
from memhtml.ops.rows_traces import HITS, MOST
from memhtml.ops.scopes import moment
from memhtml.workspace.notice import Notice
from memhtml.workspace.workspace import DAMAGED

if TYPE_CHECKING:
    from memhtml.index.traces.reader import Match, TraceReader
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class TraceMatch(Struct, frozen=True):
    """A head that holds words of the query.

    Attributes:
        kind: ``prompt``, ``title`` or ``agent``.
        text: of a prompt at most 200 characters, of a session's first at most 500.
        subagent: an agent asked it.
        file: the transcript.
        position: the byte at which its line begins.
    """

    kind: str
    text: str
    at: Instant | None
    prompt: str | None
    subagent: bool
    file: Path
    position: int


class TraceHit(Struct, frozen=True):
    """A session, and its best heads: at most three, the best first. A higher score is better."""

    score: float
    session: Session
    matches: tuple[TraceMatch, ...]


class TraceHits(Struct, frozen=True):
    """Sessions, the best first; equally good ones the newest first.

    Attributes:
        transcripts: how many were read by `trace index`; where it is 0, nothing can be found.
    """

    query: str
    transcripts: int
    hits: tuple[TraceHit, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> TraceHits:
    """The `trace search` operation."""
    return search_traces(
        workspace,
        arguments.needed("query"),
        project=arguments.text("project"),
        since=arguments.text("since"),
        until=arguments.text("until"),
        limit=arguments.count("limit"),
    )


def search_traces(
    workspace: Workspace,
    query: str,
    *,
    project: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int = HITS,
) -> TraceHits:
    """The sessions whose prompts and titles hold words of ``query``; any text is a query.

    ``since`` and ``until`` are instants; ``until`` itself is outside.

    Raises:
        InvalidFlagError: an instant is outside the grammar, or ``limit`` below 1.
    """
    bounded("limit", limit, 1, MOST)
    with Transcripts.open(workspace.repository.root) as known, known.reading() as reader:
        found = reader.search(
            content_terms(terms(query)),
            limit,
            project=project,
            since=None if since is None else moment("since", since),
            until=None if until is None else moment("until", until),
        )
        hits = tuple(_hit(reader, matches) for matches in found)
        warnings = tuple(Notice(DAMAGED, incident) for incident in known.incidents)
        return TraceHits(query, reader.totals().transcripts, hits, warnings)


def _hit(reader: TraceReader, matches: list[Match]) -> TraceHit:
    session = reader.session(matches[0].session)
    if session is None:  # every head is of a part of a session, and all are read in one transaction
        raise LookupError(matches[0].session)
    return TraceHit(matches[0].score, session, tuple(_match(match) for match in matches))


def _match(match: Match) -> TraceMatch:
    return TraceMatch(
        kind=match.kind,
        text=match.head,
        at=match.at,
        prompt=match.prompt,
        subagent=bool(match.subagent),
        file=Path(match.root, match.path),
        position=match.position,
    )
