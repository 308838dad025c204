"""Derived `relates_to` edges: counted, and typed by the next phase; what vectors alone say is written into no file."""

from __future__ import annotations

from memhtml.sleep.changes import Proposal
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Mind
from memhtml.sleep.mining import mined
from memhtml.sleep.phase import Phase


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Nothing but figures: how many pairs are near without a link, and how many memories are in one."""
    del mind
    pairs = mined(corpus)
    memories = {path for pair in pairs for path in (pair.first, pair.second)}
    return Proposal(counts={"pairs": len(pairs), "memories": len(memories)})


PHASE = Phase("relationship-mining", propose, commits=False)
