"""`init`: from nothing, from a live store, or from one that an interrupted run left half made, to a store."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import GitError, NotAStoreError, StorageError
from memhtml.domain.memory import CommitId
from memhtml.store.clones import missing_settings
from memhtml.store.git import OLDEST_VERSION, Git
from memhtml.store.layout import HOUSE, SCAFFOLD, Layout, is_bare, looks_like_store, refuse_linked_house, repository
from memhtml.store.lock import locked
from memhtml.store.repository import DEFAULT_WAIT, Repository
from memhtml.store.staleness import clear_stale
from memhtml.store.transaction import Transaction

BRANCH = "main"

_IGNORED = (
    "/.memhtml/*",
    "!/.memhtml/state/",
    "!/.memhtml/sleep/",
    "!/.memhtml/config.toml",
    ".memhtml-*.tmp",
)
# Generated files: the side that merges keeps its own, and publish makes them anew.
_ATTRIBUTES = (
    "*.html -text",
    "index.html merge=ours",
    "sitemap.xml merge=ours",
)
_README = b"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>A memory store</title>
</head>
<body>
<h1>A memory store</h1>
<p>Each file below <code>projects</code>, <code>areas</code>, <code>resources</code> and <code>archive</code> is one
memory: one claim, marked as such, with what is known about it. Open any of them in a browser.</p>
<p>Nothing is deleted: what no longer holds moves to <code>archive</code>, and <code>git log</code> tells the rest.
The program that writes and searches here is <code>memhtml</code>; editing a file by hand is fine too.</p>
</body>
</html>
"""
_VERSION = re.compile(r"git version ([0-9]+)\.([0-9]+)")
_ELSEWHERE = ("choose an empty folder, or one that is not there yet",)


class InitReport(Struct, frozen=True):
    """What `init` did.

    Attributes:
        root: the store's folder.
        created: whether there was no commit before.
        changed: files that it wrote and committed, in path order; empty when everything was there.
        settings: settings of this clone that it set, in name order.
        commit: where the branch stands now.
    """

    root: Path
    created: bool
    changed: tuple[str, ...]
    settings: tuple[str, ...]
    commit: CommitId


def init(root: Path, *, environment: Mapping[str, str], lock_wait: float = DEFAULT_WAIT) -> InitReport:
    """Make the folder at ``root`` a store, or bring a store up to what it should be. Running it again changes nothing.

    Raises:
        NotAStoreError: other things than a store are there.
        DirtyTreeError: a file that it would complete has uncommitted changes.
        StorageError: it cannot be written.
        GitError: git is missing, too old, or refused.
    """
    try:
        place = root.absolute().resolve()
        _refuse_other(place)
        refuse_linked_house(place)
        place.mkdir(parents=True, exist_ok=True)
        outside = Git(place, None, dict(environment))
        _require_version(outside)
        if repository(place) is None:
            _make_repository(outside, lock_wait)
        (place / HOUSE).mkdir(exist_ok=True)
    except FileExistsError as error:
        where = Path(str(error.filename))
        raise StorageError(
            f"{root} cannot be made a store: {where} is a file, and a folder belongs there",
            suggestions=(f"move {where} away, then repeat the command",),
        ) from error
    except OSError as error:
        raise StorageError(
            f"{root} cannot be made a store: {error.strerror}", suggestions=("check permissions",)
        ) from error
    return _converge(Repository.open(place, environment=environment, lock_wait=lock_wait))


def _make_repository(outside: Git, lock_wait: float) -> None:
    """`git init`, one at a time, and over the remains of one that was killed.

    Raises:
        LockedError: another init, or a live git, is at work there.
        StorageError: the folder cannot be written.
        GitError: git refused.
    """
    gitdir = outside.root / ".git"
    gitdir.mkdir(exist_ok=True)
    layout = Layout(outside.root, gitdir, gitdir)
    with locked(layout.desk / "lock", wait=lock_wait, command="memhtml init") as descriptor:
        if repository(outside.root) is None:
            clear_stale(layout, None, wait=lock_wait)
            git = outside.holding(descriptor)
            git.run("init", "--quiet", f"--initial-branch={BRANCH}", "--template=", str(outside.root))


def _converge(store: Repository) -> InitReport:
    with store.transaction() as transaction:
        git = transaction.git
        settings = _apply_settings(git)
        created = transaction.base is None
        if created and store.branch() != BRANCH:
            # A `git init` of somebody else stopped here, or the user's default is another name.
            git.run("symbolic-ref", "HEAD", f"refs/heads/{BRANCH}")
        changed = tuple(
            path for path in (".gitattributes", ".gitignore", "README.html") if _complete(transaction, path)
        )
        commit = transaction.commit("memory(init): a memory store")
    return InitReport(store.root, created, changed, settings, commit)


def _complete(transaction: Transaction, path: str) -> bool:
    """Put the file with what is missing in it; whether anything was."""
    committed = transaction.read(path)
    there = committed
    if committed is None:
        there = transaction.work(path)
        if there is not None:
            transaction.adopt(path)
    if path == "README.html":
        wanted = _README if there is None else there
    else:
        wanted = _with_lines(there or b"", _IGNORED if path == ".gitignore" else _ATTRIBUTES)
    if wanted == committed:
        return False
    transaction.put(path, wanted)
    return True


def _with_lines(data: bytes, lines: tuple[str, ...]) -> bytes:
    present = {line.strip() for line in data.decode(errors="replace").splitlines()}
    missing = [line for line in lines if line not in present]
    if not missing:
        return data
    start = data if not data or data.endswith(b"\n") else data + b"\n"
    return start + "".join(f"{line}\n" for line in missing).encode()


def _apply_settings(git: Git) -> tuple[str, ...]:
    missing = missing_settings(git)
    for name, value in missing.items():
        git.run("config", "--local", name, value)
    return tuple(sorted(missing))


def _refuse_other(place: Path) -> None:
    if not place.exists():
        return
    if not place.is_dir():
        raise NotAStoreError(f"{place} is a file, and a store is a folder", suggestions=_ELSEWHERE)
    if is_bare(place):
        raise NotAStoreError(f"{place} is a bare git repository: it has no files to write", suggestions=_ELSEWHERE)
    foreign = sorted(path.name for path in place.iterdir() if path.name not in SCAFFOLD)
    if foreign and not (repository(place) is not None and looks_like_store(place)):
        shown = ", ".join(foreign[:3]) + (" and more" if len(foreign) > 3 else "")  # noqa: PLR2004 - a few names
        raise NotAStoreError(f"{place} holds other things than memories: {shown}", suggestions=_ELSEWHERE)


def _require_version(git: Git) -> None:
    printed = git.run("version").decode(errors="replace")
    match = _VERSION.match(printed)
    if match is not None and (int(match[1]), int(match[2])) < OLDEST_VERSION:
        wanted = ".".join(map(str, OLDEST_VERSION))
        raise GitError(f"git {match[1]}.{match[2]} is too old", suggestions=(f"install git {wanted} or later",))
