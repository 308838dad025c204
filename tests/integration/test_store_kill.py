"""A writer killed at any instant: nothing acknowledged is lost, nothing half done is left, the next command works."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.killing import Ground, instants, storm

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")

WRITER = Path(__file__).with_name("store_storm.py")
BATCH = 7
SECONDS = (0.15, 0.7)
"""After which writers are killed from outside."""


class Field(Ground):
    """A store with a person's uncommitted files in it, and what was acknowledged there."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        super().__init__(root, environment)
        self.commits: list[str] = []
        self.lived_in("notes.txt", "areas/inbox/mine.html", staged="areas/inbox/staged.html", edited="README.html")

    def start(self, run: str, instant: int) -> subprocess.Popen[str]:
        """A writer."""
        return self.started(WRITER, run, str(instant))

    def judge(self, run: str, process: subprocess.Popen[str]) -> bool:
        """What every run must leave behind; whether the writer lived to its end."""
        said, complaint = process.communicate(timeout=60)
        assert process.returncode in {0, -signal.SIGKILL}, complaint
        names = [line.split()[0] for line in said.splitlines()]
        self.commits += [line.split()[1] for line in said.splitlines()]
        self.store.recover_if_needed()
        assert self.seen() == self.status
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


@pytest.mark.timeout(300)
def test_a_writer_killed_here_and_there_loses_nothing(meadow: Field) -> None:
    """Some instants of write, correct, archive and batch, with steps that share no factor with their work."""
    assert len(list(instants(meadow, 1, 23))) > 5


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_writer_killed_at_every_instant_loses_nothing(meadow: Field) -> None:
    """Each call that touches the disk or starts a process is once the last one."""
    assert len(list(instants(meadow, 1, 1))) > 100


@pytest.mark.timeout(300)
def test_a_few_kills_of_the_process_group_lose_nothing(meadow: Field) -> None:
    """The writer and its git children die together."""
    storm(meadow, 4, *SECONDS, group=True)


@pytest.mark.timeout(300)
def test_a_few_kills_of_the_writer_alone_lose_nothing(meadow: Field) -> None:
    """Git children that outlive the writer keep the lock until they are done."""
    storm(meadow, 4, *SECONDS, group=False)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("group", [True, False])
def test_a_hundred_kills_lose_nothing(meadow: Field, group: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A hundred random instants."""
    assert storm(meadow, 100, *SECONDS, group=group) > 30
