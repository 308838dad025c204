"""The controls of one memory in a store. What a sample makes of them is pinned in `test_sample`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.scratch import Scratch, scratch
from memhtml.evals.twins import MORE_OPENS, Twins, moved, twins
from memhtml.page.read import read

WRITTEN = Instant("2026-03-01T12:00:00Z")
CLAIM = "The checkout worker retries failed payments 3 times."


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[Scratch]:
    """An empty store."""
    with scratch(environment) as made:
        yield made


def put(store: Scratch, claim: str, **more: object) -> MemoryPath:
    """A memory with this claim."""
    [path] = store.write([(Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **more}), WRITTEN)])
    return path


def made(store: Scratch, path: MemoryPath, taken: frozenset[MemoryPath] = frozenset(), *, ahead: bool = False) -> Twins:
    """Its controls."""
    with store.index.reading() as view:
        return twins([view], path, taken, ahead=ahead)


def numbered(found: Twins) -> MemoryPath:
    """Where the control with another number lies."""
    return next(rival.path for rival in found.rivals if rival.family is Divergence.NUMBER)


def test_worked_example(store: Scratch) -> None:
    """One of each family at most, each a file beside the target that says just that."""
    path = put(store, CLAIM, body="It waits in between.")
    found = made(store, path)
    families = [rival.family for rival in found.rivals]
    assert {Divergence.NEGATION, Divergence.NUMBER} <= set(families)
    assert len(families) == len(set(families))
    number = numbered(found)
    assert number == "areas/inbox/the-checkout-worker-retries-failed-payments-5-times.html"
    facts = read(found.files[number]).facts
    assert facts is not None
    assert facts.body == "The checkout worker retries failed payments 5 times. It waits in between."
    assert list(found.files) == [rival.path for rival in found.rivals]
    assert found.used == ()


def test_a_path_that_is_taken_is_passed_by(store: Scratch) -> None:
    """By the caller's word, or by a file in the store."""
    path = put(store, CLAIM)
    number = numbered(made(store, path))
    second, third = (MemoryPath(number.replace(".html", f"-{ordinal}.html")) for ordinal in (2, 3))
    assert numbered(made(store, path, frozenset({number}))) == second
    put(store, "Something else is here.", path=second)
    assert numbered(made(store, path, frozenset({number}))) == third


def test_use_speaks_for_the_controls_or_for_neither(store: Scratch) -> None:
    """As often as the target, or more often and a day later."""
    path = put(store, CLAIM)
    store.index.state.open_memory(path, WRITTEN)
    even, ahead = made(store, path), made(store, path, ahead=True)
    assert {(access.opens, access.last_opened) for access in even.used} == {(1, WRITTEN)}
    assert {(access.opens, access.last_opened) for access in ahead.used} == {(1 + MORE_OPENS, "2026-03-02T12:00:00Z")}
    for found in (even, ahead):
        assert [access.path for access in found.used] == [rival.path for rival in found.rivals]


def test_a_day_later_in_the_same_form() -> None:
    """Over the ends of months and years; the last day that can be written stays."""
    assert moved(Instant("2026-02-28"), newer=True) == "2026-03-01"
    assert moved(Instant("2026-12-31T23:59:59Z"), newer=True) == "2027-01-01T23:59:59Z"
    assert moved(Instant("2026-02-28"), newer=False) == "2026-02-28"
    assert moved(Instant("9999-12-31"), newer=True) == "9999-12-31"


@given(st.dates())
def test_later_is_later(day: object) -> None:
    """As text, which is how instants are compared; but for the very last."""
    instant = Instant(str(day))
    assert moved(instant, newer=True) > instant or instant == "9999-12-31"
