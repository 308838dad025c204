"""Confidence that nobody confirmed wears off, a tenth of the way to 0.2 a night."""

from __future__ import annotations

from typing import Final

from memhtml.domain.decay import decayed, worth_committing
from memhtml.domain.instants import days_later
from memhtml.page.splice import SetMeta
from memhtml.sleep.changes import Edited, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Night, Remembered
from memhtml.sleep.mind import Mind
from memhtml.sleep.phase import Phase
from memhtml.sleep.veto import is_protected

FULL: Final = 1.0
"""The confidence of a memory that states none."""

_WHY = Reason("nobody has confirmed it lately")


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Lower every confidence that was not confirmed; a date's second night lowers nothing."""
    del mind
    if corpus.night.is_over:
        return Proposal(note="the nights of this date are over")
    since = last_night(corpus.night)
    changes: list[Edited] = []
    confirmed = dropped = protected = settled = 0
    for path, memory in corpus.memories.items():
        before = FULL if memory.row.confidence is None else memory.row.confidence
        after = decayed(before)
        if is_protected(memory.row.importance, memory.row.author):
            protected += 1
        elif is_confirmed(memory, since):
            confirmed += 1
        elif not worth_committing(before, after):
            settled += 1
        elif path in corpus.refused:
            dropped += 1
        else:
            changes.append(Edited(path, (SetMeta("memhtml-confidence", spelled(after)),), _WHY))
    counts = {"confirmed": confirmed, "dropped": dropped, "lowered": len(changes)}
    return Proposal(tuple(changes), {**counts, "protected": protected, "settled": settled})


def last_night(night: Night) -> str:
    """The instant at which the last night before this one began: of those that main has, else a day before.

    >>> from memhtml.domain.memory import Instant
    >>> earlier = frozenset({"2026-07-20", "2026-07-21-2"})
    >>> last_night(Night("2026-07-28", Instant("2026-07-28T00:00:00Z"), earlier=earlier))
    '2026-07-21T00:00:00Z'
    """
    dates = [name[:10] for name in night.earlier]
    return f"{max(dates)}T00:00:00Z" if dates else days_later(night.now, -1)


def is_confirmed(memory: Remembered, since: str) -> bool:
    """Whether somebody reinforced the memory at ``since`` or later."""
    last = memory.access.last_reinforced
    return last is not None and last >= since


def spelled(confidence: float) -> str:
    """As a file holds it: two decimals, and up to four where the grid of the decay needs them.

    >>> spelled(0.92), spelled(0.8), spelled(0.848), spelled(0.2449)
    ('0.92', '0.80', '0.848', '0.2449')
    """
    text = f"{confidence:.4f}"
    return text[:4] + text[4:].rstrip("0")


PHASE = Phase("confidence-decay", propose)
