"""The controls of a memory that lies in a store, as files that nobody wrote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.instants import as_datetime, of_datetime
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.paths import is_memory_path
from memhtml.domain.scope import Scope
from memhtml.domain.slugs import numbered, slug
from memhtml.domain.terms import terms
from memhtml.evals.controls import Control, Rejected, Rejection, derive
from memhtml.evals.gate import Rival
from memhtml.index.state import Access
from memhtml.page.compose import compose
from memhtml.page.render import render

if TYPE_CHECKING:
    from memhtml.index.memories import MemoryRow
    from memhtml.index.view import View

MORE_OPENS = 8
"""Opens by which a control is ahead of its target, where it is ahead."""

_NEIGHBOURS = 200  # memories among which one that says what a control says would be: it holds nearly all of the words
_DATE = len("2026-01-01")
_DAY = timedelta(days=1)


class Twins(Struct, frozen=True):
    """The controls of one memory.

    Attributes:
        rivals: by where they would lie.
        files: the same, as files.
        used: how they would have been used, where they would have been.
        rejected: derived texts that were no controls.
    """

    rivals: tuple[Rival, ...]
    files: dict[MemoryPath, bytes]
    used: tuple[Access, ...]
    rejected: tuple[Rejected, ...]


def twins(views: Sequence[View], path: MemoryPath, taken: Collection[MemoryPath], *, ahead: bool) -> Twins:
    """The controls of the memory at ``path`` in the first of ``views``.

    A control has all that its target has but what it says: type, tags, entities, dates, confidence, use. With
    ``ahead`` it is newer by a day, and was opened more often.

    Args:
        views: the states of a store in which the controls will lie: none says what a memory there says.
        path: of the target.
        taken: paths that no control may have, beside those of the views.
        ahead: whether age and use speak for the controls.
    """
    view = views[0]
    row = view.rows([path])[path]
    rest = _rest(row, view.texts([path])[path].body)
    derived = derive(row.gist, rest, _claims_near(views, row.gist))
    access = view.state([path]).get(path)
    rivals: list[Rival] = []
    files: dict[MemoryPath, bytes] = {}
    used: list[Access] = []
    rejected = list(derived.rejected)
    for control in derived.controls:
        try:
            data = _file(row, rest, control, newer=ahead)
        except InvalidMemoryError:  # what was found in the store breaks a rule of writing
            rejected.append(Rejected(control.family, Rejection.NO_SENTENCE))
            continue
        where = _free(views, path, control.claim, {*taken, *files})
        files[where] = data
        rivals.append(Rival(control.family, where))
        opened = _access(where, row, access, ahead=ahead)
        used += [] if opened is None else [opened]
    return Twins(tuple(rivals), files, tuple(used), tuple(rejected))


def _rest(row: MemoryRow, body: str) -> str:
    """What a memory says beside its claim, as prose: a paragraph a block, without the date that a draft adds itself."""
    blocks = [" ".join(block.split()) for block in body.split("\n")]
    marked = next((place for place, block in enumerate(blocks) if row.gist in block), None)
    if marked is not None:
        blocks[marked] = blocks[marked].replace(row.gist, "", 1).strip()
    return "\n\n".join(block for block in blocks if block and block != row.event_at)


def _claims_near(views: Sequence[View], claim: str) -> list[str]:
    found: list[str] = []
    for view in views:
        hits = view.lexical(terms(claim), Scope(), _NEIGHBOURS)
        found += [row.gist for row in view.rows([hit.path for hit in hits]).values()]
    return found


def _file(row: MemoryRow, rest: str, control: Control, *, newer: bool) -> bytes:
    draft = Draft(
        row.type,
        title=_title(row, rest, control),
        claim=control.claim,
        body=control.body or None,
        tags=row.tags,
        entities=row.entities,
        aliases=row.aliases,
        event_at=None if row.event_at is None else moved(row.event_at, newer=newer),
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        importance=row.importance,
        confidence=row.confidence,
    )
    return render(compose(draft, now=moved(row.updated, newer=newer)))


def _title(row: MemoryRow, rest: str, control: Control) -> str | None:
    """The title as the control would have it: made of its claim, or the start of its text, where the target's is.

    Any other title is changed as the claim was, if it can be; one that says nothing of what was changed stays.
    """
    title = row.title.rstrip("….")
    if row.title == row.gist or (row.title.endswith("…") and row.gist.startswith(title)):
        return None
    if _text(row.gist, rest).startswith(title):
        return _text(control.claim, control.body)[: len(title)]
    changed = (own.claim for own in derive(row.title, "").controls if own.family is control.family)
    return next(changed, row.title)


def _text(claim: str, rest: str) -> str:
    return " ".join(f"{claim} {rest}".split())


def _free(views: Sequence[View], target: MemoryPath, claim: str, taken: Collection[MemoryPath]) -> MemoryPath:
    """A path beside the target's, made of the claim as the store makes one."""
    folder = target.rpartition("/")[0]
    ordinal = 0
    while True:
        ordinal += 1
        path = MemoryPath(f"{folder}/{numbered(slug(claim), ordinal)}.html")
        if is_memory_path(path) and path not in taken and not any(view.rows([path]) for view in views):
            return path


def _access(path: MemoryPath, row: MemoryRow, target: Access | None, *, ahead: bool) -> Access | None:
    """How a control was used: as its target was, or, where it is ahead, more often and later."""
    if not ahead:
        return None if target is None else replace(target, path=path)
    used = Access(path, updated=row.updated) if target is None else replace(target, path=path)
    last = moved(used.last_opened or row.updated, newer=True)
    return replace(used, opens=used.opens + MORE_OPENS, last_opened=last, updated=last)


def moved(instant: Instant, *, newer: bool) -> Instant:
    """The instant, or the same time of the next day, in the same form; the last day that can be written has none."""
    if not newer:
        return instant
    is_date = len(instant) == _DATE
    try:
        later = of_datetime(as_datetime(instant) + _DAY)
    except OverflowError:
        return instant
    return Instant(later[:_DATE]) if is_date else later
