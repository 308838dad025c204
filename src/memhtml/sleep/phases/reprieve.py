"""What is past its validity is extended if it is still used, and goes to the archive if it is not."""

from __future__ import annotations

from memhtml.domain.instants import days_later, hours_between
from memhtml.domain.memory import Instant
from memhtml.domain.retention import MOST_REPRIEVES, REPRIEVE_DAYS, reprieve_score, reprieved
from memhtml.domain.vocabulary import DEFAULT_IMPORTANCE
from memhtml.page.splice import SetMeta
from memhtml.sleep.changes import Archived, Change, Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.mind import Mind
from memhtml.sleep.phase import Phase
from memhtml.sleep.veto import is_protected

_DAY = 10


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Judge every memory whose validity has ended; a date's second night judges none."""
    del mind
    if corpus.night.is_over:
        return Proposal(note="the nights of this date are over")
    changes: list[Change] = []
    dropped = protected = 0
    for memory in corpus.memories.values():
        until = memory.row.valid_until
        if until is None or until > corpus.night.now:
            continue
        if is_protected(memory.row.importance, memory.row.author):
            protected += 1
        elif memory.path in corpus.refused:
            dropped += 1
        else:
            changes.append(_judged(corpus, memory, until))
    extended = sum(isinstance(change, Edited) for change in changes)
    counts = {"archived": len(changes) - extended, "dropped": dropped, "extended": extended, "protected": protected}
    return Proposal(tuple(changes), counts)


def use(memory: Remembered, now: Instant) -> float:
    """How much the memory is used, as the design's formula has it."""
    opened = memory.access.last_opened
    return reprieve_score(
        importance=DEFAULT_IMPORTANCE if memory.row.importance is None else memory.row.importance,
        opens=memory.access.opens,
        outcome=memory.access.outcome,
        hours_since_access=None if opened is None else hours_between(opened, now),
    )


def extended_until(until: Instant, now: Instant) -> str:
    """14 days after the night, as a date where ``until`` is one: days that have gone by already would extend nothing.

    >>> now = Instant("2026-07-28T00:00:00Z")
    >>> extended_until(Instant("2026-07-20"), now), extended_until(Instant("2026-07-20T10:00:00Z"), now)
    ('2026-08-11', '2026-08-11T00:00:00Z')
    """
    later = days_later(now, REPRIEVE_DAYS)
    return later[:_DAY] if len(until) == _DAY else later


def _judged(corpus: Corpus, memory: Remembered, until: Instant) -> Change:
    facts = corpus.facts(memory.path)
    reprieves = 0 if facts is None or facts.head.reprieves is None else facts.head.reprieves
    score = use(memory, corpus.night.now)
    evidence = (
        Evidence(memory.path, f"valid until {until}"),
        Evidence(memory.path, f"reprieve score {score:.4f}, reprieved {reprieves} times"),
    )
    if not reprieved(score, reprieves):
        why = "has been extended often enough" if reprieves >= MOST_REPRIEVES else "is hardly used"
        return Archived(memory.path, Reason(f"its validity has ended, and it {why}", evidence))
    edits = (
        SetMeta("memhtml-valid-until", extended_until(until, corpus.night.now)),
        SetMeta("memhtml-reprieves", str(reprieves + 1)),
    )
    return Edited(memory.path, edits, Reason("its validity has ended, and it is still used", evidence))


PHASE = Phase("reprieve", propose)
