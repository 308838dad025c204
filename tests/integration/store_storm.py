"""A writer that dies on purpose: run as a program, it kills its whole process group at the n-th look at the disk.

``python store_storm.py ROOT RUN INSTANT``: does four operations on the store at ROOT, named after RUN, and prints a
line after each that was acknowledged. INSTANT 0 lets it live.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.store.archiving import stage_archive
from memhtml.store.correcting import stage_correct
from memhtml.store.repository import Repository
from memhtml.store.transaction import Transaction
from memhtml.store.writing import stage_write

NOW = Instant("2026-07-28T10:00:00Z")
BATCH = 7
WATCHED = frozenset(
    {"open", "os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "subprocess.Popen", "fcntl.flock"},
)


class Death:
    """Comes at the n-th call that touches the disk or starts a process."""

    def __init__(self, instant: int) -> None:
        self.left = instant

    def __call__(self, event: str, _: object) -> None:
        """One more call is about to be made."""
        if event in WATCHED:
            self.left -= 1
            if self.left == 0:
                os.killpg(0, signal.SIGKILL)


def draft(claim: str) -> Draft:
    """A memory that says ``claim``."""
    return Draft(type=MemoryType.SEMANTIC, claim=claim)


def nothing(_: object) -> tuple[()]:
    """An index that knows of no duplicate."""
    return ()


def operations(run: str) -> tuple[tuple[str, Callable[[Transaction], object]], ...]:
    """Write, correct, archive and a batch; each stages its changes."""
    inbox = "areas/inbox"

    def batch(tx: Transaction) -> None:
        for number in range(BATCH):
            stage_write(tx, draft(f"Batch {run} number {number}"), now=NOW, duplicates=nothing)

    return (
        ("write", lambda tx: stage_write(tx, draft(f"Fact {run}"), now=NOW, duplicates=nothing)),
        (
            "correct",
            lambda tx: stage_correct(
                tx, f"{inbox}/fact-{run}.html", draft(f"Right {run}"), now=NOW, duplicates=nothing
            ),
        ),
        ("archive", lambda tx: stage_archive(tx, f"{inbox}/right-{run}.html", now=NOW)),
        ("batch", batch),
    )


def main(root: str, run: str, instant: str) -> None:
    """Do everything, dying in between."""
    store = Repository.open(Path(root), environment=os.environ, lock_wait=20.0)  # noqa: TID251 - a program of its own
    with store.transaction() as tx:
        stage_write(tx, draft(f"Warm {run}"), now=NOW, duplicates=nothing)  # everything is imported now
    sys.addaudithook(Death(int(instant)))
    for name, stage in operations(run):
        with store.transaction() as tx:
            stage(tx)
            commit = tx.commit(f"memory({name}): {run}")
        sys.stdout.write(f"{name} {commit}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
