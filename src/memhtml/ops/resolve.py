"""Operation `resolve`: from an old path to where the memory lives now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import PathNotFoundError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import is_archived, memory_path

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Place(Struct, frozen=True):
    """Where a memory is.

    Attributes:
        path: where it lives now.
        requested: the path that was asked for.
        moved: the two differ.
        archived: it lies in the archive.
    """

    path: MemoryPath
    requested: str
    moved: bool
    archived: bool


class Resolved(Struct, frozen=True):
    """In the order asked."""

    memories: tuple[Place, ...]


def run(workspace: Workspace, arguments: Arguments) -> Resolved:
    """The `resolve` operation."""
    return resolve(workspace, arguments.texts("path"))


def resolve(workspace: Workspace, paths: Sequence[str]) -> Resolved:
    """Where the memories that were at ``paths`` live now: through archive moves and supersessions.

    Raises:
        PathNotFoundError: no memory was ever there.
    """
    workspace.repository.recover_if_needed()
    return Resolved(tuple(followed(workspace, path) for path in paths))


def where(workspace: Workspace, text: str) -> Place:
    """Where the memory that is meant by a path is: at that very path if a file is there, else where it went.

    Uncommitted files count: a person's new file is a memory before it is committed.

    Raises:
        InvalidPathError: the text is no path.
        PathNotFoundError: no memory is there, nor was one moved from there.
    """
    return _here(workspace, text) or followed(workspace, text)


def followed(workspace: Workspace, text: str) -> Place:
    """Where the chain of moves and supersessions that starts at a path ends.

    Raises:
        InvalidPathError: the text is no path.
        PathNotFoundError: no memory is there, nor was one moved from there.
    """
    from memhtml.store.resolving import resolve as follow

    path = memory_path(text)
    with workspace.repository.snapshot() as snapshot:
        try:
            return _place(follow(snapshot, path).path, text)
        except PathNotFoundError:
            here = _here(workspace, text)
            if here is None:
                raise
            return here


def same_memory(workspace: Workspace, text: str) -> Place:
    """Where the file that was at a path lies now: through the archive, but not on to what superseded it.

    Raises:
        InvalidPathError: the text is no path.
        PathNotFoundError: no memory is there, nor was one moved from there.
    """
    from memhtml.store.resolving import located

    here = _here(workspace, text)
    if here is not None:
        return here
    path = memory_path(text)
    with workspace.repository.snapshot() as snapshot:
        found = located(snapshot, path)
    if found is None:
        raise PathNotFoundError(f"there is no memory at {path}, and none was moved from there")
    return _place(found, text)


def _here(workspace: Workspace, text: str) -> Place | None:
    """The very path that was asked for, if a file is there in the work tree."""
    path = memory_path(text)
    try:
        workspace.repository.read_work(path)
    except PathNotFoundError:
        return None
    return _place(path, text)


def _place(path: MemoryPath, text: str) -> Place:
    return Place(path, text, moved=path != memory_path(text), archived=is_archived(path))
