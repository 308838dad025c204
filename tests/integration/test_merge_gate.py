"""A merge killed at any instant: main is at the old or the new commit, and the next command goes on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.killing import Ground, cut

from memhtml import Store
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.page.splice import SetMeta, apply
from memhtml.store.archiving import stamped
from memhtml.store.branches import Runs
from memhtml.store.writing import stage_write

STORM = Path(__file__).with_name("merge_storm.py")
WRITTEN = Instant("2026-07-01T12:00:00Z")
NOW = Instant("2026-07-28T00:00:00Z")
KEPT = "Ledger backups are encrypted with the vault key."


class Bed(Ground):
    """A store with a person's uncommitted files in it, whose merges die."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        super().__init__(root, environment)
        self.kept = self.write(KEPT)
        self.lived_in("notes.txt", "areas/inbox/mine.html")

    def write(self, claim: str) -> MemoryPath:
        """A memory on main."""
        with self.store.transaction() as tx:
            path = stage_write(tx, Draft(MemoryType.SEMANTIC, claim=claim), now=WRITTEN, duplicates=lambda _: ()).path
            tx.commit(f"memory(write): {claim}", when=WRITTEN)
        return path

    def plant(self, number: int) -> tuple[str, MemoryPath]:
        """A run that folds a memory, makes another, and edits a third; main has moved since."""
        gone = self.write(f"The ledger backups of host {number} are encrypted with the vault key.")
        edited = self.write(f"The batch job number {number} runs after midnight.")
        with Runs(self.store).begin("2026-07-28") as opened, opened.repository.transaction() as tx:
            from memhtml.page.read import read

            old, other = tx.read(gone), tx.read(edited)
            assert old is not None
            assert other is not None
            facts = read(old).facts
            assert facts is not None
            tx.move(gone, MemoryPath(f"archive/2026/{gone}"), stamped(old, facts.head, NOW))
            tx.put(edited, apply(other, [SetMeta("memhtml-confidence", "0.5")]))
            arc = Draft(MemoryType.ARC, claim=f"Hosts share their keys, as host {number} does.")
            stage_write(tx, arc, now=NOW, duplicates=lambda _: ())
            tx.commit("sleep(retention-triage): 3", [("Memhtml-Phase", "retention-triage")], when=NOW)
        self.write(f"An agent noted fact number {number} meanwhile.")
        return opened.name, gone

    def start(self, run: str, instant: int, gates: str) -> subprocess.Popen[str]:
        """A merge."""
        return self.started(STORM, run, str(instant), gates)

    def judge(self, run: str, gone: MemoryPath, before: str, process: subprocess.Popen[str]) -> bool:
        """What every merge must leave behind; whether it lived to its end."""
        said, complaint = process.communicate(timeout=120)
        assert process.returncode in {0, -signal.SIGKILL}, complaint
        assert self.git("fsck", "--strict", "--no-dangling") == "", "also before anybody looked"
        main = self.git("rev-parse", "main").strip()
        if main == before:
            assert said == ""
        else:
            tip = self.git("rev-parse", f"sleep/{run}").strip()
            assert self.git("rev-parse", "main^1", "main^2").split() == [before, tip], "the old or the new commit"
        with Store.open(self.store.root, embed="off", variables=self.environment) as store:
            assert [hit.path for hit in store.search("ledger backups vault").hits][:1] == [self.kept]
            assert self.seen() == self.status
        self.judge_index()
        assert (self.store.root / gone).exists() == (main == before)
        assert (self.store.root / "archive/2026" / gone).exists() == (main != before)
        assert self.git("fsck", "--strict", "--no-dangling") == ""
        return process.returncode == 0

    def judge_index(self) -> None:
        """It holds what main holds."""
        with Index.open(self.store.root) as index:
            with index.reading() as view:
                assert view.commit == self.store.head()
            assert index.verify(self.store).sound

    def finish(self, run: str, gone: MemoryPath) -> None:
        """The merge again, by whoever comes next; then the run may go."""
        process = self.start(run, 0, "skipped")
        said, complaint = process.communicate(timeout=120)
        assert said.startswith("merged "), complaint
        assert not (self.store.root / gone).exists()
        self.judge_index()
        Runs(self.store).drop(run)
        assert [one for one in self.store.check() if one.code not in {"git-lock", "temporary"}] == []
        assert self.seen() == self.status


@pytest.fixture
def bed(root: Path, environment: dict[str, str]) -> Bed:
    """A store for a storm."""
    return Bed(root, environment)


def instants(bed: Bed, start: int, step: int) -> Iterator[int]:
    """Every ``step``-th instant, until a merge lives to its end."""
    instant, lives = start, False
    while not lives:
        run, gone = bed.plant(instant)
        before = bed.git("rev-parse", "main").strip()
        lives = bed.judge(run, gone, before, bed.start(run, instant, "skipped"))
        bed.finish(run, gone)
        yield instant
        instant += step


def storm(bed: Bed, kills: int) -> int:
    """Kill merges at random instants, gates and all, git's own work too; how many kills came in time."""
    chance = random.Random(20260728)
    hit = 0
    for number in range(kills):
        run, gone = bed.plant(number)
        before = bed.git("rev-parse", "main").strip()
        process = bed.start(run, 0, "asked")
        cut(process, chance.uniform(0.3, 2.5), group=bool(number % 2))
        hit += not bed.judge(run, gone, before, process)
        bed.finish(run, gone)
    return hit


posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")


@posix
@pytest.mark.timeout(300)
def test_a_merge_killed_here_and_there_leaves_the_old_or_the_new_main(bed: Bed) -> None:
    """Some instants of resuming, replaying, landing and following."""
    assert len(list(instants(bed, 5, 23))) > 3


@posix
@pytest.mark.timeout(300)
def test_a_few_kills_of_a_merge_leave_the_old_or_the_new_main(bed: Bed) -> None:
    """While the gates are asked, too."""
    storm(bed, 4)


@posix
@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_merge_killed_at_every_instant_leaves_the_old_or_the_new_main(bed: Bed) -> None:
    """Each call that touches the disk or starts a process is once the last one."""
    assert len(list(instants(bed, 1, 1))) > 50


@posix
@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_hundred_kills_of_a_merge_leave_the_old_or_the_new_main(bed: Bed) -> None:
    """A hundred random instants."""
    assert storm(bed, 100) > 30
