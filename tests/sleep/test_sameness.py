"""Two memories are copies when their words are, and when they are about the same thing at the same time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import corpus, memory, tie

from memhtml.domain.memory import Entity
from memhtml.domain.rewording import Compared, Sense
from memhtml.domain.vocabulary import MemoryType
from memhtml.sleep.corpus import Remembered
from memhtml.sleep.sameness import Judge, conflicting

A, B = "areas/a.html", "areas/b.html"
SAID = "Checkout drains its queue."
entities = st.lists(
    st.builds(Entity, st.sampled_from(["service", "Service", "team"]), st.sampled_from(["a", "A", "b", "a b"]))
)


def sense(one: Remembered, other: Remembered, **fields: object) -> Sense:
    """What two memories of a store of their own are to each other, from either side."""
    judge = Judge(corpus(one, other, **fields))  # type: ignore[arg-type]  # any part of a store
    found = judge.compare(one, other).sense
    assert judge.compare(other, one).sense is found
    return found


def test_titles_and_places_may_differ() -> None:
    """Worked: the same fact under two titles in two folders."""
    other = memory("resources/x/b.html", SAID, title="Draining", tags=("x",), importance=9, confidence=0.5)
    assert sense(memory(A, SAID), other) is Sense.SAME


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"title": "Not in beta"}, {}, "they differ by negation and qualifier"),
        ({"valid_from": "2026-01-01"}, {}, "they hold at different times"),
        ({"valid_until": "2026-01-01"}, {"valid_until": "2026-01-02"}, "they hold at different times"),
        ({"event_at": "2026-01-01"}, {"event_at": "2026-01-02"}, "they happened twice"),
        ({"type": MemoryType.ARC}, {}, "one is an arc over memories"),
        ({"entities": ("service:a",)}, {"entities": ("service:b",)}, "they name different things"),
        (
            {"title": "Shop", "entities": ("team:shop", "team:bank")}, {"title": "Bank", "entities": ("team:bank",)},
            "their titles name different things",
        ),
    ],
)  # fmt: skip
def test_what_else_parts_them(one: dict[str, object], other: dict[str, object], why: str) -> None:
    """Each alone, with the same words."""
    first, second = memory(A, SAID, **one), memory(B, SAID, **other)  # type: ignore[arg-type]  # any field
    assert sense(first, second) is Sense.APART
    assert Judge(corpus(first, second)).compare(first, second) == Compared(Sense.APART, why)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"event_at": "2026-01-01"}, {}),
        ({"valid_until": "2026-01-01"}, {"valid_until": "2026-01-01"}),
        ({"type": MemoryType.ARC}, {"type": MemoryType.ARC}),
        ({"type": MemoryType.PROCEDURAL}, {}),
        ({"entities": ("service:a",)}, {"entities": ("team:b",)}),
        ({"entities": ("service:checkout-api",)}, {"entities": ("service:Checkout API",)}),
    ],
)
def test_what_does_not(one: dict[str, object], other: dict[str, object]) -> None:
    """A time that one leaves out, types that say the same, things of two kinds, one thing spelled twice."""
    assert sense(memory(A, SAID, **one), memory(B, SAID, **other)) is Sense.SAME  # type: ignore[arg-type]  # any field


def test_workspaces_part_what_both_are_in() -> None:
    """Two projects are two things; a project and no project are not."""
    shop, bank = "projects/shop/a.html", "projects/bank/a.html"
    assert sense(memory(shop, SAID), memory(bank, SAID)) is Sense.APART
    assert sense(memory(shop, SAID), memory(A, SAID)) is Sense.SAME


def test_a_contradiction_parts_them_whichever_side_says_so() -> None:
    """Any other link does not."""
    pair = memory(A, SAID), memory(B, SAID)
    assert sense(*pair, ties=[tie(A, "contradicts", B)]) is Sense.APART
    assert sense(*pair, ties=[tie(B, "contradicts", A)]) is Sense.APART
    assert sense(*pair, ties=[tie(B, "supports", A), tie(A, "contradicts", B, None)]) is Sense.SAME


@given(entities, entities)
def test_conflicting_is_symmetric_and_not_with_itself(first: list[Entity], second: list[Entity]) -> None:
    """And nothing conflicts with what names nothing."""
    assert conflicting(first, second) == conflicting(second, first)
    assert not conflicting(first, first)
    assert not conflicting(first, [])
