"""The durable copy of what was opened and reinforced is brought up to date."""

from __future__ import annotations

from memhtml.sleep.changes import Generated, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Mind
from memhtml.sleep.phase import Phase
from memhtml.store.layout import SIDECAR


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Write the sidecar anew where it says something else; none is made for nothing."""
    del mind
    data = corpus.usage()
    counts = {"memories": data.count(b"\n")}
    if data == (corpus.files.read(SIDECAR) or b""):
        return Proposal(counts=counts)
    return Proposal((Generated(SIDECAR, data, Reason("memories were opened or reinforced")),), counts)


PHASE = Phase("state-export", propose)
