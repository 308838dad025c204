"""A small real store for every test: real git, real index, a clock that moves when told to."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.config.settings import load
from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.init import init
from memhtml.workspace.workspace import Workspace


class Hands:
    """A clock whose hands a test moves."""

    def __init__(self) -> None:
        self.instant = Instant("2026-07-28T10:00:00Z")

    def now(self) -> Instant:
        """What it shows."""
        return self.instant


def opened(
    root: Path, embed: str = "off", clock: Hands | None = None, *, forgiving: bool = False, **variables: str
) -> Workspace:
    """A workspace on ``root``, with this process's environment."""
    known = {**os.environ, **variables}  # noqa: TID251 - handed on to git
    settings = load(
        {"root": str(root), "embed": embed}, known, root.parent / "user.toml", root.parent, forgiving=forgiving
    )
    return Workspace(settings, variables=known, clock=clock or Hands())


def git(root: Path, *words: str) -> str:
    """What git prints in the store."""
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True).stdout.strip()


def seen(root: Path) -> tuple[str, str, dict[str, bytes]]:
    """All that a refused operation must leave as it was: branch, git's view, and every file of a person's."""
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".memhtml"} & set(path.relative_to(root).parts)
    }
    return git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain"), files


def fact(claim: str, kind: MemoryType = MemoryType.SEMANTIC) -> Draft:
    """A memory that says ``claim`` and no more."""
    return Draft(kind, claim=claim)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store, made once."""
    root = tmp_path_factory.mktemp("template") / "store"
    with opened(root) as workspace:
        init(workspace)
    return root


@pytest.fixture
def clock() -> Hands:
    """The clock of `workspace`."""
    return Hands()


@pytest.fixture
def workspace(template: Path, root: Path, clock: Hands) -> Iterator[Workspace]:
    """An empty store of the test's own, vectors off."""
    shutil.copytree(template, root)
    with opened(root, clock=clock) as found:
        yield found
