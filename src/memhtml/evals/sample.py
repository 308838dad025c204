"""Probes out of a store's own memories: a sample of them, among controls that nobody wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import MemoryPath
from memhtml.domain.progress import Progress, silent
from memhtml.domain.scope import Scope
from memhtml.domain.terms import content_terms, terms
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Rejected
from memhtml.evals.gate import Rival
from memhtml.evals.posed import Ask, Posed, Question
from memhtml.evals.probes import Style, query
from memhtml.evals.twins import twins
from memhtml.index.state import Access

if TYPE_CHECKING:
    from memhtml.index.view import View

LEAST_WORDS = 4
"""Content words of a claim that can be asked for: fewer name no memory among thousands, whatever the ranking."""

FIRST = 3
"""A memory with too few words, where it must be asked for, counts as found among so many results: what these words
find last of ten may be the eleventh tomorrow, and nothing is wrong then."""

VERBATIM = "verbatim"
"""How a claim is asked for that is asked for by itself."""


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


class Sampling(Struct, frozen=True):
    """How a store is sampled.

    Attributes:
        wanted: how many probes at most, beside those of ``always``.
        seed: of the draw.
        beside: another state of the store, in which the controls will lie too.
        always: memories that are asked for whatever is drawn, in this order: also those without controls, and those
            with too few words where these find them among the `FIRST`.
    """

    wanted: int
    seed: int
    beside: View | None = None
    always: tuple[MemoryPath, ...] = ()


def sample(view: View, sampling: Sampling, ask: Ask, progress: Progress = silent) -> Sample:
    """Probes of memories in use, as many as are wanted; fewer where no more can be asked about.

    Age and use speak for the controls in every second probe, and for nobody in the others.

    Args:
        view: what is sampled.
        sampling: how.
        ask: a search of the same view. A question that does not find its target where nothing wrong stands beside it
            says nothing about telling the two apart; it is counted, and not asked.
        progress: told of every probe.
    """
    probes: list[Posed] = []
    files: dict[MemoryPath, bytes] = {}
    used: list[Access] = []
    rejected: list[Rejected] = []
    passed_over = unfound = 0
    views = (view,) if sampling.beside is None else (view, sampling.beside)
    wanted = sampling.wanted
    for path, sure in _candidates(view, sampling):
        if not sure and not wanted:
            break
        progress("sampling", len(probes), len(probes) + wanted)
        number = len(probes) + 1
        row = view.rows([path])[path]
        few = len(content_terms(terms(row.gist))) < LEAST_WORDS
        # What something else has superseded stands below that, whatever is asked.
        if row.superseded_by is not None or (few and not sure):
            passed_over += 1
            continue
        made = twins(views, path, files.keys(), ahead=is_ahead(number))
        asked = _asked(path, _questions(row.gist, made.rivals, number), ask, few=few)
        rejected += made.rejected
        unfound += asked.unfound
        if sure and not asked.questions:
            made = replace(made, rivals=(), files={}, used=())
            asked = _asked(path, _plain(row.gist, number), ask, few=few)
        if not asked.questions:
            passed_over += 1
            continue
        wanted -= 0 if sure else 1
        probes.append(Posed(sampling.seed, number, path, made.rivals, asked.questions))
        files.update(made.files)
        used += made.used
    return Sample(tuple(probes), files, tuple(used), tuple(rejected), passed_over, unfound)


class _Asked(Struct, frozen=True):
    questions: tuple[Question, ...]
    unfound: int


def _candidates(view: View, sampling: Sampling) -> list[tuple[MemoryPath, bool]]:
    """Memories in the order in which they are asked for, and whether each must be."""
    drawn = Chance(sampling.seed).shuffled(view.listed(Scope()))
    here = set(drawn)
    sure = [path for path in dict.fromkeys(sampling.always) if path in here]
    known = set(sure)
    return [*((path, True) for path in sure), *((path, False) for path in drawn if path not in known)]


def _asked(path: MemoryPath, posed: Iterable[Question], ask: Ask, *, few: bool) -> _Asked:
    """Those questions that find the memory; with ``few`` words only those that find it among the `FIRST`."""
    every = tuple(posed)
    found = tuple(one for one in every if path in ask(one.query)[: FIRST if few else None])
    return _Asked(found, len(every) - len(found))


def is_ahead(number: int) -> bool:
    """Whether age and use speak for the controls of the probe of that number."""
    return number % 2 == 0


def _questions(claim: str, rivals: Sequence[Rival], turn: int) -> Iterator[Question]:
    """Every style for every family, each text once."""
    said: set[str] = set()
    for style in Style:
        for rival in rivals:
            text = query(claim, rival.family, style, turn)
            if text is not None and text not in said:
                said.add(text)
                yield Question(style.value, rival.family, text)


def _plain(claim: str, turn: int) -> Iterator[Question]:
    """Questions for a claim of which no wrong version can be made; the claim itself where it makes no other."""
    family = next(iter(Divergence))
    texts = [query(claim, family, style, turn) for style in Style]
    styled = [Question(style.value, family, text) for style, text in zip(Style, texts, strict=True) if text is not None]
    yield from styled or [Question(VERBATIM, family, claim)]
