"""A memory store's repository: the door to everything in this floor."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from memhtml.domain.errors import LockedError, PathNotFoundError, StorageError
from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.store.files import WorkTree
from memhtml.store.git import Git
from memhtml.store.journal import Journal
from memhtml.store.layout import Layout, locate
from memhtml.store.refs import read_head, refuse_unless_on_branch

# A search opens the store and looks at its head: what only a write, or doctor, needs is imported there.
if TYPE_CHECKING:
    from memhtml.store.checking import Finding
    from memhtml.store.latest import Latest
    from memhtml.store.past import Revision
    from memhtml.store.reading import Change, TreeEntry, UncommittedChanges
    from memhtml.store.settling import Site
    from memhtml.store.snapshot import Snapshot
    from memhtml.store.transaction import Made, Transaction

DEFAULT_WAIT = 30.0
"""Seconds that a writer waits for another."""
_DYING = 10.0
"""Seconds that git children of a killed writer are given to end: they may be in the middle of a slow disk's sync."""


class Repository:
    """One store. Holds no open file and no process between calls, so threads may share it.

    Attributes:
        layout: where its parts lie.
        git: its git, for readers.
        wait: seconds to wait for another writer.
    """

    def __init__(self, layout: Layout, git: Git, lock_wait: float) -> None:
        self.layout = layout
        self.git = git
        self.wait = lock_wait
        self._files = WorkTree(layout.root)
        self._journal = Journal(layout.desk)
        self._lock = layout.desk / "lock"
        self._latest: Latest | None = None
        self._made: Made | None = None
        self._transaction: Transaction | None = None

    @classmethod
    def open(cls, root: Path, *, environment: Mapping[str, str], lock_wait: float = DEFAULT_WAIT) -> Self:
        """The store at ``root``. Starts no process.

        Args:
            root: its folder; folders above are never looked at.
            environment: what the process was started with.
            lock_wait: seconds to wait for another writer.

        Raises:
            StoreMissingError: nothing is there.
            NotAStoreError: something else is there.
            StorageError: it may not be looked at.
        """
        layout = locate(root)
        return cls(layout, Git(layout.root, layout.gitdir, dict(environment)), lock_wait)

    @property
    def root(self) -> Path:
        """The store's folder, without symbolic links in it."""
        return self.layout.root

    def stands(self) -> bool:
        """Whether it still is where it was opened: nobody has taken it away since."""
        return (self.layout.gitdir / "HEAD").exists() and self.layout.root.is_dir()

    def head(self) -> CommitId | None:
        """The commit that is checked out, ``None`` before the first. Reads two small files.

        Raises:
            GitError: HEAD cannot be read.
        """
        return read_head(self.layout, self.git).commit

    def branch(self) -> str | None:
        """The branch that is checked out, ``main``; ``None`` when HEAD is detached.

        Raises:
            GitError: HEAD cannot be read.
        """
        name = read_head(self.layout, self.git).branch
        return None if name is None else name.removeprefix("refs/heads/")

    @contextmanager
    def transaction(self) -> Generator[Transaction]:
        """Hold the writers' lock, finish what was cut off, and judge everything on the branch as it is then.

        Leaving without `Transaction.commit` changes nothing.

        Raises:
            LockedError: another writer held the store for longer than the wait; names it.
            GitError: HEAD is detached, or a merge, rebase or the like is under way.
            StorageError: the store cannot be written.
        """
        from memhtml.store.objects import Objects
        from memhtml.store.snapshot import Snapshot
        from memhtml.store.staleness import clear_stale
        from memhtml.store.transaction import Transaction

        with self.locked() as site:
            _settle_if_pending(site)
            clear_stale(self.layout, read_head(self.layout, site.git).branch, wait=self.wait)
            # Only now: a git that was waited for has moved the branch.
            head = read_head(self.layout, site.git)
            refuse_unless_on_branch(self.layout, head)
            with Objects(self.layout, site.git) as objects:
                transaction = Transaction(site, Snapshot(objects, head.commit))
                self._transaction = transaction
                try:
                    yield transaction
                finally:
                    self._latest = transaction.latest or self._latest
                    self._made, self._transaction = transaction.made or self._made, None

    def acknowledged(self) -> Made | None:
        """The last commit that was made here, if the branch holds it: for who was cut short and must say what is done.

        Raises:
            GitError: git cannot tell.
        """
        made = self._made if self._transaction is None else self._transaction.made or self._made
        head = self.head()
        if made is None or head is None:
            return None
        if head != made.commit and self.git.start("merge-base", "--is-ancestor", made.commit, head).outcome()[0] != 0:
            return None
        return made

    def recover_if_needed(self) -> bool:
        """Finish or undo what a killed command left; whether there was something. Costs one ``stat`` when not.

        A live writer's journal is left alone, without waiting. Children of a dead one are waited for: they end soon.
        A store that cannot be written stays as it is.
        """
        if not self._journal.pending():
            return False
        with suppress(LockedError, StorageError), self.locked(0.0) as site:
            return _settle_if_pending(site)
        from memhtml.store.lock import holder_died

        if holder_died(self._lock):
            with suppress(LockedError, StorageError), self.locked(min(self.wait, _DYING)) as site:
                return _settle_if_pending(site)
        return False

    def tree(self, commit: CommitId | None = None) -> Iterator[TreeEntry]:
        """The memories of ``commit`` (none: of HEAD), in path order; nothing before the first commit.

        Raises:
            GitError: there is no such commit.
        """
        from memhtml.store import reading

        chosen = commit or self.head()
        return iter(()) if chosen is None else reading.tree(self.git, chosen)

    def changes(self, old: CommitId, new: CommitId) -> Iterator[Change]:
        """What happened to memories from ``old`` to ``new``; a rename is two changes, the old path gone first.

        Raises:
            GitError: one of them is not, or no longer, in the repository.
        """
        own = self._latest
        if own is not None and own.between(old, new):
            return iter(own.changes)
        from memhtml.store import reading

        return reading.changes(self.git, old, new)

    def uncommitted(self) -> UncommittedChanges:
        """What the work tree holds beyond the branch. Costs a look at every file.

        Raises:
            GitError: git refused.
            StorageError: a file cannot be read.
        """
        from memhtml.store import reading

        return reading.uncommitted(self.git, self._files, self.head())

    def read_work(self, path: MemoryPath) -> bytes:
        """The bytes at ``path`` in the work tree.

        Raises:
            PathNotFoundError: nothing is there.
            UnsafeFileError: a link, device, FIFO or folder is there, or a link is on the way.
            StorageError: it cannot be read.
        """
        data = self._files.read(path)
        if data is None:
            raise PathNotFoundError(f"there is no {path} in the store")
        return data

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[tuple[BlobId, bytes]]:
        """Each of ``ids`` with its bytes, in the order given.

        Raises:
            GitError: one is missing.
        """
        own = None if self._latest is None else self._latest.blobs(ids)
        if own is not None:
            return own
        from memhtml.store import reading

        return reading.blobs(self.git, ids)

    @contextmanager
    def snapshot(self, commit: CommitId | None = None) -> Generator[Snapshot]:
        """The files of ``commit`` (none: of HEAD), by path, without a lock.

        Raises:
            GitError: there is no such commit.
        """
        from memhtml.store.objects import Objects
        from memhtml.store.snapshot import Snapshot

        with Objects(self.layout, self.git) as objects:
            yield Snapshot(objects, commit or self.head())

    def history(self, path: MemoryPath) -> tuple[Revision, ...]:
        """The commits that changed the memory at ``path``, newest first, through every move; empty for an unknown path.

        Raises:
            GitError: git refused.
        """
        from memhtml.store import past

        head = self.head()
        return () if head is None else past.history(self.git, path, head)

    def commit_at(self, moment: str) -> CommitId:
        """The commit that ``moment`` names: an instant (the newest commit not after it), or a commit's id.

        Raises:
            PathNotFoundError: the store has no commit so old, or none with that id.
        """
        from memhtml.store import past

        head = self.head()
        if head is None:
            raise PathNotFoundError("the store has no commit yet")
        return past.commit_at(self.git, moment, head)

    def check(self) -> Iterator[Finding]:
        """Everything that is wrong with the repository and the work tree, for doctor. Git reads every object for it.

        Raises:
            GitError: git cannot even look.
        """
        from memhtml.store.checking import check

        return check(self.layout, self.git, self._journal)

    def repair(self) -> tuple[str, ...]:
        """Finish what was cut off, free stale locks, take away half-made files; the paths of those, in path order.

        What is left of runs of sleep that are gone, or were half made, goes too. What a clone lacks of settings
        ``init`` brings.

        Raises:
            LockedError: another writer is at work.
            StorageError: something cannot be written.
            GitError: git refused.
        """
        from memhtml.store.checking import repair
        from memhtml.store.halves import clear
        from memhtml.store.settling import settle

        with self.locked() as site:
            settle(site)
            clear(self.layout.common, site.git, command=command_line())
            return repair(self.layout)

    def maintain(self) -> None:
        """Let git pack what has gathered, if it finds that worth while. Seconds, so never on a write's way.

        Raises:
            GitError: git refused.
        """
        self.git.run("-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "maintenance", "run", "--auto", "--quiet")

    @contextmanager
    def locked(self, wait: float | None = None) -> Generator[Site]:
        """Hold the writers' lock, and nothing else: what was cut off is not looked at.

        Args:
            wait: seconds to wait for another writer; ``None`` is what the store was opened with.

        Raises:
            LockedError: another writer held the store for longer; names it.
            StorageError: the lock cannot be made.
        """
        from memhtml.store.lock import locked
        from memhtml.store.settling import Site

        seconds = self.wait if wait is None else wait
        with locked(self._lock, wait=seconds, command=command_line()) as descriptor:
            yield Site(self.layout, self.git.holding(descriptor), self._files, self._journal, seconds)


def _settle_if_pending(site: Site) -> bool:
    if not site.journal.pending():
        return False
    from memhtml.store.settling import settle

    settle(site)
    return True


def command_line() -> str:
    """What this process is, for those who wait for it."""
    # The program and its verb; what follows may be the text of a memory.
    words = sys.argv[:2]
    return " ".join([Path(words[0]).name, *words[1:]]) if words else "python"
