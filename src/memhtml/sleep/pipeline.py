"""A night from its beginning to its end: begun, gone on with, or only rehearsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.domain.errors import WriteConflictError
from memhtml.index.pinned import Clean, Pinned
from memhtml.sleep.corpus import Night, midnight
from memhtml.sleep.gathering import gather
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.mind import Mind
from memhtml.sleep.outcome import Outcome, Result, doings
from memhtml.sleep.preflight import PREFLIGHT, counted, refuse_unready
from memhtml.sleep.record import earlier_nights, taken_back, unwanted
from memhtml.sleep.trailers import State, Told
from memhtml.sleep.work import Work, proposed, told_of
from memhtml.store.branches import OpenRun, Runs

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.store.repository import Repository


def run(live: Repository, index: Index, wish: Wish, means: Means) -> Outcome:
    """Begin a night from where main is, and go through all of it on a branch of its own.

    Raises:
        InvalidPathError: the date is none.
        DirtyTreeError: something in the store is not committed.
        IndexStaleError: less than half of the texts have vectors.
        GitError: another branch than main is checked out, or git refused.
        LockedError: another writer held the store.
        StorageError: disk full or read-only.
    """
    now = midnight(wish.date)
    refuse_unready(live, index)
    with Runs(live).begin(wish.date) as opened:
        return _gone_through(opened, index, Night(opened.name, now, wish.deep), means, {})


def resume(live: Repository, index: Index, name: str, means: Means) -> Outcome:
    """Go on with a night that was broken off; one that is whole has nothing left to do.

    Raises:
        InvalidPathError: no run can have that name.
        PathNotFoundError: there is none.
        WriteConflictError: main holds it already.
        LockedError: somebody else works on it.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    with Runs(live).resume(name) as opened:
        if opened.run().landed is not None:
            raise WriteConflictError(f"main holds the run {name} already", suggestions=("memhtml sleep run",))
        done = taken_back(opened)
        first = done.get(PREFLIGHT)
        night = Night(name, midnight(name[:10]), first is not None and first.deep)
        return _gone_through(opened, index, night, means, done)


def rehearse(live: Repository, index: Index, wish: Wish, means: Means) -> Outcome:
    """What each phase would do with the store as it is; no branch is made, and no phase sees what another would do.

    Raises:
        MemhtmlError: as `run`.
    """
    now = midnight(wish.date)
    refuse_unready(live, index)
    head = live.head()
    mind = None if means.model is None else Mind(means.model, means.budget)
    out = unwanted(live)
    results: list[Result] = []
    with index.copied() as own, live.snapshot(head) as files:
        own.update(Pinned(live, head, Clean()))
        corpus = gather(own, files, Night(wish.date, now, wish.deep, earlier_nights(files)), means.talks)
        results.append(Result(Told(PREFLIGHT, counts=counted(corpus))))
        for number, phase in enumerate(means.phases):
            means.progress(phase.name, number, len(means.phases))
            try:
                found = proposed(phase, corpus, mind, out)
            except Exception as error:  # noqa: BLE001 - a phase that fails costs itself alone
                results.append(Result(Told(phase.name, State.FAILED, note=told_of(error))))
            else:
                told = Told(phase.name, counts=found.counts, note=found.note)
                results.append(Result(told, doings(found.changes), found.refused))
    return Outcome(None, tuple(results))


def _gone_through(opened: OpenRun, index: Index, night: Night, means: Means, done: dict[str, Told]) -> Outcome:
    # The run's own index is a copy in memory, so that the live one never changes.
    with index.copied() as own:
        return Work(opened, own, night, means, done).through()
