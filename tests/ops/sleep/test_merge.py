"""Operation `sleep merge`: which run is meant, what refuses, and what a caller is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.ops.conftest import fact, git, opened, seen

from memhtml.domain.errors import (
    DiscriminationFailedError,
    InvalidFlagError,
    MissingArgumentError,
    ModelUnavailableError,
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.memory import MemoryPath
from memhtml.ops.encoding import dumps, encode
from memhtml.ops.search import search
from memhtml.ops.sleep.merge import MOST_SHOWN, Gate, merge_run
from memhtml.ops.write import write
from memhtml.retrieve.answer import Request
from memhtml.store.archiving import stage_archive
from memhtml.store.branches import Runs
from memhtml.workspace.workspace import Workspace

DAY = "2026-07-28"
FACTS = [
    f"The nightly job of team {name} retries failed exports {number} times." for number, name in enumerate("abcd", 3)
]
FIRST = MemoryPath("areas/inbox/the-nightly-job-of-team-a-retries-failed-exports-3-times.html")


@pytest.fixture
def store(workspace: Workspace) -> Workspace:
    """Four facts."""
    for claim in FACTS:
        write(workspace, fact(claim))
    return workspace


def plant(workspace: Workspace, phase: str, *files: str, archived: MemoryPath | None = None) -> str:
    """A run that makes files, and puts a memory away."""
    with Runs(workspace.repository).begin(DAY) as run, run.repository.transaction() as tx:
        if archived is not None:
            stage_archive(tx, archived, now=workspace.clock.now())
        for path in files:
            tx.put(path, b"made")
        tx.commit(f"sleep({phase}): 1", [("Memhtml-Phase", phase)])
    return run.name


def test_the_only_open_run_comes_to_main(store: Workspace, root: Path) -> None:
    """It needs no name; the answer says who judged, under the keys that scripts read."""
    plant(store, "retention-triage", archived=FIRST)
    done = merge_run(store, seed=3)
    assert (done.run, done.branch, done.already, done.tries, done.gate) == (DAY, f"sleep/{DAY}", False, 1, Gate.PASSED)
    assert (done.files, done.paths, done.warnings) == (2, (f"archive/2026/{FIRST}", FIRST), ())
    assert done.commit == git(root, "rev-parse", "main")
    assert git(root, "log", "-1", "--format=%cI", "main").startswith("2026-07-28T10:00:00")
    data = json.loads(dumps(encode(done), dense=False))
    assert data["gate"] == "passed"
    assert data["store"]["evicted"] == [FIRST]
    assert data["store"]["probes"] == 4
    assert data["ranking"]["mrr"] == 1.0
    assert FIRST not in [hit.path for hit in search(store, Request("nightly job retries of team a")).hits]
    again = merge_run(store, DAY)
    assert (again.already, again.gate, again.commit, again.files) == (True, Gate.UNASKED, done.commit, 0)
    with pytest.raises(PathNotFoundError, match="no run is open"):
        merge_run(store)


def test_a_refusal_moves_nothing_and_the_gate_may_be_skipped(store: Workspace, root: Path) -> None:
    """The same run lands unjudged, and says so."""
    name = plant(store, "dedup-merge", archived=FIRST)
    before = seen(root)
    with pytest.raises(DiscriminationFailedError, match="finds neither it nor anything in its place") as caught:
        merge_run(store, name)
    assert seen(root) == before
    assert caught.value.suggestions == (
        f'memhtml sleep drop {DAY} --path {FIRST} --why "search does not find it any more"',
    )
    done = merge_run(store, name, skip_gate=True)
    assert (done.gate, done.ranking, done.store) == (Gate.SKIPPED, None, None)
    assert git(root, "log", "-1", "--format=%(trailers:key=Memhtml-Gate,valueonly)", "main") == "skipped"


def test_an_embedder_that_is_configured_and_cannot_be_had_refuses(store: Workspace, root: Path) -> None:
    """Asking by words alone would be another question; without the gates none is needed."""
    name = plant(store, "report", "areas/inbox/index.html")
    store.close()
    before = seen(root)
    for embed in ("fake-failing@32", "some-model@32"):
        with opened(root, embed) as found, pytest.raises(ModelUnavailableError, match="not passing it") as caught:
            merge_run(found, name)
        assert "--skip-gate" in caught.value.suggestions[-1]
    assert seen(root) == before
    with opened(root, "some-model@32") as found:
        assert merge_run(found, name, skip_gate=True).gate is Gate.SKIPPED


def test_vectors_that_the_gate_needed_are_there_afterwards(store: Workspace, root: Path) -> None:
    """Those that are missing, as far as that is quickly done."""
    name = plant(store, "report", "areas/inbox/index.html")
    store.close()
    with opened(root, "fake-words@64") as found:
        assert found.index.missing_vectors() == 4
        assert merge_run(found, name).gate is Gate.PASSED
        assert found.index.missing_vectors() == 0


def test_which_run_is_asked_where_several_are_open(store: Workspace) -> None:
    """All are named; a name that no run has is an error, and so is a seed that no sample has."""
    plant(store, "report", "areas/inbox/index.html")
    plant(store, "report", "areas/inbox/index.html")
    with pytest.raises(MissingArgumentError, match=f"{DAY}, {DAY}-2"):
        merge_run(store)
    with pytest.raises(PathNotFoundError, match="no run 2026-07-29"):
        merge_run(store, "2026-07-29")
    with pytest.raises(InvalidFlagError, match="seed takes"):
        merge_run(store, DAY, seed=-1)


def test_a_ledger_that_does_not_add_up_names_the_paths(store: Workspace, root: Path) -> None:
    """For whoever takes them out."""
    with Runs(store.repository).begin(DAY) as run, run.repository.transaction() as tx:
        tx.remove(FIRST)
        tx.commit("sleep(dedup-merge): 1")
    before = seen(root)
    with pytest.raises(WriteConflictError, match="its ledger does not add up") as caught:
        merge_run(store, skip_gate=True)
    assert caught.value.paths == (FIRST,)
    assert seen(root) == before


def test_an_answer_names_the_first_files(store: Workspace) -> None:
    """And counts them all."""
    plant(store, "report", *(f"areas/f{number:02}/index.html" for number in range(MOST_SHOWN + 3)))
    done = merge_run(store, skip_gate=True)
    assert (done.files, len(done.paths), done.paths[0]) == (MOST_SHOWN + 3, MOST_SHOWN, "areas/f00/index.html")
