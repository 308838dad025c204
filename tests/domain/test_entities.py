"""Things that memories name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.entities import parse_entity
from memhtml.domain.memory import Entity


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("service:checkout-api", Entity("service", "checkout-api")),
        ("url:https://a.example/x", Entity("url", "https://a.example/x")),
        (" person : Ada  Lovelace ", Entity("person", "Ada Lovelace")),
        ("a::b", Entity("a", ":b")),
    ],
)
def test_an_entity_is_split_at_its_first_colon(text: str, entity: Entity) -> None:
    """The name may hold further colons; white space counts once."""
    assert parse_entity(text) == entity


@pytest.mark.parametrize("text", ["", ":", "checkout", "service:", ":name", " : ", "a:\t"])
def test_half_an_entity_is_none(text: str) -> None:
    """Both halves say something."""
    assert parse_entity(text) is None


@given(st.text())
def test_what_is_written_is_read_again(text: str) -> None:
    """An entity's text names it."""
    entity = parse_entity(text)
    assert entity is None or parse_entity(str(entity)) == entity
