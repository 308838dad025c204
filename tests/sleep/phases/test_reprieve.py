"""What becomes of a memory whose validity has ended."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.sleep.corpora import NIGHT, corpus, memory, used

from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.page.splice import SetMeta, set_meta
from memhtml.sleep.changes import Archived, Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Night, Remembered
from memhtml.sleep.phases.reprieve import PHASE, use

PATH = "areas/a.html"


def expired(until: str = "2026-07-20", *, opens: int = 0, **fields: object) -> Remembered:
    """A memory that held until then, opened that often, the last time at the night itself."""
    last = NIGHT.now if opens else None
    access = used(PATH, opens=opens, last_opened=last)
    return memory(PATH, valid_until=until, access=access, **fields)  # type: ignore[arg-type]  # fields by name


def file(reprieves: int) -> dict[str, bytes]:
    """Its file, reprieved that often."""
    data = render(compose(Draft(MemoryType.SEMANTIC, claim="It is so."), now=Instant("2026-07-01T00:00:00Z")))
    return {PATH: set_meta(data, "memhtml-reprieves", str(reprieves)) if reprieves else data}


def test_the_score_is_that_of_the_design() -> None:
    """0.4 of importance, 0.3 of opens, 0.2 of outcome, 0.1 of freshness; a bad outcome takes nothing away."""
    opened = used(PATH, opens=2, outcome=0.5, last_opened="2026-07-27T00:00:00Z")
    # 0.4 * 0.8 + 0.3 * ln 3 + 0.2 * 0.5 + 0.1 * exp(-0.24)
    assert round(use(memory(PATH, importance=8, access=opened), NIGHT.now), 4) == 0.8282
    assert round(use(memory(PATH, access=used(PATH, outcome=-1.0)), NIGHT.now), 4) == 0.2


@pytest.mark.parametrize(
    ("until", "new"),
    [
        ("2026-07-20", "2026-08-11"),
        ("2026-07-28", "2026-08-11"),
        ("2026-07-28T00:00:00Z", "2026-08-11T00:00:00Z"),
        ("2026-07-27T23:00:00Z", "2026-08-11T00:00:00Z"),
    ],
)  # fmt: skip
def test_what_is_still_used_holds_for_14_days_more(until: str, new: str) -> None:
    """From the night on, written as it was; 0.4 * 0.5 + 0.3 * ln 2 + 0.1 = 0.5079 is enough."""
    proposal = PHASE.propose(corpus(expired(until, opens=1), files=file(0)), None)
    assert [(change.path, change.edits) for change in proposal.changes if isinstance(change, Edited)] == [
        (PATH, (SetMeta("memhtml-valid-until", new), SetMeta("memhtml-reprieves", "1")))
    ]
    assert dict(proposal.counts) == {"archived": 0, "dropped": 0, "extended": 1, "protected": 0}
    assert proposal.changes[0].reason == Reason(
        "its validity has ended, and it is still used",
        (Evidence(PATH, f"valid until {until}"), Evidence(PATH, "reprieve score 0.5079, reprieved 0 times")),
    )


def test_what_is_hardly_used_goes_to_the_archive() -> None:
    """0.4 * 0.5 is 0.2."""
    (change,) = PHASE.propose(corpus(expired(), files=file(0)), None).changes
    assert isinstance(change, Archived)
    assert change.superseded_by is None
    assert change.reason == Reason(
        "its validity has ended, and it is hardly used",
        (Evidence(PATH, "valid until 2026-07-20"), Evidence(PATH, "reprieve score 0.2000, reprieved 0 times")),
    )


@pytest.mark.parametrize(("before", "extended"), [(1, True), (2, True), (3, False), (7, False)])
def test_the_fourth_time_is_the_last(before: int, *, extended: bool) -> None:
    """Three reprieves at most, whatever the score."""
    (change,) = PHASE.propose(corpus(expired(opens=50), files=file(before)), None).changes
    assert isinstance(change, Edited) is extended
    if isinstance(change, Edited):
        assert change.edits[1] == SetMeta("memhtml-reprieves", str(before + 1))
    else:
        assert change.reason.why == "its validity has ended, and it has been extended often enough"


@pytest.mark.parametrize("until", [None, "2026-07-29", "2026-07-28T00:00:01Z"])
def test_what_still_holds_is_left_alone(until: str | None) -> None:
    """So is what has no end; what comes after it in the store is judged."""
    ended = memory("areas/b.html", valid_until="2026-07-20")
    proposal = PHASE.propose(corpus(memory(PATH, valid_until=until), ended), None)
    assert [change.path for change in proposal.changes if isinstance(change, Archived)] == [ended.path]


def test_what_is_a_persons_is_left_alone_and_counted() -> None:
    """By importance, or by author; however hardly it is used."""
    by_a_person = memory("areas/b.html", author="human:ada", valid_until="2026-07-20")
    proposal = PHASE.propose(corpus(expired(importance=10), by_a_person, files=file(0)), None)
    assert proposal.changes == ()
    assert dict(proposal.counts) == {"archived": 0, "dropped": 0, "extended": 0, "protected": 2}


def test_what_a_reviewer_took_out_is_left_alone_and_counted() -> None:
    """Whether it would be extended or archived; another one is judged."""
    others = [memory(f"areas/{name}.html", valid_until="2026-07-20") for name in "bc"]
    made = corpus(expired(opens=1), *others, files=file(0))
    proposal = PHASE.propose(replace(made, refused=frozenset({PATH, "areas/c.html"})), None)
    assert [change.path for change in proposal.changes if isinstance(change, Archived)] == ["areas/b.html"]
    assert dict(proposal.counts) == {"archived": 1, "dropped": 2, "extended": 0, "protected": 0}


def test_a_date_judges_once() -> None:
    """Main has a night of that date."""
    night = Night("2026-07-28-2", NIGHT.now, earlier=frozenset({"2026-07-28"}))
    assert PHASE.propose(corpus(expired(), night=night), None) == Proposal(note="the nights of this date are over")


def test_the_order_of_the_store_is_nothing() -> None:
    """Changes come in path order."""
    made = [memory(f"areas/{name}.html", valid_until="2026-01-01") for name in "cab"]
    changes = PHASE.propose(corpus(*made), None).changes
    assert [change.path for change in changes if isinstance(change, Archived)] == [
        MemoryPath(f"areas/{name}.html") for name in "abc"
    ]
