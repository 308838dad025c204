"""Operation `correct`: a memory takes another's place, which goes to the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.memory import CommitId, ContentHash, Draft, MemoryPath
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.ops.drafts import correction
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.correcting import Corrected
    from memhtml.workspace.workspace import Workspace


class CorrectedMemory(Struct, frozen=True):
    """A correction.

    Attributes:
        path: the new memory.
        superseded: where the old one lies now, in the archive.
        previous: where the old one was.
    """

    path: MemoryPath
    superseded: MemoryPath
    previous: MemoryPath
    title: str
    content_hash: ContentHash
    commit: CommitId | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> CorrectedMemory:
    """The `correct` operation."""
    wanted, keep_type = correction(arguments)
    return correct(workspace, arguments.needed("target"), wanted, keep_type=keep_type)


def correct(workspace: Workspace, target: str, wanted: Draft, *, keep_type: bool = True) -> CorrectedMemory:
    """Put what ``wanted`` says in the place of the memory at ``target``, as one commit.

    Tags, entities, aliases and importance that ``wanted`` leaves out are the target's; with ``keep_type`` so is the
    type.

    Raises:
        PathNotFoundError: nothing is at ``target``; says where it went.
        WriteConflictError: it is archived or superseded already.
        DuplicateContentError: it says the same, or another memory does.
        InvalidMemoryError: the content breaks the format.
    """
    done = change(workspace, lambda desk: _staged(desk, target, wanted, keep_type=keep_type))
    new = done.value
    return CorrectedMemory(
        path=new.path,
        superseded=new.superseded,
        previous=new.previous,
        title=new.title,
        content_hash=new.content_hash,
        commit=done.commit,
        warnings=done.warnings,
    )


def stage(desk: Desk, target: str, wanted: Draft, *, keep_type: bool) -> Corrected:
    """Put the correction into a transaction; see `correct`."""
    from memhtml.store.correcting import stage_correct

    full = inherited(desk, target, wanted, keep_type=keep_type)
    return stage_correct(desk.transaction, target, full, now=desk.now, duplicates=desk.duplicates)


def inherited(desk: Desk, target: str, wanted: Draft, *, keep_type: bool) -> Draft:
    """``wanted`` with what it leaves out taken from the memory at ``target``."""
    from memhtml.store.targets import active_target

    facts = active_target(desk.transaction, target).facts
    head = facts.head
    return replace(
        wanted,
        type=head.type if keep_type else wanted.type,
        tags=wanted.tags or head.tags,
        entities=wanted.entities or head.entities,
        aliases=wanted.aliases or head.aliases,
        importance=head.importance if wanted.importance is None else wanted.importance,
    )


def _staged(desk: Desk, target: str, wanted: Draft, *, keep_type: bool) -> Staged[Corrected]:
    from memhtml.store.message import subject, trailers

    new = stage(desk, target, wanted, keep_type=keep_type)
    return Staged(new, Told(subject("correct", new.title), trailers(session=wanted.session, prompt=wanted.prompt)))
