"""The work tree of a run of sleep: made from its branch at any time, and no part of the live one.

It has two halves: its files in ``.git/memhtml/runs/sleep-<name>``, where neither ``git status`` nor ``git clean`` of
the live work tree comes, and what git knows of them in ``.git/worktrees/sleep-<name>``, where HEAD, git index, lock
and journal are. A mark in the second half says that both agree with the branch; it is set last and taken away first, so
that what a kill leaves is known for what it is.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import GitError, LockedError, StorageError
from memhtml.store.files import WorkTree, is_temporary
from memhtml.store.git import Git
from memhtml.store.layout import HOUSE, Layout
from memhtml.store.lock import locked
from memhtml.store.staleness import clear_stale

NAMESPACE = "refs/heads/sleep/"
_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[1-9][0-9]{0,5})?")
_HALF = re.compile(r"sleep-(?P<name>.*?)(?P<end>|\.lock|\.new|\.old)")
# What git writes into HEAD where references are kept in tables.
_TABLED_HEAD = "ref: refs/heads/.invalid"


def is_run_name(name: str) -> bool:
    """Whether a run may have this name: a date, and a number from the second of a day on.

    >>> is_run_name("2026-07-28"), is_run_name("2026-07-28-2"), is_run_name("feature")
    (True, True, False)
    """
    return _NAME.fullmatch(name) is not None


class RunTree(Struct, frozen=True):
    """Where the work tree of one run lies, whether it is there or not.

    Attributes:
        common: the git folder that all work trees share.
        name: of the run.
    """

    common: Path
    name: str

    @property
    def branch(self) -> str:
        """The full name of its branch."""
        return f"{NAMESPACE}{self.name}"

    @property
    def files(self) -> Path:
        """The half with the files."""
        return runs_folder(self.common) / f"sleep-{self.name}"

    @property
    def gitdir(self) -> Path:
        """The half with git's part."""
        return self.common / "worktrees" / f"sleep-{self.name}"

    @property
    def layout(self) -> Layout:
        """Both halves, as of a store."""
        return Layout(self.files, self.gitdir, self.common)

    @property
    def lock(self) -> Path:
        """Held by whoever works on the run, from its first look to its last."""
        return self.beside(".lock")

    @property
    def mark(self) -> Path:
        """There as long as both halves agree with the branch, but for what a journal speaks of."""
        return self.layout.desk / "whole"

    def beside(self, end: str) -> Path:
        """A path beside the files that ends so."""
        return self.files.with_name(self.files.name + end)


def runs_folder(common: Path) -> Path:
    """Where the files of all runs lie."""
    return common / "memhtml" / "runs"


@contextmanager
def working(tree: RunTree, *, wait: float, command: str) -> Generator[int]:
    """Be the only one who works on the run; gives the descriptor of the lock.

    Raises:
        LockedError: somebody else works on it; names them.
        StorageError: the lock cannot be made.
    """
    with _storage(tree):
        tree.lock.parent.mkdir(parents=True, exist_ok=True)
    doing = f"the run {tree.name} is being worked on"
    with locked(tree.lock, wait=wait, command=command, what=doing) as descriptor:
        if not _is_at(descriptor, tree.lock):
            # Whoever was waited for dropped the run, and its lock file with it.
            raise LockedError(f"the run {tree.name} was dropped meanwhile", suggestions=("memhtml sleep status",))
        yield descriptor


def is_whole(tree: RunTree) -> bool:
    """Whether both halves are there and agree with the branch, but for what a journal speaks of."""
    return tree.mark.is_file() and _is_linked(tree)


def refuse_taken(tree: RunTree) -> None:
    """See that no other work tree has the name of this one.

    Raises:
        GitError: one has.
    """
    pointer = tree.gitdir / "gitdir"
    with suppress(OSError):
        text = pointer.read_text(encoding="utf-8", errors="surrogateescape").strip().replace("\\", "/")
        if not text.endswith(f"/{tree.files.parent.parent.name}/{tree.files.parent.name}/{tree.files.name}/.git"):
            raise GitError(
                f"another work tree of the store is called {tree.gitdir.name}",
                suggestions=(f"move it: git worktree move {text.removesuffix('/.git')} PLACE",),
            )


def make(tree: RunTree, git: Git, *, wait: float) -> None:
    """Bring both halves to the branch, whatever is there of them. The run must be nobody else's.

    Args:
        tree: the run's.
        git: of any work tree of the repository; its children keep the run locked.
        wait: seconds that a git which is at work there is given to end.

    Raises:
        GitError: git refused, or another work tree has the name.
        LockedError: a live git holds a lock file.
        StorageError: disk full or read-only.
    """
    refuse_taken(tree)
    if not _is_linked(tree):
        take_away(tree)
        with _storage(tree):
            _link(tree, git)
    bring(tree, git, wait=wait)


def bring(tree: RunTree, git: Git, *, wait: float) -> None:
    """Make files and git index what the branch holds, and set the mark; files that git ignores stay.

    Raises:
        GitError: git refused.
        LockedError: a live git holds a lock file.
        StorageError: disk full or read-only.
    """
    own = git_of(tree, git)
    with _storage(tree):
        clear_stale(tree.layout, tree.branch, wait=wait)
        own.run("reset", "--hard", "--quiet")
        (tree.files / HOUSE).mkdir(exist_ok=True)
        (tree.layout.desk / "journal").unlink(missing_ok=True)
        tree.layout.desk.mkdir(exist_ok=True)
        files = WorkTree(tree.files)
        for place in sorted(tree.files.rglob("*.tmp")):
            if is_temporary(place.name):
                files.remove(place.relative_to(tree.files).as_posix())
    set_mark(tree)


def set_mark(tree: RunTree) -> None:
    """Say that both halves agree with the branch.

    Raises:
        StorageError: disk full or read-only.
    """
    with _storage(tree), tree.mark.open("wb") as mark:
        os.fsync(mark.fileno())


def take_away(tree: RunTree) -> None:
    """Remove both halves, those that are there; the branch stays. The run must be nobody else's.

    Raises:
        GitError: another work tree has the name.
        StorageError: something cannot be removed.
    """
    refuse_taken(tree)
    old = tree.beside(".old")
    with _storage(tree):
        _remove(old)
        tree.mark.unlink(missing_ok=True)
        if tree.gitdir.exists():
            tree.files.parent.mkdir(parents=True, exist_ok=True)
            # At once, since git calls the repository damaged while half of it is there.
            tree.gitdir.replace(old)
        _remove(old)
        _remove(tree.beside(".new"))
        _remove(tree.files)
    with suppress(OSError):
        tree.gitdir.parent.rmdir()


def git_of(tree: RunTree, git: Git) -> Git:
    """The git of the run's work tree, whose children hold what those of ``git`` hold."""
    return Git(tree.files, tree.gitdir, git.environment, git.descriptor)


def names_on_disk(common: Path) -> Iterator[str]:
    """The runs of which anything lies on the disk, in order; each once."""
    found: set[str] = set()
    for folder in (runs_folder(common), common / "worktrees"):
        with suppress(OSError):
            for entry in folder.iterdir():
                match = _HALF.fullmatch(entry.name)
                if match is not None and is_run_name(match["name"]):
                    found.add(match["name"])
    yield from sorted(found)


def remains(tree: RunTree) -> bool:
    """Whether any half is there, or what came before or after one."""
    ours = tree.gitdir.exists()
    with suppress(GitError):
        refuse_taken(tree)
        return ours or any(path.exists() for path in (tree.files, tree.beside(".new"), tree.beside(".old")))
    return False


def _is_linked(tree: RunTree) -> bool:
    """Whether the halves know each other, and the branch is what is checked out there."""
    try:
        head = (tree.gitdir / "HEAD").read_text(encoding="utf-8").strip()
        files = tree.files / (tree.gitdir / "gitdir").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return False
    # A store that was moved has another place than git wrote down.
    return head in {f"ref: {tree.branch}", _TABLED_HEAD} and files == tree.files / ".git" and files.is_file()


def _link(tree: RunTree, git: Git) -> None:
    tree.files.parent.mkdir(parents=True, exist_ok=True)
    if (tree.common / "reftable").is_dir():
        branch = tree.branch.removeprefix("refs/heads/")
        words = ("worktree", "add", "--quiet", "--force", "--no-checkout", str(tree.files), branch)
        git.run("-c", "core.sparseCheckout=false", *words)  # which files the live work tree leaves out is its affair
        return
    # Not by `git worktree add`: cut off in the middle, it leaves what `git fsck` calls damage. The layout is the one
    # that gitrepository-layout(5) gives.
    fresh = tree.beside(".new")
    fresh.mkdir()
    tree.files.mkdir()
    (fresh / "HEAD").write_text(f"ref: {tree.branch}\n", encoding="utf-8", newline="")
    (fresh / "commondir").write_text("../..\n", encoding="utf-8", newline="")
    (fresh / "gitdir").write_text(f"{tree.files / '.git'}\n", encoding="utf-8", newline="")
    # Relative, so that a store may be moved.
    pointer = f"gitdir: ../../../worktrees/{tree.gitdir.name}\n"
    (tree.files / ".git").write_text(pointer, encoding="utf-8", newline="")
    tree.gitdir.parent.mkdir(exist_ok=True)
    fresh.replace(tree.gitdir)


def _remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        seen = path.stat()
    except OSError:
        return False
    own = os.fstat(descriptor)
    return (own.st_dev, own.st_ino) == (seen.st_dev, seen.st_ino)


@contextmanager
def _storage(tree: RunTree) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"the work tree of the run {tree.name} cannot be made or removed: {error.strerror or error}",
            suggestions=("free some space, or check permissions",),
        ) from error
