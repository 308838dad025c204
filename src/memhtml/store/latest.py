"""The last commit of this process as it was made, so that the index follows it without asking git what it was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.domain.paths import is_memory_path
from memhtml.store import commits
from memhtml.store.objects import blob_id
from memhtml.store.reading import Change

MOST = 64
"""Files of a commit that is kept in mind; a larger one is read back, which then costs little beside making it."""


class Latest(Struct, frozen=True):
    """What one commit did to memories.

    Attributes:
        base: the commit that it was made on.
        commit: the commit.
        changes: as `reading.changes` gives them: what is gone first.
        contents: of the blobs that it brought.
    """

    base: CommitId
    commit: CommitId
    changes: tuple[Change, ...]
    contents: Mapping[BlobId, bytes]

    def between(self, old: CommitId, new: CommitId) -> bool:
        """Whether this is the whole way from ``old`` to ``new``."""
        return (old, new) == (self.base, self.commit)

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]] | None:
        """Each of ``ids`` with its bytes, in the order given; ``None`` when one of them is not of this commit."""
        if not all(one in self.contents for one in ids):
            return None
        return ((one, self.contents[one]) for one in ids)


def latest(
    base: CommitId | None, commit: CommitId, made: Sequence[commits.Change], moves: Mapping[str, str]
) -> Latest | None:
    """What is kept of a commit; ``None`` for the first of a branch, and for one of many files.

    Args:
        base: what it was made on.
        commit: what was made.
        made: its changes.
        moves: where files of it were moved from, by where they are now.
    """
    if base is None or len(made) > MOST:
        return None
    files = [(change.path, change.data) for change in made if is_memory_path(change.path)]
    contents = {blob_id(data, base): data for _, data in files if data is not None}
    return Latest(base, commit, tuple(_changes(files, base, moves)), contents)


def _changes(files: Sequence[tuple[str, bytes | None]], like: CommitId, moves: Mapping[str, str]) -> Iterable[Change]:
    for path, data in sorted(files, key=lambda file: (file[1] is not None, file[0])):
        if data is None:
            yield Change(MemoryPath(path), None)
        else:
            source = moves.get(path)
            yield Change(MemoryPath(path), blob_id(data, like), None if source is None else MemoryPath(source))
