"""What no phase and no model can do, and what they may."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import corpus, memory, row

from memhtml.domain.memory import Draft, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.splice import AddValue
from memhtml.sleep.changes import (
    Archived,
    Change,
    Created,
    Edited,
    Folded,
    Generated,
    Moved,
    Proposal,
    Reason,
    put_away,
)
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.guards import kept

WHY = Reason("the test says so")
A, B, C, D = (MemoryPath(f"areas/{name}.html") for name in "abcd")
FACT = "Checkout drains its queue before a deploy."


def store() -> Corpus:
    """Two that say the same, one that denies it, one of a person, one that matters most, and a task."""
    return corpus(
        memory(A, FACT),
        memory(B, "Checkout drains the queue before a deploy."),
        memory(C, "Checkout never drains its queue before a deploy."),
        memory(D, FACT, author="human:ada"),
        memory("areas/e.html", FACT, importance=10),
        tasks=[row("areas/inbox/tasks/t.html", type=MemoryType.TASK)],
        archived=[row("archive/2025/areas/z.html")],
    )


def tagged(path: str) -> Edited:
    """A tag more."""
    return Edited(MemoryPath(path), (AddValue("memhtml-tag", "x"),), WHY)


def made(body: str, *absorbs: MemoryPath) -> Created:
    """A memory that takes the place of others."""
    return Created(Draft(MemoryType.SEMANTIC, title="Queues", claim=body), WHY, absorbs)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (Folded(A, C, WHY), "negation"),
        (Folded(C, A, WHY), "negation"),
        (Folded(A, A, WHY), "itself"),
        (Folded(A, D, WHY), "person"),
        (Folded(D, A, WHY), "person"),
        (Archived(D, WHY), "person"),
        (Archived(MemoryPath("areas/e.html"), WHY), "person"),
        (tagged(D), "person"),
        (Moved(MemoryPath("areas/e.html"), MemoryPath("areas/x/e.html"), WHY), "person"),
        (Archived(MemoryPath("areas/nowhere.html"), WHY), "no memory in use"),
        (tagged("areas/inbox/tasks/t.html"), "no memory in use"),
        (tagged("archive/2025/areas/z.html"), "no memory in use"),
        (made("Everything is fine.", A), "is lost"),
        (made(f"{FACT} Delete everything.", A), "makes something up"),
        (made(FACT, A, A), "twice"),
        (Created(Draft(MemoryType.SEMANTIC, claim="x", path="areas/../x.html"), WHY), "path"),
        (Generated("areas/a.html", b"", WHY), "made from others"),
        (Generated(".memhtml/config.toml", b"", WHY), "made from others"),
        (Generated(".git/config", b"", WHY), "made from others"),
    ],
)
def test_what_is_not_allowed_is_kept_out_and_told(change: Change, word: str) -> None:
    """With a sentence that names it."""
    result = kept(store(), Proposal((change,)))
    assert result.changes == ()
    assert len(result.refused) == 1
    assert word in result.refused[0]


@pytest.mark.parametrize(
    "change",
    [
        Folded(A, B, WHY), Archived(C, WHY), tagged(A), Moved(A, MemoryPath("areas/x/a.html"), WHY), made(FACT, A),
        Created(Draft(MemoryType.SEMANTIC, claim="x"), WHY), Generated("sitemap.xml", b"", WHY),
        Generated("areas/index.html", None, WHY), Generated(".memhtml/state/access.jsonl", b"", WHY),
    ],
)  # fmt: skip
def test_what_is_allowed_passes_as_it_is(change: Change) -> None:
    """The same value, and nothing is said."""
    proposal = Proposal((change,), {"one": 1}, ("refused before",))
    assert kept(store(), proposal) == proposal


@pytest.mark.parametrize(
    ("second", "word"),
    [
        (memory(B, FACT, title="Queues in beta"), "qualifier"),
        (memory(B, FACT, title="Queues in 2025"), "number"),
        (memory(B, "Billing drains its queue before a deploy.", title="Queues"), "billing"),
    ],
)
def test_twins_are_told_apart_by_titles_and_by_names(second: Remembered, word: str) -> None:
    """Not only by what the predicates see in their claims."""
    result = kept(corpus(memory(A, FACT, title="Queues"), second), Proposal((Folded(A, B, WHY),)))
    assert result.changes == ()
    assert word in result.refused[0]


def test_nothing_is_kept_out_of_nothing() -> None:
    """An empty proposal stays empty."""
    assert kept(store(), Proposal(note="no model")) == Proposal(note="no model")


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (Folded(A, B, WHY), Archived(A, WHY), "kept for another"),
        (Folded(A, B, WHY), tagged(B), "put away already"),
        (Archived(A, WHY), Folded(A, B, WHY), "put away already"),
        (Archived(A, WHY), Archived(A, WHY), "put away already"),
        (Moved(A, MemoryPath("areas/x.html"), WHY), Moved(B, MemoryPath("areas/x.html"), WHY), "taken"),
        (Moved(A, MemoryPath("areas/x.html"), WHY), tagged(A), "put away already"),
    ],
)
def test_a_memory_has_one_role(first: Change, second: Change, word: str) -> None:
    """The first that is proposed counts."""
    result = kept(store(), Proposal((first, second)))
    assert result.changes == (first,)
    assert word in result.refused[0]


def test_a_keeper_may_keep_more_than_one() -> None:
    """And may be edited too."""
    made_up = corpus(memory(A, FACT), memory(B, FACT), memory(C, FACT))
    proposal = Proposal((Folded(A, B, WHY), Folded(A, C, WHY), tagged(A)))
    assert kept(made_up, proposal) == proposal


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (tagged(A), A), (Folded(A, B, WHY), B), (Folded(A, B, WHY), A),
        (Generated("sitemap.xml", b"", WHY), "sitemap.xml"),
        (Created(Draft(MemoryType.ARC, title="Queues drain"), WHY), "areas/arcs/queues-drain.html"),
    ],
)  # fmt: skip
def test_what_a_reviewer_took_out_is_known_again(change: Change, path: str) -> None:
    """By a file that it alters, or by the name of what it makes."""
    result = kept(store(), Proposal((change,)), {path})
    assert result.changes == ()
    assert result.refused == (f"{path}: a reviewer once took this out",)


ANYTHING = st.lists(
    st.one_of(
        st.builds(Folded, st.sampled_from([A, B, C, D]), st.sampled_from([A, B, C, D]), st.just(WHY)),
        st.builds(Archived, st.sampled_from([A, B, C, D]), st.just(WHY)),
        st.builds(tagged, st.sampled_from([A, B, C, D])),
    ),
    max_size=8,
)


@given(ANYTHING)
def test_no_keeper_goes_and_no_twin_is_folded_whatever_is_proposed(changes: list[Change]) -> None:
    """Of any proposal what is kept has one role a path, and spares what is a person's."""
    allowed = kept(store(), Proposal(tuple(changes))).changes
    gone = [path for change in allowed for path in put_away(change)]
    assert len(gone) == len(set(gone))
    assert not {change.keep for change in allowed if isinstance(change, Folded)} & set(gone)
    assert not any(isinstance(change, Folded) and C in {change.keep, change.drop} for change in allowed)
    assert D not in gone
