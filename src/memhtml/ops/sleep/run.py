"""Operations `sleep run`, `sleep resume` and `sleep plan`: a night, the rest of one, and what one would do."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidFlagError, MemhtmlError
from memhtml.domain.instants import days_later
from memhtml.domain.memory import CommitId
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.mind import CALLS, TOKENS, Budget
from memhtml.sleep.outcome import Doing, Outcome, Result
from memhtml.sleep.trailers import State
from memhtml.store.worktrees import is_run_name
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.sleep.corpus import Talks
    from memhtml.workspace.workspace import Workspace

MOST_SHOWN = 50
"""Changes and refusals of a phase that an answer names; `sleep review` has all of them."""


class Spending(Struct, frozen=True):
    """How much of a language model a night may use.

    Attributes:
        model: whether one is asked at all, if one is configured.
        calls: at most.
        tokens: at most, of questions and answers together.
    """

    model: bool = True
    calls: int = CALLS
    tokens: int = TOKENS


class PhaseResult(Struct, frozen=True):
    """What a phase did, or would do.

    Attributes:
        state: done, failed or skipped.
        counts: its figures, by name.
        changed: how many changes.
        changes: the first of them.
        refused: how much was kept out.
        refusals: the first of it, a sentence each.
        note: why it did nothing, or what went wrong.
        calls: of a model.
        tokens: that they have cost.
    """

    phase: str
    state: State
    counts: Mapping[str, int]
    changed: int
    changes: tuple[Doing, ...]
    refused: int
    refusals: tuple[str, ...]
    note: str
    calls: int
    tokens: int


class Slept(Struct, frozen=True):
    """A night, on a branch that nobody has merged yet.

    Attributes:
        run: its name; ``None`` where no branch was made.
        branch: where its changes are.
        tip: the last commit there.
        phases: those that ran now, in order.
        earlier: phases that were done before a run was resumed.
        changed: how many changes all phases made now, or would make.
        model: what was asked; ``None``: nothing was.
    """

    run: str | None
    branch: str | None
    tip: CommitId | None
    phases: tuple[PhaseResult, ...]
    earlier: tuple[str, ...]
    changed: int
    model: str | None
    warnings: tuple[Notice, ...]


class SleepPlan(Struct, frozen=True):
    """What a night would do without a model.

    Attributes:
        would_change: whether it would change anything.
        phases: what each would do.
    """

    would_change: bool
    changed: int
    phases: tuple[PhaseResult, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Slept:
    """The `sleep run` operation."""
    return sleep(
        workspace,
        date=arguments.text("date"),
        deep=arguments.flag("deep"),
        dry_run=arguments.flag("dry_run"),
        spending=_spending(arguments),
    )


def run_resume(workspace: Workspace, arguments: Arguments) -> Slept:
    """The `sleep resume` operation."""
    return resume_sleep(workspace, arguments.text("run"), spending=_spending(arguments))


def run_plan(workspace: Workspace, arguments: Arguments) -> SleepPlan:
    """The `sleep plan` operation."""
    return plan_sleep(workspace, date=arguments.text("date"), deep=arguments.flag("deep"))


def sleep(
    workspace: Workspace,
    *,
    date: str | None = None,
    deep: bool = False,
    dry_run: bool = False,
    spending: Spending = Spending(),  # noqa: B008 - a value that nothing can change
) -> Slept:
    """Go through the whole store and propose its curation on a branch; main and the index stay as they are.

    Args:
        workspace: the store.
        date: whose stamps are set, ``2026-07-28``; ``None`` is today, in UTC.
        deep: look further than usual.
        dry_run: make no branch, and say what each phase would do.
        spending: how much of a model may be used.

    Raises:
        UsageError: that is no date, or one that is still to come.
        DirtyTreeError: something in the store is not committed.
        IndexStaleError: less than half of the texts have vectors.
        GitError: another branch than main is checked out.
        LockedError: another writer held the store.
    """
    from memhtml.sleep.pipeline import rehearse
    from memhtml.sleep.pipeline import run as begin

    wish = Wish(_date(workspace, date), deep)
    work = rehearse if dry_run else begin
    with _prepared(workspace, spending) as (means, warnings):
        return _slept(work(workspace.repository, workspace.index, wish, means), means, warnings)


def resume_sleep(
    workspace: Workspace,
    name: str | None = None,
    *,
    spending: Spending = Spending(),  # noqa: B008 - a value that nothing can change
) -> Slept:
    """Go on with a night that was broken off.

    Raises:
        PathNotFoundError: there is no such run, or none is open.
        MissingArgumentError: several runs are open, and none is named.
        WriteConflictError: main holds it already.
        LockedError: somebody else works on it.
    """
    from memhtml.ops.sleep.runs import begun_run
    from memhtml.sleep.pipeline import resume

    run = begun_run(workspace.repository, name)
    with _prepared(workspace, spending) as (means, warnings):
        return _slept(resume(workspace.repository, workspace.index, run, means), means, warnings)


def plan_sleep(workspace: Workspace, *, date: str | None = None, deep: bool = False) -> SleepPlan:
    """Whether a night would change anything, without a model and without a branch.

    Raises:
        MemhtmlError: as `sleep`.
    """
    from memhtml.sleep.pipeline import rehearse

    wish = Wish(_date(workspace, date), deep)
    with _prepared(workspace, Spending(model=False)) as (means, warnings):
        outcome = rehearse(workspace.repository, workspace.index, wish, means)
    changed = sum(len(result.changes) for result in outcome.results)
    return SleepPlan(changed > 0, changed, tuple(map(_phase, outcome.results)), warnings)


def _spending(arguments: Arguments) -> Spending:
    return Spending(
        model=not arguments.flag("no_model"),
        calls=CALLS if (calls := arguments.integer("calls")) is None else calls,
        tokens=TOKENS if (tokens := arguments.integer("tokens")) is None else tokens,
    )


def _date(workspace: Workspace, date: str | None) -> str:
    """The date of the night: today, in UTC, unless another is wanted.

    Raises:
        InvalidFlagError: it is later than tomorrow: once such a night is merged, nothing would wear off before it.
    """
    now = workspace.clock.now()
    if date is None:
        return now[:10]
    latest = days_later(now, 1)[:10]
    if is_run_name(date) and date > latest:
        raise InvalidFlagError(f"--date {date} is still to come; {latest} is the latest that a night may have")
    return date


@contextmanager
def _prepared(workspace: Workspace, spending: Spending) -> Generator[tuple[Means, tuple[Notice, ...]]]:
    """What the night may use, as long as the context lasts.

    Neither an embedder nor transcripts that cannot be had are a reason not to sleep; the notices say what is missed.
    """
    from memhtml.evals.scratch import embed_all
    from memhtml.index.traces.transcripts import Transcripts
    from memhtml.sleep.corpus import NoTalks
    from memhtml.sleep.talks import Transcribed

    warnings = workspace.catch_up()
    embedder = None
    talks: Talks = NoTalks()
    with ExitStack() as held:
        try:
            embedder = workspace.embedder
            if embedder is not None:
                # The index is a cache: a night begins with every vector in it, as a search makes those that it lacks.
                embed_all(workspace.index, embedder, workspace.progress)
        except MemhtmlError as error:
            warnings += (Notice(error.code, f"what has no vector yet is not compared: {error.message}"),)
        try:
            talks = Transcribed(held.enter_context(Transcripts.open(workspace.repository.root)))
        except MemhtmlError as error:
            warnings += (Notice(error.code, f"no session is looked at: {error.message}"),)
        means = Means(
            model=workspace.model if spending.model else None,
            budget=Budget(spending.calls, spending.tokens),
            embedder=embedder,
            talks=talks,
            progress=workspace.progress,
        )
        yield means, warnings


def _slept(outcome: Outcome, means: Means, warnings: tuple[Notice, ...]) -> Slept:
    return Slept(
        run=outcome.run,
        branch=None if outcome.run is None else f"sleep/{outcome.run}",
        tip=outcome.tip,
        phases=tuple(map(_phase, outcome.results)),
        earlier=tuple(told.phase for told in outcome.earlier),
        changed=sum(len(result.changes) for result in outcome.results),
        model=None if means.model is None else means.model.name,
        warnings=warnings,
    )


def _phase(result: Result) -> PhaseResult:
    told = result.told
    return PhaseResult(
        phase=told.phase,
        state=told.state,
        counts=told.counts,
        changed=len(result.changes),
        changes=result.changes[:MOST_SHOWN],
        refused=len(result.refused),
        refusals=result.refused[:MOST_SHOWN],
        note=told.note,
        calls=told.calls,
        tokens=told.tokens,
    )
