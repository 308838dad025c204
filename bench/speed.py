"""What memhtml costs, as ratios taken in one run on stores of made-up memories. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from memories import queries
from processes import Cost, in_turns, median, run
from stores import command, founded, lines, store, variables, with_vectors

APPLIED = 5_000
WARM_QUERIES = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        limit: what it must not exceed, or, with ``least``, must reach; None where it is only stated.
    """

    name: str
    figure: float
    unit: str
    limit: float | None = None
    least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the limit is kept."""
        if self.limit is None:
            return ""
        kept = self.figure >= self.limit if self.least else self.figure <= self.limit
        return "ok" if kept else "MISSED"


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the stores are, how often each thing is measured, and in stores of how many memories at most."""

    folder: Path
    repeats: int
    largest: int

    def memhtml(self, *words: str, embed: str = "on", given: bytes = b"") -> Cost:
        """Run one command as its own process."""
        return run([*command(), *words], variables=variables(self.folder, embed), given=given)

    def start(self, _: int = 0) -> Cost:
        """Start Python and end it."""
        return run([sys.executable, "-c", "pass"], variables=variables(self.folder))


def writing(bench: Bench) -> Iterator[Row]:
    """A write from the command line beside the git calls that it cannot do without, at two sizes, all in turns."""
    sizes = (1_000, 10_000)
    roots = [store(bench.folder, count) for count in sizes]
    with tempfile.TemporaryDirectory(dir=bench.folder) as scratch:
        copies = [Path(shutil.copytree(root, Path(scratch) / root.name, symlinks=True)) for root in roots]
        writers = [
            write
            for root, copy in zip(roots, copies, strict=True)
            for write in (Bare(copy, bench).write, Cli(bench, root).write)
        ]
        for write in writers:
            write(-1)
        start, *costs = in_turns(bench.repeats, bench.start, *writers)
    for count, git, cli in zip(sizes, costs[::2], costs[1::2], strict=True):
        parts = f"start {ms(start)}, git {ms(git)}, write {ms(cli)} (CPU / wall ms)"
        yield Row(
            f"write at {count:,} / (bare git + start), wall", cli.wall / (git.wall + start.wall), "x", 4.0, note=parts
        )
        yield Row(f"write at {count:,} / (bare git + start), CPU", cli.cpu / (git.cpu + start.cpu), "x", 4.0)
        yield Row(f"write at {count:,}, peak", cli.peak, "MB")
    small, large = costs[1], costs[3]
    yield Row("write at 10,000 / at 1,000, wall", large.wall / small.wall, "x", 1.3)
    yield Row("write at 10,000 / at 1,000, CPU", large.cpu / small.cpu, "x", 1.3)


@dataclass(frozen=True, slots=True)
class Cli:
    """Writes, each another memory, by `memhtml write` with its own defaults."""

    bench: Bench
    root: Path

    def write(self, turn: int) -> Cost:
        """One more memory."""
        number = next_number()
        return self.bench.memhtml(
            *["write", "--root", str(self.root), "--type", "semantic", "--tag", "measured"],
            *[
                "--claim",
                f"The probe of turn {turn} answered {number} times.",
                "--body",
                f"It was asked {number} times.",
            ],
        )


@dataclass(frozen=True, slots=True)
class Bare:
    """The same change as `Cli` makes, by git alone: one fast-import, one fix-up of the index, as durable."""

    root: Path
    bench: Bench

    def write(self, turn: int) -> Cost:
        """One more file of 1.2 kB."""
        path = f"areas/measured/bare-{turn}-{next_number()}.html"
        data = f"<!doctype html><title>{path}</title>{'<p>measured</p>' * 75}\n".encode()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)
        head = (
            b"commit refs/heads/main\ncommitter bench <bench@localhost> now\ndata 5\nbare\n\nfrom refs/heads/main^0\n"
        )
        stream = head + f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"
        settings = ["-c", "core.fsync=committed,loose-object,reference", "-c", "fastimport.unpackLimit=100"]
        environment = variables(self.bench.folder)
        git = ["git", "-C", str(self.root), *settings]
        made = run([*git, "fast-import", "--quiet", "--date-format=now"], variables=environment, given=stream)
        fixed = run([*git, "update-index", "--add", "--", path], variables=environment)
        return Cost(made.wall + fixed.wall, made.cpu + fixed.cpu, max(made.peak, fixed.peak))


def applying(bench: Bench) -> Iterator[Row]:
    """A batch of 5,000 into an empty store, without vectors."""
    batch, costs = lines(APPLIED, seed=7), []
    with tempfile.TemporaryDirectory(dir=bench.folder) as scratch:
        for turn in range(max(5, bench.repeats // 2)):
            root = founded(Path(scratch) / f"applied-{turn}", variables(bench.folder, "off"))
            costs.append(bench.memhtml("apply", "-", "--root", str(root), embed="off", given=batch))
            shutil.rmtree(root)
    cost = median(costs)
    limit = 300.0
    yield Row("apply of 5,000 without vectors, wall", APPLIED / cost.wall, "a second", limit, least=True)
    yield Row("apply of 5,000 without vectors, CPU", APPLIED / cost.cpu, "a CPU second", limit, least=True)
    yield Row("apply of 5,000, peak", cost.peak, "MB")


def rebuilding(bench: Bench) -> Iterator[Row]:
    """The index anew from 10,000 files, without embedding."""
    root = store(bench.folder, 10_000)
    turns = max(5, bench.repeats // 2)
    cost = median([bench.memhtml("index", "rebuild", "--root", str(root), embed="off") for _ in range(turns)])
    yield Row("rebuild of 10,000 without embedding", cost.cpu, "CPU s", 15.0, note=f"{cost.wall:.1f} s")
    yield Row("rebuild of 10,000, peak", cost.peak, "MB")


def searching(bench: Bench) -> Iterator[Row]:
    """A search by words alone in a process of its own, over an empty process."""
    for count in (1_000, 10_000, 100_000):
        if count > bench.largest:
            continue
        root, asked = store(bench.folder, count), queries(bench.repeats)

        def search(turn: int, root: Path = root, asked: list[str] = asked) -> Cost:
            return bench.memhtml("search", asked[turn], "--root", str(root), embed="off")

        search(0)
        start, found = in_turns(bench.repeats, bench.start, search)
        limit = 110.0 if count == 10_000 else None
        note = f"start {ms(start)}, search {ms(found)} (CPU / wall ms)"
        yield Row(
            f"cold search without vectors at {count:,}",
            (found.cpu - start.cpu) * 1000,
            "CPU ms over start",
            limit,
            note=note,
        )
        yield Row(f"cold search without vectors at {count:,}, peak", found.peak, "MB")


def hooking(bench: Bench) -> Iterator[Row]:
    """What a prompt costs in a process of its own, with the embedder and by words alone, in turns."""
    for count in (1_000, 10_000):
        root, asked = with_vectors(bench.folder, count), queries(bench.repeats)

        def hook(turn: int, embed: str, root: Path = root, asked: list[str] = asked) -> Cost:
            prompt = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": asked[turn]}).encode()
            return bench.memhtml("hook", "user-prompt-submit", "--root", str(root), embed=embed, given=prompt)

        hook(0, "on")
        measured = (bench.start, partial(hook, embed="on"), partial(hook, embed="off"))
        start, found, plain = in_turns(bench.repeats, *measured)
        limit = 450.0 if count == 10_000 else None
        name = f"hook user-prompt-submit at {count:,}"
        yield Row(name, found.cpu * 1000, "CPU ms", limit, note=f"start {ms(start)}, hook {ms(found)} (CPU / wall ms)")
        yield Row(f"{name}, peak", found.peak, "MB")
        yield Row(f"{name} by words alone", plain.cpu * 1000, "CPU ms", note=ms(plain))
        yield Row(f"{name} by words alone, peak", plain.peak, "MB")


def asking(bench: Bench) -> Iterator[Row]:
    """Searches in a process that has done some, with the embedder and without."""
    for count, limit in ((1_000, None), (10_000, 25.0), (100_000, 120.0)):
        if count > bench.largest:
            continue
        root = with_vectors(bench.folder, count)
        for embed in ("on", "off"):
            words = [sys.executable, __file__, "--warm", str(root)]
            done = subprocess.run(words, env=variables(bench.folder, embed), check=True, capture_output=True)
            found = json.loads(done.stdout)
            name = f"warm search at {count:,} {'with the embedder' if embed == 'on' else 'by words alone'}"
            note = f"{found['slowest']:.0f} at most; first {found['first']:.0f}"
            yield Row(name, found["cpu"], "CPU ms", limit if embed == "on" else None, note=note)
            yield Row(f"{name}, peak", found["peak"], "MB")


def warm(root: Path) -> None:
    """Print what a search costs in this process, after a first few."""
    from memhtml import Store  # only the process that is measured loads it

    taken: list[float] = []
    with Store.open(root) as opened:
        for query in queries(WARM_QUERIES + 5):
            begun = time.process_time()
            opened.search(query)
            taken.append((time.process_time() - begun) * 1000)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    found = {
        "cpu": statistics.median(taken[5:]),
        "slowest": max(taken[5:]),
        "first": taken[0],
        "peak": peak,
    }
    print(json.dumps(found))


def ms(cost: Cost) -> str:
    """CPU and wall time in ms."""
    return f"{cost.cpu * 1000:.0f} / {cost.wall * 1000:.0f}"


_numbers = iter(range(1, 10**9))


def next_number() -> int:
    """A number that this run has not used, after those that earlier runs may have."""
    return time.time_ns() // 1000 * 1000 + next(_numbers)


PARTS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "write": writing,
    "apply": applying,
    "rebuild": rebuilding,
    "search": searching,
    "warm": asking,
    "hook": hooking,
}


def main() -> None:
    """Measure what was asked for, print each figure as it is known, and write them all as JSON on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="what to measure; all when left out")
    parser.add_argument(
        "--stores", type=Path, default=Path(tempfile.gettempdir()) / "memhtml-bench", help="kept between runs"
    )
    parser.add_argument("--repeats", type=int, default=9, help="at least 5")
    parser.add_argument("--largest", type=int, default=100_000, help="leave out the stores with more memories")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--warm", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.warm:
        warm(given.warm)
        return
    given.stores.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.stores.resolve(), max(5, given.repeats), given.largest)
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, medians of {bench.repeats}\n")
    rows = []
    for part in given.parts or PARTS:
        for row in PARTS[part](bench):
            rows.append(row)
            limit = "" if row.limit is None else f"{'>=' if row.least else '<='} {row.limit:g}"
            print(f"{row.verdict:6} {row.name:58} {row.figure:9.2f} {row.unit:18} {limit:8} {row.note}", flush=True)
    if given.json:
        given.json.write_text(json.dumps([{**asdict(row), "verdict": row.verdict} for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
