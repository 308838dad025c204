"""What is hardly worth its place goes to the archive, from where it can be had back."""

from __future__ import annotations

from typing import Final

from msgspec.structs import asdict

from memhtml.domain.memory import MemoryPath
from memhtml.domain.retention import Band
from memhtml.domain.vocabulary import Rel, RelClass, rel_class
from memhtml.sleep.changes import Archived, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Mind
from memhtml.sleep.phase import Phase
from memhtml.sleep.veto import is_protected
from memhtml.sleep.worth import Worth, valued

_WHY: Final = "its retention score is in the evict band"


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Put away what is in the evict band; a date's second night puts nothing away.

    Not what is a person's, nor the page of a person whom somebody in use is about, nor a side of a contradiction that
    nobody has settled: putting one away would settle it.
    """
    del mind
    if corpus.night.is_over:
        return Proposal(note="the nights of this date are over")
    worth = valued(corpus)
    described = _described(corpus)
    changes: list[Archived] = []
    contested = _contested(corpus)
    counts = {"archived": 0, "compress": 0, "contested": 0, "described": 0, "dropped": 0, "keep": 0, "protected": 0}
    for path, memory in corpus.memories.items():
        band = worth.band(path)
        if band is not Band.EVICT:
            counts[band.value] += 1
        elif is_protected(memory.row.importance, memory.row.author):
            counts["protected"] += 1
        elif path in described:
            counts["described"] += 1
        elif path in contested:
            counts["contested"] += 1
        elif path in corpus.refused:
            counts["dropped"] += 1
        else:
            counts["archived"] += 1
            changes.append(Archived(path, Reason(_WHY, (Evidence(path, spelled(worth, path)),))))
    return Proposal(tuple(changes), counts)


def spelled(worth: Worth, path: MemoryPath) -> str:
    """The score and what it is made of, in one line."""
    parts = ", ".join(f"{name} {value:.2f}" for name, value in asdict(worth.signals[path]).items())
    return f"score {worth.scores[path]:.4f}: {parts}"


def _described(corpus: Corpus) -> frozenset[MemoryPath]:
    """The pages that memories and tasks in use name as the person whom they are about, or by whom they are."""
    return frozenset(
        tie.resolved for tie in corpus.ties if tie.resolved is not None and rel_class(tie.rel) is RelClass.PERSON
    )


def _contested(corpus: Corpus) -> frozenset[MemoryPath]:
    """Both sides of every contradiction between memories in use."""
    return frozenset(
        side
        for tie in corpus.ties
        if tie.rel is Rel.CONTRADICTS and tie.source in corpus.memories and tie.resolved in corpus.memories
        for side in (tie.source, tie.resolved)
        if side is not None
    )


PHASE = Phase("retention-triage", propose, needs=("dedup-merge",))
