"""Stores as phases see them, made of plain values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np

from memhtml.domain.memory import ContentHash, Entity, Facts, Instant, MemoryPath
from memhtml.domain.paths import is_archived, workspace_of
from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus
from memhtml.index.listing import Tied
from memhtml.index.memories import MemoryRow
from memhtml.index.state import Access
from memhtml.sleep.corpus import Corpus, Night, NoTalks, Remembered, Talks

NIGHT = Night("2026-07-28", Instant("2026-07-28T00:00:00Z"))
WRITTEN = Instant("2026-07-01T00:00:00Z")


class Fixed:
    """The files of a commit, in a mapping."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.files = dict(files or {})

    def read(self, path: str) -> bytes | None:
        """The bytes at ``path``."""
        return self.files.get(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """Names in ``folder``, sorted."""
        start = f"{folder}/" if folder else ""
        return tuple(sorted({path[len(start) :].split("/")[0] for path in self.files if path.startswith(start)}))


def row(
    path: str,
    claim: str = "It is so.",
    *,
    type: MemoryType = MemoryType.SEMANTIC,  # noqa: A002 - the field's name
    created: str = WRITTEN,
    **fields: object,
) -> MemoryRow:
    """A row with what a plain memory has; any field may be given another value."""
    place = MemoryPath(path)
    known: dict[str, object] = {
        "path": place, "title": claim, "gist": claim, "type": type,
        "status": Status.ARCHIVED if is_archived(place) else Status.ACTIVE, "archived": is_archived(place),
        "workspace": workspace_of(place), "created": Instant(created), "updated": Instant(created),
        "event_at": None, "valid_from": None, "valid_until": None, "confidence": None, "importance": None,
        "author": None, "session": None, "needs_revision": None,
        "task_status": TaskStatus.TODO if type is MemoryType.TASK else None, "due": None,
        "content_hash": ContentHash(f"sha256:{hashlib.sha256(claim.encode()).hexdigest()}"),
        "superseded_by": None, "contradicts": (), "entities": (), "tags": (), "aliases": (), "facets": (),
    }  # fmt: skip
    entities = tuple(
        Entity(*each.split(":", 1)) if isinstance(each, str) else each for each in _some(fields, "entities")
    )
    return MemoryRow(**{**known, **fields, "entities": entities})  # type: ignore[arg-type]  # fields by name


def memory(
    path: str,
    claim: str = "It is so.",
    *,
    body: str | None = None,
    vector: Sequence[float] | None = None,
    access: Access | None = None,
    **fields: object,
) -> Remembered:
    """A memory in use; its vector is brought to length 1. The body is the claim unless another is given."""
    made = row(path, claim, **fields)  # type: ignore[arg-type]  # fields by name
    used = Access(made.path) if access is None else access
    return Remembered(made, claim if body is None else body, used, None if vector is None else unit(vector))


def used(path: str, **fields: object) -> Access:
    """How a memory was used."""
    return Access(MemoryPath(path), **fields)  # type: ignore[arg-type]  # fields by name


def unit(numbers: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The vector of this direction and of length 1."""
    made = np.asarray(numbers, dtype=np.float64)
    return (made / np.linalg.norm(made)).astype(np.float32)


def tie(source: str, rel: str, target: str, resolved: str | None = "") -> Tied:
    """A link; it leads where it says, unless another place, or ``None`` for nowhere, is given."""
    place = target if resolved == "" else resolved
    return Tied(MemoryPath(source), Rel(rel), MemoryPath(target), None if place is None else MemoryPath(place))


def corpus(  # noqa: PLR0913 - each part of a store may matter to a test
    *memories: Remembered,
    ties: Iterable[Tied] = (),
    tasks: Iterable[MemoryRow] = (),
    archived: Iterable[MemoryRow] = (),
    night: Night = NIGHT,
    files: Mapping[str, bytes] | None = None,
    facts: Mapping[str, Facts] | None = None,
    usage: bytes = b"",
    talks: Talks | None = None,
) -> Corpus:
    """A store of these, in path order whatever order they are given in.

    A file that is given by its bytes is read from them, unless its facts are given too.
    """
    known = {MemoryPath(path): one for path, one in (facts or {}).items()}
    kept = Fixed(files)

    def read_facts(path: MemoryPath) -> Facts | None:
        from memhtml.page.read import read

        data = kept.read(path)
        return known.get(path) or (None if data is None else read(data).facts)

    return Corpus(
        night=night,
        memories={one.path: one for one in sorted(memories, key=lambda one: one.path)},
        tasks={one.path: one for one in sorted(tasks, key=lambda one: one.path)},
        archived={one.path: one for one in sorted(archived, key=lambda one: one.path)},
        ties=tuple(sorted(ties, key=lambda one: one.source)),
        files=kept,
        facts=read_facts,
        usage=lambda: usage,
        talks=NoTalks() if talks is None else talks,
    )


def _some(fields: Mapping[str, object], name: str) -> tuple[Entity | str, ...]:
    value = fields.get(name, ())
    return cast("tuple[Entity | str, ...]", value) if isinstance(value, tuple) else ()
