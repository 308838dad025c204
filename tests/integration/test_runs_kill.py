"""A night killed at any instant: main is at the old or the new commit, and the next call goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.killing import Ground, instants, storm

from memhtml.store.branches import Runs
from memhtml.store.landing import land, replay

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")

NIGHT = Path(__file__).with_name("run_storm.py")
FEW, MANY = 4, 40
"""Memories of a night's first commit; beyond 32 they are written side by side."""
SECONDS = (0.4, 2.0)
"""After which nights are killed from outside."""


class Bed(Ground):
    """A store with a person's uncommitted files in it, in which nights die."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        super().__init__(root, environment)
        self.many = FEW
        self.lived_in("notes.txt", "areas/inbox/mine.html", staged="areas/inbox/staged.html", edited="README.html")

    def start(self, run: str, instant: int) -> subprocess.Popen[str]:
        """A night."""
        return self.started(NIGHT, run, str(instant), str(self.many))

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
        assert self.seen() == self.status
        self.judge_main(run, known)
        self.judge_run(run, known)
        left = [one for one in self.store.check() if one.code not in {"interrupted", "git-lock", "temporary"}]
        assert left == []
        assert self.git("worktree", "list", "--porcelain").count("worktree ") == 1
        assert self.seen() == self.status
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


@pytest.mark.timeout(300)
@pytest.mark.parametrize("group", [True, False])
def test_a_few_kills_of_a_night_lose_nothing(bed: Bed, group: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The night with its git children, or alone: they keep the lock until they are done."""
    storm(bed, 3, *SECONDS, group=group)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("group", [True, False])
def test_a_hundred_kills_of_a_night_lose_nothing(bed: Bed, group: bool) -> None:  # noqa: FBT001 - a parameter
    """A hundred random instants."""
    assert storm(bed, 100, *SECONDS, group=group) > 30
