"""A night killed at any instant: main is at the old or the new commit, and the next call goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.store.branches import Runs
from memhtml.store.founding import init
from memhtml.store.landing import land, replay
from memhtml.store.repository import Repository

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")

NIGHT = Path(__file__).with_name("run_storm.py")
FEW, MANY = 4, 40
"""Memories of a night's first commit; beyond 32 they are written side by side."""


class Bed:
    """A store with a person's uncommitted files in it, in which nights die."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root, self.environment, self.many = root, environment, FEW
        init(root, environment=environment)
        self.store = Repository.open(root, environment=environment, lock_wait=20.0)
        for name in ("notes.txt", "areas/inbox/mine.html", "areas/inbox/staged.html"):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"a person's {name}", encoding="utf-8")
        (root / "README.html").write_text("edited by a person", encoding="utf-8")
        self.git("add", "areas/inbox/staged.html")
        self.status = self.git("status", "--porcelain", "--untracked-files=all")

    def git(self, *words: str) -> str:
        """Run git as the person would."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environment, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def start(self, run: str, instant: int) -> subprocess.Popen[str]:
        """A night in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, str(NIGHT), str(self.root), run, str(instant), str(self.many)],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def files(self, commit: str) -> set[str]:
        """Paths of a commit."""
        return set(self.git("ls-tree", "-r", "--name-only", commit).split())

    def judge(self, run: str, process: subprocess.Popen[str]) -> bool:
        """What every night must leave behind; whether it lived to its end."""
        said, complaint = process.communicate(timeout=120)
        assert process.returncode in {0, -signal.SIGKILL}, complaint
        known = dict(line.partition(" ")[::2] for line in said.splitlines())
        assert self.git("fsck", "--strict", "--no-dangling") == "", "also before anybody looked"
        self.store.recover_if_needed()
        assert self.git("status", "--porcelain", "--untracked-files=all") == self.status
        self.judge_main(run, known)
        self.judge_run(run, known)
        left = [one for one in self.store.check() if one.code not in {"interrupted", "git-lock", "temporary"}]
        assert left == []
        assert self.git("worktree", "list", "--porcelain").count("worktree ") == 1
        assert self.git("status", "--porcelain", "--untracked-files=all") == self.status
        assert self.git("fsck", "--strict", "--no-dangling") == ""
        self.tidy(run)
        return process.returncode == 0

    def tidy(self, run: str) -> None:
        """Take out what the night brought: each has as much to do as the one before, so that one lives to its end."""
        with self.store.transaction() as tx:
            for path in self.files("main"):
                if f"-{run}." in path or f"-{run}/" in path:
                    tx.remove(path)
            tx.commit("memory(tidy): as before", empty=True)

    def judge_main(self, run: str, known: dict[str, str]) -> None:
        """The run is on main whole, or not at all; what was acknowledged there is there."""
        history = set(self.git("rev-list", "main").split())
        assert {known[name] for name in ("main", "landed") if name in known} <= history
        files = self.files("main")
        merged = f"areas/two-{run}.html" in files
        assert merged or "landed" not in known
        assert sum(path.startswith(f"areas/new-{run}/") for path in files) == (self.many if merged else 0)
        assert (f"archive/2026/areas/old-{run}.html" in files) == merged
        assert (f"areas/old-{run}.html" in files) != merged or "begun" not in known
        assert f"areas/unwanted-{run}.html" not in files

    def judge_run(self, run: str, known: dict[str, str]) -> None:
        """A run that was begun is there until it was dropped; it goes on, and lands."""
        runs = Runs(self.store)
        listed = runs.listed()
        assert len(listed) <= 1
        if "dropped" in known or "begun" not in known:
            for one in listed:
                assert "dropped" not in known
                runs.drop(one.name)
            self.store.repair()
            return
        if not listed:
            assert "landed" in known, "only a drop that was under way takes it"
            self.store.repair()
            return
        held = listed[0].held and listed[0].tip != listed[0].base
        with runs.resume(listed[0].name) as opened:
            assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
            files = self.files(opened.run().tip)
            assert ("first" not in known) or f"archive/2026/areas/old-{run}.html" in files
            assert ("second" not in known) or f"areas/two-{run}.html" in files
            assert ("out" not in known) or f"areas/unwanted-{run}.html" not in files
            assert ("replayed" not in known) or f"areas/main-{run}.html" in files
            with opened.repository.transaction() as tx:
                tx.put(f"areas/after-{run}.html", b"goes on")
                tx.commit("sleep(after): one")
            if not held:
                land(opened, replay(opened).run)
        runs.drop(opened.name)
        assert held or f"areas/after-{run}.html" in self.files("main")


@pytest.fixture
def bed(root: Path, environment: dict[str, str]) -> Bed:
    """A store for a storm."""
    return Bed(root, environment)


def instants(bed: Bed, start: int, step: int) -> Iterator[int]:
    """Every ``step``-th instant, until a night lives to its end."""
    instant = start
    while not bed.judge(f"n{instant}", bed.start(f"n{instant}", instant)):
        yield instant
        instant += step


@pytest.mark.timeout(400)
def test_a_night_killed_here_and_there_loses_nothing(bed: Bed) -> None:
    """Some instants of begin, commit, replay, take out, land and drop."""
    assert len(list(instants(bed, 20, 61))) > 5


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_night_killed_at_every_instant_loses_nothing(bed: Bed) -> None:
    """Each call that touches the disk or starts a process is once the last one."""
    assert len(list(instants(bed, 1, 1))) > 300


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_night_of_many_memories_killed_here_and_there_loses_nothing(bed: Bed) -> None:
    """Threads that write side by side die too."""
    bed.many = MANY
    assert len(list(instants(bed, 3, 11))) > 50


def storm(bed: Bed, kills: int, *, group: bool) -> int:
    """Kill nights at random instants, so that git's own work is cut too; how many kills came in time."""
    chance = random.Random(20260728)
    hit = 0
    for number in range(kills):
        process = bed.start(f"r{number}", 0)
        try:
            process.wait(timeout=chance.uniform(0.4, 2.0))
        except subprocess.TimeoutExpired:
            (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
        hit += not bed.judge(f"r{number}", process)
    return hit


@pytest.mark.timeout(300)
@pytest.mark.parametrize("group", [True, False])
def test_a_few_kills_of_a_night_lose_nothing(bed: Bed, group: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The night with its git children, or alone: they keep the lock until they are done."""
    storm(bed, 3, group=group)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("group", [True, False])
def test_a_hundred_kills_of_a_night_lose_nothing(bed: Bed, group: bool) -> None:  # noqa: FBT001 - a parameter
    """A hundred random instants."""
    assert storm(bed, 100, group=group) > 30
