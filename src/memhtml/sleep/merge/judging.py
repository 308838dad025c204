"""The two gates that a run must pass: whether ranking tells memories apart, and whether this store's are still found.

A gate that cannot be asked says so, as an error of its own, and nothing has passed then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import DiscriminationFailedError, EmbedModelMismatchError, ModelUnavailableError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import is_archived
from memhtml.domain.progress import Progress, silent
from memhtml.evals.chance import Chance
from memhtml.evals.comparison import Comparison, Reason, Trial, compare, snapshot
from memhtml.evals.discriminate import Run as Fixtures
from memhtml.evals.discriminate import discriminate
from memhtml.evals.own import MOST
from memhtml.models.fakes import HashedWords
from memhtml.sleep.merge.ledger import Side, given_way, whereabouts
from memhtml.sleep.trailers import PHASE
from memhtml.store.classes import ARCHIVED, RunCommit

if TYPE_CHECKING:
    from memhtml.evals.gate import Verdict
    from memhtml.index.index import Index
    from memhtml.models.embedder import Embedder
    from memhtml.store.branches import Run
    from memhtml.store.repository import Repository

EVICTING = frozenset({"retention-triage", "reprieve"})
"""Phases that put memories away because nobody needs them: that nothing finds these any more is what was wanted."""

MOST_KEPT = MOST
"""Memories that are asked for of those of which a run changes the head or the place: a night may change all heads."""

_SHOWN = 5


class Judges(Struct, frozen=True):
    """Who is asked.

    Attributes:
        embedder: of the store; ``None``: by words alone, as the store is searched without.
        now: when it is asked.
        seed: of what is drawn.
        probes: how many each gate draws; the store is asked besides for what the run touches.
        progress: told of every probe.
    """

    embedder: Embedder | None
    now: Instant
    seed: int = 1
    probes: int = MOST
    progress: Progress = silent


class Sides(Struct, frozen=True):
    """The memories of main and of the result, and the run between them."""

    before: Side
    after: Side
    commits: Sequence[RunCommit]


def judge_ranking(live: Repository, judges: Judges) -> Verdict:
    """What the fixture says: invented stores, asked by vectors that are the same on every machine.

    Raises:
        DiscriminationFailedError: a wrong version ranks above what is right.
        MemhtmlError: a scratch store could not be made or asked.
    """
    report = discriminate(Fixtures((judges.seed,), judges.probes), HashedWords(), live.git.environment, judges.progress)
    if report.verdict is None or not report.passed:
        raise DiscriminationFailedError(
            f"nothing was merged, since search does not tell memories from wrong versions of them: {report.describe()}",
            suggestions=("memhtml eval discriminate shows all of it: no run is to blame, but the ranking",),
        )
    return report.verdict


def judge_store(live: Repository, index: Index, run: Run, sides: Sides, judges: Judges) -> Comparison:
    """What the store says of the run: its own memories, asked for before and after, all that the run moves among them.

    Raises:
        DiscriminationFailedError: what was found is not found any more, or falls below a wrong version of it.
        ModelUnavailableError: the embedder cannot work.
        EmbedModelMismatchError: the index holds vectors of another space.
        GitError: git refused.
        StorageError: the index cannot be read.
    """
    evicted = put_away(sides)
    asked = touched(sides, judges.seed, besides=evicted)
    trial = Trial(judges.now, judges.probes, judges.seed, asked, evicted)
    try:
        with snapshot(index, live, run.base) as before, snapshot(index, live, run.tip) as after:
            compared = compare(before, after, trial, judges.embedder, judges.progress)
    except ModelUnavailableError as error:
        raise unasked(error) from error
    except EmbedModelMismatchError as error:
        raise EmbedModelMismatchError(
            f"the gate of the store cannot be asked, so nothing was merged: {error.message}",
            suggestions=(*error.suggestions, "or merge unjudged, which the commit says: --skip-gate"),
        ) from error
    if not compared.passed:
        raise _refusal(run, compared, sides)
    return compared


def unasked(error: Exception) -> ModelUnavailableError:
    """What it means for a merge that vectors cannot be made, though the store is configured to have them."""
    return ModelUnavailableError(
        f"the gate of the store cannot be asked, and that is not passing it, so nothing was merged: {error}",
        suggestions=(
            "memhtml config list shows the embedder",
            "MEMHTML_EMBED=off asks by words alone, as the store is searched without vectors",
            "or merge unjudged, which the commit says: --skip-gate",
        ),
    )


def put_away(sides: Sides) -> frozenset[MemoryPath]:
    """The memories of main that the run archives since nobody needs them, and not since something took their place."""
    whence = {place: path for path, place in whereabouts(sides.before, sides.after).items()}
    found: set[MemoryPath] = set()
    for commit in sides.commits:
        if dict(commit.trailers).get(PHASE) not in EVICTING:
            continue
        for file in commit.changed:
            place = MemoryPath(file.path)
            entry = sides.after.get(place)
            if file.kind == ARCHIVED and entry is not None and entry.superseded_by is None and place in whence:
                found.add(whence[place])
    return frozenset(found)


def touched(sides: Sides, seed: int, *, besides: Iterable[MemoryPath] = ()) -> tuple[MemoryPath, ...]:
    """The memories in use that must be asked for: all that may be found no more, and some of the others that change.

    First, in path order, those that are not in use afterwards, give way to another, or are of another type, status or
    validity; then at most `MOST_KEPT` of those that have another head or place, as ``seed`` draws them.
    """
    where = whereabouts(sides.before, sides.after)
    ours = sorted(path for path in sides.before.keys() - set(besides) if not is_archived(path))
    sure = given_way(sides.before, sides.after) | {path for path in ours if not _stays(path, where, sides)}
    kept = [path for path in ours if path not in sure and sides.before[path] != sides.after.get(path)]
    return (*(path for path in ours if path in sure), *Chance(seed).shuffled(kept)[:MOST_KEPT])


def _stays(path: MemoryPath, where: Mapping[MemoryPath, MemoryPath], sides: Sides) -> bool:
    place = where.get(path)
    return place is not None and not is_archived(place) and sides.before[path].standing == sides.after[place].standing


def _refusal(run: Run, compared: Comparison, sides: Sides) -> DiscriminationFailedError:
    if Reason.NO_PROBES in compared.reasons:
        return DiscriminationFailedError(
            f"the run {run.name} was not merged: {compared.describe()}",
            suggestions=("memhtml sleep review shows what it changes", "--skip-gate merges it unjudged"),
        )
    targets = list(dict.fromkeys(regression.target for regression in compared.regressions))
    named = ", ".join(targets[:_SHOWN]) + (f" and {len(targets) - _SHOWN} more" if len(targets) > _SHOWN else "")
    ours = [path for path in targets if sides.after.get(path) != sides.before.get(path)]
    drops = tuple(drop(run, path, "search does not find it any more") for path in ours[:_SHOWN])
    return DiscriminationFailedError(
        f"the run {run.name} was not merged, since search would be worse for {named}: {compared.describe()}",
        suggestions=drops or (f"memhtml sleep review {run.name} shows what it changes",),
    )


def drop(run: Run, path: str, why: str) -> str:
    """The command that takes a change out of the run."""
    return f'memhtml sleep drop {run.name} --path {path} --why "{why}"'
