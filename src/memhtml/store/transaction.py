"""One change of the store: staged in memory, then committed whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress

from msgspec import Struct

from memhtml.domain.errors import (
    DirtyTreeError,
    GitError,
    MemhtmlError,
    PathNotFoundError,
    UnsafeFileError,
    WriteConflictError,
)
from memhtml.domain.memory import BlobId, CommitId, ContentHash, Instant, MemoryPath
from memhtml.store.commits import Change, Importing, Moving, Order, Signature, move_branch
from memhtml.store.git import Git
from memhtml.store.gitindex import Holding, Look, changed
from memhtml.store.identity import Asking
from memhtml.store.journal import Intent
from memhtml.store.latest import Latest, latest
from memhtml.store.message import Wording, message
from memhtml.store.names import refuse_foreign, twin_key
from memhtml.store.objects import Entry, any_id, blob_id
from memhtml.store.settling import Site, settle, work_blob
from memhtml.store.snapshot import Snapshot

_SHOWN = 5


def _nothing() -> None:
    """What is done meanwhile, unless there is something."""


class Made(Struct, frozen=True):
    """A commit, and the paths that it changes, in path order."""

    commit: CommitId
    paths: tuple[str, ...]


class Transaction:
    """What `Repository.transaction` gives: the lock is held as long as its ``with`` block, and only `commit` writes.

    Attributes:
        base: the commit on which everything is judged; ``None`` on a branch without commits.
        hashes: content of the memories put here, no tasks: a batch finds its own duplicates by it.
        latest: its last commit, for those who follow the branch.
        made: the last commit that it was about to put on the branch; whether it is there the branch says.
    """

    def __init__(self, site: Site, snapshot: Snapshot) -> None:
        self.base = snapshot.commit
        self._like = any_id(site.git, snapshot.commit)
        self._site = site
        self._snapshot = snapshot
        self._changes: dict[str, bytes | None] = {}
        self._twins: dict[str, dict[str, str]] = {}
        self._put_names: dict[str, set[str]] = {}
        self._adopted: set[str] = set()
        self._moves: dict[str, str] = {}
        self.latest: Latest | None = None
        self.made: Made | None = None
        self.hashes: dict[ContentHash, MemoryPath] = {}

    @property
    def git(self) -> Git:
        """The git of this transaction: its children hold the lock too."""
        return self._site.git

    def read(self, path: str) -> bytes | None:
        """The bytes at ``path`` in the branch, as this transaction changes it; ``None`` when nothing is there.

        Raises:
            UnsafeFileError: the branch holds a symbolic link there.
        """
        return self._changes[path] if path in self._changes else self._snapshot.read(path)

    def exists(self, path: str) -> bool:
        """Whether a file is at ``path`` in the branch, as this transaction changes it."""
        if path in self._changes:
            return self._changes[path] is not None
        entry = self._snapshot.entry(path)
        return entry is not None and not entry.is_folder

    def names(self, folder: str) -> tuple[str, ...]:
        """Names in ``folder``, sorted: those of the branch, and of what this transaction has put there."""
        return tuple(sorted({*self._snapshot.entries(folder), *self._put_names.get(folder, ())}))

    def taken(self, path: str) -> bool:
        """Whether a new file cannot go to ``path``: something is there, in the branch or uncommitted, or a twin is.

        A twin is a name that another system takes for the same: ``Drain.html`` beside ``drain.html``.

        Raises:
            WriteConflictError: a folder of the way has a twin, or is a file: no name in it would do.
            UnsafeFileError: a symbolic link is on the way.
        """
        self._refuse_crooked_way(path)
        folder, _, name = path.rpartition("/")
        return twin_key(name) in self._siblings(folder)

    def put(self, path: str, data: bytes) -> None:
        """Make ``data`` the file at ``path``.

        Raises:
            InvalidPathError: memhtml writes no such path.
            WriteConflictError: a twin is there, or a file where a folder is needed.
            UnsafeFileError: a symbolic link is there, or on the way.
        """
        refuse_foreign(path)
        self._refuse_crooked_way(path)
        folder, _, name = path.rpartition("/")
        siblings = self._siblings(folder)
        twin = siblings.get(twin_key(name), name)
        if twin != name:
            _refuse_twin(path, f"{folder}/{twin}" if folder else twin)
        entry = self._snapshot.entry(path)
        if entry is not None and not entry.is_file:
            raise UnsafeFileError(f"{path} is a folder or a symbolic link in the branch, and no file")
        siblings[twin_key(name)] = name
        self._changes[path] = data
        while path:
            path, _, name = path.rpartition("/")
            self._put_names.setdefault(path, set()).add(name)

    def remove(self, path: str) -> None:
        """Take the file at ``path`` out of the branch.

        Raises:
            PathNotFoundError: none is there.
        """
        if not self.exists(path):
            raise PathNotFoundError(f"there is no {path} in the store")
        self._changes[path] = None
        folder, _, name = path.rpartition("/")
        self._siblings(folder).pop(twin_key(name), None)

    def move(self, old: str, new: str, data: bytes) -> None:
        """Make ``data`` the file at ``new``, and take ``old`` away.

        Raises:
            PathNotFoundError: nothing is at ``old``.
            WriteConflictError: something is at ``new``.
            InvalidPathError: memhtml writes no such path.
        """
        if not self.exists(old):
            raise PathNotFoundError(f"there is no {old} in the store")
        if self.taken(new):
            raise WriteConflictError(f"{new} is taken", suggestions=("move what is there out of the way first",))
        self.put(new, data)
        self.remove(old)
        self._moves[new] = old

    def work(self, path: str) -> bytes | None:
        """The bytes at ``path`` in the work tree, whatever the branch holds; ``None`` when nothing is there.

        Raises:
            UnsafeFileError: no plain file is there, or a link is on the way.
            StorageError: it cannot be read.
        """
        return self._site.files.read(path)

    def untracked(self, path: str) -> bool:
        """Whether the work tree has a file at ``path`` that the branch has not.

        Raises:
            UnsafeFileError: no plain file is there, or a link is on the way.
            StorageError: it cannot be read.
        """
        return self._snapshot.blob(path) is None and self.work(path) is not None

    def adopt(self, path: str) -> None:
        """Let the untracked file at ``path`` be written over and committed: for the command that says so."""
        self._adopted.add(path)

    def commit(
        self,
        words: str | Wording,
        trailers: Iterable[tuple[str, str]] = (),
        *,
        when: Instant | None = None,
        meanwhile: Callable[[], None] = _nothing,
        merging: CommitId | None = None,
        empty: bool = False,
    ) -> CommitId:
        """Make one commit of everything that was put, durably, and bring work tree and git index along.

        The transaction then stands on that commit, and may go on. When nothing differs from the branch there is no
        commit, and ``base`` comes back. On a refusal branch, index and work tree are as they were. Once the branch
        has moved the change is acknowledged: what then cannot be brought along the next command does, by the journal.

        Args:
            words: first line of the message, or that and a text below it.
            trailers: name and value.
            when: the commit's date; ``None`` is now.
            meanwhile: done while git writes the commit.
            merging: a second parent, whose files the ones that were put are; such a commit may change nothing.
            empty: whether there is a commit even if nothing differs, for the sake of its message.

        Raises:
            DirtyTreeError: a person's uncommitted change stands where this would write.
            WriteConflictError: the branch moved meanwhile.
            LockedError: a git process holds the branch.
            StorageError: disk full or read-only.
            GitError: git refused.
        """
        changes = self._differing()
        if not (changes or merging or empty):
            if self.base is None:
                raise GitError("there is nothing to commit, and no commit yet")
            return self.base
        parents = tuple(one for one in (self.base, merging) if one is not None)
        text = message(words, trailers)
        paths, git = [change.path for change in changes], self._site.git
        # The looks first: the order waits for their answers, and git for the order.
        with (
            closing(Look(git, paths)) as look,
            closing(Asking(git)) as asking,
            Importing.of_one(git, when) as importing,
        ):
            found = self._inspected(paths, look)
            order = Order(parents, changes, text, Signature(asking.answer(), when))
            # Objects that nothing names are no change yet: they come to the disk while the journal and the files do.
            importing.give(order)
            intents = tuple(self._intent(change, found[change.path]) for change in changes)
            self._site.journal.write(intents)
            try:
                staged = [(one.path, one.data, number) for number, one in enumerate(changes) if one.data is not None]
                self._site.files.stage_all(staged)
                commit, index = self._land(importing, order, meanwhile)
            except BaseException:
                with suppress(MemhtmlError):
                    settle(self._site)
                raise
        with suppress(MemhtmlError):
            self._follow(changes, intents, found, index)
        self.latest = latest(self.base, commit, changes, self._moves)
        self._changes.clear()
        self._moves.clear()
        self.base, self._snapshot = commit, self._snapshot.at(commit)
        return commit

    def _differing(self) -> tuple[Change, ...]:
        """The staged changes that the branch does not hold already, in path order."""
        found: list[Change] = []
        for path, data in sorted(self._changes.items()):
            entry = self._snapshot.entry(path)
            old = self._snapshot.blob(path)
            new = None if data is None else blob_id(data, self._like)
            if old != new:
                found.append(Change(path, data, "100644" if entry is None else entry.mode))
        return tuple(found)

    def _intent(self, change: Change, found: BlobId | None) -> Intent:
        old = self._snapshot.blob(change.path)
        new = None if change.data is None else blob_id(change.data, self._like)
        # An adopted file is a person's until the commit: it is not undone with the rest.
        return Intent(change.path, old, new, old if change.path in self._adopted else found)

    def _inspected(self, paths: Sequence[str], look: Look) -> dict[str, BlobId | None]:
        """What the work tree holds at ``paths``, which must be nobody's uncommitted change."""
        found = {path: work_blob(self._site.files, path, self._like) for path in paths}
        self._refuse_dirty(found, look.entries())
        return found

    def _land(self, importing: Importing, order: Order, meanwhile: Callable[[], None]) -> tuple[CommitId, Holding]:
        """Make the commit and let the branch stand on it; the index is held since before.

        Each git is begun while the one before it is at work: to start takes them longer than what they then do.
        """
        with Moving(self._site.git, order.message.partition("\n")[0]) as moving:
            meanwhile()
            commit = importing.commit()
            self.made = Made(commit, tuple(change.path for change in order.changes))
            index = Holding(self._site.git)
            try:
                move_branch(moving, self._site.layout, self.base, commit)
            except BaseException:
                index.close()
                raise
        return commit, index

    def _follow(
        self,
        changes: Sequence[Change],
        intents: Sequence[Intent],
        found: Mapping[str, BlobId | None],
        index: Holding,
    ) -> None:
        """Bring work tree and index to the new commit; a person's edit that came meanwhile stays."""
        entries = [
            (change.path, None if intent.new is None else Entry(change.mode, intent.new))
            for change, intent in zip(changes, intents, strict=True)
        ]
        try:
            self._bring(changes, found)
        except BaseException:
            index.close()
            raise
        index.set(entries, self._like)
        self._site.journal.drop()

    def _bring(self, changes: Sequence[Change], found: Mapping[str, BlobId | None]) -> None:
        """Put the files in their places, which took their bytes before the commit."""
        files = self._site.files
        for number, change in enumerate(changes):
            before = found[change.path]
            if before is not None and work_blob(files, change.path, self._like) != before:
                files.discard(change.path, number)
            elif change.data is None:
                files.remove(change.path)
            elif not files.publish(change.path, number, fresh=before is None):
                files.discard(change.path, number)
        files.sync(change.path for change in changes)

    def _refuse_dirty(self, found: Mapping[str, BlobId | None], staged: Mapping[str, BlobId]) -> None:
        dirty: set[str] = set()
        unlike: list[str] = []
        for path, blob in found.items():
            old = self._snapshot.blob(path)
            if path in self._adopted or (staged.get(path) == old and blob == old):
                continue
            if old is None:
                dirty.add(path)
            else:
                unlike.append(path)
        if unlike:
            # Line ends that git converts, or a sparse checkout, may be all that differs: the user's settings decide.
            dirty.update(changed(self._site.git.with_own_line_ends(), unlike))
        if dirty:
            paths = tuple(sorted(dirty))
            shown = ", ".join(paths[:_SHOWN]) + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")
            raise DirtyTreeError(
                f"uncommitted changes stand where this would write: {shown}",
                paths=paths,
                suggestions=("commit them (git add and git commit in the store), or put them away, then try again",),
            )

    def _refuse_crooked_way(self, path: str) -> None:
        segments = path.split("/")
        for depth in range(1, len(segments)):
            folder, name = "/".join(segments[: depth - 1]), segments[depth - 1]
            place = f"{folder}/{name}" if folder else name
            known = self._siblings(folder).get(twin_key(name), name)
            if known != name:
                _refuse_twin(place, f"{folder}/{known}" if folder else known)
            entry = self._snapshot.entry(place)
            if self._changes.get(place) is not None or (entry is not None and not entry.is_folder):
                raise WriteConflictError(f"{place} is a file, and {path} would go below it")

    def _siblings(self, folder: str) -> dict[str, str]:
        """Names in ``folder``, committed, in the work tree and put here, by the key that twins share."""
        known = self._twins.get(folder)
        if known is None:
            names = {*self._snapshot.entries(folder), *self._site.files.names(folder)}
            known = {twin_key(name): name for name in sorted(names)}
            self._twins[folder] = known
        return known


def _refuse_twin(path: str, twin: str) -> None:
    raise WriteConflictError(
        f"{path} and {twin} differ only in letter case or Unicode form, which not every system can tell apart",
        suggestions=(f"use {twin}, or another name",),
    )
