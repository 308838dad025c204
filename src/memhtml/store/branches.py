"""Runs of sleep: each a branch ``sleep/<date>`` from a commit of main, worked on in a work tree of its own.

The branch is the run. Its work tree is made from it whenever somebody works on it, and may be gone or half made
meanwhile. Whoever works on a run holds its lock, from `Runs.begin` or `Runs.resume` on; the store's own lock is held
for moments alone, so that agents go on writing to main.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress

from msgspec import Struct

from memhtml.domain.errors import DirtyTreeError, GitError, InvalidPathError, MemhtmlError, PathNotFoundError
from memhtml.domain.memory import CommitId
from memhtml.store.git import Git, refusal
from memhtml.store.halves import references
from memhtml.store.lock import locked
from memhtml.store.refs import MAIN, read_head, refuse_unless_on_branch
from memhtml.store.repository import Repository, command_line
from memhtml.store.staleness import clear_stale
from memhtml.store.worktrees import (
    NAMESPACE,
    RunTree,
    bring,
    is_run_name,
    is_whole,
    make,
    remains,
    set_mark,
    take_away,
    working,
)

RUN = "Memhtml-Run"
_SHOWN = 5
_MOST_COMMITS = 2_000
_BUSY = 1.0
"""Seconds that somebody else is given to end his work on a run; a night of it is not waited for."""


class Run(Struct, frozen=True):
    """One run, as its branch says.

    Attributes:
        name: ``2026-07-28``, from the second of a day on ``2026-07-28-2``.
        tip: where its branch stands.
        base: the commit of main that it stands on: where both went apart, or where main was when it landed.
        held: whether main holds all of it. A run without commits is held from its beginning.
        landed: the merge commit with which main got it; ``None`` also when it came by another way.
    """

    name: str
    tip: CommitId
    base: CommitId
    held: bool
    landed: CommitId | None = None

    @property
    def branch(self) -> str:
        """The short name of its branch."""
        return f"sleep/{self.name}"


class OpenRun(Struct, frozen=True):
    """A run that this process alone works on, as long as the ``with`` block that gave it lasts.

    Attributes:
        name: of the run.
        live: the store that it is a run of.
        repository: the run's own work tree, a store like any other: its writes go to the run's branch.
        tree: where that lies.
    """

    name: str
    live: Repository
    repository: Repository
    tree: RunTree

    def run(self) -> Run:
        """The run as it is now.

        Raises:
            PathNotFoundError: somebody took its branch away.
            GitError: git refused.
        """
        return Runs(self.live).find(self.name)

    def move(self, old: CommitId, new: CommitId, reason: str) -> None:
        """Let the branch stand at ``new``, if it still stands at ``old``, and the work tree with it.

        Cut off, the branch is at one of both, and whoever resumes the run brings the work tree there.

        Raises:
            WriteConflictError: it stands elsewhere.
            DirtyTreeError: the work tree has been edited.
            LockedError: somebody writes there.
            StorageError: disk full or read-only.
            GitError: git refused.
        """
        from memhtml.store.commits import Moving, move_branch
        from memhtml.store.settling import settle

        with self.repository.locked() as site:
            settle(site)
            _refuse_edited(site.git, self.name)
            self.tree.mark.unlink(missing_ok=True)
            try:
                with Moving(site.git, reason) as moving:
                    move_branch(moving, site.layout, old, new)
            except MemhtmlError:
                set_mark(self.tree)
                raise
            bring(self.tree, site.git, wait=site.wait)


class Runs:
    """The runs of one store."""

    def __init__(self, live: Repository) -> None:
        self._live = live

    def listed(self) -> tuple[Run, ...]:
        """All of them, in the order of their dates and numbers; empty before main has a commit.

        Raises:
            GitError: git refused.
        """
        main, tips = references(self._live.git)
        if main is None:
            return ()
        found = [_run(self._live.git, name, tip, main) for name, tip in sorted(tips.items(), key=_by_number)]
        return tuple(run for run in found if run is not None)

    def find(self, name: str) -> Run:
        """The run of this name.

        Raises:
            InvalidPathError: no run can have that name.
            PathNotFoundError: there is none.
            GitError: git refused.
        """
        self._tree(name)
        main, tips = references(self._live.git)
        tip = tips.get(name)
        run = None if main is None or tip is None else _run(self._live.git, name, tip, main)
        if run is None:
            raise PathNotFoundError(f"there is no run {name}", suggestions=("memhtml sleep status lists them",))
        return run

    @contextmanager
    def begin(self, date: str) -> Generator[OpenRun]:
        """A new run from where main is now, named after ``date`` (``2026-07-28``).

        A name is free when no branch has it and main has no report of a run of that name.

        Raises:
            InvalidPathError: that is no date.
            GitError: another branch than main is checked out, or a merge or the like is under way, or main has no
                commit.
            LockedError: another writer held the store.
            StorageError: disk full or read-only.
        """
        if self._tree(date).name.count("-") > 2:  # noqa: PLR2004 - year, month, day
            raise InvalidPathError(f"{date} is the name of a run, and a date is wanted")
        with ExitStack() as held:
            with self._live.locked() as site:
                base = require_main(self._live, site.git)
                tree = self._free(date, base)
                descriptor = held.enter_context(working(tree, wait=0.0, command=command_line()))
                with _nothing_left(tree):
                    self._abandon_halves(tree)
                    clear_stale(self._live.layout, tree.branch, wait=self._live.wait)
                    _create(site.git, tree, base)
            try:
                with _nothing_left(tree):
                    opened = self._opened(tree, descriptor)
            except BaseException:
                self._live.git.run("update-ref", "-d", tree.branch, base)
                raise
            yield opened

    @contextmanager
    def resume(self, name: str) -> Generator[OpenRun]:
        """The run of this name again, whatever became of its work tree.

        Raises:
            InvalidPathError: no run can have that name.
            PathNotFoundError: there is none.
            LockedError: somebody else works on it.
            GitError: its branch is checked out elsewhere.
            StorageError: disk full or read-only.
        """
        tree = self._tree(name)
        self.find(name)
        with working(tree, wait=_BUSY, command=command_line()) as descriptor:
            self.find(name)
            self._refuse_checked_out(tree)
            yield self._opened(tree, descriptor)

    def drop(self, name: str) -> None:
        """Take the run away: work tree and branch, and nothing else. What main holds of it main keeps.

        Raises:
            InvalidPathError: no run can have that name.
            PathNotFoundError: there is neither a branch nor anything else of it.
            LockedError: somebody works on it, or another writer held the store.
            GitError: its branch is checked out in the store itself.
            StorageError: something cannot be removed.
        """
        tree = self._tree(name)
        if not remains(tree):
            self.find(name)
        with working(tree, wait=_BUSY, command=command_line()):
            self._refuse_checked_out(tree)
            self._abandon_halves(tree)
            with self._live.locked() as site:
                clear_stale(self._live.layout, tree.branch, wait=self._live.wait)
                tip = references(site.git)[1].get(name)
                if tip is not None:
                    site.git.run("update-ref", "-d", tree.branch, tip)
            with suppress(OSError):  # Windows keeps a file that is open; doctor takes it away
                tree.lock.unlink()

    def _opened(self, tree: RunTree, descriptor: int) -> OpenRun:
        if not is_whole(tree):
            self._wait_for_children(tree)
            make(tree, self._live.git.holding(descriptor), wait=self._live.wait)
        repository = Repository.open(tree.files, environment=self._live.git.environment, lock_wait=self._live.wait)
        repository.recover_if_needed()
        return OpenRun(tree.name, self._live, repository, tree)

    def _abandon_halves(self, tree: RunTree) -> None:
        self._wait_for_children(tree)
        take_away(tree)

    def _wait_for_children(self, tree: RunTree) -> None:
        """Let the git children of a killed writer in the run's work tree end."""
        if (tree.layout.desk / "lock").exists():
            with locked(tree.layout.desk / "lock", wait=self._live.wait, command=command_line()):
                pass

    def _free(self, date: str, base: CommitId) -> RunTree:
        taken = references(self._live.git)[1]
        with self._live.snapshot(base) as files:
            reports = set(files.names(".memhtml/sleep"))
        number = 1
        while (name := date if number == 1 else f"{date}-{number}") in taken or f"{name}.html" in reports:
            number += 1
        return self._tree(name)

    def _tree(self, name: str) -> RunTree:
        if not is_run_name(name):
            raise InvalidPathError(
                f"{name[:80]!a} is no run: they are called by their date, 2026-07-28, and 2026-07-28-2 and so on",
                suggestions=("memhtml sleep status lists them",),
            )
        return RunTree(self._live.layout.common, name)

    def _refuse_checked_out(self, tree: RunTree) -> None:
        if read_head(self._live.layout, self._live.git).branch == tree.branch:
            raise GitError(
                f"the store itself stands on the branch of the run {tree.name}", suggestions=("git switch main",)
            )


def beginning(git: Git, run: Run) -> CommitId:
    """The commit that the run's own commits follow, also where main got them by another way than a merge of ours.

    Raises:
        GitError: git refused.
    """
    if run.base != run.tip:
        return run.base
    shown = f"--format=%H %(trailers:key={RUN},valueonly,separator=%x20)"
    for line in git.run("log", "--first-parent", f"--max-count={_MOST_COMMITS}", shown, run.tip).decode().splitlines():
        commit, _, name = line.partition(" ")
        if name != run.name:
            return CommitId(commit)
    return run.tip


def _refuse_edited(git: Git, name: str) -> None:
    printed = git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    paths = tuple(sorted(line[3:] for line in printed.decode(errors="surrogateescape").split("\0")[:-1]))
    if paths:
        raise DirtyTreeError(
            f"somebody edited the work tree of the run {name}: {', '.join(paths[:_SHOWN])}",
            paths=paths,
            suggestions=(f"commit it there, or put it away: git -C {git.root} status",),
        )


def require_main(live: Repository, git: Git) -> CommitId:
    """Where main is, in a store that has it checked out.

    Raises:
        GitError: it has not, or a merge or the like is under way, or main has no commit.
    """
    head = read_head(live.layout, git)
    refuse_unless_on_branch(live.layout, head)
    if head.branch != MAIN:
        name = (head.branch or "").removeprefix("refs/heads/")
        raise GitError(
            f"the store is on branch {name}, and a run starts from main and lands there",
            suggestions=("git switch main",),
        )
    if head.commit is None:
        raise GitError("main has no commit yet", suggestions=("memhtml init",))
    return head.commit


@contextmanager
def _nothing_left(tree: RunTree) -> Generator[None]:
    """Take away what was made of a run, should its beginning fail. The run must be nobody else's."""
    try:
        yield
    except BaseException:
        with suppress(MemhtmlError):
            take_away(tree)
        with suppress(OSError):
            tree.lock.unlink()
        raise


def _by_number(item: tuple[str, CommitId]) -> tuple[str, int]:
    date, number = item[0][:10], item[0][11:]
    return date, int(number or 1)


def _run(git: Git, name: str, tip: CommitId, main: CommitId) -> Run | None:
    """The run, or ``None`` when its branch has nothing in common with main."""
    fork = _fork(git, main, tip)
    if fork is None or fork != tip:
        return None if fork is None else Run(name, tip, fork, held=False)
    merges = git.run("rev-list", "--first-parent", "--merges", "--parents", main, f"^{tip}").decode()
    for line in merges.splitlines():
        merge, before, *others = line.split()
        if tip in others:
            base = _fork(git, CommitId(before), tip)
            return Run(name, tip, base or tip, held=True, landed=CommitId(merge))
    return Run(name, tip, tip, held=True)


def _fork(git: Git, one: CommitId, other: CommitId) -> CommitId | None:
    status, printed, complaint = git.start("merge-base", one, other).outcome()
    if status not in {0, 1}:
        raise refusal("merge-base", complaint)
    return CommitId(printed.decode().split()[0]) if status == 0 else None


def _create(git: Git, tree: RunTree, base: CommitId) -> None:
    try:
        git.run("update-ref", "-m", "memhtml sleep: begin", tree.branch, base, "0" * len(base))
    except GitError as error:
        if git.run("for-each-ref", NAMESPACE.rstrip("/")).split(b"\n")[0].endswith(b"\trefs/heads/sleep"):
            raise GitError(
                "a branch called sleep is where the branches of runs go", suggestions=("git branch -m sleep NAME",)
            ) from error
        raise
