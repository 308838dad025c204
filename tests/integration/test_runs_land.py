"""Runs of sleep in volume, and beside agents that write."""

from __future__ import annotations

import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from memhtml.domain.errors import WriteConflictError
from memhtml.store.branches import OpenRun, Runs
from memhtml.store.chain import differences
from memhtml.store.founding import init
from memhtml.store.landing import Landed, land, replay
from memhtml.store.repository import Repository

DAY = "2026-07-28"


def git(root: Path, environment: dict[str, str], *words: str) -> str:
    """Run git as a person would."""
    done = subprocess.run(["git", *words], cwd=root, env=environment, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def made(root: Path, environment: dict[str, str], many: int) -> Repository:
    """A store with that many memories."""
    init(root, environment=environment)
    store = Repository.open(root, environment=environment)
    with store.transaction() as tx:
        for number in range(many):
            tx.put(f"areas/topic-{number % 20}/{number}.html", f"memory {number}".encode())
        tx.commit("memory(apply): many")
    return store


def night(opened: OpenRun, many: int) -> None:
    """Every second memory goes to the archive, the others are edited."""
    with opened.repository.transaction() as tx:
        for number in range(many):
            path = f"areas/topic-{number % 20}/{number}.html"
            data = (tx.read(path) or b"") + b", curated"
            if number % 2:
                tx.put(path, data)
            else:
                tx.move(path, f"archive/2026/{path}", data)
        tx.commit("sleep(test): all of them")


def landed(opened: OpenRun, tries: int) -> tuple[Landed, int]:
    """Replay and land until nobody was faster; how often somebody was."""
    for number in range(tries):
        run = replay(opened).run
        with suppress(WriteConflictError):
            return land(opened, run), number
    raise AssertionError("somebody was always faster")


@pytest.mark.parametrize("many", [200, pytest.param(5000, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_a_night_that_touches_everything_lands(root: Path, environment: dict[str, str], many: int) -> None:
    """Each path is on main as the run has it, in files and git index too, and what agents wrote meanwhile."""
    store = made(root, environment, many)
    with Runs(store).begin(DAY) as opened:
        night(opened, many)
        with store.transaction() as tx:
            for number in range(50):
                tx.put(f"areas/inbox/{number}.html", b"written meanwhile")
            tx.commit("memory(apply): meanwhile")
        done, _ = landed(opened, 1)
        run = opened.run()
    assert len(done.paths) == many + many // 2
    assert differences(store.git, done.commit, run.tip) == ()
    assert git(root, environment, "status", "--porcelain", "--untracked-files=all") == ""
    files = [path for path in root.rglob("*.html") if ".git" not in path.parts]
    assert sum(path.read_bytes().endswith(b", curated") for path in files) == many
    assert sum(path.read_bytes() == b"written meanwhile" for path in files) == 50
    Runs(store).drop(DAY)
    assert git(root, environment, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.timeout(300)
def test_agents_write_while_a_run_lands(root: Path, environment: dict[str, str]) -> None:
    """Every write is a commit of main, every proposal is there, and nobody waits for the run's work."""
    store = made(root, environment, 20)
    writes, refused = 20, list[BaseException]()

    def agent() -> None:
        try:
            own = Repository.open(root, environment=environment)
            for number in range(writes):
                with own.transaction() as tx:
                    tx.put(f"areas/inbox/agent-{number}.html", b"agent")
                    tx.commit("memory(write): agent")
        except BaseException as error:  # noqa: BLE001 - told below
            refused.append(error)

    writer = threading.Thread(target=agent)
    with Runs(store).begin(DAY) as opened:
        writer.start()
        night(opened, 20)
        landed(opened, 200)
        writer.join()
        tip = opened.run().tip
    assert refused == []
    files = git(root, environment, "ls-tree", "-r", "--name-only", "main").split()
    assert sum("agent-" in path for path in files) == writes
    assert sum(path.startswith("archive/2026/") for path in files) == 10
    assert int(git(root, environment, "rev-list", "--count", "--first-parent", "main")) == 3 + writes
    assert git(root, environment, "log", "--format=%s", f"{tip}..main").count("sleep(test)") == 0
    assert git(root, environment, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_run_lands_in_a_store_of_sha256(root: Path, environment: dict[str, str]) -> None:
    """Ids are longer there, and nothing else is."""
    words = ["git", "init", "--quiet", "--object-format=sha256", "--initial-branch=main", str(root)]
    subprocess.run(words, env=environment, check=True)
    store = made(root, environment, 4)
    with Runs(store).begin(DAY) as opened:
        night(opened, 4)
        with store.transaction() as tx:
            tx.put("areas/inbox/a.html", b"a")
            tx.commit("memory(write): a")
        done, _ = landed(opened, 1)
    assert len(done.commit) == 64
    assert git(root, environment, "status", "--porcelain", "--untracked-files=all") == ""
    Runs(store).drop(DAY)
