"""Agents, people and a night on one store at once: every answer is right, nothing is lost, nothing stays behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import anyio
import pytest
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.mcp.clients import variables

from memhtml import Store

AGENTS: Final = 8
PEOPLE: Final = 2
NIGHT: Final = "2026-07-28"
MOST_FILES_MORE: Final = 8
"""Descriptors that a server may have more of at the end than at half time: a thread of it read for the first time."""


@dataclass
class Ledger:
    """What was acknowledged.

    Attributes:
        alive: what each memory says that must be there, by path.
        gone: paths that were archived or corrected: they can be read, and are in no list.
        commits: how many changes there were; each is one commit.
        night: what the night said.
    """

    alive: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    commits: int = 0
    night: dict[str, Any] = field(default_factory=dict)

    def wrote(self, path: str, claim: str) -> None:
        """One more memory."""
        assert path not in self.alive
        self.alive[path] = claim

    def took(self, path: str) -> None:
        """One less in use."""
        del self.alive[path]
        self.gone.add(path)


@dataclass
class Field:
    """A store and who works on it until a time.

    Attributes:
        complaints: what the servers wrote on standard error.
    """

    root: Path
    embed: str
    until: float
    ledger: Ledger = field(default_factory=Ledger)
    complaints: list[Path] = field(default_factory=list)

    def open(self) -> bool:
        """There is time left."""
        return time.monotonic() < self.until

    @property
    def environment(self) -> dict[str, str]:
        """What every process gets."""
        return variables(self.root, MEMHTML_EMBED=self.embed)

    async def agent(self, name: str) -> None:
        """A client of the SDK on a server of its own."""
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "memhtml", "serve", "mcp"], env=self.environment
        )
        complaint = self.root.parent / f"{name}.err"
        self.complaints.append(complaint)
        with complaint.open("w") as errors:
            async with stdio_client(server, errlog=errors) as streams, ClientSession(*streams) as client:
                await client.initialize()
                await Agent(name, client, self).work()

    async def person(self, name: str) -> None:
        """Command lines, one after the other."""
        number = 0
        while self.open():
            number += 1
            claim = f"{name} keeps the {number}. key of the archive in drawer {number}."
            written = await self.command("write", claim)
            self.ledger.wrote(written["path"], claim)
            self.ledger.commits += 1
            await self.command("search", f"where is key {number} of {name}")

    async def sleeper(self) -> None:
        """One night while the others write."""
        await anyio.sleep((self.until - time.monotonic()) / 4)
        self.ledger.night = await self.command("sleep", "run", "--date", NIGHT)

    async def command(self, *words: str) -> dict[str, Any]:
        """The data of a command that must succeed, and that must have nothing to complain of."""
        command = [sys.executable, "-m", "memhtml", *words, "--json"]
        done = await anyio.run_process(command, env=self.environment, check=False)
        assert (done.returncode, done.stderr) == (0, b""), (words, done.stdout, done.stderr)
        answer = json.loads(done.stdout)["data"]
        assert not answer.get("warnings"), answer["warnings"]
        return dict(answer)


@dataclass
class Agent:
    """One agent: it writes, reads, corrects, links, archives and asks, and believes no answer that it can check."""

    name: str
    client: ClientSession
    field: Field
    own: list[str] = field(default_factory=list)

    async def work(self) -> None:
        """Rounds, until the time is over; a whole one at least."""
        number = 0
        while number < 1 or self.field.open():
            number += 1
            await self.round(number)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """The data of a call that must succeed; the client holds it against the listed schema."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, (tool, answer.content)
        assert not answer.structured_content.get("warnings"), answer.structured_content["warnings"]
        return dict(answer.structured_content)

    async def round(self, number: int) -> None:
        """Six changes, and what can be asked of them."""
        ledger = self.field.ledger
        claims = [f"{self.name} found in round {number} that pump {number}{letter} is {word}."
                  for letter, word in (("a", "blue"), ("b", "old"), ("c", "loud"))]  # fmt: skip
        first = (await self.call("memory_write", claim=claims[0], tag=[self.name]))["path"]
        ledger.wrote(first, claims[0])
        opened = (await self.call("memory_read", path=[first]))["memories"][0]
        assert opened["memory"]["gist"] == claims[0]
        lines = [{"op": "write", "claim": claim, "tag": [self.name]} for claim in claims[1:]]
        done = await self.call("memory_write_batch", lines=lines)
        second, third = (row["path"] for row in done["results"])
        ledger.wrote(second, claims[1])
        ledger.wrote(third, claims[2])
        assert (await self.call("memory_link", source=first, rel="supports", target=second))["changed"] is True
        assert (await self.call("memory_neighbors", path=first))["neighbors"][0]["path"] == second
        truth = f"{self.name} found in round {number} that pump {number}c is quiet."
        corrected = (await self.call("memory_correct", target=third, claim=truth))["path"]
        ledger.took(third)
        ledger.wrote(corrected, truth)
        moved = (await self.call("memory_archive", path=[second]))["memories"][0]
        assert moved["previous"] == second
        ledger.took(second)
        task = (await self.call("task_add", claim=f"{self.name} oils pump {number}"))["path"]
        ledger.wrote(task, f"{self.name} oils pump {number}")
        ledger.commits += 6
        await self.call("memory_search", query=claims[0])
        await self.call("memory_recall", query=f"pump {number}")
        await self.call("memory_reinforce", path=[first], outcome=1)
        assert (await self.call("memory_list", tag=[self.name]))["total"] >= 2
        self.own += [first, corrected, task]


def processes(root: Path) -> dict[int, list[str]]:
    """The living processes that work on this store, with their command lines; none where the system does not tell."""
    return {} if not Path("/proc").is_dir() else dict(_processes(f"MEMHTML_ROOT={root}\0".encode()))


def _processes(mark: bytes) -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            if mark in (folder / "environ").read_bytes():
                yield int(folder.name), (folder / "cmdline").read_text().split("\0")
        except OSError:
            continue


def servers(root: Path) -> dict[int, tuple[int, int]]:
    """For each server its open descriptors, and the most memory that it has held, in MB."""
    found: dict[int, tuple[int, int]] = {}
    for pid, words in processes(root).items():
        if "serve" in words:
            status = Path(f"/proc/{pid}/status").read_text()
            peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
            found[pid] = (len(list(Path(f"/proc/{pid}/fd").iterdir())), peak >> 10)
    return found


def storm(root: Path, seconds: float, embed: str) -> list[dict[int, tuple[int, int]]]:
    """Let all of them work, and see that nothing is wrong; gives what the servers held at half time and at the end."""
    with Store.init(root, embed=embed) as store:
        store.write("The pumps stand in the cellar.")
    here = Field(root, embed, time.monotonic() + seconds)
    before = commits(root)
    looks: list[dict[int, tuple[int, int]]] = []

    async def observer() -> None:
        for _ in range(2):
            await anyio.sleep(max(0.0, seconds / 2 - 1))
            looks.append(servers(root))

    async def run() -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(AGENTS):
                tasks.start_soon(here.agent, f"agent-{number}")
            for number in range(PEOPLE):
                tasks.start_soon(here.person, f"person-{number}")
            tasks.start_soon(here.sleeper)
            tasks.start_soon(observer)

    anyio.run(run)
    assert [path.read_text() for path in here.complaints] == [""] * AGENTS
    assert processes(root) == {}
    judged(here, before)
    print(f"{here.ledger.commits} changes acknowledged in {seconds:.0f} s")  # noqa: T201 - stated
    return looks


def judged(here: Field, before: int) -> None:
    """Every acknowledged change is there, as one commit, in files and index, and nothing else is."""
    ledger, root = here.ledger, here.root
    assert commits(root) - before == ledger.commits
    assert ledger.night["run"] == NIGHT
    with Store.open(root, embed=here.embed) as store:
        listed = {row.path: row.gist for row in store.list(limit=100_000).memories}
        listed |= {row.path: row.gist for row in store.tasks(limit=100_000).tasks}
        del listed["areas/inbox/the-pumps-stand-in-the-cellar.html"]
        assert listed == ledger.alive
        for path in sorted(ledger.gone)[::7]:
            assert store.read(path).memories[0].moved  # to the archive, or to what corrected it
    for words in (("index", "verify"), ("doctor",)):
        anyio.run(here.command, *words)
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "fsck", "--no-dangling") == ""
    assert git(root, "worktree", "list").count("\n") == 2  # the night that nobody has merged yet has one
    own = root / ".git" / "memhtml"  # whose locks are files that stay
    assert [path for path in root.rglob("*.lock") if own not in path.parents] == []
    assert list(root.rglob("*.tmp")) == []


def commits(root: Path) -> int:
    """How many there are on the branch."""
    return int(git(root, "rev-list", "--count", "HEAD"))


def git(root: Path, *words: str) -> str:
    """What git prints, complaints too."""
    done = subprocess.run(["git", "-C", root, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    return done.stdout.decode()


def test_agents_people_and_a_night_share_a_store(root: Path) -> None:
    """Some seconds of it."""
    storm(root, 6.0, "fake-words@64")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_they_share_it_for_two_minutes(root: Path) -> None:
    """With the built-in model in each of the servers; what they held is printed."""
    middle, end = storm(root, 120.0, "on")
    for pid, (descriptors, peak) in end.items():
        print(f"server {pid}: at most {peak} MB, {descriptors} files")  # noqa: T201 - stated
        assert descriptors <= middle[pid][0] + MOST_FILES_MORE
