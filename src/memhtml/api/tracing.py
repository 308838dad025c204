"""The methods of `Store` that read agents' transcripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memhtml.api.checks import checked
from memhtml.domain.vocabulary import SessionRel

if TYPE_CHECKING:
    from memhtml.ops.traces.index import TracesIndexed
    from memhtml.ops.traces.links import TraceLinks
    from memhtml.ops.traces.search import TraceHits
    from memhtml.workspace.workspace import Workspace


@checked
class Tracing:
    """Reads transcripts where they are, and never changes them."""

    _workspace: Workspace

    def index_traces(self, *, rebuild: bool = False) -> TracesIndexed:
        """Read what is new in the transcripts; with ``rebuild``, forget everything first and read all of it.

        Raises:
            IndexStaleError: another process does the same for longer than the wait.
        """
        from memhtml.ops.traces.index import index_traces

        return index_traces(self._workspace, rebuild=rebuild)

    def search_traces(
        self,
        query: str,
        *,
        project: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int = 10,
    ) -> TraceHits:
        """The sessions whose prompts and titles hold words of ``query``, best first. Any text is a query.

        Args:
            query: what was asked, in some of its words.
            project: a folder of transcripts, or the folder where an agent worked.
            since: an instant: asked then or later.
            until: an instant: asked before then.
            limit: how many sessions at most.

        Raises:
            UsageError: an instant or the limit cannot be what it is.
        """
        from memhtml.ops.traces.search import search_traces

        return search_traces(self._workspace, query, project=project, since=since, until=until, limit=limit)

    def memory_sessions(self, path: str, *, rels: Sequence[str] = (), limit: int = 200) -> TraceLinks:
        """The sessions that ``wrote``, ``read``, ``corrected`` or ``reinforced`` a memory, the earliest first.

        Raises:
            PathNotFoundError: there is no such memory.
            InvalidFlagError: there is no such relation.
        """
        from memhtml.ops.traces.links import memory_sessions

        return memory_sessions(self._workspace, path, rels=_rels(rels), limit=limit)

    def session_memories(self, session: str, *, rels: Sequence[str] = (), limit: int = 200) -> TraceLinks:
        """What a session did with memories, by path; nothing for an unknown one.

        Raises:
            InvalidFlagError: there is no such relation.
        """
        from memhtml.ops.traces.links import session_memories

        return session_memories(self._workspace, session, rels=_rels(rels), limit=limit)


def _rels(given: Sequence[str]) -> tuple[SessionRel, ...]:
    known = {rel.value: rel for rel in SessionRel}
    wrong = [text for text in given if text not in known]
    if wrong:
        from memhtml.domain.errors import InvalidFlagError
        from memhtml.ops.arguments import shown

        raise InvalidFlagError(f"rels takes {', '.join(known)}; not {shown(wrong[0])}")
    return tuple(known[text] for text in given)
