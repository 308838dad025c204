"""A fixture written into a real store: the memories, how they were used, and where the probes came to lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.instants import days_later
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.progress import Progress, silent
from memhtml.evals.gate import Rival
from memhtml.evals.posed import Posed, Question
from memhtml.index.sidecar import exported
from memhtml.index.state import Access

if TYPE_CHECKING:
    from memhtml.evals.fixture import Fixture, Planted, Probe
    from memhtml.evals.scratch import Scratch

_NOTHING_HAPPENED = Instant("2026-01-01T00:00:00Z")


class Planting(Struct, frozen=True):
    """Where the probes of a fixture lie, and when they are asked about: a day after the last thing that happened."""

    probes: tuple[Posed, ...]
    now: Instant


def plant(store: Scratch, fixture: Fixture, progress: Progress = silent) -> Planting:
    """Write all of ``fixture``, let the index follow, and give each memory its history.

    Memories with the same content share a path, as in any store; a control that did that with its target will be
    found at the target's own place, and has won.

    Raises:
        MemhtmlError: the store refused.
    """
    memories = list(_memories(fixture))
    paths = store.write([(_draft(memory), memory.written) for memory in memories], progress)
    used = sorted({path: memory for path, memory in zip(paths, memories, strict=True) if memory.opens}.items())
    store.index.state.import_lines(exported([_access(path, memory) for path, memory in used]))
    placed = iter(paths)
    probes = tuple(_posed(fixture.seed, number, probe, placed) for number, probe in enumerate(fixture.probes, 1))
    last = max((days_later(memory.written, memory.opens) for memory in memories), default=_NOTHING_HAPPENED)
    return Planting(probes, days_later(last, 1))


def _memories(fixture: Fixture) -> Iterator[Planted]:
    """In the order in which `_posed` takes up their paths."""
    for probe in fixture.probes:
        yield probe.target
        yield from (planted for _, planted in probe.controls)
        yield from probe.paraphrases
    yield from fixture.distractors


def _posed(seed: int, number: int, probe: Probe, placed: Iterator[MemoryPath]) -> Posed:
    target = next(placed)
    rivals = tuple(Rival(control.family, next(placed)) for control, _ in probe.controls)
    for _ in probe.paraphrases:
        next(placed)
    questions = tuple(Question(style.value, family, query) for style, family, query in probe.queries)
    return Posed(seed, number, target, rivals, questions)


def _draft(memory: Planted) -> Draft:
    return Draft(memory.memory_type, claim=memory.claim, body=memory.body or None, tags=memory.tags)


def _access(path: MemoryPath, memory: Planted) -> Access:
    last = days_later(memory.written, memory.opens)
    return Access(path, opens=memory.opens, last_opened=last, updated=last)
