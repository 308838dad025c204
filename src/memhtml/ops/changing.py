"""The way of every change: lock, let the index catch up, stage, commit, let the index catch up again.

The commit is what is acknowledged. Whatever happens to the index or to an embedder after it is a notice beside the
result, never an error in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.memory import CommitId, ContentHash, Instant, MemoryPath
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.store.transaction import Transaction
    from memhtml.workspace.workspace import Workspace

Value = TypeVar("Value")
Duplicates = Callable[[ContentHash], Iterable[MemoryPath]]
Trailers = tuple[tuple[str, str], ...]


class Told(Struct, frozen=True):
    """What the commit says: its first line, and the trailers that say where the change came from."""

    subject: str
    trailers: Trailers = ()


class Staged(Struct, Generic[Value], frozen=True):
    """What was put into a transaction, and how the commit says it. ``told`` is ``None`` where nothing shall be kept."""

    value: Value
    told: Told | None


class Changed(Struct, Generic[Value], frozen=True):
    """What was done.

    Attributes:
        commit: the new commit; ``None`` when nothing had to change, or nothing was kept.
        warnings: what went wrong beside it.
    """

    value: Value
    commit: CommitId | None
    warnings: tuple[Notice, ...]


class Desk(Struct, frozen=True):
    """What a change is staged with: the transaction, one instant, and who else has the same content."""

    transaction: Transaction
    now: Instant
    duplicates: Duplicates


def change(workspace: Workspace, stage: Callable[[Desk], Staged[Value]]) -> Changed[Value]:
    """Do ``stage`` and commit what it put, as one commit, with one instant.

    Raises:
        MemhtmlError: ``stage`` refused, or the store did; nothing has changed then.
    """
    now = workspace.clock.now()
    with workspace.repository.transaction() as transaction:
        warnings = workspace.catch_up()
        staged = stage(Desk(transaction, now, lambda content: _duplicates(workspace, content)))
        commit = None
        if staged.told is not None:
            before = transaction.base
            made = transaction.commit(
                staged.told.subject, staged.told.trailers, when=now, meanwhile=_get_ready_to_follow
            )
            commit = None if made == before else made
    if commit is not None:
        warnings += _new(_followed(workspace), warnings)
    return Changed(staged.value, commit, warnings)


def _get_ready_to_follow() -> None:
    """Import what the index needs to follow a commit: git is at work for as long."""
    import_module("memhtml.index.update")


def _followed(workspace: Workspace) -> tuple[Notice, ...]:
    """Let the index follow a commit that is acknowledged already: nothing that goes wrong now may hide that."""
    try:
        return workspace.catch_up()
    except Exception as error:  # noqa: BLE001 - whatever it is, the change is done, and the caller must learn that
        from memhtml.ops.failure import as_error  # only what fails needs it

        known = as_error(error)
        return (Notice(known.code, f"the change is done, but the index could not follow: {known.message}"),)


def _duplicates(workspace: Workspace, content: ContentHash) -> Iterable[MemoryPath]:
    """Memories with this content; an index that cannot tell is no reason to refuse a memory."""
    try:
        return workspace.index.duplicates(content)
    except MemhtmlError:
        return ()


def _new(after: tuple[Notice, ...], before: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple(notice for notice in after if notice not in before)
