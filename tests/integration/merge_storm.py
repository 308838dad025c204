"""A merge that dies on purpose: run as a program, it kills its whole process group at the n-th look at the disk.

``python merge_storm.py ROOT RUN INSTANT GATES``: merges the run of sleep RUN into main of the store at ROOT, and prints
the merge commit. INSTANT 0 lets it live; GATES is ``asked`` or ``skipped``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from store_storm import NOW, WATCHED, Death

from memhtml.index.index import Index
from memhtml.sleep.merge.judging import Judges
from memhtml.sleep.merge.merging import merge
from memhtml.store.repository import Repository


class Sudden(Death):
    """Comes at a look at a database too."""

    def __call__(self, event: str, details: object) -> None:
        """One more call is about to be made."""
        super().__call__(next(iter(WATCHED)) if event == "sqlite3.connect" else event, details)


def main(root: str, run: str, instant: str, gates: str) -> None:
    """Merge, dying in between."""
    store = Repository.open(Path(root), environment=os.environ, lock_wait=20.0)  # noqa: TID251 - a program of its own
    sys.addaudithook(Sudden(int(instant)))
    with Index.open(store.root) as index:
        done = merge(store, index, run, Judges(None, NOW, probes=1), skip_gates=gates == "skipped")
    sys.stdout.write(f"merged {done.commit}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
