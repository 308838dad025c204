"""Operation `sleep merge`: a reviewed run comes to main, or is refused before anything of main moves."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError, ModelUnavailableError
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.arguments import bounded
from memhtml.ops.rows_evals import MOST_SEED
from memhtml.ops.sleep.runs import open_run
from memhtml.sleep.merge.judging import Judges, unasked
from memhtml.sleep.merge.merging import Merged, merge
from memhtml.store.branches import Runs
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.evals.comparison import Comparison
    from memhtml.evals.gate import Verdict
    from memhtml.models.embedder import Embedder
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

MOST_SHOWN = 50
"""Files that an answer names."""


class Gate(StrEnum):
    """What the gates had to say.

    Attributes:
        PASSED: both held.
        SKIPPED: nobody asked them; the merge commit says so.
        UNASKED: main held the run already.
    """

    PASSED = "passed"
    SKIPPED = "skipped"
    UNASKED = "unasked"


class RankingHeld(Struct, frozen=True):
    """What the invented store said: see `eval discriminate`."""

    probes: int
    questions: int
    mrr: float


class StoreHeld(Struct, frozen=True):
    """What the store's own memories said, on main and with the run.

    Attributes:
        probes: memories that were asked for.
        held: questions of them that ranked the memory above all wrong versions of it before.
        evicted: memories that were asked for, and that the run puts away since nobody needs them.
        changed: memories that were asked for, and for which something stands now that says otherwise.
    """

    probes: int
    questions: int
    held: int
    evicted: tuple[MemoryPath, ...]
    changed: tuple[MemoryPath, ...]


class MergedRun(Struct, frozen=True):
    """A run that main holds.

    Attributes:
        commit: the merge; ``None`` where the run came to main in another way, or has no commit.
        already: main held it before, and nothing was done.
        files: how many files main got, lost or has otherwise now.
        paths: the first of them, in path order.
        tries: how often it was put on main and judged: more than once where main moved meanwhile.
        kept: files that are made from others, such as listings, and that both had changed: main's stand.
        gate: what the gates had to say.
        ranking: of the invented store; ``None`` unless it was asked.
        store: of the store's own memories; ``None`` unless they were asked for.
    """

    run: str
    branch: str
    commit: CommitId | None
    already: bool
    files: int
    paths: tuple[str, ...]
    tries: int
    kept: tuple[str, ...]
    gate: Gate
    ranking: RankingHeld | None
    store: StoreHeld | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> MergedRun:
    """The `sleep merge` operation."""
    return merge_run(
        workspace, arguments.text("run"), skip_gate=arguments.flag("skip_gate"), seed=arguments.count("seed")
    )


def merge_run(workspace: Workspace, name: str | None = None, *, skip_gate: bool = False, seed: int = 1) -> MergedRun:
    """Merge a run into main: replayed where main moved, audited by the ledger, judged by both gates.

    A gate that cannot be asked refuses, as one that fails does. A run that main holds already is no error.

    Args:
        workspace: the store.
        name: of the run; ``None``: the only one that is open.
        skip_gate: ask no gate; the merge commit says so. The ledger is asked always.
        seed: of what the gates draw.

    Raises:
        DiscriminationFailedError: a gate refuses.
        WriteConflictError: the ledger does not add up, or main and the run changed one file.
        ModelUnavailableError: vectors are on, and cannot be made.
        EmbedModelMismatchError: the index holds vectors of another space than the configured one.
        PathNotFoundError: there is no such run, or none is open.
        MissingArgumentError: several are open, and none is named.
        InvalidFlagError: no sample has that seed.
        LockedError: somebody works on the run, or another writer held the store.
        DirtyTreeError: an uncommitted change stands where this would write.
    """
    bounded("seed", seed, 0, MOST_SEED)
    warnings = workspace.catch_up()
    live = workspace.repository
    chosen = open_run(Runs(live), name)
    embedder = None if skip_gate else _embedder(workspace)
    judges = Judges(embedder, workspace.clock.now(), seed, progress=workspace.progress)
    done = merge(live, workspace.index, chosen, judges, skip_gates=skip_gate)
    return _told(done, skip_gate=skip_gate, warnings=warnings)


def _embedder(workspace: Workspace) -> Embedder | None:
    try:
        return workspace.embedder
    except (InvalidSettingError, ModelUnavailableError) as error:
        raise unasked(error) from error


def _told(done: Merged, *, skip_gate: bool, warnings: tuple[Notice, ...]) -> MergedRun:
    judged = Gate.SKIPPED if skip_gate else Gate.PASSED
    return MergedRun(
        run=done.run.name,
        branch=done.run.branch,
        commit=done.commit,
        already=done.already,
        files=len(done.paths),
        paths=done.paths[:MOST_SHOWN],
        tries=done.tries,
        kept=done.kept,
        gate=Gate.UNASKED if done.already else judged,
        ranking=_ranking(done.ranking),
        store=_store(done.store),
        warnings=(*warnings, *(Notice(trouble.code, trouble.message) for trouble in done.troubles)),
    )


def _ranking(verdict: Verdict | None) -> RankingHeld | None:
    return None if verdict is None else RankingHeld(verdict.probes, verdict.questions, verdict.mrr)


def _store(found: Comparison | None) -> StoreHeld | None:
    if found is None:
        return None
    return StoreHeld(found.probes, found.questions, found.held, found.evicted, found.changed)
