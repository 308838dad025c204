"""What goes to the archive for being hardly worth its place, and what does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.corpora import NIGHT, corpus, memory, tie, used

from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.sleep.changes import Archived, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Night, Remembered
from memhtml.sleep.phases.retention_triage import PHASE

OLD = "2026-06-18T00:00:00Z"
"""Forty days before the night: four half-lives of an episode."""


def episode(path: str, **fields: object) -> Remembered:
    """An old, doubted episode of nine words: worth 0.25/16 + 0.1 * 0.2 + 0.1 * 0.45 + 0.1 and what links give."""
    known = {"type": MemoryType.EPISODIC, "created": OLD, "confidence": 0.2, **fields}
    claim = "We had tea in the garden on Tuesday afternoon."
    return memory(path, claim, **known)  # type: ignore[arg-type]  # fields by name


def store(*more: Remembered) -> Corpus:
    """One episode that nothing leads to, beside a hub that has all the rank."""
    hub = memory("areas/hub.html", access=used("areas/hub.html", opens=10))
    spokes = [memory(f"areas/s{number}.html", access=used(f"areas/s{number}.html", opens=10)) for number in range(9)]
    ties = [tie(spoke.path, "supports", hub.path) for spoke in spokes]
    return corpus(hub, *spokes, *more, ties=ties)


def archived(made: Corpus) -> list[str]:
    """The paths that a night puts away."""
    changes = PHASE.propose(made, None).changes
    assert all(isinstance(change, Archived) and change.superseded_by is None for change in changes)
    return [change.path for change in changes if isinstance(change, Archived)]


def test_the_evict_band_goes_with_its_score_as_evidence() -> None:
    """By hand: .25/16 + .1 · (.2 + 1/8.65 + .45 + 1); the hub has 1 + 9 · .85 ranks of the others."""
    said = (
        "score 0.1922: recency 0.06, access 0.00, confidence 0.20, pagerank 0.12, bridge 0.00, reinforcement 0.00, "
        "density 0.45, uncontested 1.00"
    )
    path = MemoryPath("areas/a.html")
    assert PHASE.propose(store(episode(path)), None) == Proposal(
        (Archived(path, Reason("its retention score is in the evict band", (Evidence(path, said),))),),
        {"archived": 1, "compress": 9, "contested": 0, "described": 0, "dropped": 0, "keep": 1, "protected": 0},
    )


def test_opens_or_youth_keep_it() -> None:
    """0.15 for ten opens, or 0.25 for being new, lift it over 0.3."""
    assert archived(store(episode("areas/a.html", access=used("areas/a.html", opens=10)))) == []
    assert archived(store(episode("areas/a.html", created="2026-07-27T00:00:00Z"))) == []


def test_what_is_a_persons_stays_and_is_counted() -> None:
    """By importance, or by author."""
    made = store(episode("areas/a.html", importance=10), episode("areas/b.html", author="human"))
    proposal = PHASE.propose(made, None)
    assert proposal.changes == ()
    assert proposal.counts["protected"] == 2


def test_the_page_of_a_person_stays_while_somebody_is_about_them() -> None:
    """Or says that something is by them; without such a link, and by other links alone, it goes."""
    pages = [episode(f"resources/people/{name}.html") for name in ("ada", "bob", "cyd")]
    about = memory("areas/about.html", access=used("areas/about.html", opens=10))
    made = store(*pages, about)
    assert archived(made) == [page.path for page in pages]
    rels = ("about_person", "authored_by", "relates_to")
    ties = (*made.ties, *(tie(about.path, rel, page.path) for rel, page in zip(rels, pages, strict=True)))
    kept = corpus(*made.memories.values(), ties=ties)
    assert archived(kept) == ["resources/people/cyd.html"]
    assert PHASE.propose(kept, None).counts["described"] == 2


def test_no_side_of_an_open_contradiction_goes() -> None:
    """Whichever of them says so, as long as the other is in use."""
    one, other, third = (episode(f"areas/{name}.html") for name in "abc")
    made = store(one, other, third)
    ties = (
        *made.ties,
        tie(one.path, "contradicts", other.path),
        tie(third.path, "contradicts", "areas/gone.html", None),
    )
    kept = corpus(*made.memories.values(), ties=ties)
    assert archived(kept) == [third.path]
    assert PHASE.propose(kept, None).counts["contested"] == 2


def test_what_a_reviewer_took_out_stays_and_is_counted() -> None:
    """That file, and no other."""
    made = store(*(episode(f"areas/{name}.html") for name in "abc"))
    left = replace(made, refused=frozenset({"areas/a.html", "areas/c.html"}))
    assert archived(left) == ["areas/b.html"]
    assert PHASE.propose(left, None).counts["dropped"] == 2


def test_a_date_judges_once() -> None:
    """Main has a night of that date."""
    night = Night("2026-07-28-2", NIGHT.now, earlier=frozenset({"2026-07-28"}))
    made = corpus(episode("areas/a.html"), night=night)
    assert PHASE.propose(made, None) == Proposal(note="the nights of this date are over")


def test_an_empty_store_loses_nothing() -> None:
    """No memories, no changes; every figure is nothing."""
    proposal = PHASE.propose(corpus(), None)
    assert proposal.changes == ()
    assert set(proposal.counts.values()) == {0}


@given(st.permutations(range(8)))
def test_the_order_of_the_store_is_nothing(order: list[int]) -> None:
    """The same changes in the same order; each memory is in one of the figures."""
    made = [episode(f"areas/{number}.html", confidence=number / 8) for number in range(8)]
    proposal = PHASE.propose(store(*(made[number] for number in order)), None)
    assert proposal == PHASE.propose(store(*made), None)
    assert sum(proposal.counts.values()) == 18
