"""A night that dies on purpose: run as a program, it kills its whole process group while a phase is at work.

``python night_storm.py ROOT DATE PHASE INSTANT MODEL``: sleeps over the store at ROOT, and prints the tree of the run.
It dies at the n-th look at the disk after PHASE has begun, and before the next one does; INSTANT 0 lets it live. MODEL
is ``helpful`` or ``none``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.integration.night_models import Helpful
from tests.integration.nights import opened
from tests.integration.store_storm import Death


def main(root: str, date: str, phase: str, instant: str, model: str) -> None:
    """Sleep, dying in one phase."""
    death = Death(0)

    def begun(name: str, _done: int, _total: int | None) -> None:
        death.left = int(instant) if name == phase else 0

    with opened(Path(root), dict(os.environ)) as bed:  # noqa: TID251 - a program of its own
        sys.addaudithook(death)
        outcome = bed.night(Helpful() if model == "helpful" else None, date, begun)
        sys.stdout.write(f"{bed.tree(f'sleep/{outcome.run}')}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
