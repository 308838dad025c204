"""Operation `sleep drop`: a run goes, or a single change goes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError, MissingArgumentError, PathNotFoundError, UnexpectedArgumentError
from memhtml.domain.memory import CommitId
from memhtml.ops.sleep.runs import open_run
from memhtml.sleep.review.report import renew_report
from memhtml.sleep.review.review import RunState, summary
from memhtml.store.branches import Runs
from memhtml.store.dropping import take_out
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class SleepDropped(Struct, frozen=True):
    """What a run no longer proposes, or would no longer.

    Attributes:
        run: its name.
        whole: all of it goes, its branch too; else single changes.
        done: it is gone; ``False`` where this only says what would go.
        state: of the run before; ``None`` when only remains of its work tree were there.
        commits: how many went with the whole run; 0 for single changes, whose commits stay.
        changes: how many files those change, each counted once in every commit; or how many paths went.
        paths: whose changes went out of it, in path order; none for a whole run, which names none.
        tip: where its branch stands now; ``None`` when it has none.
    """

    run: str
    whole: bool
    done: bool
    state: RunState | None
    commits: int
    changes: int
    paths: tuple[str, ...]
    tip: CommitId | None
    warnings: tuple[Notice, ...]

    @property
    def commit(self) -> None:
        """None of main."""
        return

    @property
    def changed(self) -> bool:
        """Whether anything is not as it was."""
        return self.done


def run(workspace: Workspace, arguments: Arguments) -> SleepDropped:
    """The `sleep drop` operation."""
    name, why = arguments.text("run"), arguments.text("why")
    commits, paths = arguments.texts("commit"), arguments.texts("path")
    if arguments.flag("later") and not commits:
        raise UnexpectedArgumentError(
            "--later goes with --commit: a path goes out of every commit as it is",
            suggestions=("memhtml sleep drop --help",),
        )
    if not commits and not paths:
        if why is not None:
            raise UnexpectedArgumentError(
                "--why goes with --commit or --path: what is said of a whole run goes with it",
                suggestions=("memhtml sleep drop RUN --yes",),
            )
        return drop_run(workspace, name, yes=arguments.flag("yes"))
    return drop_changes(workspace, name, why=why or "", commits=commits, paths=paths, later=arguments.flag("later"))


def drop_run(workspace: Workspace, name: str | None = None, *, yes: bool = False) -> SleepDropped:
    """Take a whole run away: its branch and its work tree. What main holds of it main keeps.

    Args:
        workspace: the store.
        name: of the run; ``None``: the only one that is open.
        yes: do it; else only say what would go.

    Raises:
        PathNotFoundError: there is no such run, or none is open.
        MissingArgumentError: several runs are open, and none is named.
        LockedError: somebody works on it.
        GitError: its branch is checked out.
        StorageError: something cannot be removed.
    """
    repository = workspace.repository
    runs = Runs(repository)
    chosen = open_run(runs, name)
    try:
        found = summary(repository.git, runs.find(chosen))
    except PathNotFoundError:
        if not yes:
            raise
        found = None  # a killed command may have left a work tree without a branch
    if yes:
        runs.drop(chosen)
    return SleepDropped(
        run=chosen,
        whole=True,
        done=yes,
        state=None if found is None else found.state,
        commits=0 if found is None else found.commits,
        changes=0 if found is None else found.changed,
        paths=(),
        tip=None if yes or found is None else found.tip,
        warnings=(),
    )


def drop_changes(
    workspace: Workspace,
    name: str | None = None,
    *,
    why: str,
    commits: Sequence[str] = (),
    paths: Sequence[str] = (),
    later: bool = False,
) -> SleepDropped:
    """Take changes out of a run, and keep the reason in it, so that no later night proposes them again.

    Args:
        workspace: the store.
        name: of the run; ``None``: the only one that is open.
        why: the reason.
        commits: all that these change goes; at least 7 characters of each.
        paths: every change of these files goes, wherever the run has them.
        later: what later commits made of the files of ``commits`` goes along.

    Raises:
        MissingArgumentError: no reason is given, or several runs are open and none is named.
        InvalidInputError: nothing to take out is named.
        PathNotFoundError: there is no such run, or it has no such commit or path.
        WriteConflictError: main holds the run already, or, without ``later``, a commit that stays was made
            from what goes.
        LockedError: somebody works on it.
        DirtyTreeError: the run's work tree has been edited.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    if not why.strip():
        raise MissingArgumentError(
            "--why says why the change is not wanted, so that it is not proposed again",
            suggestions=('memhtml sleep drop RUN --path PATH --why "It is still true."',),
        )
    runs = Runs(workspace.repository)
    chosen = open_run(runs, name)
    warnings: tuple[Notice, ...] = ()
    with runs.resume(chosen) as opened:
        done = take_out(opened, why=why, commits=commits, paths=paths, later=later)
        try:
            renew_report(opened)
        except MemhtmlError as error:  # the change is out, whatever becomes of the page about it
            warnings = (Notice(error.code, f"the report of the run is as it was: {error.message}"),)
        tip = opened.run().tip
    return SleepDropped(
        run=chosen,
        whole=False,
        done=True,
        state=RunState.OPEN,
        commits=0,
        changes=len(done.paths),
        paths=done.paths,
        tip=tip,
        warnings=warnings,
    )
