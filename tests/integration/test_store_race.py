"""Writers at once: every one of them gets its turn, and nobody loses a write or a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memhtml.store.founding import init
from memhtml.store.repository import Repository

WRITER = """
import os, sys
from pathlib import Path
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.store.repository import Repository
from memhtml.store.writing import stage_write
store = Repository.open(Path(sys.argv[1]), environment=os.environ, lock_wait=120.0)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    draft = Draft(type=MemoryType.SEMANTIC, claim=f"Writer {sys.argv[2]} fact {number}")
    with store.transaction() as tx:
        written = stage_write(tx, draft, now="2026-07-28T10:00:00Z", duplicates=lambda _: ())
        tx.commit("memory(write): " + written.title)
    print(written.path, flush=True)
"""


def race(root: Path, environment: dict[str, str], writers: int, each: int) -> None:
    """``writers`` processes start together and commit ``each`` memories one by one; a person's files lie about."""
    init(root, environment=environment)
    store = Repository.open(root, environment=environment)

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=root, env=environment, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    inbox = root / "areas/inbox"
    inbox.mkdir(parents=True)
    (inbox / "mine.html").write_text("untracked")
    (root / "README.html").write_text("edited")
    (inbox / "staged.html").write_text("staged")
    git("add", "areas/inbox/staged.html")
    status, commits = git("status", "--porcelain"), int(git("rev-list", "--count", "HEAD"))
    command = [sys.executable, "-c", WRITER, str(root)]
    running = [
        subprocess.Popen(
            [*command, str(number), str(each)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(writers)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    paths: list[str] = []
    for process in running:
        said, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
        paths += said.split()
    assert len(paths) == len(set(paths)) == writers * each
    assert {entry.path for entry in store.tree()} == set(paths)
    assert int(git("rev-list", "--count", "HEAD")) == commits + writers * each
    assert git("log", "--merges", "--format=%H") == ""
    assert git("status", "--porcelain") == status
    assert git("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.timeout(300)
def test_a_few_writers_at_once_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """As many memories and commits as writes, and no other error."""
    race(root, environment, writers=4, each=5)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_eight_writers_of_fifty_memories_lose_nothing(root: Path, environment: dict[str, str]) -> None:
    """Four hundred memories, four hundred commits."""
    race(root, environment, writers=8, each=50)
