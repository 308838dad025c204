"""Running a command and saying what it cost: wall and CPU time with all its children, and the most memory it held."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run, or the median of several, took.

    Attributes:
        wall: seconds.
        cpu: seconds of CPU, user and system, its children's included.
        peak: MB that the largest process among it and its children held.
    """

    wall: float
    cpu: float
    peak: float


def run(words: Sequence[str], *, variables: Mapping[str, str], given: bytes = b"") -> Cost:
    """Run ``words`` to the end; what it prints is thrown away.

    Raises:
        RuntimeError: it failed; its complaint is in the message.
    """
    # Files, not pipes: whoever feeds or empties a pipe competes for the same processors.
    with TemporaryFile() as stdin, TemporaryFile() as stdout:
        stdin.write(given)
        stdin.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(list(words), env=dict(variables), stdin=stdin, stdout=stdout, stderr=stdout)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            stdout.seek(0)
            complaint = stdout.read().decode(errors="replace")[-1000:]
            raise RuntimeError(f"{' '.join(words[:6])}: exit {process.returncode}: {complaint}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure by itself."""
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
    )


def in_turns(repeats: int, *measures: Callable[[int], Cost]) -> list[Cost]:
    """The median of each of ``measures``, taken in turns, so that a busy minute falls on all of them alike."""
    taken: list[list[Cost]] = [[] for _ in measures]
    for turn in range(repeats):
        for costs, measure in zip(taken, measures, strict=True):
            costs.append(measure(turn))
    return [median(costs) for costs in taken]
