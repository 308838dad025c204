"""Operation `trace links`: what sessions did with memories, from either side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import MissingArgumentError, UnexpectedArgumentError
from memhtml.domain.gists import listed
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import original_path
from memhtml.domain.vocabulary import SessionRel
from memhtml.index.traces.reader import Session
from memhtml.index.traces.transcripts import Transcripts
from memhtml.ops.arguments import bounded
from memhtml.ops.resolve import same_memory
from memhtml.ops.rows_traces import LINKS, MOST
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.index.sessions import Authored
    from memhtml.index.traces.reader import SessionLink, TraceReader
    from memhtml.index.view import View
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class MemoryUse(Struct, frozen=True):
    """What a session did with a memory.

    Attributes:
        path: where the memory is now; where it was then, when it is nowhere.
        found: whether it is there.
        gist: its claim as one line, when it is there.
        times: how often, by the transcripts; 1 when only the memory says so.
        first: when first, as far as is known.
        last: when last.
        in_memory: the memory, or what took its place, names the session.
        in_transcript: a transcript shows it.
    """

    session: str
    rel: SessionRel
    path: MemoryPath
    found: bool
    gist: str | None
    times: int
    first: Instant | None
    last: Instant | None
    in_memory: bool
    in_transcript: bool


class TraceLinks(Struct, frozen=True):
    """The links of one memory, by time, or of one session, by memory.

    Attributes:
        path: the memory that was asked about, where it is now.
        session: the session that was asked about.
        total: how many links there are.
        sessions: what the transcripts tell of the sessions that are named, in the order of the links.
    """

    path: MemoryPath | None
    session: str | None
    total: int
    links: tuple[MemoryUse, ...]
    sessions: tuple[Session, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> TraceLinks:
    """The `trace links` operation."""
    path, session = arguments.text("path"), arguments.text("session")
    rels = frozenset(SessionRel(text) for text in arguments.texts("rel"))
    limit = arguments.count("limit")
    if path is not None and session is not None:
        raise UnexpectedArgumentError("trace links takes a memory or a session, not both")
    if path is not None:
        return memory_sessions(workspace, path, rels=rels, limit=limit)
    if session is not None:
        return session_memories(workspace, session, rels=rels, limit=limit)
    raise MissingArgumentError(
        "trace links needs the path of a memory, or --session", suggestions=("memhtml trace links --help",)
    )


def memory_sessions(
    workspace: Workspace, path: str, *, rels: Iterable[SessionRel] = (), limit: int = LINKS
) -> TraceLinks:
    """The sessions that had to do with the memory at ``path``, under any path that it ever had, the earliest first.

    Raises:
        PathNotFoundError: there is no such memory.
    """
    bounded("limit", limit, 1, MOST)
    warnings = workspace.catch_up()
    here = same_memory(workspace, path).path
    names = {here, original_path(here), *(each.path for each in workspace.repository.history(here))}
    with (
        Transcripts.open(workspace.repository.root) as known,
        known.reading() as reader,
        workspace.index.reading() as view,
    ):
        uses = _joined(view.writers_of(here), reader.links_of_memories(names), dict.fromkeys(names, here))
        uses.sort(key=lambda use: (use.first or "", use.session, use.rel))
        return replace(_answer(view, reader, _wanted(uses, rels), limit), path=here, warnings=warnings)


def session_memories(
    workspace: Workspace, session: str, *, rels: Iterable[SessionRel] = (), limit: int = LINKS
) -> TraceLinks:
    """The memories that ``session`` had to do with, by path; none for an unknown session."""
    bounded("limit", limit, 1, MOST)
    warnings = workspace.catch_up()
    with (
        Transcripts.open(workspace.repository.root) as known,
        known.reading() as reader,
        workspace.index.reading() as view,
    ):
        seen = reader.links_of_session(session)
        places = view.located(dict.fromkeys(link.memory for link in seen))
        uses = _joined(view.written_by(session), seen, places)
        return replace(_answer(view, reader, _wanted(uses, rels), limit), session=session, warnings=warnings)


def _joined(
    authored: Iterable[Authored], seen: Iterable[SessionLink], places: Mapping[MemoryPath, MemoryPath]
) -> list[MemoryUse]:
    """Both sources as one, by memory, session and relation; what both know is one entry."""
    uses: dict[tuple[MemoryPath, str, SessionRel], MemoryUse] = {}
    for link in seen:
        place = places.get(link.memory, link.memory)
        use = _use(place, link.session, link.rel, link.times, (link.first, link.last))
        _add(uses, replace(use, in_transcript=True))
    for each in authored:
        key = (each.memory, each.session, each.rel)
        use = uses.get(key) or _use(each.memory, each.session, each.rel, 1, (each.at, each.at))
        uses[key] = replace(use, in_memory=True)
    return [uses[key] for key in sorted(uses)]


def _use(
    path: MemoryPath, session: str, rel: SessionRel, times: int, span: tuple[Instant | None, Instant | None]
) -> MemoryUse:
    return MemoryUse(
        session=session,
        rel=rel,
        path=path,
        found=False,
        gist=None,
        times=times,
        first=span[0],
        last=span[1],
        in_memory=False,
        in_transcript=False,
    )


def _add(uses: dict[tuple[MemoryPath, str, SessionRel], MemoryUse], use: MemoryUse) -> None:
    """Put ``use`` beside what is known of the same memory under another of its paths."""
    key = (use.path, use.session, use.rel)
    known = uses.get(key)
    if known is not None:
        firsts = [each for each in (known.first, use.first) if each is not None]
        lasts = [each for each in (known.last, use.last) if each is not None]
        times = known.times + use.times
        use = replace(use, times=times, first=min(firsts, default=None), last=max(lasts, default=None))
    uses[key] = use


def _wanted(uses: Iterable[MemoryUse], rels: Iterable[SessionRel]) -> list[MemoryUse]:
    wanted = frozenset(rels) or frozenset(SessionRel)
    return [use for use in uses if use.rel in wanted]


def _answer(view: View, reader: TraceReader, uses: list[MemoryUse], limit: int) -> TraceLinks:
    rows = view.rows(list(dict.fromkeys(use.path for use in uses[:limit])))
    links = tuple(
        replace(use, found=use.path in rows, gist=listed(rows[use.path].gist) if use.path in rows else None)
        for use in uses[:limit]
    )
    sessions = (reader.session(session) for session in dict.fromkeys(use.session for use in links))
    return TraceLinks(
        path=None,
        session=None,
        total=len(uses),
        links=links,
        sessions=tuple(session for session in sessions if session is not None),
        warnings=(),
    )
