"""A store of real files and real git, and a person who works in it with plain git."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from memhtml.domain.memory import CommitId, Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.store.founding import init
from memhtml.store.repository import Repository
from memhtml.store.writing import stage_write

NOW = Instant("2026-07-28T10:00:00Z")


@dataclass(frozen=True)
class Person:
    """Somebody who uses git in the store, with the given environment."""

    root: Path
    environment: Mapping[str, str]

    def git(self, *words: str) -> str:
        """Run git; gives what it printed."""
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words],
            cwd=self.root,
            env=dict(self.environment),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return done.stdout

    def write(self, path: str, text: str) -> Path:
        """Put a file into the work tree by hand."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
        return place

    def commit(self, path: str, text: str) -> None:
        """Put a file into the branch by hand."""
        self.write(path, text)
        self.git("add", "--force", path)
        self.git("commit", "--quiet", "--message", f"by hand: {path}")

    def status(self) -> str:
        """What git calls changed, staged or untracked."""
        return self.git("status", "--porcelain", "--untracked-files=all")

    def files(self) -> list[str]:
        """Paths in the branch, in order."""
        return self.git("-c", "core.quotePath=off", "ls-tree", "-r", "--name-only", "HEAD").splitlines()

    def shown(self, path: str) -> str:
        """A file as the branch has it."""
        return self.git("show", f"HEAD:{path}")


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Repository:
    """A store without memories."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment, lock_wait=5.0)


@pytest.fixture
def person(store: Repository, environment: dict[str, str]) -> Person:
    """A person in that store."""
    return Person(store.root, environment)


def nothing_else(_: object) -> tuple[MemoryPath, ...]:
    """An index that knows of no duplicate."""
    return ()


@pytest.fixture
def write(store: Repository) -> Callable[..., MemoryPath]:
    """Write and commit a semantic memory with this claim; gives its path."""

    def written(claim: str, **fields: object) -> MemoryPath:
        draft = Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **fields})
        with store.transaction() as tx:
            path = stage_write(tx, draft, now=NOW, duplicates=nothing_else).path
            tx.commit(f"memory(write): {claim}")
        return path

    return written


@pytest.fixture
def put(store: Repository) -> Callable[[str, bytes], CommitId]:
    """Commit bytes at a path."""

    def committed(path: str, data: bytes) -> CommitId:
        with store.transaction() as tx:
            tx.put(path, data)
            return tx.commit(f"memory(write): {path}")

    return committed
