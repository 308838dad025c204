"""A store of plain values after a proposal was carried out: what the next night sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from tests.sleep.corpora import corpus, memory

from memhtml.domain.entities import parse_entity
from memhtml.domain.memory import Entity, Facts, Head, MemoryPath
from memhtml.domain.paths import archive_path
from memhtml.index.listing import Tied
from memhtml.index.memories import MemoryRow
from memhtml.page.splice import AddLink, AddValue, DropLink, DropValue, Edit, SetMeta
from memhtml.sleep.changes import AUTHOR, Archived, Created, Edited, Folded, Generated, Proposal
from memhtml.sleep.corpus import Corpus, Night, Remembered

FIELDS = {"memhtml-tag": "tags", "memhtml-alias": "aliases", "memhtml-entity": "entities"}


def facts_of(one: Remembered) -> Facts:
    """What the file of a memory would say of its head."""
    row = one.row
    head = Head(row.type, row.status, row.created, row.updated, entities=row.entities, tags=row.tags)
    return Facts(
        row.title, head, (), row.gist, one.body, one.body, row.event_at, (), (), row.entities, row.content_hash
    )  # fmt: skip


def seen(*memories: Remembered, ties: Iterable[Tied] = (), night: Night | None = None, **fields: object) -> Corpus:
    """A store of these memories whose files say what their rows do."""
    more = {**fields, **({} if night is None else {"night": night})}
    known = {one.path: facts_of(one) for one in memories}
    return corpus(*memories, ties=ties, facts=known, **more)  # type: ignore[arg-type]  # any part of a store


def afterwards(store: Corpus, proposal: Proposal, night: Night | None = None) -> Corpus:
    """The store once everything that was proposed is done; on the same night unless another is given."""
    memories = dict(store.memories)
    archived = dict(store.archived)
    ties = list(store.ties)
    files: dict[str, bytes] = dict(store.files.files)  # type: ignore[attr-defined]  # the files of the builder
    for change in proposal.changes:
        match change:
            case Edited():
                _edit(memories, ties, change.path, change.edits)
            case Folded():
                _edit(memories, ties, change.keep, change.edits)
                _put_away(memories, archived, ties, change.drop)
            case Archived():
                _put_away(memories, archived, ties, change.path)
            case Created():
                draft = change.draft
                made = memory(
                    draft.path or "areas/inbox/made.html", draft.claim or "", title=draft.title,
                    entities=draft.entities, author=AUTHOR,
                )  # fmt: skip
                memories[made.path] = made
            case Generated() if change.data is not None:
                files[change.path] = change.data
            case _:
                raise AssertionError(change)
    return seen(*memories.values(), ties=ties, archived=archived.values(), files=files, night=night or store.night)


def _edit(memories: dict[MemoryPath, Remembered], ties: list[Tied], path: MemoryPath, edits: Sequence[Edit]) -> None:
    for edit in edits:
        match edit:
            case AddValue(name, content):
                memories[path] = _with(memories[path], name, content, there=True)
            case DropValue(name, content):
                memories[path] = _with(memories[path], name, content, there=False)
            case AddLink(link):
                ties.append(Tied(path, link.rel, link.target, link.target))
            case DropLink(link):
                ties[:] = [tie for tie in ties if (tie.source, tie.rel, tie.target) != (path, link.rel, link.target)]
            case SetMeta():
                raise AssertionError(edit)


def _with(one: Remembered, name: str, content: str, *, there: bool) -> Remembered:
    field = FIELDS[name]
    value: Entity | str | None = parse_entity(content) if field == "entities" else content
    values = [each for each in getattr(one.row, field) if each != value]
    row: MemoryRow = replace(one.row, **{field: (*values, value) if there else tuple(values)})
    return Remembered(row, one.body, one.access, one.vector)


def _put_away(
    memories: dict[MemoryPath, Remembered],
    archived: dict[MemoryPath, MemoryRow],
    ties: list[Tied],
    path: MemoryPath,
) -> None:
    place = archive_path(path, 2026)
    archived[place] = replace(memories.pop(path).row, path=place, archived=True)
    ties[:] = [replace(tie, resolved=place) if tie.resolved == path else tie for tie in ties if tie.source != path]
