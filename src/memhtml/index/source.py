"""What the index asks of a store: the two trees that it projects, and what changed between states of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from memhtml.domain.memory import BlobId, CommitId, MemoryPath


class Entry(Protocol):
    """A file in a commit."""

    @property
    def path(self) -> MemoryPath:
        """Where it is."""
        ...

    @property
    def blob(self) -> BlobId:
        """What it holds."""
        ...


class Change(Protocol):
    """A path that differs between two commits; a rename is the old path gone and the new one there."""

    @property
    def path(self) -> MemoryPath:
        """Where."""
        ...

    @property
    def blob(self) -> BlobId | None:
        """What the later commit holds there; ``None``: nothing."""
        ...

    @property
    def previous(self) -> MemoryPath | None:
        """Where git thinks that it was renamed from."""
        ...


class Uncommitted(Protocol):
    """How the work tree differs from the branch."""

    @property
    def present(self) -> Mapping[MemoryPath, BlobId]:
        """Edited and untracked memories, with the blob that git would make of each."""
        ...

    @property
    def deleted(self) -> AbstractSet[MemoryPath]:
        """Memories of the branch that are not in the work tree."""
        ...

    @property
    def unsafe(self) -> AbstractSet[MemoryPath]:
        """Paths of memories where a link, a device or a FIFO stands: for the index, nothing."""
        ...


class Source(Protocol):
    """A store, as far as the index reads it. Only paths of memories are ever given."""

    def head(self) -> CommitId | None:
        """The commit of the branch; ``None`` before the first one."""
        ...

    def tree(self, commit: CommitId | None = None) -> Iterator[Entry]:
        """Every memory in ``commit`` (by default the branch)."""
        ...

    def changes(self, old: CommitId, new: CommitId) -> Iterator[Change]:
        """What differs between two commits.

        Raises:
            GitError: one of them is unknown.
        """
        ...

    def uncommitted(self) -> Uncommitted:
        """How the work tree differs from the branch."""
        ...

    def read_work(self, path: MemoryPath) -> bytes:
        """The file at ``path`` in the work tree.

        Raises:
            PathNotFoundError: nothing is there.
            UnsafeFileError: it is no ordinary file.
        """
        ...

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]]:
        """The contents of blobs."""
        ...
