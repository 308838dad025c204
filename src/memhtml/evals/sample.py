"""Probes out of a store's own memories: a sample of them, and their controls as files that nobody wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.instants import of_datetime
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.paths import is_memory_path
from memhtml.domain.scope import Scope
from memhtml.domain.slugs import numbered, slug
from memhtml.domain.terms import content_terms, terms
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Control, Rejected, Rejection, derive
from memhtml.evals.gate import Rival
from memhtml.evals.posed import Ask, Posed, Question
from memhtml.evals.probes import Style, query
from memhtml.index.state import Access
from memhtml.page.compose import compose
from memhtml.page.render import render

if TYPE_CHECKING:
    from memhtml.index.memories import MemoryRow
    from memhtml.index.view import View

MORE_OPENS = 8
"""Opens by which a control is ahead of its target, where it is ahead."""

LEAST_WORDS = 4
"""Content words of a claim that can be asked for: fewer name no memory among thousands, whatever the ranking."""

_NEIGHBOURS = 200  # memories among which one that says what a control says would be: it holds nearly all of the words
_DATE = len("2026-01-01")
_DAY = timedelta(days=1)

Taken = Callable[[MemoryPath], bool]


def nothing_taken(path: MemoryPath) -> bool:
    """No path is."""
    del path
    return False


class Sample(Struct, frozen=True):
    """Probes of a store, and what must lie beside its memories before they can be asked.

    Attributes:
        probes: their rivals are among ``files``.
        files: the controls, by where they would lie.
        used: how the controls would have been used.
        rejected: derived texts that were no controls.
        passed_over: memories that were drawn and give no probe: nothing in them can be changed, or they say too little
            to be asked for, or something has taken their place, or no question finds them.
        unfound: questions that do not find their target in the store as it is, and are not asked.
    """

    probes: tuple[Posed, ...]
    files: dict[MemoryPath, bytes]
    used: tuple[Access, ...]
    rejected: tuple[Rejected, ...]
    passed_over: int = 0
    unfound: int = 0


class Drawn(Struct, frozen=True):
    """What came of one memory."""

    probe: Posed | None
    files: dict[MemoryPath, bytes]
    used: tuple[Access, ...]
    rejected: tuple[Rejected, ...]
    unfound: int = 0


class Sampling(Struct, frozen=True):
    """How a store is sampled.

    Attributes:
        wanted: how many probes at most.
        seed: of the draw.
        taken: paths, beside those of the store, that no control may have.
    """

    wanted: int
    seed: int
    taken: Taken = nothing_taken


def sample(view: View, sampling: Sampling, ask: Ask) -> Sample:
    """Probes of memories in use, as many as are wanted; fewer where no more can be asked about.

    A control has all that its target has but what it says: type, tags, entities, dates, confidence, use. In every
    second probe it is newer by a day, and was opened more often.

    Args:
        view: what is sampled.
        sampling: how.
        ask: a search of the same view. A question that does not find its target where nothing wrong stands beside it
            says nothing about telling the two apart; it is counted, and not asked.
    """
    probes: list[Posed] = []
    files: dict[MemoryPath, bytes] = {}
    used: list[Access] = []
    rejected: list[Rejected] = []
    passed_over = unfound = 0
    for path in Chance(sampling.seed).shuffled(view.listed(Scope())):
        if len(probes) >= sampling.wanted:
            break
        among = replace(sampling, taken=lambda place: place in files or sampling.taken(place))
        drawn = _drawn(view, path, len(probes) + 1, among, ask)
        rejected += drawn.rejected
        unfound += drawn.unfound
        if drawn.probe is None:
            passed_over += 1
            continue
        probes.append(drawn.probe)
        files.update(drawn.files)
        used += drawn.used
    return Sample(tuple(probes), files, tuple(used), tuple(rejected), passed_over, unfound)


def _drawn(view: View, path: MemoryPath, number: int, sampling: Sampling, ask: Ask) -> Drawn:
    row = view.rows([path])[path]
    # What something else has superseded stands below that, whatever is asked.
    if row.superseded_by is not None or len(content_terms(terms(row.gist))) < LEAST_WORDS:
        return Drawn(None, {}, (), ())
    rest = _rest(row, view.texts([path])[path].body)
    derived = derive(row.gist, rest, _claims_near(view, row.gist))
    access = view.state([path]).get(path)
    rivals: list[Rival] = []
    files: dict[MemoryPath, bytes] = {}
    used: list[Access] = []
    rejected = list(derived.rejected)
    for control in derived.controls:
        try:
            data = _file(row, rest, control, newer=number % 2 == 0)
        except InvalidMemoryError:  # what was found in the store breaks a rule of writing
            rejected.append(Rejected(control.family, Rejection.NO_SENTENCE))
            continue
        where = _free(view, path, control.claim, lambda other: other in files or sampling.taken(other))
        files[where] = data
        rivals.append(Rival(control.family, where))
        opened = _access(where, row, access, ahead=number % 2 == 0)
        used += [] if opened is None else [opened]
    posed = list(_questions(row.gist, rivals, number))
    questions = tuple(question for question in posed if path in ask(question.query))
    probe = Posed(sampling.seed, number, path, tuple(rivals), questions) if questions else None
    return Drawn(probe, files, tuple(used), tuple(rejected), len(posed) - len(questions))


def _questions(claim: str, rivals: Sequence[Rival], turn: int) -> Iterator[Question]:
    """Every style for every family, each text once."""
    said: set[str] = set()
    for style in Style:
        for rival in rivals:
            text = query(claim, rival.family, style, turn)
            if text is not None and text not in said:
                said.add(text)
                yield Question(style.value, rival.family, text)


def _rest(row: MemoryRow, body: str) -> str:
    """What a memory says beside its claim, as prose: a paragraph a block, without the date that a draft adds itself."""
    blocks = [" ".join(block.split()) for block in body.split("\n")]
    marked = next((place for place, block in enumerate(blocks) if row.gist in block), None)
    if marked is not None:
        blocks[marked] = blocks[marked].replace(row.gist, "", 1).strip()
    return "\n\n".join(block for block in blocks if block and block != row.event_at)


def _claims_near(view: View, claim: str) -> list[str]:
    hits = view.lexical(terms(claim), Scope(), _NEIGHBOURS)
    return [row.gist for row in view.rows([hit.path for hit in hits]).values()]


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


def _free(view: View, target: MemoryPath, claim: str, taken: Taken) -> MemoryPath:
    """A path beside the target's, made of the claim as the store makes one."""
    folder = target.rpartition("/")[0]
    ordinal = 0
    while True:
        ordinal += 1
        path = MemoryPath(f"{folder}/{numbered(slug(claim), ordinal)}.html")
        if is_memory_path(path) and not taken(path) and not view.rows([path]):
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
        later = of_datetime(datetime.fromisoformat(f"{instant}T00:00:00Z" if is_date else instant) + _DAY)
    except OverflowError:
        return instant
    return Instant(later[:_DATE]) if is_date else later
