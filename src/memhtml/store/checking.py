"""What is wrong with a store's repository, for doctor."""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import GitError, StorageError
from memhtml.domain.memory import CommitId
from memhtml.domain.paths import ROOTS, SUFFIX, is_generated, path_refusal
from memhtml.store.clones import missing_settings
from memhtml.store.files import WorkTree, is_temporary
from memhtml.store.git import Git
from memhtml.store.halves import halves
from memhtml.store.journal import Journal
from memhtml.store.layout import HOUSE, Layout
from memhtml.store.names import twin_key
from memhtml.store.objects import FILE_MODES
from memhtml.store.reading import uncommitted
from memhtml.store.refs import MAIN, has_branch, read_head, refuse_unless_on_branch
from memhtml.store.staleness import lock_files

DAMAGED = "git-damaged"
_PAGES = (".html", ".htm", ".xhtml")
"""How the names of files end that a person means as pages, in any case."""
_TYPE_META = re.compile(rb"<meta\s[^>]*\bmemhtml-type\b", re.IGNORECASE)
_HEAD_BYTES = 64 * 1024
"""So much of a file is looked at: the type is the first meta of a memory."""


class Finding(Struct, frozen=True):
    """One thing that is wrong.

    Attributes:
        path: where, if it is one file.
        code: stable name.
        message: a sentence.
        fix: what to do, as a sentence or a command; ``None`` when there is no one right answer.
        repairable: whether `memhtml.store.repository.Repository.repair`, or ``init``, does it.
    """

    path: str | None
    code: str
    message: str
    fix: str | None = None
    repairable: bool = False


def check(layout: Layout, git: Git, journal: Journal) -> Iterator[Finding]:
    """Everything that is wrong, the repository first, then files in path order. Git reads every object for it.

    A part that cannot be looked at is a finding itself, and the others are looked at all the same.
    """
    parts: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: _leftovers(layout, git, journal),
        lambda: _standing(layout, git),
        lambda: _settings(git),
        lambda: _integrity(layout, git),
        lambda: _branch_files(git, read_head(layout, git).commit),
        lambda: _missing_files(layout, git, read_head(layout, git).commit),
        lambda: _work_files(layout),
    )
    refused: set[str] = set()
    for part in parts:
        try:
            yield from part()
        except (GitError, StorageError, OSError) as error:
            message = f"the store cannot be read: {error.strerror}" if isinstance(error, OSError) else error.message
            if message not in refused:
                yield damage(layout, message)
            refused.add(message)


def damage(layout: Layout, message: str) -> Finding:
    """What git cannot read, as a finding."""
    index = layout.gitdir / "index"
    if str(index) in message or "index file" in message:
        return Finding(None, DAMAGED, message, f"remove {index} and run git reset in the store: no file is touched")
    return Finding(None, DAMAGED, message, "restore from a clone or a backup")


def temporary_files(layout: Layout) -> Iterator[str]:
    """Files that a killed write left half made, in path order."""
    return (path for path, _ in _walk(layout) if is_temporary(path.rpartition("/")[2]))


def _leftovers(layout: Layout, git: Git, journal: Journal) -> Iterator[Finding]:
    if journal.pending():
        message = "a command was killed, or is at work"
        yield Finding(
            None,
            "interrupted",
            message,
            "memhtml doctor --fix finishes it, and so does the next search or write",
            repairable=True,
        )
    head = read_head(layout, git)
    for lock in lock_files(layout, head.branch):
        message = f"git's {lock.name} is there: a git process is at work, or was killed"
        yield Finding(None, "git-lock", message, "the next write takes it away if nobody holds it", repairable=True)
    for path in temporary_files(layout):
        yield Finding(path, "temporary", f"{path} is what a killed write left", "take it away", repairable=True)
    for half in halves(layout.common, git):
        yield Finding(None, "stale-run", half.message, "take it away", repairable=True)


def _standing(layout: Layout, git: Git) -> Iterator[Finding]:
    head = read_head(layout, git)
    try:
        refuse_unless_on_branch(layout, head)
    except GitError as error:
        yield Finding(None, "not-writable", error.message, "; ".join(error.suggestions))
    if head.branch is not None and head.branch != MAIN:
        name = head.branch.removeprefix("refs/heads/")
        known = has_branch(layout, MAIN)
        fix = "git switch main" if known else f"git branch -m {shlex.quote(name)} main"
        message = f"the store is on branch {name}, writes go there" + ("" if known else ", and there is no branch main")
        yield Finding(None, "other-branch", message, fix)


def _settings(git: Git) -> Iterator[Finding]:
    missing = missing_settings(git)
    if missing:
        message = f"this clone lacks the settings {', '.join(sorted(missing))}"
        yield Finding(None, "clone-settings", message, "memhtml init", repairable=True)


def _integrity(layout: Layout, git: Git) -> Iterator[Finding]:
    status, printed, complaint = git.start("fsck", "--no-dangling", "--no-progress").outcome()
    if status != 0:
        lines = [line for line in (printed.decode(errors="replace") + complaint).splitlines() if line.strip()]
        shown = "; ".join(lines[:3])[:300]
        yield damage(layout, f"git fsck finds damage: {shown}")


def _branch_files(git: Git, commit: CommitId | None) -> Iterator[Finding]:
    if commit is None:
        return
    twins: dict[str, list[str]] = defaultdict(list)
    for line in git.run("ls-tree", "-r", "-z", commit, "--", *ROOTS).split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        path = name.decode(errors="surrogateescape")
        twins[twin_key(path)].append(path)
        if facts[:6].decode() not in FILE_MODES:
            message = f"{_shown(path)} is a symbolic link or a repository in the branch; it is never followed"
            yield Finding(path, "unsafe-file", message, "replace it by a plain file and commit that")
    for paths in twins.values():
        if len(paths) > 1:
            message = f"{', '.join(map(_shown, paths))} differ only in letter case or Unicode form"
            yield Finding(paths[0], "twins", message, "rename one of them")


def _missing_files(layout: Layout, git: Git, commit: CommitId | None) -> Iterator[Finding]:
    """Memories of the branch that somebody deleted; whether that was meant, only they know."""
    for path in sorted(uncommitted(git, WorkTree(layout.root), commit).deleted):
        message = f"{path} is in the branch, but its file is not in the work tree"
        yield Finding(path, "missing-file", message, f"{restoring(layout, path)}; or commit that it is deleted")


def restoring(layout: Layout, path: str) -> str:
    """The command that brings a file of the branch back into the work tree, whether its loss is staged or not."""
    return f"git -C {shlex.quote(str(layout.root))} checkout HEAD -- {shlex.quote(path)}"


def _work_files(layout: Layout) -> Iterator[Finding]:
    for path, mode in _walk(layout):
        name = path.rpartition("/")[2]
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            message = f"{_shown(path)} is a symbolic link, a device or a FIFO; it is never followed"
            fix = f"remove {path}" if path.startswith(HOUSE) else "put a plain file there"
            yield Finding(path, "unsafe-file", message, fix)
        elif stat.S_ISREG(mode) and path.partition("/")[0] in ROOTS and name.casefold().endswith(_PAGES):
            refusal = path_refusal(path)
            # A page of publish's, and a person's own in its place, are no memories and need no other name.
            if refusal is not None and (not is_generated(path) or _is_meant_as_memory(layout.root / path)):
                fix = f"rename it: its name must end in {SUFFIX}" if not path.endswith(SUFFIX) else "rename it"
                yield Finding(path, "bad-name", f"{_shown(path)} is not read as a memory: {refusal}", fix)
    yield from _strays(layout)


def _strays(layout: Layout) -> Iterator[Finding]:
    """Files that are written as memories, and lie where nobody looks for any."""
    known = {".git", HOUSE, *ROOTS}
    for path, mode in _walk(layout, sorted({entry.name for entry in layout.root.iterdir()} - known)):
        if stat.S_ISREG(mode) and path.casefold().endswith(_PAGES) and _is_meant_as_memory(layout.root / path):
            message = f"{_shown(path)} is not read as a memory: it lies outside of {', '.join(ROOTS)}"
            yield Finding(path, "bad-place", message, "move it into one of them")


def _is_meant_as_memory(file: Path) -> bool:
    """Whether the head of ``file`` says that it is a memory, however it is spelled."""
    try:
        with file.open("rb") as opened:
            return _TYPE_META.search(opened.read(_HEAD_BYTES)) is not None
    except OSError:
        return False  # gone meanwhile, or closed to us


def _walk(layout: Layout, tops: Sequence[str] = (HOUSE, *sorted(ROOTS))) -> Iterator[tuple[str, int]]:
    """All that lies in ``tops``, with its mode, in path order; no link is followed."""
    waiting = [name for name in tops if os.path.lexists(layout.root / name)]
    waiting.reverse()
    while waiting:
        path = waiting.pop()
        try:
            mode = (layout.root / path).lstat().st_mode
            if stat.S_ISDIR(mode):
                names = sorted((entry.name for entry in (layout.root / path).iterdir()), reverse=True)
                waiting += [f"{path}/{name}" for name in names]
        except OSError:
            continue  # gone meanwhile, or closed to us: git status shows that
        yield path, mode


def _shown(path: str) -> str:
    return ascii(path) if any("\ud800" <= one <= "\udfff" or not one.isprintable() for one in path) else path


def repair(layout: Layout) -> tuple[str, ...]:
    """Take away what a killed write left half made; the writers' lock must be held. Returns the paths.

    Raises:
        StorageError: one cannot be taken away.
    """
    files, paths = WorkTree(layout.root), tuple(temporary_files(layout))
    for path in paths:
        files.remove(path)
    return paths
