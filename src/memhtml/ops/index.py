"""Operations `index`: the projection that is made from the files, and can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.arguments import bounded
from memhtml.workspace.notice import Notice
from memhtml.workspace.workspace import DAMAGED

if TYPE_CHECKING:
    from memhtml.index.update import UpdateReport
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


PORTION = 64
"""Texts between two looks at the progress line."""


class Unreadable(Struct, frozen=True):
    """A file that breaks the format, and how."""

    path: MemoryPath
    reason: str


class Duplicate(Struct, frozen=True):
    """A file with the same content as another memory."""

    path: MemoryPath
    of: MemoryPath


class IndexUpdated(Struct, frozen=True):
    """What the index holds now, and what that took.

    Attributes:
        generation: the number of the state that searches see from now on.
        memories: how many there are in it.
        added: files that got rows; a move counts as one added and one removed.
        unreadable: left out, by path.
        duplicates: left out, by path.
    """

    generation: int
    memories: int
    added: int
    changed: int
    removed: int
    moved: int
    unreadable: tuple[Unreadable, ...]
    duplicates: tuple[Duplicate, ...]
    warnings: tuple[Notice, ...]


def run_update(workspace: Workspace, arguments: Arguments) -> IndexUpdated:
    """The `index update` operation."""
    del arguments
    return update_index(workspace)


def run_rebuild(workspace: Workspace, arguments: Arguments) -> IndexUpdated:
    """The `index rebuild` operation."""
    del arguments
    return rebuild_index(workspace)


def update_index(workspace: Workspace) -> IndexUpdated:
    """Follow the branch and the work tree, so that what was saved by hand is found before it is committed."""
    workspace.repository.recover_if_needed()
    return _updated(workspace, workspace.index.update(workspace.repository))


def rebuild_index(workspace: Workspace) -> IndexUpdated:
    """Make every row anew; vectors of unchanged texts are kept."""
    workspace.repository.recover_if_needed()
    return _updated(workspace, workspace.index.rebuild(workspace.repository))


def _updated(workspace: Workspace, report: UpdateReport) -> IndexUpdated:
    with workspace.index.reading() as view:
        total = view.total
    return IndexUpdated(
        generation=report.generation,
        memories=total,
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        moved=len(report.moved),
        unreadable=tuple(Unreadable(path, reason) for path, reason in report.unreadable),
        duplicates=tuple(Duplicate(path, of) for path, of in report.duplicates),
        warnings=tuple(Notice(DAMAGED, incident) for incident in workspace.index.incidents),
    )


class IndexStatus(Struct, frozen=True):
    """How the index stands to the files.

    Attributes:
        fresh: an update would change nothing that a search can see.
        outdated: an earlier version made the rows; the next command makes them anew.
        indexed: the commit that it holds.
        commit: the branch's.
        committed: paths that the branch holds otherwise.
        uncommitted: paths whose hand edits the index has not seen.
        space: of its vectors; ``None`` while there is none.
        coverage: share of the texts that have a vector, from 0 to 1.
        missing_vectors: how many have none.
    """

    generation: int
    memories: int
    fresh: bool
    outdated: bool
    indexed: CommitId | None
    commit: CommitId | None
    committed: tuple[MemoryPath, ...]
    uncommitted: tuple[MemoryPath, ...]
    space: str | None
    coverage: float
    missing_vectors: int


class Embedded(Struct, frozen=True):
    """Vectors were made.

    Attributes:
        embedded: texts that got one.
        remaining: texts that have none.
        coverage: share of the texts that have one, from 0 to 1.
    """

    space: str
    embedded: int
    remaining: int
    coverage: float
    warnings: tuple[Notice, ...]


class Difference(Struct, frozen=True):
    """A row that updates made otherwise than a rebuild does: its table, and its path or word."""

    table: str
    row: str


class IndexVerified(Struct, frozen=True):
    """What updates made beside what a rebuild makes.

    Attributes:
        same: the two agree.
        compared: rows that were looked at.
        differing: how many differ.
        differences: the first of them.
    """

    same: bool
    compared: int
    differing: int
    differences: tuple[Difference, ...]

    @property
    def exit_status(self) -> int:
        """1 when they differ."""
        return 0 if self.same else 1


def run_status(workspace: Workspace, arguments: Arguments) -> IndexStatus:
    """The `index status` operation."""
    del arguments
    return index_status(workspace)


def run_embed(workspace: Workspace, arguments: Arguments) -> Embedded:
    """The `index embed` operation."""
    return embed_index(workspace, limit=arguments.integer("limit"), replace=arguments.flag("replace"))


def run_verify(workspace: Workspace, arguments: Arguments) -> IndexVerified:
    """The `index verify` operation."""
    del arguments
    return verify_index(workspace)


def index_status(workspace: Workspace) -> IndexStatus:
    """How the index stands to the files. It is looked at as it is, and not brought up to date."""
    index = workspace.index
    freshness = index.freshness(workspace.repository)
    with index.reading() as view:
        return IndexStatus(
            generation=view.generation,
            memories=view.total,
            fresh=freshness.fresh,
            outdated=freshness.outdated,
            indexed=freshness.indexed,
            commit=freshness.head,
            committed=freshness.committed,
            uncommitted=freshness.uncommitted,
            space=view.space,
            coverage=view.coverage(),
            missing_vectors=index.missing_vectors(),
        )


def embed_index(workspace: Workspace, *, limit: int | None = None, replace: bool = False) -> Embedded:
    """Make vectors for the texts that have none, newest first; at most ``limit`` of them.

    Args:
        workspace: the store.
        limit: ``None`` is all of them.
        replace: drop the vectors of another space first.

    Raises:
        ModelUnavailableError: vectors are off, or the embedder cannot work.
        EmbedModelMismatchError: the index holds vectors of another space, and ``replace`` is not given.
    """
    from memhtml.index.embedding import fill

    if limit is not None:
        bounded("limit", limit, 1)

    embedder = workspace.embedder
    if embedder is None:
        raise ModelUnavailableError(
            "vectors are off", suggestions=("memhtml index embed --embed on", "memhtml config set embed on")
        )
    warnings = workspace.catch_up()
    index = workspace.index
    if replace:
        index.replace_space(embedder.space)
    missing = index.missing_vectors()
    embedded, total = 0, missing if limit is None else min(limit, missing)
    while embedded < total:
        workspace.progress("embedding", embedded, total)
        report = fill(index, embedder, min(PORTION, total - embedded))
        if report.failure is not None:
            raise ModelUnavailableError(f"{report.failure} ({embedded} texts got their vectors before that)")
        if not report.embedded:
            break
        embedded += report.embedded
    with index.reading() as view:
        view.require_space(embedder.space)
        return Embedded(embedder.space, embedded, index.missing_vectors(), view.coverage(), warnings)


def verify_index(workspace: Workspace) -> IndexVerified:
    """Update the index, make another one from nothing, and compare them row by row."""
    workspace.repository.recover_if_needed()
    report = workspace.index.verify(workspace.repository)
    return IndexVerified(
        same=report.sound,
        compared=report.rows,
        differing=report.differences,
        differences=tuple(Difference(table, row) for table, row in report.named),
    )
