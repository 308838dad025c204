"""A night as a command: what it answers, what it may use, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.ops.conftest import opened

from memhtml.domain.errors import DirtyTreeError, IndexStaleError, InvalidFlagError, PathNotFoundError, UsageError
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.embedding import fill
from memhtml.models.fakes import HashedWords
from memhtml.ops.init import init
from memhtml.ops.sleep.merge import merge_run
from memhtml.ops.sleep.run import Spending, plan_sleep, resume_sleep, sleep
from memhtml.ops.write import write
from memhtml.sleep.trailers import State
from memhtml.store.branches import Runs
from memhtml.workspace.workspace import Workspace


@pytest.fixture
def store(workspace: Workspace) -> Workspace:
    """Three memories with vectors."""
    for claim in ("Apples are red.", "Bananas are yellow."):
        write(workspace, Draft(MemoryType.SEMANTIC, claim=claim))
    write(workspace, Draft(MemoryType.SEMANTIC, claim="Cherries are small.", importance=10))
    fill(workspace.index, HashedWords())
    return workspace


def test_a_night_answers_with_every_phase(store: Workspace) -> None:
    """Today's date, all phases in their order, what they did and what there is to see; main is as it was."""
    before = store.repository.head()
    night = sleep(store)
    assert (night.run, night.branch, night.model) == ("2026-07-28", "sleep/2026-07-28", None)
    assert [phase.phase for phase in night.phases] == [
        *("preflight", "dedup-merge", "entity-resolution", "person-links", "relationship-mining", "edge-typing"),
        *("confidence-decay", "arc-synthesis", "retention-triage", "compress", "reprieve", "trace-consolidation"),
        *("task-detection", "placement-triage", "integrity", "state-export", "report"),
    ]
    by_name = {phase.phase: phase for phase in night.phases}
    assert all(phase.state is State.DONE for phase in night.phases)
    assert by_name["preflight"].counts["memories"] == 3
    assert by_name["confidence-decay"].changed == 2
    assert {phase.phase for phase in night.phases if phase.note == "no model"} >= {
        "edge-typing", "arc-synthesis", "compress", "trace-consolidation",
    }  # fmt: skip
    assert night.changed == 3
    assert store.repository.head() == before
    assert Runs(store.repository).find("2026-07-28").tip == night.tip


def test_a_plan_and_a_rehearsal_make_no_branch(store: Workspace) -> None:
    """Both say what would be done; the report is no change of theirs."""
    plan = plan_sleep(store)
    assert (plan.would_change, plan.changed) == (True, 2)
    rehearsed = sleep(store, dry_run=True)
    assert (rehearsed.run, rehearsed.branch, rehearsed.tip, rehearsed.changed) == (None, None, None, 2)
    assert Runs(store.repository).listed() == ()


def test_a_night_that_would_change_nothing_says_so(workspace: Workspace) -> None:
    """A store without memories."""
    plan = plan_sleep(workspace)
    assert (plan.would_change, plan.changed) == (False, 0)


def test_a_run_that_is_whole_has_nothing_to_go_on_with(store: Workspace) -> None:
    """Its phases are told as done before; no run at all is an error."""
    with pytest.raises(PathNotFoundError):
        resume_sleep(store)
    done = sleep(store)
    again = resume_sleep(store, done.run)
    assert again.phases == ()
    assert again.earlier[0] == "preflight"
    assert again.earlier[-1] == "report"
    assert again.tip == done.tip


@pytest.mark.parametrize("date", ["2026-02-30", "yesterday", "", "2026-07-28-2"])
def test_what_is_no_date_is_refused(store: Workspace, date: str) -> None:
    """And no branch is left."""
    with pytest.raises(UsageError):
        sleep(store, date=date)
    assert Runs(store.repository).listed() == ()


def test_a_night_that_is_still_to_come_is_refused(store: Workspace) -> None:
    """Tomorrow is not: it has begun somewhere."""
    with pytest.raises(InvalidFlagError, match="2026-07-29 is the latest"):
        sleep(store, date="2026-07-30")
    with pytest.raises(InvalidFlagError):
        plan_sleep(store, date="2099-01-01")
    assert sleep(store, date="2026-07-29").run == "2026-07-29"


def test_a_store_that_cannot_be_seen_whole_is_refused(store: Workspace) -> None:
    """An edit that is not committed; texts without vectors, with what to do."""
    path = store.repository.root / "areas/inbox/apples-are-red.html"
    path.write_text(path.read_text() + "<!-- more -->")
    with pytest.raises(DirtyTreeError, match="apples"):
        sleep(store)
    store.repository.git.run("checkout", "--", ".")
    for number in range(9):
        write(store, Draft(MemoryType.SEMANTIC, claim=f"The bin {number} holds {number} screws."))
    with pytest.raises(IndexStaleError) as caught:
        sleep(store)
    assert "memhtml index embed" in caught.value.suggestions


def test_no_model_is_asked_where_none_is_wanted(store: Workspace) -> None:
    """Nor where none is configured."""
    assert sleep(store, spending=Spending(model=False)).model is None


def test_a_night_begins_with_every_vector(root: Path) -> None:
    """Writing makes none, so a night makes those that are missing: the first day's store can be curated too."""
    with opened(root, embed="fake-words@32") as fresh:
        init(fresh)
        write(fresh, Draft(MemoryType.SEMANTIC, claim="Apples are red."))
        assert fresh.index.missing_vectors() == 1
        night = sleep(fresh)
        assert night.phases[0].counts["vectors"] == 1
        assert fresh.index.missing_vectors() == 0


def test_a_night_of_a_store_without_memories_can_be_merged(workspace: Workspace) -> None:
    """Nothing could be lost, so no gate of the store's own is asked."""
    run = sleep(workspace).run
    assert run is not None
    merged = merge_run(workspace, run)
    assert merged.store is None
    assert merged.commit == workspace.repository.head()
