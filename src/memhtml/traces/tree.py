"""Finding transcripts below a root: what is there, and what is there that is none. No file is opened.

The layout is ``projects/<project>/<session>.jsonl``, and ``projects/<project>/<session>/subagents/`` with the
transcripts of its subagents, in folders or not. Links are never followed, so nothing outside the root is ever read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from memhtml.store.plain import is_reparse_point

PROJECTS = "projects"
SUBAGENTS = "subagents"
SUFFIX = ".jsonl"
DEEPEST = 8
"""Folders below ``subagents``."""


class Obstacle(StrEnum):
    """Why something was passed over."""

    LINK = "link"
    NO_FILE = "no_file"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"
    UNNAMEABLE = "unnameable"
    TOO_DEEP = "too_deep"


class Transcript(Struct, frozen=True):
    """A transcript as the folder shows it.

    Attributes:
        path: below the root, with slashes.
        project: the folder that it is filed under.
        subagent: it is that of a subagent.
        size: in bytes.
        modified: in nanoseconds, as exact as the file system has it.
    """

    path: str
    project: str
    subagent: bool
    size: int
    modified: int


class Passed(Struct, frozen=True):
    """Something that was passed over; what is known of it, or of what lies in it, stays unless it is gone."""

    path: str
    obstacle: Obstacle

    @property
    def gone(self) -> bool:
        """Whether a transcript that was here once is none any more."""
        return self.obstacle in {Obstacle.LINK, Obstacle.NO_FILE, Obstacle.VANISHED}


def top(root: Path) -> Path:
    """Where projects lie: in the root's folder of that name, or in the root itself where it has none."""
    below = root / PROJECTS
    return below if is_folder(below) else root


def is_folder(path: Path) -> bool:
    """Whether a folder is at ``path``, a link's end included; also ``False`` where nobody may look."""
    return os.path.isdir(path)  # noqa: PTH112 - the other one raises where nobody may look


def transcripts(root: Path) -> Iterator[Transcript | Passed]:
    """Every transcript below ``root``, by folder and name, and everything that stands in the place of one."""
    folder = top(root)
    prefix = f"{PROJECTS}/" if folder != root else ""
    for project in _entries(folder, prefix.rstrip("/")):
        if isinstance(project, Passed):
            yield project
        elif _is_folder(project):
            yield from _project(project, f"{prefix}{project.name}")
        elif _is_link(project):
            yield Passed(f"{prefix}{project.name}", Obstacle.LINK)


def obstacle(error: OSError) -> Obstacle:
    """Why something could not be read."""
    return Obstacle.VANISHED if isinstance(error, FileNotFoundError | NotADirectoryError) else Obstacle.UNREADABLE


def _project(project: os.DirEntry[str], path: str) -> Iterator[Transcript | Passed]:
    for entry in _entries(Path(project.path), path):
        if isinstance(entry, Passed):
            yield entry
        elif entry.name.endswith(SUFFIX):
            yield _transcript(entry, f"{path}/{entry.name}", project.name, subagent=False)
        elif entry.name == SUBAGENTS:
            yield from _folder(entry, f"{path}/{entry.name}", project.name, 0)
        elif _is_folder(entry):
            yield from _session(entry, f"{path}/{entry.name}", project.name)


def _session(session: os.DirEntry[str], path: str, project: str) -> Iterator[Transcript | Passed]:
    for entry in _entries(Path(session.path), path):
        if isinstance(entry, Passed):
            yield entry
        elif entry.name == SUBAGENTS:
            yield from _folder(entry, f"{path}/{entry.name}", project, 0)


def _folder(folder: os.DirEntry[str], path: str, project: str, depth: int) -> Iterator[Transcript | Passed]:
    if _is_link(folder):
        yield Passed(path, Obstacle.LINK)
    elif depth > DEEPEST:
        yield Passed(path, Obstacle.TOO_DEEP)
    elif _is_folder(folder):
        for entry in _entries(Path(folder.path), path):
            if isinstance(entry, Passed):
                yield entry
            elif entry.name.endswith(SUFFIX):
                yield _transcript(entry, f"{path}/{entry.name}", project, subagent=True)
            else:
                yield from _folder(entry, f"{path}/{entry.name}", project, depth + 1)


def _entries(folder: Path, path: str) -> Iterator[os.DirEntry[str] | Passed]:
    """What is in ``folder``, by name; one `Passed` when that cannot be seen."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        yield Passed(path, obstacle(error))
        return
    for entry in entries:
        if entry.name.isprintable():
            yield entry
        elif entry.name.endswith(SUFFIX):
            # Bytes that are no UTF-8, or characters that break lines: no text by which it could be named.
            yield Passed(f"{path}/{ascii(entry.name)[1:-1]}", Obstacle.UNNAMEABLE)


def _transcript(entry: os.DirEntry[str], path: str, project: str, *, subagent: bool) -> Transcript | Passed:
    try:
        # By its path: what the folder itself says of size and time is out of date on Windows.
        seen = os.lstat(entry.path)
    except OSError as error:
        return Passed(path, obstacle(error))
    if stat.S_ISLNK(seen.st_mode) or is_reparse_point(seen):
        return Passed(path, Obstacle.LINK)
    if not stat.S_ISREG(seen.st_mode):
        return Passed(path, Obstacle.NO_FILE)
    return Transcript(path, project, subagent, seen.st_size, seen.st_mtime_ns)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not _is_link(entry)
    except OSError:
        return False


def _is_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() or is_reparse_point(entry.stat(follow_symlinks=False))
    except OSError:
        return False
