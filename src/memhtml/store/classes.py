"""What the commits of a run do, file by file, in the words in which a person reviews them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from memhtml.domain.memory import BlobId, CommitId, ContentHash, MemoryPath
from memhtml.domain.paths import is_archived, is_memory_path, original_path
from memhtml.store.chain import Delta, Step, steps
from memhtml.store.git import Git
from memhtml.store.reading import blobs

CREATED = "created"
DELETED = "deleted"
ARCHIVED = "archived"
MOVED = "moved"
META_ONLY = "meta-only"
BODY_CHANGED = "body-changed"
KINDS = (CREATED, BODY_CHANGED, META_ONLY, MOVED, ARCHIVED, DELETED)


class Changed(Struct, frozen=True):
    """One file of a commit. A file that went elsewhere is one, not two.

    Attributes:
        path: where it is after the commit; for a deleted one, where it was.
        kind: one of `KINDS`. ``meta-only`` has the content hash that it had.
        previous: where an archived or moved one was.
        old: its blob before; ``None`` for a created one.
        new: its blob after; ``None`` for a deleted one.
    """

    path: str
    kind: str
    previous: str | None
    old: BlobId | None
    new: BlobId | None

    @property
    def paths(self) -> tuple[str, ...]:
        """All the places that it has in this commit."""
        return (self.path,) if self.previous is None else (self.path, self.previous)


class RunCommit(Struct, frozen=True):
    """One commit of a run.

    Attributes:
        trailers: name and value, in the order of the message; some names come more than once.
        changed: its files, in path order; empty when it only says that a phase was done.
        message: all of it.
    """

    commit: CommitId
    subject: str
    trailers: tuple[tuple[str, str], ...]
    changed: tuple[Changed, ...]
    message: str


def commits(git: Git, base: CommitId, tip: CommitId) -> tuple[RunCommit, ...]:
    """The commits from ``base`` to ``tip``, oldest first.

    Raises:
        GitError: one of them, or a file of one, is not in the repository.
    """
    chain = steps(git, base, tip)
    return tuple(
        RunCommit(step.commit, step.subject, step.trailers, files, step.text)
        for step, files in zip(chain, classified(git, chain), strict=True)
    )


def classified(git: Git, chain: Sequence[Step]) -> tuple[tuple[Changed, ...], ...]:
    """The files of each step, in path order.

    Raises:
        GitError: one is not in the repository.
    """
    hashes = _content_hashes(git, [delta for step in chain for delta in step.deltas])
    return tuple(tuple(sorted(_files(step.deltas, hashes), key=lambda file: file.path)) for step in chain)


def numbers(git: Git, chain: Sequence[Step]) -> tuple[int, ...]:
    """How many files each step has, as `classified` counts them, without a look at those that stay where they are.

    Raises:
        GitError: one is not in the repository.
    """
    loose = [delta for step in chain for delta in step.deltas if delta.old is None or delta.new is None]
    hashes = _content_hashes(git, loose)
    return tuple(sum(1 for _ in _files(step.deltas, hashes)) for step in chain)


def _files(deltas: Sequence[Delta], hashes: Mapping[BlobId, ContentHash]) -> Iterator[Changed]:
    gone = {delta.path: delta for delta in deltas if delta.new is None}
    for delta in deltas:
        if delta.new is None:
            continue
        if delta.old is not None:
            before, after = hashes.get(delta.old), hashes.get(delta.new)
            kind = META_ONLY if before is not None and before == after else BODY_CHANGED
            yield Changed(delta.path, kind, None, delta.old, delta.new)
            continue
        source = _source(delta, gone, hashes)
        if source is None:
            yield Changed(delta.path, CREATED, None, None, delta.new)
            continue
        gone.pop(source.path)
        put_away = is_archived(MemoryPath(delta.path)) and not is_archived(MemoryPath(source.path))
        yield Changed(delta.path, ARCHIVED if put_away else MOVED, source.path, source.old, delta.new)
    for delta in gone.values():
        yield Changed(delta.path, DELETED, None, delta.old, None)


def _source(delta: Delta, gone: Mapping[str, Delta], hashes: Mapping[BlobId, ContentHash]) -> Delta | None:
    """Which of the files that are gone this new one is: by the algebra of the archive, else by its content."""
    path = MemoryPath(delta.path)
    if original_path(path) != path and original_path(path) in gone:
        return gone[original_path(path)]
    wanted = None if delta.new is None else hashes.get(delta.new)
    for other in gone.values():  # in path order
        if original_path(MemoryPath(other.path)) == path:
            return other
        if wanted is not None and other.old is not None and hashes.get(other.old) == wanted:
            return other
    return None


def _content_hashes(git: Git, deltas: Sequence[Delta]) -> dict[BlobId, ContentHash]:
    """The content hash of each memory that is compared with another; none for a file that breaks the format."""
    from memhtml.page.read import read

    wanted: dict[BlobId, None] = {}
    for delta in deltas:
        if is_memory_path(delta.path):
            wanted.update((blob, None) for blob in (delta.old, delta.new) if blob is not None)
    found: dict[BlobId, ContentHash] = {}
    for blob, data in blobs(git, tuple(wanted)):
        facts = read(data).facts
        if facts is not None:
            found[blob] = facts.content_hash
    return found
