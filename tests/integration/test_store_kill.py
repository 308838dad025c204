"""A writer killed at any instant: nothing acknowledged is lost, nothing half done is left, the next command works."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memhtml.store.founding import init
from memhtml.store.repository import Repository

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")

WRITER = Path(__file__).with_name("store_storm.py")
BATCH = 7


@dataclass
class Field:
    """A store with a person's uncommitted files in it, and what was acknowledged there."""

    root: Path
    environment: dict[str, str]
    commits: list[str] = field(default_factory=list)
    status: str = ""

    def __post_init__(self) -> None:
        init(self.root, environment=self.environment)
        self.store = Repository.open(self.root, environment=self.environment, lock_wait=20.0)
        for name in ("notes.txt", "areas/inbox/mine.html", "areas/inbox/staged.html"):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"a person's {name}", encoding="utf-8")
        (self.root / "README.html").write_text("edited by a person", encoding="utf-8")
        self.git("add", "areas/inbox/staged.html")
        self.status = self.git("status", "--porcelain", "--untracked-files=all")

    def git(self, *words: str) -> str:
        """Run git as the person would."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environment, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def start(self, run: str, instant: int) -> subprocess.Popen[str]:
        """A writer in a process group of its own."""
        words = [sys.executable, str(WRITER), str(self.root), run, str(instant)]
        return subprocess.Popen(
            words,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def judge(self, run: str, process: subprocess.Popen[str]) -> bool:
        """What every run must leave behind; whether the writer lived to its end."""
        said, complaint = process.communicate(timeout=60)
        assert process.returncode in {0, -signal.SIGKILL}, complaint
        names = [line.split()[0] for line in said.splitlines()]
        self.commits += [line.split()[1] for line in said.splitlines()]
        self.store.recover_if_needed()
        assert self.git("status", "--porcelain", "--untracked-files=all") == self.status
        assert self.git("fsck", "--strict", "--no-dangling") == ""
        assert list((self.root / ".git").glob("**/*.lock")) == []
        history = set(self.git("rev-list", "HEAD").split())
        assert history.issuperset(self.commits)
        self.judge_files(run, set(names))
        with self.store.transaction() as tx:
            tx.put(f"areas/after-{run}.html", b"goes on")
            tx.commit("memory(write): after")
        return process.returncode == 0

    def judge_files(self, run: str, acknowledged: set[str]) -> None:
        """Each operation is there whole, or not at all; those acknowledged are there."""
        files = set(self.git("ls-tree", "-r", "--name-only", "HEAD").splitlines())
        fact, right = f"areas/inbox/fact-{run}.html", f"areas/inbox/right-{run}.html"
        written, corrected, archived = fact in files, right in files, f"archive/2026/{right}" in files
        superseded = f"archive/2026/{fact}" in files
        assert superseded == (corrected or archived), "a correction and its target are one commit"
        assert written + superseded <= 1
        assert corrected + archived <= 1
        assert ("write" not in acknowledged) or written or superseded
        assert ("correct" not in acknowledged) or corrected or archived
        assert ("archive" not in acknowledged) or archived
        batch = sum(f"/batch-{run}-" in path for path in files)
        assert batch == BATCH if "batch" in acknowledged else batch in {0, BATCH}


@pytest.fixture
def meadow(root: Path, environment: dict[str, str]) -> Field:
    """A store for a storm."""
    return Field(root, environment)


def instants(field: Field, step: int) -> Iterator[int]:
    """Every ``step``-th instant, until a writer lives to its end."""
    instant = 1
    while not field.judge(f"n{instant}", field.start(f"n{instant}", instant)):
        yield instant
        instant += step


@pytest.mark.timeout(300)
def test_a_writer_killed_here_and_there_loses_nothing(meadow: Field) -> None:
    """Some instants of write, correct, archive and batch, with steps that share no factor with their work."""
    assert len(list(instants(meadow, 23))) > 5


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_writer_killed_at_every_instant_loses_nothing(meadow: Field) -> None:
    """Each call that touches the disk or starts a process is once the last one."""
    assert len(list(instants(meadow, 1))) > 100


def storm(field: Field, kills: int, *, group: bool) -> int:
    """Kill writers at random instants, so that git's own work is cut too; how many kills came in time."""
    chance = random.Random(20260728)
    hit = 0
    for number in range(kills):
        process = field.start(f"r{number}", 0)
        try:
            process.wait(timeout=chance.uniform(0.15, 0.7))
        except subprocess.TimeoutExpired:
            (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
        hit += not field.judge(f"r{number}", process)
    return hit


@pytest.mark.timeout(300)
def test_a_few_kills_of_the_process_group_lose_nothing(meadow: Field) -> None:
    """The writer and its git children die together."""
    storm(meadow, 4, group=True)


@pytest.mark.timeout(300)
def test_a_few_kills_of_the_writer_alone_lose_nothing(meadow: Field) -> None:
    """Git children that outlive the writer keep the lock until they are done."""
    storm(meadow, 4, group=False)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("group", [True, False])
def test_a_hundred_kills_lose_nothing(meadow: Field, group: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A hundred random instants."""
    assert storm(meadow, 100, group=group) > 30
