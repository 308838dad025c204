"""`Store`: a memory store from Python. It calls the same operations as the command line, and has no rules of its own.

from memhtml import Store

with Store.init("notes") as store:
    written = store.write("Drain before every deploy.", tags=["deploys"], entities=["service:checkout"])
    for hit in store.search("what to do before a release").hits:
        print(hit.path, hit.gist)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from memhtml.config.environment import environment, user_file
from memhtml.config.settings import load
from memhtml.domain.memory import Citation, Entity, Facet, Link
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus
from memhtml.workspace.clock import Clock
from memhtml.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memhtml.ops.apply import Applied
    from memhtml.ops.archive import MovedMemories
    from memhtml.ops.correct import CorrectedMemory
    from memhtml.ops.doctor import Health
    from memhtml.ops.entities import Entities
    from memhtml.ops.history import History
    from memhtml.ops.index import Embedded, IndexStatus, IndexUpdated, IndexVerified
    from memhtml.ops.link import LinkedMemories
    from memhtml.ops.listing import MemoryList
    from memhtml.ops.neighbors import Neighbors
    from memhtml.ops.publish import Published
    from memhtml.ops.read import ReadMemories
    from memhtml.ops.reinforce import Reinforced
    from memhtml.ops.resolve import Resolved
    from memhtml.ops.state import StateExported, StateImported
    from memhtml.ops.status import StoreStatus
    from memhtml.ops.tasks import TaskChanged, Tasks
    from memhtml.ops.write import WrittenMemory


class DraftFields(TypedDict, total=False):
    """What a new memory may be given beside its claim; each as the command line's flag of that name.

    ``body`` is prose; ``article_html`` is markup, and excludes claim and body. ``facets`` maps names to values.
    Instants are ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ssZ``. ``status`` and ``due`` are for tasks.
    """

    body: str
    article_html: str
    title: str
    type: MemoryType | str
    path: str
    workspace: str
    tags: Sequence[str]
    entities: Sequence[Entity | str]
    aliases: Sequence[str]
    facets: Mapping[str, str | float] | Sequence[Facet]
    citations: Sequence[Citation | str]
    links: Sequence[Link | str]
    event_at: str
    valid_from: str
    valid_until: str
    importance: int
    confidence: float
    status: TaskStatus | str
    due: str
    author: str
    session_id: str
    prompt_id: str
    turn_id: str


class ScopeFields(TypedDict, total=False):
    """Which memories are looked at; what is left out filters nothing. Tasks come only when ``types`` names them.

    ``entity`` is ``type:name``; ``facet`` is (name, value); ``as_of`` is the moment at which a fact must have held.
    """

    types: Sequence[MemoryType | str]
    workspace: str
    tags: Sequence[str]
    entity: Entity | str
    facet: tuple[str, str]
    archived: bool
    as_of: str


class Store:
    """One memory store. Threads may share it; close it, or use it as a context manager.

    Every method that changes something makes exactly one commit, and when it returns, that commit is on the disk.
    Results are frozen structs. Errors are of the tree in `memhtml.domain.errors`; their classes say what happened.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        embed: str | None = None,
        variables: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Open the store at ``path``, by default where the settings say.

        Args:
            path: its folder.
            embed: ``on``, ``off`` or the space of another model; by default as the settings say.
            variables: the environment, for settings and for git; the process's own by default.
            clock: what time it is; the machine's own clock by default.

        Raises:
            StoreMissingError: nothing is there.
            NotAStoreError: something else is there.
            InvalidSettingError: a setting cannot be.
        """
        workspace = _workspace(path, embed, variables, clock)
        store = cls(workspace)
        _ = workspace.repository  # a path that is no store is refused here, not at the first call
        return store

    @classmethod
    def init(
        cls,
        path: str | Path | None = None,
        *,
        embed: str | None = None,
        variables: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Make ``path`` a store, or put right what is missing in one, and open it. See `open`.

        Raises:
            NotAStoreError: other things are there.
            StorageError: it cannot be written.
        """
        from memhtml.ops.init import init  # noqa: PLC0415 - each operation is imported when it runs

        workspace = _workspace(path, embed, variables, clock)
        init(workspace)
        return cls(workspace)

    def close(self) -> None:
        """Let go of every file and database; harmless when done twice."""
        self._workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def root(self) -> Path:
        """The store's folder."""
        return self._workspace.repository.root

    def write(self, claim: str | None = None, **fields: Unpack[DraftFields]) -> WrittenMemory:
        """Remember one fact: a claim, prose, or both; or markup.

        The same content again changes nothing, and gives the existing path with ``deduped``.

        Raises:
            InvalidMemoryError: the content breaks the format, with every violation.
            UsageError: a field cannot be what it is.
        """
        from memhtml.ops.lines import draft_of  # noqa: PLC0415
        from memhtml.ops.write import write  # noqa: PLC0415

        return write(self._workspace, draft_of({"claim": claim, **fields}))

    def apply(
        self,
        lines: str | Iterable[Mapping[str, object]],
        *,
        best_effort: bool = False,
        dry_run: bool = False,
        detect: Sequence[str] = (),
        consolidate: str | None = None,
    ) -> Applied:
        """Do many operations as one commit, with one instant; results in the order given.

        Args:
            lines: JSON lines, or objects such as ``{"op": "write", "claim": "…"}``.
            best_effort: do what can be done; else one refusal stops everything.
            dry_run: check and report, and write nothing.
            detect: ``conflicts`` and ``near-duplicates``, to have them reported.
            consolidate: ``last-wins`` archives, of claims of one thing, all but the later.

        Raises:
            BatchError: an operation was refused; every refusal is in it.
            InvalidFlagError: ``detect`` or ``consolidate`` names something else.
        """
        from memhtml.ops.apply import apply  # noqa: PLC0415
        from memhtml.ops.batch import wishes  # noqa: PLC0415
        from memhtml.ops.lines import checked_lines, read_lines  # noqa: PLC0415

        given = read_lines(lines) if isinstance(lines, str) else checked_lines(lines)
        wanted = wishes(best_effort=best_effort, dry_run=dry_run, detect=detect, consolidate=consolidate)
        return apply(self._workspace, given, wanted)

    def correct(self, target: str, claim: str | None = None, **fields: Unpack[DraftFields]) -> CorrectedMemory:
        """Put a new memory in the place of the one at ``target``, which goes to the archive.

        Type, tags, entities, aliases and importance that are not given are the target's.

        Raises:
            PathNotFoundError: nothing is at ``target``; says where it went.
            WriteConflictError: it is archived or superseded already.
            DuplicateContentError: it says the same, or another memory does.
        """
        from memhtml.ops.correct import correct  # noqa: PLC0415
        from memhtml.ops.lines import correction_of  # noqa: PLC0415

        draft, keep_type = correction_of({"claim": claim, **fields})
        return correct(self._workspace, target, draft, keep_type=keep_type)

    def read(self, *paths: str, html: bool = False, count: bool = True) -> ReadMemories:
        """Open memories by path, old paths resolved; ``count`` says whether that counts as use.

        Raises:
            PathNotFoundError: one of them is nowhere.
        """
        from memhtml.ops.read import read  # noqa: PLC0415

        return read(self._workspace, paths, html=html, count=count)

    def list(self, *, limit: int = 50, offset: int = 0, **scope: Unpack[ScopeFields]) -> MemoryList:
        """Memories, newest first: ``limit`` of them after the first ``offset``."""
        from memhtml.ops.listing import list_memories  # noqa: PLC0415
        from memhtml.ops.scopes import scope_of  # noqa: PLC0415

        return list_memories(self._workspace, scope_of(scope), limit=limit, offset=offset)

    def entities(self, entity: Entity | str | None = None, *, archived: bool = False, limit: int = 50) -> Entities:
        """The things that memories name, the most named first; or the memories that name ``entity``, newest first.

        Raises:
            InvalidFlagError: ``entity`` is not written ``type:name``.
        """
        from memhtml.ops.drafts import entity as named  # noqa: PLC0415
        from memhtml.ops.entities import entities, entity_memories  # noqa: PLC0415

        if entity is None:
            return entities(self._workspace, archived=archived, limit=limit)
        wanted = named(entity) if isinstance(entity, str) else entity
        return entity_memories(self._workspace, wanted, archived=archived, limit=limit)

    def neighbors(self, path: str, *, rels: Sequence[Rel | str] = ()) -> Neighbors:
        """What the memory at ``path`` links to, and what links to it; of these ``rels`` only, if any are given.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.drafts import rel as named  # noqa: PLC0415
        from memhtml.ops.neighbors import neighbors  # noqa: PLC0415

        return neighbors(self._workspace, path, rels=tuple(named(rel) for rel in rels))

    def link(self, source: str, rel: Rel | str, target: str) -> LinkedMemories:
        """Say in ``source`` that it is ``rel`` to ``target``; nothing changes when it says so.

        Raises:
            PathNotFoundError: one of the two is nowhere.
            InvalidEdgeError: the two cannot be joined so.
        """
        from memhtml.ops.drafts import rel as named  # noqa: PLC0415
        from memhtml.ops.link import link  # noqa: PLC0415

        return link(self._workspace, source, named(rel), target)

    def unlink(self, source: str, rel: Rel | str, target: str) -> LinkedMemories:
        """Take a link back; nothing changes when ``source`` has none such.

        Raises:
            PathNotFoundError: the source is nowhere.
        """
        from memhtml.ops.drafts import rel as named  # noqa: PLC0415
        from memhtml.ops.link import unlink  # noqa: PLC0415

        return unlink(self._workspace, source, named(rel), target)

    def resolve(self, *paths: str) -> Resolved:
        """Where the memories that were at ``paths`` live now.

        Raises:
            PathNotFoundError: no memory was ever at one of them.
        """
        from memhtml.ops.resolve import resolve  # noqa: PLC0415

        return resolve(self._workspace, paths)

    def archive(self, *paths: str) -> MovedMemories:
        """Move memories to the archive; all of them or none. Nothing is deleted.

        Raises:
            PathNotFoundError: nothing is at one of the paths; says where it went.
            WriteConflictError: one is archived already.
        """
        from memhtml.ops.archive import archive  # noqa: PLC0415

        return archive(self._workspace, paths)

    def restore(self, *paths: str) -> MovedMemories:
        """Move archived memories back to where they were; all of them or none.

        Raises:
            PathNotFoundError: nothing is in the archive for one of the paths.
            WriteConflictError: one is not archived, or its place is taken.
        """
        from memhtml.ops.archive import restore  # noqa: PLC0415

        return restore(self._workspace, paths)

    def reinforce(self, *paths: str, outcome: float = 1.0) -> Reinforced:
        """Count that memories were of use (``outcome`` to 1) or misled (to -1); at most once in 15 minutes each.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.reinforce import reinforce  # noqa: PLC0415

        return reinforce(self._workspace, paths, outcome=outcome)

    def history(self, path: str, *, limit: int = 50) -> History:
        """The commits that made the memory at ``path`` what it is, newest first, through every move.

        Raises:
            PathNotFoundError: there is no such memory.
        """
        from memhtml.ops.history import history  # noqa: PLC0415

        return history(self._workspace, path, limit=limit)

    def task_add(self, claim: str, **fields: Unpack[DraftFields]) -> WrittenMemory:
        """Add a task; ``status`` is ``todo`` unless it is given.

        Raises:
            InvalidMemoryError: the content breaks the format, with every violation.
        """
        fields["type"] = MemoryType.TASK
        return self.write(claim, **fields)

    def task_status(self, path: str, status: TaskStatus | str) -> TaskChanged:
        """Set how far a task is; one that is done goes to the archive in the same commit.

        Raises:
            PathNotFoundError: nothing is there; says where it went.
            InvalidMemoryError: it is no task.
            InvalidFlagError: there is no such status.
        """
        from memhtml.ops.tasks import status_named, task_status  # noqa: PLC0415

        return task_status(self._workspace, path, status_named(status))

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
        from memhtml.ops.scopes import moment  # noqa: PLC0415
        from memhtml.ops.tasks import status_named, tasks  # noqa: PLC0415

        return tasks(
            self._workspace,
            statuses=frozenset(status_named(status) for status in statuses),
            workspace_name=workspace,
            due_until=None if due_until is None else moment("due_until", due_until),
            limit=limit,
        )

    def rebuild(self) -> IndexUpdated:
        """Make every row of the index anew; vectors of unchanged texts are kept."""
        from memhtml.ops.index import rebuild_index  # noqa: PLC0415

        return rebuild_index(self._workspace)

    def update(self) -> IndexUpdated:
        """Let the index follow the branch and the files as they are now, so that a saved edit is found."""
        from memhtml.ops.index import update_index  # noqa: PLC0415

        return update_index(self._workspace)

    def embed(self, *, limit: int | None = None, replace: bool = False) -> Embedded:
        """Make the vectors that are missing, at most ``limit``; ``replace`` drops those of another model first.

        Raises:
            ModelUnavailableError: vectors are off, or the embedder cannot work.
            EmbedModelMismatchError: the index holds vectors of another model.
        """
        from memhtml.ops.index import embed_index  # noqa: PLC0415

        return embed_index(self._workspace, limit=limit, replace=replace)

    def index_status(self) -> IndexStatus:
        """How the index stands to the files."""
        from memhtml.ops.index import index_status  # noqa: PLC0415

        return index_status(self._workspace)

    def verify(self) -> IndexVerified:
        """Make a second index from nothing and compare the two row by row."""
        from memhtml.ops.index import verify_index  # noqa: PLC0415

        return verify_index(self._workspace)

    def status(self) -> StoreStatus:
        """What is in the store, what the index holds of it, and what is not committed."""
        from memhtml.ops.status import status  # noqa: PLC0415

        return status(self._workspace)

    def doctor(self, *, fix: bool = False) -> Health:
        """Look for what is wrong; with ``fix``, repair what has one right answer."""
        from memhtml.ops.doctor import doctor  # noqa: PLC0415

        return doctor(self._workspace, fix=fix)

    def publish(self, *, base_url: str | None = None) -> Published:
        """Write an ``index.html`` into every folder and a ``sitemap.xml``.

        Raises:
            DirtyTreeError: a page has uncommitted changes.
        """
        from memhtml.ops.publish import publish  # noqa: PLC0415

        return publish(self._workspace, base_url=base_url)

    def export_state(self) -> StateExported:
        """Commit what was opened and reinforced as JSON lines."""
        from memhtml.ops.state import export_state  # noqa: PLC0415

        return export_state(self._workspace)

    def import_state(self, data: bytes | None = None) -> StateImported:
        """Merge such lines, by default the committed ones; counters by maximum.

        Raises:
            PathNotFoundError: the store has none.
        """
        from memhtml.ops.state import import_state  # noqa: PLC0415

        return import_state(self._workspace, data)


def _workspace(
    path: str | Path | None, embed: str | None, variables: Mapping[str, str] | None, clock: Clock | None
) -> Workspace:
    flags = {name: text for name, text in (("root", None if path is None else str(path)), ("embed", embed)) if text}
    known = environment() if variables is None else variables
    return Workspace(load(flags, known, user_file(known), Path.cwd()), variables=known, clock=clock)
