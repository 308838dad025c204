"""Where a new memory goes."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.memory import Draft, Entity, Instant
from memhtml.domain.paths import is_memory_path
from memhtml.domain.placement import candidates, folder, workspace_segment
from memhtml.domain.vocabulary import MemoryType

DAY = Instant("2026-07-28T23:59:59Z")
ADA = Entity("person", "Ada")
FULL = Draft(type=MemoryType.SEMANTIC, workspace="checkout", tags=("Load balancing", "aws"), entities=(ADA,))


def first(draft: Draft, title: str = "Drain first", count: int = 1) -> list[str]:
    """The best candidates."""
    return list(islice(candidates(draft, title=title, day=DAY), count))


@pytest.mark.parametrize(
    ("draft", "place"),
    [
        (replace(FULL, type=MemoryType.ARC), "areas/arcs"),
        (replace(FULL, type=MemoryType.TASK), "projects/checkout/tasks"),
        (replace(FULL, type=MemoryType.TASK, workspace=None), "areas/inbox/tasks"),
        (FULL, "resources/people"),
        (replace(FULL, entities=(Entity("service", "x"), ADA)), "resources/people"),
        (replace(FULL, type=MemoryType.PROCEDURAL), "projects/checkout"),
        (replace(FULL, entities=(Entity("personal", "x"),)), "projects/checkout"),
        (replace(FULL, type=MemoryType.PROCEDURAL, workspace=None), "resources/load-balancing"),
        (replace(FULL, type=MemoryType.PRECEDENT, workspace=None), "resources/load-balancing"),
        (replace(FULL, entities=(), workspace=None), "resources/load-balancing"),
        (replace(FULL, type=MemoryType.EPISODIC, workspace=None), "areas/inbox"),
        (replace(FULL, type=MemoryType.VERDICT, workspace=None), "areas/inbox"),
        (replace(FULL, entities=(), workspace=None, tags=()), "areas/inbox"),
        (Draft(type=MemoryType.USER_PREFERENCE, workspace="My App"), "projects/My App"),
        (Draft(type=MemoryType.SEMANTIC, tags=("con",)), "resources/con-2"),
    ],
)
def test_the_first_rule_that_applies_gives_the_folder(draft: Draft, place: str) -> None:
    """In the order of the format: path, arc, task, person, workspace, topic, inbox."""
    assert folder(draft) == place
    assert first(replace(draft, path="/areas/x.html")) == ["areas/x.html"]


def test_collisions_count_up() -> None:
    """The name, then its numbers, without an end."""
    names = ["areas/inbox/drain-first.html", "areas/inbox/drain-first-2.html", "areas/inbox/drain-first-3.html"]
    assert first(Draft(type=MemoryType.VERDICT), count=3) == names


def test_an_explicit_path_is_the_only_candidate() -> None:
    """Whether it is free is for the store to say."""
    assert first(Draft(type=MemoryType.VERDICT, path="areas/x.html"), count=3) == ["areas/x.html"]


def test_episodic_names_carry_their_day() -> None:
    """In front of the slug, whose eighty characters hold the number."""
    names = first(Draft(type=MemoryType.EPISODIC), title="x" * 90, count=2)
    assert names == [f"areas/inbox/20260728-{'x' * 80}.html", f"areas/inbox/20260728-{'x' * 78}-2.html"]


@pytest.mark.parametrize(("title", "name"), [("CON", "con-2"), ("Index", "index-2"), ("…", "untitled")])
def test_names_that_cannot_be_are_passed_over(title: str, name: str) -> None:
    """A device of Windows, or the page that publish writes."""
    assert first(Draft(type=MemoryType.VERDICT), title=title) == [f"areas/inbox/{name}.html"]


@given(st.text(), st.sampled_from(MemoryType), st.lists(st.text(), max_size=2))
def test_every_candidate_is_a_path(title: str, kind: MemoryType, tags: list[str]) -> None:
    """Whatever the title and the tags, and no two are the same."""
    found = first(Draft(type=kind, tags=tuple(tags)), title=title, count=12)
    assert len(set(found)) == 12
    assert all(map(is_memory_path, found))


@pytest.mark.parametrize("workspace", ["", ".", "..", "a/b", "a\\b", "CON", "a\x00", "a.", "\ud800", ".git"], ids=ascii)
def test_a_workspace_that_is_no_folder_is_refused(workspace: str) -> None:
    """By name, with what to write."""
    with pytest.raises(InvalidPathError, match="can be no workspace") as refusal:
        folder(Draft(type=MemoryType.TASK, workspace=workspace))
    assert refusal.value.suggestions
    assert refusal.value.message.isprintable()


def test_a_workspace_is_looked_up_by_what_was_given() -> None:
    """It stays as it is, in one Unicode form."""
    assert workspace_segment("My App") == "My App"
    assert workspace_segment("e\u0301") == "\u00e9"


def test_an_explicit_path_that_is_none_is_refused() -> None:
    """Placement never falls back to a rule behind the caller's back."""
    with pytest.raises(InvalidPathError, match="start with"):
        candidates(Draft(type=MemoryType.ARC, path="../x.html"), title="x", day=DAY)


@pytest.mark.parametrize(
    ("workspace", "message"),
    [
        ("a/b", "'a/b' can be no workspace: it has a slash; a workspace is one folder"),
        (
            "\u00e9.",
            r"'\xe9.' can be no workspace: Windows takes no name that ends with a dot or a space; leave it out",
        ),
        ("a" * 256, f"'{'a' * 120}' can be no workspace: a segment is longer than 255 bytes; shorten it"),
    ],
    ids=["slash", "dot", "long"],
)
def test_a_workspace_is_refused_in_these_words(workspace: str, message: str) -> None:
    """At most 120 characters of it are shown, and what to write instead."""
    with pytest.raises(InvalidPathError) as refusal:
        folder(Draft(MemoryType.SEMANTIC, claim="a", workspace=workspace))
    assert refusal.value.message == message
    assert refusal.value.suggestions == ("write a folder's name, like checkout-api",)
