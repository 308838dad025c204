"""The methods of `Store` that find, read and follow memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from memhtml.api.checks import checked
from memhtml.api.fields import ScopeFields
from memhtml.domain.memory import Entity
from memhtml.domain.vocabulary import Rel, TaskStatus

if TYPE_CHECKING:
    from memhtml.ops.entities import Entities
    from memhtml.ops.execing import Reported
    from memhtml.ops.history import History
    from memhtml.ops.listing import MemoryList
    from memhtml.ops.neighbors import Neighbors
    from memhtml.ops.read import ReadMemories
    from memhtml.ops.recall import RecallPack
    from memhtml.ops.reinforce import Reinforced
    from memhtml.ops.resolve import Resolved
    from memhtml.ops.search import Hits
    from memhtml.ops.tasks import Tasks
    from memhtml.workspace.workspace import Workspace


@checked
class Finding:
    """Finds, reads and follows memories."""

    _workspace: Workspace

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        bar: bool = True,
        explain: bool = False,
        known_at: str | None = None,
        **scope: Unpack[ScopeFields],
    ) -> Hits:
        """The memories that answer ``query``, best first; none, with a reason, when none does. Any text is a query.

        Args:
            query: what is asked, in plain words.
            limit: how many hits at most.
            bar: answer nothing rather than something irrelevant.
            explain: say of each hit how each arm ranked it.
            known_at: an instant or a commit: what the store knew then.
            **scope: which memories are looked at.

        Raises:
            PathNotFoundError: the store has no commit so old as ``known_at``, or none with that id.
            UsageError: a field of the scope cannot be what it is.
        """
        from memhtml.ops.scopes import scope_of
        from memhtml.ops.search import search
        from memhtml.retrieve.answer import Request

        wanted = Request(query=query, scope=scope_of(scope), limit=limit, bar=bar, rejected=explain, explain=explain)
        return search(self._workspace, wanted, known_at=known_at)

    def exec(
        self, script: str, *, commit: str | None = None, limit_seconds: float = 10.0, limit_memory_mb: int = 256
    ) -> Reported:
        """What ``script`` reports of the memories of a commit, all of which it sees; it can change nothing.

        A subset of Python that calls ``report(value)`` once; ``corpus()``, ``backlinks(path)``, ``chain(path)`` and
        ``search(query)`` are there for it to call.

        Args:
            script: its text.
            commit: an instant or a commit's id; by default the last commit.
            limit_seconds: that it may take, from 0.1 to 300.
            limit_memory_mb: megabytes that it may use, from 16 to 4096.

        Raises:
            PackageMissingError: the interpreter is not installed.
            PathNotFoundError: the store has no such commit.
            ExecFailedError: it raised, or did not report once; by its class: it used more than it may.
            UsageError: it is empty or too long, or a limit is none.
        """
        from memhtml.ops.arguments import bind
        from memhtml.ops.execing import run
        from memhtml.ops.rows_exec import EXEC

        given = {
            "script": script,
            "commit": commit,
            "limit_seconds": limit_seconds,
            "limit_memory_mb": limit_memory_mb,
        }
        return run(self._workspace, bind(EXEC[0], given, spelling=lambda parameter: parameter.name))

    def recall(
        self,
        query: str,
        *,
        budget: int = 16_000,
        bar: bool = True,
        known_at: str | None = None,
        **scope: Unpack[ScopeFields],
    ) -> RecallPack:
        """A pack of quotations that answer ``query``, for a context window: at most ``budget`` characters.

        The pack is fenced and labelled as data with its sources, and says what it left out. Without ``bar`` it quotes
        what was found however little it answers.

        Raises:
            PathNotFoundError: the store has no commit so old as ``known_at``, or none with that id.
            UsageError: ``budget`` or a field of the scope cannot be what it is.
        """
        from memhtml.ops.recall import recall
        from memhtml.ops.scopes import scope_of
        from memhtml.retrieve.recall import RecallRequest

        return recall(self._workspace, RecallRequest(query, scope_of(scope), budget, bar), known_at=known_at)

    def read(self, *paths: str, html: bool = False, count: bool = True) -> ReadMemories:
        """Open memories by path, old paths resolved; ``count`` says whether that counts as use.

        Raises:
            PathNotFoundError: one of them is nowhere.
        """
        from memhtml.ops.read import read

        return read(self._workspace, paths, html=html, count=count)

    def list(self, *, limit: int = 50, offset: int = 0, **scope: Unpack[ScopeFields]) -> MemoryList:
        """Memories, newest first: ``limit`` of them after the first ``offset``."""
        from memhtml.ops.listing import list_memories
        from memhtml.ops.scopes import scope_of

        return list_memories(self._workspace, scope_of(scope), limit=limit, offset=offset)

    def entities(self, entity: Entity | str | None = None, *, archived: bool = False, limit: int = 50) -> Entities:
        """The things that memories name, the most named first; or the memories that name ``entity``, newest first.

        Raises:
            InvalidFlagError: ``entity`` is not written ``type:name``.
        """
        from memhtml.ops.drafts import entity as named
        from memhtml.ops.entities import entities, entity_memories

        if entity is None:
            return entities(self._workspace, archived=archived, limit=limit)
        wanted = named(entity) if isinstance(entity, str) else entity
        return entity_memories(self._workspace, wanted, archived=archived, limit=limit)

    def neighbors(self, path: str, *, rels: Sequence[Rel | str] = ()) -> Neighbors:
        """What the memory at ``path`` links to, and what links to it; of these ``rels`` only, if any are given.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.drafts import rel as named
        from memhtml.ops.neighbors import neighbors

        return neighbors(self._workspace, path, rels=tuple(named(rel) for rel in rels))

    def resolve(self, *paths: str) -> Resolved:
        """Where the memories that were at ``paths`` live now.

        Raises:
            PathNotFoundError: no memory was ever at one of them.
        """
        from memhtml.ops.resolve import resolve

        return resolve(self._workspace, paths)

    def reinforce(self, *paths: str, outcome: float = 1.0) -> Reinforced:
        """Count that memories were of use (``outcome`` to 1) or misled (to -1); at most once in 15 minutes each.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.reinforce import reinforce

        return reinforce(self._workspace, paths, outcome=outcome)

    def history(self, path: str, *, limit: int = 50) -> History:
        """The commits that made the memory at ``path`` what it is, newest first, through every move.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.history import history

        return history(self._workspace, path, limit=limit)

    def tasks(
        self,
        *,
        statuses: Sequence[TaskStatus | str] = (),
        workspace: str | None = None,
        due_until: str | None = None,
        limit: int = 50,
    ) -> Tasks:
        """Tasks in the order in which they want attention; without ``statuses``, all that are not done.

        Raises:
            InvalidFlagError: there is no such status, or ``due_until`` is no instant.
        """
        from memhtml.ops.scopes import moment
        from memhtml.ops.tasks import status_named, tasks

        return tasks(
            self._workspace,
            statuses=frozenset(status_named(status) for status in statuses),
            workspace_name=workspace,
            due_until=None if due_until is None else moment("due_until", due_until),
            limit=limit,
        )
