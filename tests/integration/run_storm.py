"""A night that dies on purpose: run as a program, it kills its whole process group at the n-th look at the disk.

``python run_storm.py ROOT RUN INSTANT MANY``: begins a run of sleep on the store at ROOT, commits to it twice, MANY
memories at first, writes to main, replays the run, takes a path out of it, lands it and drops it, and prints a line
after each step that was acknowledged. INSTANT 0 lets it live.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from pathlib import Path

from store_storm import Death

import memhtml.store
from memhtml.store.branches import OpenRun, Runs
from memhtml.store.dropping import take_out
from memhtml.store.landing import land, replay
from memhtml.store.repository import Repository

DAY = "2026-07-28"


def say(*words: str) -> None:
    """One more thing is acknowledged."""
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def propose(opened: OpenRun, run: str, many: int) -> None:
    """Two phases: an archived and many new memories, then two more."""
    with opened.repository.transaction() as tx:
        tx.move(f"areas/old-{run}.html", f"archive/2026/areas/old-{run}.html", b"archived")
        for number in range(many):
            tx.put(f"areas/new-{run}/{number}.html", b"new")
        say("first", tx.commit("sleep(one): many"))
    with opened.repository.transaction() as tx:
        tx.put(f"areas/two-{run}.html", b"two")
        tx.put(f"areas/unwanted-{run}.html", b"unwanted")
        say("second", tx.commit("sleep(two): two"))


def main(root: str, run: str, instant: str, number: str) -> None:
    """Do everything, dying in between."""
    store = Repository.open(Path(root), environment=os.environ, lock_wait=20.0)  # noqa: TID251 - a program of its own
    for module in pkgutil.iter_modules(memhtml.store.__path__):
        importlib.import_module(f"memhtml.store.{module.name}")
    importlib.import_module("memhtml.page.read")
    importlib.import_module("concurrent.futures.thread")
    runs, many = Runs(store), int(number)
    with store.transaction() as tx:
        tx.put(f"areas/old-{run}.html", b"old")
        tx.commit("memory(write): old")
    sys.addaudithook(Death(int(instant)))
    with runs.begin(DAY) as opened:
        say("begun", opened.name)
        propose(opened, run, many)
        with store.transaction() as tx:
            tx.put(f"areas/main-{run}.html", b"main")
            say("main", tx.commit("memory(write): main"))
        say("replayed", replay(opened).run.tip)
        say("out", take_out(opened, paths=[f"areas/unwanted-{run}.html"], why="not wanted").run.tip)
        say("landed", land(opened, opened.run()).commit)
    runs.drop(opened.name)
    say("dropped")


if __name__ == "__main__":
    main(*sys.argv[1:])
