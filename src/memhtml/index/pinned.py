"""A store held still: its branch at one commit, and its work tree as it was looked at once, or left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.index.source import Change, Entry, Source, Uncommitted


class Clean(Struct, frozen=True):
    """A work tree that is what the branch is."""

    present: dict[MemoryPath, BlobId] = field(default_factory=dict[MemoryPath, BlobId])
    deleted: frozenset[MemoryPath] = frozenset()
    unsafe: frozenset[MemoryPath] = frozenset()


class Pinned:
    """``source`` at ``commit``, with the differences ``work`` of the work tree."""

    def __init__(self, source: Source, commit: CommitId | None, work: Uncommitted) -> None:
        self._source = source
        self._commit = commit
        self._work = work

    def head(self) -> CommitId | None:
        """The commit it is pinned to."""
        return self._commit

    def tree(self, commit: CommitId | None = None) -> Iterator[Entry]:
        """Every memory in ``commit``, by default the one it is pinned to."""
        return self._source.tree(commit or self._commit)

    def changes(self, old: CommitId, new: CommitId) -> Iterator[Change]:
        """What differs between two commits."""
        return self._source.changes(old, new)

    def uncommitted(self) -> Uncommitted:
        """The differences that it was given."""
        return self._work

    def read_work(self, path: MemoryPath) -> bytes:
        """The file at ``path`` in the work tree."""
        return self._source.read_work(path)

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]]:
        """The contents of blobs."""
        return self._source.blobs(ids)
