"""A store with more memories than it has: for an index that is made to hold them, while the store stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.index.source import Change, Entry, Source, Uncommitted
from memhtml.store.objects import blob_id
from memhtml.store.reading import UncommittedChanges


class Overlaid:
    """``source``, with ``files`` as if somebody had saved them in its work tree."""

    def __init__(self, source: Source, files: Mapping[MemoryPath, bytes]) -> None:
        self._source = source
        self._files = files

    def head(self) -> CommitId | None:
        """The commit of the branch."""
        return self._source.head()

    def tree(self, commit: CommitId | None = None) -> Iterator[Entry]:
        """Every memory in ``commit``, by default the branch; the files are in none."""
        return self._source.tree(commit)

    def changes(self, old: CommitId, new: CommitId) -> Iterator[Change]:
        """What differs between two commits."""
        return self._source.changes(old, new)

    def uncommitted(self) -> Uncommitted:
        """How the work tree differs from the branch, with the files in it."""
        found = self._source.uncommitted()
        like = self._source.head()
        added = {path: blob_id(data, like) for path, data in self._files.items()}
        return UncommittedChanges(
            {**found.present, **added}, frozenset(found.deleted - added.keys()), frozenset(found.unsafe - added.keys())
        )

    def read_work(self, path: MemoryPath) -> bytes:
        """The file at ``path``: one of the files, or the work tree's."""
        data = self._files.get(path)
        return self._source.read_work(path) if data is None else data

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]]:
        """The contents of blobs."""
        return self._source.blobs(ids)
