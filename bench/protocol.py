"""What the server for agents costs, spoken to in plain lines over its pipes. See README.md beside this file.

python bench/protocol.py [--stores FOLDER] [--repeats 9] [--calls 200]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memories import queries
from processes import Cost, in_turns
from speed import Row, ms
from stores import command, founded, variables, with_vectors

EMPTY = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("empty")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""
"""The least server that the protocol's package allows: no tool, no resource."""

MOST = 1.5
FIRST_CALLS = 5
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Talk:
    """A server, started and greeted."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        begun = time.perf_counter()
        self._process = subprocess.Popen(
            list(words),
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("there are no pipes")
        self._into, self._out_of = self._process.stdin, self._process.stdout
        self._number = 0
        self.asked("initialize", HELLO)
        self.greeted = time.perf_counter() - begun
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def asked(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a request.

        Raises:
            RuntimeError: the server answered with an error, or with something else.
        """
        self._number += 1
        self._say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        line = self._out_of.readline()
        answer = json.loads(line) if line else {}
        if answer.get("id") != self._number or "result" not in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{method}: {line[:500]!r}")
        return dict(answer["result"])

    def searched(self, query: str) -> float:
        """Seconds that a search takes, from the line to its answer."""
        begun = time.perf_counter()
        self.asked("tools/call", {"name": "memory_search", "arguments": {"query": query}})
        return time.perf_counter() - begun

    def ended(self) -> Cost:
        """What it cost in all; its wall time is that of the greeting."""
        self._into.close()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._out_of.close()
        if self._process.returncode:
            raise RuntimeError(f"the server ended with {self._process.returncode}")
        unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
        return Cost(self.greeted, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)

    def _say(self, message: Mapping[str, Any]) -> None:
        self._into.write(json.dumps(message).encode() + b"\n")
        self._into.flush()


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the stores are, how often each thing is measured, and how many searches a warm server gets."""

    folder: Path
    repeats: int
    calls: int

    def talk(self, root: Path, embed: str = "on") -> Talk:
        """Our server on a store."""
        return Talk([*command(), "serve", "mcp", "--root", str(root)], variables(self.folder, embed))

    def empty(self, _: int = 0) -> Cost:
        """The least server, greeted and ended."""
        return Talk([sys.executable, "-c", EMPTY], variables(self.folder)).ended()


def greeting(bench: Bench) -> Iterator[Row]:
    """From the start of a process to its answer to `initialize`, ours and the least one in turns."""
    root = with_vectors(bench.folder, 10_000)
    with tempfile.TemporaryDirectory(dir=bench.folder) as scratch:
        small = founded(Path(scratch) / "empty", variables(bench.folder))
        least, new, large = in_turns(
            bench.repeats,
            bench.empty,
            lambda _: bench.talk(small).ended(),
            lambda _: bench.talk(root).ended(),
        )
    for name, cost in (("an empty store", new), ("10,000 memories", large)):
        note = f"{ms(cost)} over {ms(least)} (CPU / wall ms)"
        yield Row(f"initialize with {name} / the least server, wall", cost.wall / least.wall, "x", MOST, note=note)
        yield Row(f"initialize with {name} / the least server, CPU", cost.cpu / least.cpu, "x", MOST)
        yield Row(f"greeted and ended with {name}, peak", cost.peak, "MB", note=f"the least server {least.peak:.0f}")


def searching(bench: Bench) -> Iterator[Row]:
    """The first search, which loads the model, and those after it."""
    for count in (1_000, 10_000):
        root = with_vectors(bench.folder, count)
        firsts, once = [], []
        for query in queries(bench.repeats):
            talk = bench.talk(root)
            firsts.append(talk.searched(query) * 1000)
            once.append(talk.ended().cpu)
        yield Row(f"first search at {count:,}, model cold", statistics.median(firsts), "ms", note=spread(firsts))
        talk = bench.talk(root)
        taken = [talk.searched(query) * 1000 for query in queries(FIRST_CALLS + bench.calls)][FIRST_CALLS:]
        cost = talk.ended()
        yield Row(f"warm search at {count:,}, p50", statistics.median(taken), "ms")
        yield Row(f"warm search at {count:,}, p95", statistics.quantiles(taken, n=20)[-1], "ms", note=spread(taken))
        each = (cost.cpu - statistics.median(once)) / (FIRST_CALLS - 1 + bench.calls) * 1000
        yield Row(f"warm search at {count:,}, CPU", each, "CPU ms a call", note=f"of {bench.calls} calls")
        yield Row(f"server at {count:,} after its searches, peak", cost.peak, "MB")


def spread(taken: Sequence[float]) -> str:
    """The least and the most."""
    return f"{min(taken):.0f} to {max(taken):.0f}"


def main() -> None:
    """Measure, and print each figure as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=Path, default=Path(tempfile.gettempdir()) / "memhtml-bench")
    parser.add_argument("--repeats", type=int, default=9, help="at least 5")
    parser.add_argument("--calls", type=int, default=200)
    given = parser.parse_args()
    given.stores.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.stores.resolve(), max(5, given.repeats), given.calls)
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, medians of {bench.repeats}\n")
    for part in (greeting, searching):
        for row in part(bench):
            limit = "" if row.limit is None else f"<= {row.limit:g}"
            print(f"{row.verdict:6} {row.name:58} {row.figure:9.2f} {row.unit:18} {limit:8} {row.note}", flush=True)


if __name__ == "__main__":
    main()
