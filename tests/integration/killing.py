"""Processes that are killed at work: at a given instant of their own, or at random ones from outside."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from memhtml.store.founding import init
from memhtml.store.repository import Repository


class Doomed(Protocol):
    """What starts processes that may die, and judges what they left."""

    def start(self, run: str, instant: int) -> subprocess.Popen[str]:
        """A process that kills itself at its ``instant``; at 0 never."""
        ...

    def judge(self, run: str, process: subprocess.Popen[str]) -> bool:
        """See to what every process must leave behind; whether this one lived to its end."""
        ...


class Ground:
    """A store in which processes die."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root, self.environment = root, environment
        init(root, environment=environment)
        self.store = Repository.open(root, environment=environment, lock_wait=20.0)
        self.status = ""

    def lived_in(self, *untracked: str, staged: str | None = None, edited: str | None = None) -> None:
        """Put files of a person there that nobody committed; `status` is what git says of them from then on."""
        for name in (*untracked, *filter(None, [staged])):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"a person's {name}", encoding="utf-8")
        if edited is not None:
            (self.root / edited).write_text("edited by a person", encoding="utf-8")
        if staged is not None:
            self.git("add", staged)
        self.status = self.seen()

    def seen(self) -> str:
        """What git says of the work tree."""
        return self.git("status", "--porcelain", "--untracked-files=all")

    def git(self, *words: str) -> str:
        """Run git as the person would."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environment, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def started(self, script: Path, *words: str) -> subprocess.Popen[str]:
        """A script on this store, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, str(script), str(self.root), *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )


def instants(doomed: Doomed, start: int, step: int) -> Iterator[int]:
    """Every ``step``-th instant from ``start`` on, until a process lives to its end."""
    instant = start
    while not doomed.judge(f"n{instant}", doomed.start(f"n{instant}", instant)):
        yield instant
        instant += step


def storm(doomed: Doomed, kills: int, soonest: float, latest: float, *, group: bool) -> int:
    """Kill at random instants, seconds after the start, so that git's own work is cut too; how many came in time."""
    chance = random.Random(20260728)
    hit = 0
    for number in range(kills):
        process = doomed.start(f"r{number}", 0)
        cut(process, chance.uniform(soonest, latest), group=group)
        hit += not doomed.judge(f"r{number}", process)
    return hit


def cut(process: subprocess.Popen[str], seconds: float, *, group: bool) -> None:
    """Kill it after so many seconds, with its children in its ``group`` or alone; it may have ended before."""
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
