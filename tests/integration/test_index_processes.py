"""Several processes at one index: nobody fails, nobody loses anything, readers do not wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.store.founding import init
from memhtml.store.repository import Repository

NOW = Instant("2026-03-01T10:00:00Z")
MEMORIES = 60

OPENER = """
import sys
from pathlib import Path
from memhtml.index.index import Index
with Index.open(Path(sys.argv[1])) as index:
    for step in range(20):
        index.state.open_memory(f"areas/{sys.argv[2]}-{step}.html", "2026-03-01T10:00:00Z")
"""
UPDATER = """
import os, sys
from pathlib import Path
from memhtml.index.index import Index
from memhtml.store.repository import Repository
root = Path(sys.argv[1])
with Index.open(root) as index:
    index.rebuild(Repository.open(root, environment=dict(os.environ)))
"""


@pytest.fixture
def repository(root: Path, environment: dict[str, str]) -> Repository:
    """A store with a few dozen memories, not committed."""
    init(root, environment=environment)
    (root / "areas").mkdir(exist_ok=True)
    for number in range(MEMORIES):
        draft = Draft(type=MemoryType.SEMANTIC, claim=f"The queue number {number} is full.")
        (root / "areas" / f"{number}.html").write_bytes(render(compose(draft, now=NOW)))
    return Repository.open(root, environment=environment)


@pytest.fixture
def start(repository: Repository, environment: dict[str, str]) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts a script on the store in a process of its own."""

    def run(script: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", script, str(repository.root), *arguments]
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, start_new_session=True)

    return run


def test_opening_counting_and_rebuilding_at_once(
    repository: Repository, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """From nothing: all make the databases together, every open counts, and the index is whole."""
    running = [start(OPENER, str(number)) for number in range(4)] + [start(UPDATER) for _ in range(3)]
    failures = [process.communicate()[1].decode() for process in running]
    assert [process.returncode for process in running] == [0] * 7, failures
    with Index.open(repository.root) as index:
        assert index.incidents == ()
        assert index.state.export().count(b"\n") == 80
        with index.reading() as view:
            assert view.total == MEMORIES
        assert index.verify(repository).sound


def test_a_reader_does_not_wait_for_a_writer_nor_see_it(repository: Repository) -> None:
    """While a rebuild is under way elsewhere, the old generation is answered from; an open is counted all the same."""
    with Index.open(repository.root) as index, Index.open(repository.root) as other:
        index.update(repository)
        with other._connections.writing(Kind.INDEX) as connection:
            connection.execute("DELETE FROM links")
            connection.execute("UPDATE generation SET number = 99")
            with index.reading() as view:
                assert view.generation == 1
                assert view.count(Scope()) == MEMORIES
            assert index.state.open_memory(MemoryPath("areas/1.html"), NOW) is not None
            assert index.catch_up(repository) is None


@pytest.mark.slow
def test_a_rebuild_that_is_killed_leaves_the_old_generation_or_the_new_one(
    repository: Repository, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """At any instant; the next update needs no repair, and gives what a rebuild gives."""
    with Index.open(repository.root) as index:
        index.update(repository)
    for step in range(40):
        process = start(UPDATER)
        deadline = time.monotonic() + 0.1 + step * 0.01
        while time.monotonic() < deadline and process.poll() is None:
            pass
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        with Index.open(repository.root) as index:
            assert index.incidents == ()
            with index.reading() as view:
                assert view.total == MEMORIES
            index.update(repository)
            assert index.verify(repository).sound
