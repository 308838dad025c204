"""Processes that die at any instant, and processes that write at once: nothing acknowledged is lost.

The storms run the real command in real processes; all of them take minutes and carry the `slow` marker, but for a
short one of each that runs always.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FEW_KILLS = 6
MANY_KILLS = 100
BATCH = 50


@dataclass
class Person:
    """What a person has in the store, uncommitted: it must be there, byte for byte, whatever dies around it."""

    root: Path
    untracked: Path = field(init=False)
    edited: Path = field(init=False)
    staged: Path = field(init=False)

    def __post_init__(self) -> None:
        self.untracked = self.root / "notes.txt"
        self.edited = self.root / "README.html"
        self.staged = self.root / "staged.txt"
        self.untracked.write_text("mine, untracked\n", encoding="utf-8")
        self.edited.write_text(self.edited.read_text(encoding="utf-8") + "<!-- mine -->\n", encoding="utf-8")
        self.staged.write_text("mine, staged\n", encoding="utf-8")
        git(self.root, "add", "staged.txt")
        self.before = self.seen()

    def seen(self) -> tuple[str, ...]:
        """Their bytes, and what git says of them."""
        files = (self.untracked, self.edited, self.staged)
        return (*(path.read_text(encoding="utf-8") for path in files), git(self.root, "status", "--porcelain"))


def git(root: Path, *words: str) -> str:
    """Run git as the person would; gives what it printed."""
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, encoding="utf-8").stdout


def start(root: Path, words: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    """Begin a command in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "memhtml", *words, "--root", str(root), "--embed", "off", "--json"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


def call(root: Path, words: Sequence[str], environment: dict[str, str], text: str = "") -> dict[str, object]:
    """Run a command that must succeed; gives its data."""
    process = start(root, words, environment)
    out, err = process.communicate(text, timeout=60)
    assert process.returncode == 0, f"{words}: {out}{err}"
    data = json.loads(out)["data"]
    assert isinstance(data, dict)
    return data


def kill(process: subprocess.Popen[str]) -> None:
    """End the whole process group, git children included, without a word of warning."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def interrupted(root: Path, words: Sequence[str], environment: dict[str, str], text: str, delay: float) -> str | None:
    """Run a command and kill it after ``delay`` seconds; what it had answered by then, if it had ended well."""
    process = start(root, words, environment)
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        kill(process)
    out, _ = process.communicate()
    return out if process.returncode == 0 and out.endswith("}\n") else None


def batch(run: int) -> str:
    """Fifty lines for `apply`, unlike those of any other run."""
    lines = [{"op": "write", "type": "semantic", "claim": f"Batch {run} holds fact number {n}."} for n in range(BATCH)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def storm(root: Path, environment: dict[str, str], kills: int) -> None:
    """Kill ``kills`` commands, each followed by one that must work, and check every promise after each."""
    chance = random.Random(20260101)
    call(root, ["init"], environment)
    person = Person(root)
    alive: dict[str, str] = {}
    gone: set[str] = set()
    acknowledged = 0
    for run in range(kills):
        base = call(root, ["write", f"Storm {run} begins with this fact."], environment)
        target = str(base["path"])
        claim = f"Storm {run} corrected the fact it began with."
        words, text = [
            (["write", f"Storm {run} wrote while it was killed."], ""),
            (["correct", target, claim], ""),
            (["archive", target], ""),
            (["apply", "-"], batch(run)),
        ][run % 4]
        answer = interrupted(root, words, environment, text, chance.uniform(0.02, 0.6))
        if answer is not None:
            acknowledged += 1
        after = call(root, ["write", f"Storm {run} goes on after the kill."], environment)
        assert git(root, "fsck", "--strict", "--no-dangling") == ""
        assert person.seen() == person.before
        paths = set(git(root, "-c", "core.quotePath=off", "ls-tree", "-r", "--name-only", "HEAD").splitlines())
        assert str(after["path"]) in paths
        if answer is not None:
            data = json.loads(answer)["data"]
            if run % 4 == 3:
                assert sum(f"batch-{run}-holds" in path for path in paths) == BATCH
            elif run % 4 == 2:
                gone.add(target)
                assert target not in paths
                assert all(moved["path"] in paths for moved in data["memories"])
            else:
                assert data["path"] in paths
        elif run % 4 == 3:
            assert sum(f"batch-{run}-holds" in path for path in paths) in {0, BATCH}, "a batch is whole or absent"
        kept = target in paths or any(path.endswith("/" + target) for path in paths)
        assert kept, "an acknowledged memory is at its place or in the archive"
        alive[str(after["path"])] = str(run)
        assert alive.keys() <= paths
    assert gone.isdisjoint(alive)
    report = call(root, ["doctor"], environment)
    assert report["healthy"] is True
    assert acknowledged < kills, "some kill must have come in time"


def race(root: Path, environment: dict[str, str], writers: int, each: int) -> None:
    """``writers`` loops of processes write ``each`` memories: as many memories, as many commits, no error."""
    call(root, ["init"], environment)
    person = Person(root)
    commits = int(git(root, "rev-list", "--count", "HEAD"))

    def loop(writer: int) -> list[str]:
        return [
            str(call(root, ["write", f"Writer {writer} noted fact {n} in the race."], environment)["path"])
            for n in range(each)
        ]

    with ThreadPoolExecutor(writers) as pool:
        paths = [path for found in pool.map(loop, range(writers)) for path in found]
    assert len(set(paths)) == writers * each
    assert int(git(root, "rev-list", "--count", "HEAD")) == commits + writers * each
    tree = set(git(root, "-c", "core.quotePath=off", "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    assert set(paths) <= tree
    assert git(root, "fsck", "--strict", "--no-dangling") == ""
    assert person.seen() == person.before
    listed = call(root, ["status"], environment)
    assert listed["memories"] == writers * each


@pytest.mark.timeout(300)
def test_a_few_kills_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """A killed command leaves the old or the new state, the next command works, a person's files are untouched."""
    storm(root, environment, FEW_KILLS)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_kills_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """The same, a hundred times, over write, correct, archive and a batch of fifty."""
    storm(root, environment, MANY_KILLS)


@pytest.mark.timeout(300)
def test_two_writers_at_once_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """Two processes at a time: every write is a memory and a commit."""
    race(root, environment, writers=2, each=5)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_eight_writers_at_once_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """Eight loops of fifty writes: 400 memories, 400 commits, no error."""
    race(root, environment, writers=8, each=50)
