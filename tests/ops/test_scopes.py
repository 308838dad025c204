"""From fields to a scope."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import (
    InvalidFlagError,
    UsageError,
)
from memhtml.domain.memory import Entity, Instant
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.scopes import scope_of


def test_a_scope_is_made_of_fields_as_the_flags_are_called() -> None:
    """Plural and typed, as Python callers write them."""
    assert scope_of(
        {
            "types": ["semantic"],
            "tags": ("a",),
            "entity": Entity("service", "x"),
            "facet": ("wait", "30"),
            "archived": True,
            "as_of": "2026-07-28 10:00",
            "workspace": "checkout",
        }
    ) == Scope(
        types=frozenset({MemoryType.SEMANTIC}),
        tags=("a",),
        entity=Entity("service", "x"),
        facet=("wait", "30"),
        archived=True,
        as_of=Instant("2026-07-28T10:00:00Z"),
        workspace="checkout",
    )
    assert scope_of({}) == Scope()
    for wrong in ({"types": ["fact"]}, {"as_of": "soon"}, {"entity": "x"}, {"facet": "x"}, {"tgas": "x"}):
        with pytest.raises((InvalidFlagError, UsageError)):
            scope_of(wrong)


@pytest.mark.parametrize(
    "facet", [("a", {"b": 1}), ("a", None), ("a", float("nan")), ("a=b", "c"), ("a",), ("a", "b", "c"), (True, "b")]
)
def test_a_facet_that_no_memory_can_have_is_refused(facet: tuple[object, ...]) -> None:
    """Rather than looked for as the text that Python prints."""
    with pytest.raises(InvalidFlagError):
        scope_of({"facet": facet})


def test_a_truth_is_looked_for_as_it_is_written() -> None:
    """In lower case, as JSON has it."""
    assert scope_of({"facet": ("drained", True)}).facet == ("drained", "true")
    with pytest.raises(InvalidFlagError, match="tag takes text"):
        scope_of({"tags": {None}})
