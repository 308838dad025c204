"""What lies on the disk of runs that are no more, or that were cut off while they were made: named, and cleared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import LockedError
from memhtml.domain.memory import CommitId
from memhtml.store.git import Git
from memhtml.store.lock import is_held
from memhtml.store.refs import MAIN
from memhtml.store.worktrees import (
    NAMESPACE,
    RunTree,
    is_run_name,
    is_whole,
    names_on_disk,
    remains,
    take_away,
    working,
)


class Half(Struct, frozen=True):
    """The remains of one run.

    Attributes:
        name: of the run.
        message: what is wrong, as a sentence.
        branch: whether the run itself is still there.
    """

    name: str
    message: str
    branch: bool


def references(git: Git) -> tuple[CommitId | None, dict[str, CommitId]]:
    """Where main is, and where the branch of each run is, by the run's name.

    Raises:
        GitError: git refused.
    """
    printed = git.run("for-each-ref", "--format=%(objectname) %(refname)", MAIN, NAMESPACE)
    main: CommitId | None = None
    tips: dict[str, CommitId] = {}
    for line in printed.decode(errors="surrogateescape").splitlines():
        commit, _, name = line.partition(" ")
        if name == MAIN:
            main = CommitId(commit)
        elif is_run_name(name.removeprefix(NAMESPACE)):
            tips[name.removeprefix(NAMESPACE)] = CommitId(commit)
    return main, tips


def halves(common: Path, git: Git) -> Iterator[Half]:
    """The remains of runs that nobody works on, in the order of their names.

    A branch without a work tree is none: it may have come from another clone, or its run has landed.

    Raises:
        GitError: git refused.
    """
    names = tuple(names_on_disk(common))
    tips = references(git)[1] if names else {}
    for name in names:
        tree = RunTree(common, name)
        if is_held(tree.lock):
            continue
        if name not in tips:
            if remains(tree) or tree.lock.exists():
                yield Half(name, f"something is left of the run {name}, and its branch is gone", branch=False)
        elif remains(tree) and not is_whole(tree):
            yield Half(name, f"the work tree of the run {name} was cut off while it was made", branch=True)


def clear(common: Path, git: Git, *, command: str) -> tuple[str, ...]:
    """Take those remains away; the names of their runs, in order. Branches stay, and resuming makes their work tree.

    Raises:
        GitError: git refused.
        StorageError: something cannot be removed.
    """
    cleared: list[str] = []
    for half in tuple(halves(common, git)):
        tree = RunTree(common, half.name)
        with suppress(LockedError), working(tree, wait=0.0, command=command):
            take_away(tree)
            if not half.branch:
                with suppress(OSError):
                    tree.lock.unlink()
            cleared.append(half.name)
    return tuple(cleared)
