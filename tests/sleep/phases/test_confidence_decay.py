"""How confidence wears off, and what keeps it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.corpora import NIGHT, corpus, memory, used

from memhtml.domain.memory import Instant
from memhtml.page.splice import SetMeta
from memhtml.sleep.changes import Edited, Proposal, Reason
from memhtml.sleep.corpus import Night, Remembered
from memhtml.sleep.phases.confidence_decay import PHASE, spelled

PATH = "areas/a.html"


def lowered(*memories: Remembered, night: Night = NIGHT) -> dict[str, str | None]:
    """The confidences that a night writes, by path."""
    found: dict[str, str | None] = {}
    for change in PHASE.propose(corpus(*memories, night=night), None).changes:
        assert isinstance(change, Edited)
        assert change.reason == Reason("nobody has confirmed it lately")
        (edit,) = change.edits
        assert isinstance(edit, SetMeta)
        assert edit.name == "memhtml-confidence"
        found[change.path] = edit.content
    return found


@pytest.mark.parametrize(
    ("confidence", "after"),
    [(None, "0.92"), (1.0, "0.92"), (0.92, "0.848"), (0.848, "0.7832"), (0.5, "0.47"), (0.25, "0.245"), (0.7, "0.65")],
)
def test_a_tenth_of_the_way_is_lost_a_night(confidence: float | None, after: str) -> None:
    """To 0.2, on a grid of a ten-thousandth; a memory that states none begins at 1."""
    assert lowered(memory(PATH, confidence=confidence)) == {PATH: after}


@pytest.mark.parametrize("confidence", [0.2449, 0.21, 0.2, 0.1, 0.0])
def test_what_would_hardly_change_stays(confidence: float) -> None:
    """Under 0.005, and at the floor and below it."""
    assert lowered(memory(PATH, confidence=confidence)) == {}


@pytest.mark.parametrize(
    ("last", "earlier", "spared"),
    [
        (None, (), False),
        ("2026-07-27T00:00:00Z", (), True),
        ("2026-07-26T23:59:59Z", (), False),
        ("2026-07-28T09:00:00Z", (), True),
        ("2026-07-20T00:00:00Z", ("2026-07-20", "2026-07-01"), True),
        ("2026-07-19T23:59:59Z", ("2026-07-20", "2026-07-01"), False),
    ],
)
def test_what_was_confirmed_since_the_last_night_keeps(
    last: str | None, earlier: tuple[str, ...], *, spared: bool
) -> None:
    """The last night that main has, or, where it has none, a day before this one."""
    night = Night(NIGHT.run, NIGHT.now, earlier=frozenset(earlier))
    one = memory(PATH, access=used(PATH, last_reinforced=last))
    assert lowered(one, night=night) == ({} if spared else {PATH: "0.92"})


@pytest.mark.parametrize("earlier", ["2026-07-28", "2026-07-28-3", "2026-08-01"])
def test_a_date_takes_its_toll_once(earlier: str) -> None:
    """Main has a night of that date, or of a later one."""
    night = Night("2026-07-28-4", NIGHT.now, earlier=frozenset({earlier}))
    assert PHASE.propose(corpus(memory(PATH), night=night), None) == Proposal(note="the nights of this date are over")


def test_what_is_a_persons_keeps_and_is_counted() -> None:
    """As is what was confirmed, and what is settled."""
    store = corpus(
        memory("areas/a.html", importance=10),
        memory("areas/b.html", author="human:ada"),
        memory("areas/c.html", access=used("areas/c.html", last_reinforced="2026-07-28T00:00:00Z")),
        memory("areas/d.html", confidence=0.2),
        memory("areas/e.html"),
        memory("areas/f.html", access=used("areas/f.html", last_reinforced="2026-07-27T00:00:00Z")),
        memory("areas/g.html", confidence=0.1),
    )
    assert dict(PHASE.propose(store, None).counts) == {
        "confirmed": 2,
        "dropped": 0,
        "lowered": 1,
        "protected": 2,
        "settled": 2,
    }


def test_what_a_reviewer_took_out_is_left_alone_and_counted() -> None:
    """That file, and no other."""
    store = corpus(*(memory(f"areas/{name}.html") for name in "abc"))
    proposal = PHASE.propose(replace(store, refused=frozenset({"areas/a.html", "areas/c.html"})), None)
    assert [change.path for change in proposal.changes if isinstance(change, Edited)] == ["areas/b.html"]
    assert (proposal.counts["dropped"], proposal.counts["lowered"]) == (2, 1)


def test_an_empty_store_loses_nothing() -> None:
    """No memories, no changes."""
    assert PHASE.propose(corpus(), None).changes == ()


@given(st.integers(0, 10_000))
def test_nothing_ever_rises_and_all_comes_to_rest(start: int) -> None:
    """Night after night down to just above the floor, and never below it, in at most thirty."""
    confidence = start / 10_000
    for day in range(1, 31):
        night = Night(f"2026-01-{day:02}", Instant(f"2026-01-{day:02}T00:00:00Z"))
        written = lowered(memory(PATH, confidence=confidence), night=night).get(PATH)
        if written is None:
            break
        assert 0.2 <= float(written) < confidence
        assert written == spelled(float(written))
        confidence = float(written)
    else:
        pytest.fail("it goes on")


@given(st.permutations(range(6)))
def test_the_order_of_the_store_is_nothing(order: list[int]) -> None:
    """The same changes in the same order."""
    made = [memory(f"areas/{number}.html", confidence=number / 10) for number in range(6)]
    assert PHASE.propose(corpus(*(made[number] for number in order)), None) == PHASE.propose(corpus(*made), None)
