"""Whether the index holds what the store holds."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from memhtml.domain.errors import GitError
from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.index.generation import PROJECTION, held
from memhtml.index.source import Source

_WORK = "SELECT path, blob FROM work"
_BRANCH = "SELECT path, blob FROM branch"


class Freshness(Struct, frozen=True):
    """How the index differs from the store.

    Attributes:
        indexed: the commit that the index holds.
        head: the commit of the branch.
        outdated: other rules made the rows: the next update makes all of them anew.
        committed: paths that the branch holds otherwise, in path order.
        uncommitted: paths whose edits came, changed or were taken back in the work tree since, in path order.
    """

    indexed: CommitId | None
    head: CommitId | None
    outdated: bool
    committed: tuple[MemoryPath, ...]
    uncommitted: tuple[MemoryPath, ...]

    @property
    def fresh(self) -> bool:
        """Whether an update would change nothing that a search can see."""
        return not (self.outdated or self.committed or self.uncommitted)


def freshness(connection: sqlite3.Connection, source: Source) -> Freshness:
    """Compare the tables with the store. Costs a look at every file of the work tree.

    Raises:
        GitError: git refused.
    """
    now = held(connection)
    head = source.head()
    seen = source.uncommitted()
    work: dict[MemoryPath, BlobId | None] = {**seen.present, **dict.fromkeys((*seen.deleted, *seen.unsafe))}
    known: dict[MemoryPath, BlobId | None] = dict(connection.execute(_WORK))
    differing = {path for path in work.keys() | known.keys() if (path in work) != (path in known)}
    differing |= {path for path in work.keys() & known.keys() if work[path] != known[path]}
    return Freshness(
        now.head,
        head,
        now.projection != PROJECTION,
        tuple(sorted(_committed(connection, source, now.head, head))),
        tuple(sorted(differing)),
    )


def _committed(
    connection: sqlite3.Connection, source: Source, old: CommitId | None, new: CommitId | None
) -> set[MemoryPath]:
    if old == new:
        return set()
    if old is not None and new is not None:
        try:
            return {change.path for change in source.changes(old, new)}
        except GitError:
            # The indexed commit is gone; the trees can still be compared.
            pass
    known: dict[MemoryPath, BlobId] = dict(connection.execute(_BRANCH))
    tree = {} if new is None else {entry.path: entry.blob for entry in source.tree(new)}
    return {path for path in known.keys() | tree.keys() if known.get(path) != tree.get(path)}
