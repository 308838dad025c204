"""Which memories belong together."""

from __future__ import annotations

import random

import pytest
from tests.sleep.corpora import NIGHT, corpus, memory, tie

from memhtml.domain.vocabulary import MemoryType
from memhtml.sleep.corpus import Night
from memhtml.sleep.groups import groups

A, B, C, D = "areas/a.html", "areas/b.html", "areas/c.html", "areas/d.html"
RING = (tie(A, "relates_to", B), tie(B, "relates_to", C), tie(C, "relates_to", A))
DEEP = Night(NIGHT.run, NIGHT.now, deep=True)


def test_three_that_are_linked_are_a_group_and_two_are_none() -> None:
    """The smallest group has three."""
    assert groups(corpus(memory(A), memory(B), memory(C), memory(D), ties=RING)) == ((A, B, C),)
    assert groups(corpus(memory(A), memory(B), ties=RING[:1])) == ()
    assert groups(corpus()) == ()


def test_an_arc_joins_nothing() -> None:
    """What it links to is not a group for that."""
    links = [tie(D, "relates_to", path) for path in (A, B, C)]
    memories = [memory(A), memory(B), memory(C)]
    assert groups(corpus(*memories, memory(D), ties=links)) == ((A, B, C, D),)
    assert groups(corpus(*memories, memory(D, type=MemoryType.ARC), ties=links)) == ()


def test_likeness_is_enough_and_a_deep_night_asks_for_less_of_it() -> None:
    """A cosine of 0.8 joins in a deep night alone."""
    memories = [memory(A, vector=[1, 0.75, 0]), memory(B, vector=[1, 0, 0]), memory(C, vector=[1, 0, 0.75])]
    assert groups(corpus(*memories)) == ()
    assert groups(corpus(*memories, night=DEEP)) == ((A, B, C),)


def test_what_names_the_same_thing_is_a_group_in_a_deep_night() -> None:
    """Three that do; the same group by another way is the same."""
    memories = [memory(path, entities=("service:cache",)) for path in (A, B, C)]
    memories.append(memory(D, entities=("service:search",)))
    assert groups(corpus(*memories)) == ()
    assert groups(corpus(*memories, night=DEEP)) == ((A, B, C),)
    assert groups(corpus(*memories, night=DEEP, ties=RING)) == ((A, B, C),)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_store_does_not_matter(seed: int) -> None:
    """Memories and links in any order."""
    shuffle = random.Random(seed)
    memories = [memory(path) for path in (A, B, C, D)]
    assert groups(corpus(*shuffle.sample(memories, 4), ties=shuffle.sample(RING, 3))) == ((A, B, C),)
