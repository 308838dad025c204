"""Mined pairs are counted, and nothing is written."""

from __future__ import annotations

from tests.sleep.corpora import corpus, memory

from memhtml.sleep.changes import Proposal
from memhtml.sleep.phases.relationship_mining import PHASE, propose


def test_pairs_and_their_memories_are_counted() -> None:
    """Worked: three that are alike have three pairs; a fourth is like none."""
    alike = [memory(f"areas/{name}.html", vector=(1, 0)) for name in "abc"]
    store = corpus(*alike, memory("areas/d.html", vector=(0, 1)))
    assert propose(store, None) == Proposal(counts={"pairs": 3, "memories": 3})


def test_it_keeps_nothing() -> None:
    """What vectors alone say is no commit."""
    assert not PHASE.commits


def test_nothing_happens_in_a_store_without_vectors() -> None:
    """The figures are nought."""
    store = corpus(memory("areas/a.html"), memory("areas/b.html"))
    assert propose(store, None) == Proposal(counts={"pairs": 0, "memories": 0})
