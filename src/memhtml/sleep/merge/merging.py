"""A run comes to main: replayed, audited, judged, landed; refused before anything of main moves, or done.

The ledger is asked always. The two gates may be skipped, which the merge commit then says. A gate that cannot be asked
refuses: nobody knows what the run does to the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError, WriteConflictError
from memhtml.domain.memory import CommitId
from memhtml.domain.paths import is_archived
from memhtml.sleep.merge.judging import Judges, Sides, drop, judge_ranking, judge_store
from memhtml.sleep.merge.ledger import Finding, audit, read_sides
from memhtml.sleep.preflight import PREFLIGHT
from memhtml.sleep.review.review import REPORT
from memhtml.sleep.trailers import told
from memhtml.store.branches import OpenRun, Run, Runs
from memhtml.store.classes import RunCommit, commits
from memhtml.store.landing import Landed, land, replay
from memhtml.store.worktrees import take_away

if TYPE_CHECKING:
    from memhtml.evals.comparison import Comparison
    from memhtml.evals.gate import Verdict
    from memhtml.index.index import Index
    from memhtml.store.repository import Repository

TRIES = 3
"""How often a run is put on main and judged, because main moved while it was."""

_SHOWN = 5
_AT_HAND = 64
"""Texts without a vector that get one after a merge, by an embedder that the gate has loaded anyway."""


class Trouble(Struct, frozen=True):
    """What went wrong beside a merge that is done."""

    code: str
    message: str


class Merged(Struct, frozen=True):
    """A run on main.

    Attributes:
        commit: the merge; ``None`` where main has the run by another way, or the run has no commit.
        already: main held it before.
        paths: the files that main got, lost or has otherwise now, in path order.
        tries: how often it was put on main and judged; 0 when main held it.
        kept: files that are made from others and that both had changed, in path order: main's stand.
        ranking: what the fixture came to; ``None`` when it was not asked.
        store: what the store's own memories came to; ``None`` when they were not asked for.
        troubles: the merge is done in spite of them.
    """

    run: Run
    commit: CommitId | None
    already: bool = False
    paths: tuple[str, ...] = ()
    tries: int = 0
    kept: tuple[str, ...] = ()
    ranking: Verdict | None = None
    store: Comparison | None = None
    troubles: tuple[Trouble, ...] = ()


def merge(live: Repository, index: Index, name: str, judges: Judges, *, skip_gates: bool = False) -> Merged:
    """Merge the run into main, and let the index of the store follow. A run that main holds already is merged.

    Where main moves meanwhile, the run is put on it and judged again.

    Args:
        live: the store.
        index: of the store; nothing of it changes before main does.
        name: of the run.
        judges: who is asked, and when; that is the date of the merge too.
        skip_gates: whether nobody is asked; the ledger is not skipped.

    Raises:
        DiscriminationFailedError: a gate refuses.
        WriteConflictError: the ledger does not add up, or main and the run changed one file, or main never stood still.
        ModelUnavailableError: a gate cannot be asked.
        EmbedModelMismatchError: the index holds vectors of another space, so a gate cannot be asked.
        InvalidPathError: no run can have that name.
        PathNotFoundError: there is no such run.
        LockedError: somebody works on it, or another writer held the store.
        DirtyTreeError: an uncommitted change stands where this would write.
        GitError: main is not checked out, a merge or the like is under way, or git refused.
        StorageError: the disk is full or read-only, or the index cannot be read.
    """
    found = Runs(live).find(name)
    if found.held:
        return Merged(found, found.landed, already=True)
    ranking: Verdict | None = None
    kept: set[str] = set()
    with Runs(live).resume(name) as opened:
        for number in range(1, TRIES + 1):
            replayed = replay(opened)
            run = replayed.run
            kept.update(replayed.kept)
            if run.held:
                return Merged(run, run.landed, already=True)
            sides = _accounted(opened, run, judges)
            store: Comparison | None = None
            if not skip_gates:
                # What the fixture says has nothing to do with main: it is asked once.
                ranking = ranking or judge_ranking(live, judges)
                if any(not is_archived(path) for path in sides.before):  # else there is nothing that could be lost
                    store = judge_store(live, index, run, sides, judges)
            landed = _landed(opened, run, judges, skip_gates=skip_gates)
            if landed is None:
                continue
            troubles = _followed(live, index, None if store is None else judges)
            with suppress(MemhtmlError):  # where nothing is left to work on, no work tree is needed
                take_away(opened.tree)
            return Merged(
                opened.run(),
                landed.commit,
                paths=landed.paths,
                tries=number,
                kept=tuple(sorted(kept)),
                ranking=ranking,
                store=store,
                troubles=troubles,
            )
    raise WriteConflictError(
        f"main moved each of the {TRIES} times that the run {name} was judged, so nothing was merged",
        suggestions=("run the command again when fewer agents write",),
    )


def _accounted(opened: OpenRun, run: Run, judges: Judges) -> Sides:
    """Both sides of the run as it stands on main, when the ledger adds up.

    Raises:
        WriteConflictError: it does not, or the run was broken off.
    """
    judges.progress("looking for every memory", 0, None)
    git = opened.live.git
    made = commits(git, run.base, run.tip)
    _refuse_unfinished(run, made)
    before, after = read_sides(git, run.base, run.tip)
    findings = audit(before, after)
    if findings:
        raise _unaccounted(run, findings)
    return Sides(before, after, made)


def _refuse_unfinished(run: Run, made: Sequence[RunCommit]) -> None:
    """See that a night that began has ended: a later one of its date would take for done what it left undone."""
    phases = {said.phase for commit in made if (said := told(commit.trailers)) is not None}
    if PREFLIGHT in phases and REPORT not in phases:
        raise WriteConflictError(
            f"the run {run.name} was broken off before its end, so nothing was merged",
            suggestions=(f"memhtml sleep resume {run.name}", f"memhtml sleep drop {run.name} --yes"),
        )


def _unaccounted(run: Run, findings: tuple[Finding, ...]) -> WriteConflictError:
    told = "; ".join(finding.said for finding in findings[:_SHOWN])
    more = f"; and {len(findings) - _SHOWN} more" if len(findings) > _SHOWN else ""
    remedies = {finding.remedy: finding for finding in findings}
    drops = tuple(drop(run, path, f"{one.fault}: {one.path}") for path, one in list(remedies.items())[:_SHOWN])
    return WriteConflictError(
        f"the run {run.name} was not merged, since its ledger does not add up: {told}{more}",
        paths=tuple(sorted(remedies)),
        suggestions=drops,
    )


def _landed(opened: OpenRun, run: Run, judges: Judges, *, skip_gates: bool) -> Landed | None:
    """The run on main; ``None`` when main is not any more where it was judged."""
    judges.progress("merging", 0, None)
    try:
        return land(opened, run, when=judges.now, gate_skipped=skip_gates)
    except WriteConflictError:
        if opened.live.head() == run.base:
            raise
        return None


def _followed(live: Repository, index: Index, judges: Judges | None) -> tuple[Trouble, ...]:
    """Let the index follow main; with an embedder at hand, give a few texts their vectors.

    The merge is acknowledged by now: whatever goes wrong is told beside it, and the next command tries again.
    """
    from memhtml.index.embedding import fill

    try:
        index.catch_up(live)
        if judges is not None and judges.embedder is not None:
            fill(index, judges.embedder, _AT_HAND)
    except MemhtmlError as error:
        return (Trouble(error.code, f"the run is merged, but the index could not follow: {error.message}"),)
    return ()
