"""The methods of `Store` that curate the whole of it, on branches that a person reviews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memhtml.api.checks import checked

if TYPE_CHECKING:
    from memhtml.ops.sleep.drop import SleepDropped
    from memhtml.ops.sleep.merge import MergedRun
    from memhtml.ops.sleep.review import SleepReview
    from memhtml.ops.sleep.run import SleepPlan, Slept, Spending
    from memhtml.ops.sleep.status import SleepStatus
    from memhtml.workspace.workspace import Workspace


@checked
class Sleeping:
    """Runs of sleep. A run is named by its date; where exactly one is open its name may be left out."""

    _workspace: Workspace

    def sleep(
        self,
        *,
        date: str | None = None,
        deep: bool = False,
        dry_run: bool = False,
        model: bool = True,
        calls: int | None = None,
        tokens: int | None = None,
    ) -> Slept:
        """Go through the whole store, and propose its curation on a branch; main and the index stay as they are.

        Args:
            date: whose stamps are set, as ``2026-07-28``; by default today, in UTC.
            deep: look further than usual.
            dry_run: make no branch, and say what each phase would do.
            model: whether a language model is asked, if one is configured.
            calls: how often, at most.
            tokens: how many they may cost.

        Raises:
            UsageError: that is no date, or a number is below 0.
            DirtyTreeError: something in the store is not committed.
            IndexStaleError: less than half of the texts have vectors.
        """
        from memhtml.ops.sleep.run import sleep

        return sleep(
            self._workspace,
            date=date,
            deep=deep,
            dry_run=dry_run,
            spending=_spending(model=model, calls=calls, tokens=tokens),
        )

    def resume_sleep(
        self, run: str | None = None, *, model: bool = True, calls: int | None = None, tokens: int | None = None
    ) -> Slept:
        """Go on with a run that was broken off. See `sleep`.

        Raises:
            PathNotFoundError: there is no such run, or none is open.
            WriteConflictError: main holds it already.
            LockedError: somebody else works on it.
        """
        from memhtml.ops.sleep.run import resume_sleep

        return resume_sleep(self._workspace, run, spending=_spending(model=model, calls=calls, tokens=tokens))

    def plan_sleep(self, *, date: str | None = None, deep: bool = False) -> SleepPlan:
        """Whether a run would change anything, without a model and without a branch. See `sleep`.

        Raises:
            UsageError: that is no date.
            DirtyTreeError: something in the store is not committed.
            IndexStaleError: less than half of the texts have vectors.
        """
        from memhtml.ops.sleep.run import plan_sleep

        return plan_sleep(self._workspace, date=date, deep=deep)

    def sleep_status(self, *, limit: int = 10) -> SleepStatus:
        """Every open run, and of those that main holds the newest ``limit``; newest first.

        Raises:
            UsageError: ``limit`` is below 1.
        """
        from memhtml.ops.sleep.status import sleep_status

        return sleep_status(self._workspace, limit=limit)

    def review_run(self, run: str | None = None, *, phases: Sequence[str] = ()) -> SleepReview:
        """What a run proposes, or has proposed: every change, why, what that rests on, before and after.

        Args:
            run: its name.
            phases: only the changes of these.

        Raises:
            PathNotFoundError: there is no such run, or none is open.
            UsageError: the run has no such phase, or several are open and none is named.
        """
        from memhtml.ops.sleep.review import review_run

        return review_run(self._workspace, run, phases=tuple(phases))

    def run_page(self, run: str | None = None) -> str:
        """The same as a page for a browser that loads nothing and runs nothing.

        Raises:
            PathNotFoundError: there is no such run, or none is open.
            UsageError: several are open and none is named.
        """
        from memhtml.ops.sleep.review import run_page

        return run_page(self._workspace, run)

    def drop_run(self, run: str | None = None) -> SleepDropped:
        """Take a whole run away, its reasons too. What main holds of it main keeps.

        Raises:
            PathNotFoundError: there is no such run, or none is open.
            UsageError: several are open and none is named.
            LockedError: somebody works on it.
        """
        from memhtml.ops.sleep.drop import drop_run

        return drop_run(self._workspace, run, yes=True)

    def drop_changes(
        self,
        run: str | None = None,
        *,
        why: str,
        commits: Sequence[str] = (),
        files: Sequence[str] = (),
        later: bool = False,
    ) -> SleepDropped:
        """Take changes out of a run, and keep the reason in it, so that no later run proposes them again.

        Args:
            run: its name.
            why: the reason.
            commits: all that these change goes; at least 7 characters of each.
            files: paths; every change of these goes.
            later: what later commits made of the files of ``commits`` goes along.

        Raises:
            PathNotFoundError: there is no such run, or it has no such commit or file.
            UsageError: there is no reason, or several runs are open and none is named.
            WriteConflictError: main holds the run already, or, without ``later``, a commit that stays was made
                from what goes.
            LockedError: somebody works on it.
        """
        from memhtml.ops.sleep.drop import drop_changes

        return drop_changes(self._workspace, run, why=why, commits=tuple(commits), paths=tuple(files), later=later)

    def merge_run(self, run: str | None = None, *, skip_gate: bool = False, seed: int = 1) -> MergedRun:
        """Merge a run into main, if no memory vanishes and search finds them as before.

        Args:
            run: its name.
            skip_gate: ask neither gate, and say so in the merge commit.
            seed: of what the gates draw.

        Raises:
            PathNotFoundError: there is no such run, or none is open.
            WriteConflictError: something would be lost, or main and the run changed the same files.
            DiscriminationFailedError: search would no longer find what it found.
            ModelUnavailableError: vectors are on and cannot be made, so the gates cannot be asked.
            LockedError: somebody works on it.
        """
        from memhtml.ops.sleep.merge import merge_run

        return merge_run(self._workspace, run, skip_gate=skip_gate, seed=seed)


def _spending(*, model: bool, calls: int | None, tokens: int | None) -> Spending:
    from memhtml.ops.arguments import bounded
    from memhtml.ops.rows_sleep import MOST_CALLS, MOST_TOKENS
    from memhtml.ops.sleep.run import Spending

    usual = Spending()
    return Spending(
        model=model,
        calls=usual.calls if calls is None else bounded("calls", calls, 0, MOST_CALLS),
        tokens=usual.tokens if tokens is None else bounded("tokens", tokens, 0, MOST_TOKENS),
    )
