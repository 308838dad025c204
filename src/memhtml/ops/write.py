"""Operation `write`: one fact, one file, one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.memory import CommitId, ContentHash, Draft, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.ops.drafts import draft
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.writing import Written
    from memhtml.workspace.workspace import Workspace


class WrittenMemory(Struct, frozen=True):
    """A memory that is there now.

    Attributes:
        deduped: it was there before, with the same content; nothing has changed.
        commit: the commit that added it; ``None`` when it was there.
    """

    path: MemoryPath
    title: str
    type: MemoryType
    deduped: bool
    content_hash: ContentHash
    commit: CommitId | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> WrittenMemory:
    """The `write` operation."""
    return write(workspace, draft(arguments))


def write(workspace: Workspace, wanted: Draft) -> WrittenMemory:
    """Remember what ``wanted`` says. The same content again gives the existing path.

    Raises:
        InvalidMemoryError: the content breaks the format, with every violation.
        InvalidPathError: its path or workspace cannot be.
        WriteConflictError: its explicit path is taken.
    """
    done = change(workspace, lambda desk: _staged(desk, wanted))
    written = done.value
    return WrittenMemory(
        path=written.path,
        title=written.title,
        type=wanted.type,
        deduped=written.deduped,
        content_hash=written.content_hash,
        commit=done.commit,
        warnings=done.warnings,
    )


def _staged(desk: Desk, wanted: Draft) -> Staged[Written]:
    from memhtml.store.message import subject, trailers
    from memhtml.store.writing import stage_write

    written = stage_write(desk.transaction, wanted, now=desk.now, duplicates=desk.duplicates)
    return Staged(
        written,
        Told(subject("write", written.title), trailers(session=wanted.session, prompt=wanted.prompt)),
    )
