"""What the store holds, committed and not: for readers, who never wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from memhtml.domain.errors import GitError, UnsafeFileError
from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.domain.paths import ROOTS, is_memory_path
from memhtml.store.files import WorkTree
from memhtml.store.git import Git
from memhtml.store.objects import FILE_MODES, blob_id

_AT_ONCE = 500  # so that memory stays bounded however many are asked for


class TreeEntry(Struct, frozen=True):
    """A memory's file in a commit."""

    path: MemoryPath
    blob: BlobId
    mode: str


class Change(Struct, frozen=True):
    """What happened to one path between two commits.

    Attributes:
        path: the path.
        blob: what it holds now; ``None`` when it is gone, or no plain file any more.
        previous: where the file came from, when git sees a rename. The old path is then reported too, as gone.
    """

    path: MemoryPath
    blob: BlobId | None
    previous: MemoryPath | None = None


class UncommittedChanges(Struct, frozen=True):
    """What the work tree holds beyond the branch.

    Attributes:
        present: edited and untracked memories, with the blob ids that they would have.
        deleted: memories of the branch that are not in the work tree.
        unsafe: memory paths where a link, a device or a FIFO stands; never followed.
    """

    present: dict[MemoryPath, BlobId] = field(default_factory=dict[MemoryPath, BlobId])
    deleted: frozenset[MemoryPath] = frozenset()
    unsafe: frozenset[MemoryPath] = frozenset()

    @property
    def paths(self) -> tuple[MemoryPath, ...]:
        """All of them, in path order."""
        return tuple(sorted({*self.present, *self.deleted, *self.unsafe}))


def tree(git: Git, commit: CommitId) -> Iterator[TreeEntry]:
    """The memories of ``commit``, in path order; links and the files of other kinds are left out.

    Raises:
        GitError: there is no such commit.
    """
    for line in git.run("ls-tree", "-r", "-z", commit, "--", *ROOTS).split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        mode, _, blob = facts.decode().split(" ")
        path = name.decode(errors="surrogateescape")
        if mode in FILE_MODES and is_memory_path(path):
            yield TreeEntry(MemoryPath(path), BlobId(blob), mode)


def changes(git: Git, old: CommitId, new: CommitId) -> Iterator[Change]:
    """What happened to memories from ``old`` to ``new``, in path order of the new side. A rename gives two changes.

    Raises:
        GitError: one of them is not, or no longer, in the repository.
    """
    printed = git.run("diff-tree", "-r", "-M", "-z", "--raw", "--full-index", old, new, "--", *ROOTS)
    fields = iter(printed.decode(errors="surrogateescape").split("\0")[:-1])
    for facts in fields:
        _, mode, _, blob, status = facts.removeprefix(":").split(" ")
        source = next(fields)
        target = next(fields) if status[0] in "RC" else source
        renamed = status[0] == "R"
        if renamed and is_memory_path(source):
            yield Change(MemoryPath(source), None)
        if is_memory_path(target):
            previous = MemoryPath(source) if renamed and is_memory_path(source) else None
            yield Change(MemoryPath(target), BlobId(blob) if mode in FILE_MODES else None, previous)


def uncommitted(git: Git, files: WorkTree, like: CommitId | None) -> UncommittedChanges:
    """What differs from the branch. Costs a look at every file. ``like`` is any commit: ids are as long as its id.

    Raises:
        GitError: git refused.
        StorageError: a file cannot be read.
    """
    printed = git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *ROOTS)
    present: dict[MemoryPath, BlobId] = {}
    deleted: set[MemoryPath] = set()
    unsafe: set[MemoryPath] = set()
    for line in printed.decode(errors="surrogateescape").split("\0")[:-1]:
        path = MemoryPath(line[3:])
        if not is_memory_path(path):
            continue
        try:
            data = files.read(path)
        except UnsafeFileError:
            unsafe.add(path)
            continue
        if data is not None:
            present[path] = blob_id(data, like)
        elif line[0] != "A":  # staged as new and taken away again: the branch never had it
            deleted.add(path)
    return UncommittedChanges(present, frozenset(deleted), frozenset(unsafe))


def blobs(git: Git, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]]:
    """Each of ``ids`` with its bytes, in the order given.

    Raises:
        GitError: one is missing.
    """
    for start in range(0, len(ids), _AT_ONCE):
        portion = ids[start : start + _AT_ONCE]
        printed = git.run("cat-file", "--batch", given="".join(f"{one}\n" for one in portion).encode())
        position = 0
        for one in portion:
            end = printed.index(b"\n", position)
            header = printed[position:end].split()
            if len(header) != 3:  # noqa: PLR2004 - id, kind, size; "missing" is two words
                raise GitError(f"the file {one[:12]} is missing", suggestions=("git fsck says what is broken",))
            size = int(header[2])
            yield one, printed[end + 1 : end + 1 + size]
            position = end + size + 2
