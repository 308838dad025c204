"""Bringing work tree and git index back to the branch after a transaction that was cut off."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from memhtml.domain.errors import UnsafeFileError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.files import WorkTree
from memhtml.store.git import Git
from memhtml.store.gitindex import Look, set_entries
from memhtml.store.journal import Intent, Journal
from memhtml.store.layout import Layout
from memhtml.store.objects import Entry, Objects, any_id, blob_id
from memhtml.store.refs import read_head
from memhtml.store.snapshot import Snapshot
from memhtml.store.staleness import clear_stale

_AT_ONCE = 256
"""Files that are held in memory at a time."""


class Site(Struct, frozen=True):
    """What a transaction works on, while its lock is held."""

    layout: Layout
    git: Git
    files: WorkTree
    journal: Journal
    wait: float


def settle(site: Site) -> None:
    """Finish or undo what the journal speaks of, whichever the branch says, and drop it.

    A path whose content is neither what the transaction found nor what it wrote was changed by a person, and stays.

    Raises:
        LockedError: a live git process stands in the way.
        StorageError: disk full or read-only; the journal stays for the next try.
        GitError: git refused.
    """
    intents = site.journal.read()
    clear_stale(site.layout, read_head(site.layout, site.git).branch, wait=site.wait)
    # Only now: a git that was waited for has moved the branch.
    head = read_head(site.layout, site.git)
    with Objects(site.layout, site.git) as objects:
        snapshot, like = Snapshot(objects, head.commit), any_id(site.git, head.commit)
        staged: Mapping[str, BlobId] = {}
        if intents:
            staged = Look(site.git, [intent.path for intent in intents]).entries()
        fixes: list[tuple[str, Entry | None]] = []
        numbered = tuple(enumerate(intents))
        for start in range(0, len(numbered), _AT_ONCE):
            portion = numbered[start : start + _AT_ONCE]
            lost = [one for number, intent in portion if (one := _lost(site, snapshot, intent, number, like))]
            # Side by side, as they were first written: those who wait for the lock wait for this.
            site.files.stage_all([(one.path, one.data, one.number) for one in lost])
            for one in lost:
                site.files.publish(one.path, one.number, fresh=one.fresh)
        for intent in intents:
            entry = snapshot.entry(intent.path)
            if staged.get(intent.path) in {intent.old, intent.new} and staged.get(intent.path) != _id(entry):
                fixes.append((intent.path, entry))
        site.files.sync(intent.path for intent in intents)
        set_entries(site.git, fixes, like)
    site.journal.drop()


class _Lost(Struct, frozen=True):
    """A file of the branch that the work tree has not."""

    path: str
    data: bytes
    number: int
    fresh: bool


def _lost(site: Site, snapshot: Snapshot, intent: Intent, number: int, like: CommitId) -> _Lost | None:
    """What is to be written at the path, once what was left there and does not belong there is gone."""
    site.files.discard(intent.path, number)
    target = snapshot.blob(intent.path)
    try:
        found = work_blob(site.files, intent.path, like)
        if not intent.knows(found) or found == target:
            return None
        data = None if target is None else snapshot.read(intent.path)
    except UnsafeFileError:
        return None  # a person put a link or a folder there: it stays, and git shows it
    if data is not None:
        return _Lost(intent.path, data, number, fresh=found is None)
    site.files.remove(intent.path)
    return None


def work_blob(files: WorkTree, path: str, like: CommitId | None) -> BlobId | None:
    """The id that the work tree's content at ``path`` has; ``None`` when nothing is there.

    Raises:
        UnsafeFileError: no plain file is there, or a link is on the way.
        StorageError: it cannot be read.
    """
    data = files.read(path)
    return None if data is None else blob_id(data, like)


def _id(entry: Entry | None) -> str | None:
    return None if entry is None else entry.id
