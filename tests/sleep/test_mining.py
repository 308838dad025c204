"""Which pairs are mined: near, not linked, of the newest."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import corpus, memory, tie

from memhtml.domain.memory import Instant
from memhtml.sleep import mining
from memhtml.sleep.corpus import Corpus, Night, Remembered
from memhtml.sleep.mining import mined

DEEP = Night("2026-07-28", Instant("2026-07-28T00:00:00Z"), deep=True)
A, B, C = "areas/a.html", "areas/b.html", "areas/c.html"


def at(path: str, angle: float, **fields: object) -> Remembered:
    """A memory whose vector stands at this angle, in degrees; 31.78 are a cosine of 0.85, 41.4 of 0.75."""
    return memory(path, vector=(math.cos(math.radians(angle)), math.sin(math.radians(angle))), **fields)  # type: ignore[arg-type]  # any field


def ends(store: Corpus) -> list[tuple[str, str]]:
    """The pairs, without their figures."""
    return [(pair.first, pair.second) for pair in mined(store)]


def test_the_floor_is_085_and_075_in_a_deep_night() -> None:
    """Worked: 31 degrees are mined every night, 40 in a deep one, 42 never."""
    assert ends(corpus(at(A, 0), at(B, 31))) == [(A, B)]
    assert ends(corpus(at(A, 0), at(B, 40))) == []
    assert ends(corpus(at(A, 0), at(B, 40), night=DEEP)) == [(A, B)]
    assert ends(corpus(at(A, 0), at(B, 42), night=DEEP)) == []


@pytest.mark.parametrize("rel", ["relates_to", "contradicts", "supports", "supersedes"])
def test_what_is_linked_is_not_mined(rel: str) -> None:
    """From either side; a link between people or tasks says nothing of it."""
    pair = at(A, 0), at(B, 10)
    assert ends(corpus(*pair, ties=[tie(A, rel, B)])) == []
    assert ends(corpus(*pair, ties=[tie(B, rel, A)])) == []
    assert ends(corpus(*pair, ties=[tie(A, "about_person", B)])) == [(A, B)]
    assert ends(corpus(*pair, ties=[tie(A, rel, B, None)])) == [(A, B)]


def test_each_has_five_neighbours() -> None:
    """Of seven in a row, the two ends do not know each other."""
    store = corpus(*(at(f"areas/{number}.html", number) for number in range(8)))
    assert ("areas/0.html", "areas/5.html") in ends(store)
    assert ("areas/0.html", "areas/7.html") not in ends(store)


def test_a_deep_night_looks_among_those_that_name_the_same() -> None:
    """Beyond its five nearest, each has five among those of its own thing."""
    crowd = [at(f"areas/{number}.html", number / 10) for number in range(8)]
    named = [at("areas/x.html", 0, entities=("service:tea",)), at("areas/y.html", 30, entities=("service:tea",))]
    pair = ("areas/x.html", "areas/y.html")
    assert pair not in ends(corpus(*crowd, *named))
    assert pair in ends(corpus(*crowd, *named, night=DEEP))
    others = [at(f"areas/{number}.html", number / 10, entities=("service:milk",)) for number in range(8)]
    apart = [named[0], at("areas/y.html", 30, entities=("service:milk",))]
    assert pair not in ends(corpus(*others, *apart, night=DEEP))


def test_only_the_newest_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """By when it happened, else when it was written; of the same moment the first in path order."""
    monkeypatch.setattr(mining, "NEWEST", 2)
    store = [at(A, 0, created="2026-01-01"), at(B, 1, created="2026-03-01"), at(C, 2, created="2026-02-01")]
    assert ends(corpus(*store)) == [(B, C)]
    assert ends(corpus(at(A, 0, created="2026-01-01", event_at="2026-06-01"), *store[1:])) == [(A, B)]
    assert ends(corpus(at(C, 0), at(B, 1), at(A, 2))) == [(A, B)]


@given(st.permutations(range(7)))
def test_the_order_of_the_store_does_not_matter(order: list[int]) -> None:
    """Shuffled, the pairs are the same, and in path order."""
    store = [at(f"areas/{number}.html", number * number) for number in range(7)]
    found = mined(corpus(*(store[place] for place in order)))
    assert found == mined(corpus(*store))
    assert list(found) == sorted(found)


def test_nothing_is_mined_from_nothing() -> None:
    """Nor from one."""
    assert mined(corpus()) == ()
    assert mined(corpus(at(A, 0))) == ()
