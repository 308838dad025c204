"""Whose file is whose, and who goes by which name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import corpus, memory, row

from memhtml.domain.memory import MemoryPath
from memhtml.sleep.changes import AUTHOR
from memhtml.sleep.corpus import Remembered
from memhtml.sleep.people import People, Person, names_of, people

ADA = MemoryPath("resources/people/ada.html")
BOB = MemoryPath("resources/people/bob.html")


def found(*memories: Remembered, **fields: object) -> list[tuple[str, str]]:
    """Names and files of the people of a store."""
    known = people(corpus(*memories, **fields))  # type: ignore[arg-type]  # any part of a store
    return [(person.name, person.path) for person in known.persons]


@pytest.mark.parametrize(
    ("path", "fields", "name"),
    [
        (ADA, {"title": "Anything", "entities": ("person:Ada",)}, "Ada"),
        ("resources/people/x.html", {"title": "ada", "entities": ("person:Ada",)}, "Ada"),
        ("resources/people/x.html", {"title": "Tea", "entities": ("person:Ada",), "aliases": ("Countess",)}, "Ada"),
        (ADA, {"entities": ("person:Bob", "person:Ada")}, "Ada"),
        ("resources/people/tea.html", {"title": "Ada likes tea", "entities": ("person:Ada",)}, None),
        ("resources/people/x.html", {"entities": ("person:Ada", "person:Bob"), "aliases": ("Countess",)}, None),
        (ADA, {"title": "Ada"}, None),
        (ADA, {"title": "Ada", "entities": ("service:Ada",)}, None),
        ("areas/ada.html", {"title": "Ada", "entities": ("person:Ada",)}, None),
        (ADA, {"entities": ("person:Ada",), "superseded_by": BOB}, None),
    ],
)
def test_a_persons_file_is_known(path: str, fields: dict[str, object], name: str | None) -> None:
    """By its name or title and whom it names, in the folder of people, or by declaring an alias."""
    assert found(memory(path, **fields)) == ([] if name is None else [(name, path)])  # type: ignore[arg-type]  # any field


def test_files_in_use_come_before_those_in_the_archive() -> None:
    """Someone who has both is the one in use."""
    place = f"archive/2026/{ADA}"
    archived = row(place, entities=("person:Ada",))
    assert found(memory(ADA, entities=("person:Ada",)), archived=[archived]) == [("Ada", ADA), ("Ada", place)]
    known = people(corpus(memory(ADA, entities=("person:Ada",)), archived=[archived]))
    person = known.named("ADA")
    assert person is not None
    assert person.path == ADA


def test_names_and_aliases_are_found_whatever_their_spelling() -> None:
    """Worked, with a name that nobody has."""
    known = People([Person("Zoë King", ADA, ("Z. King",))])
    for name in ("Zoë King", "zoe-king", "Z King", "z. king"):
        person = known.named(name)
        assert person is not None
        assert person.path == ADA
    assert known.named("King") is None


def test_an_alias_of_two_is_nobodys() -> None:
    """But of two files of one person it is that person's."""
    assert People([Person("Ada", ADA, ("A",)), Person("Bob", BOB, ("A",))]).named("A") is None
    assert People([Person("Ada", ADA, ("A",)), Person("Bob", BOB, ("A",))]).is_ambiguous("a")
    assert People([Person("Ada", ADA, ("A",)), Person("ada", BOB, ("A",))]).named("A") == Person("Ada", ADA, ("A",))


def test_a_file_of_the_very_name_comes_first_unless_a_night_made_it() -> None:
    """A stub gives way to the one person whose file declares the name."""
    ada = Person("Ada", ADA, ("Bob",))
    assert People([ada, Person("Bob", BOB)]).named("Bob") == Person("Bob", BOB)
    assert People([ada, Person("Bob", BOB, is_stub=True)]).named("Bob") == ada
    other = Person("Cleo", MemoryPath("resources/people/cleo.html"), ("Bob",))
    assert People([ada, other, Person("Bob", BOB, is_stub=True)]).named("Bob") == Person("Bob", BOB, is_stub=True)


def test_a_stub_is_a_nights_file_without_aliases() -> None:
    """Who adds an alias has made it a file of their own."""
    stubs = [
        people(corpus(memory(ADA, entities=("person:Ada",), **fields))).persons[0].is_stub  # type: ignore[arg-type]  # any field
        for fields in ({"author": AUTHOR}, {"author": AUTHOR, "aliases": ("A",)}, {"author": "agent"}, {})
    ]
    assert stubs == [True, False, False, False]


@given(st.permutations([Person("Ada", ADA, ("A", "B")), Person("Bob", BOB, ("A",)), Person("B", MemoryPath("b.html"))]))
def test_the_order_of_files_does_not_matter(order: list[Person]) -> None:
    """Shuffled, everybody goes by the same names."""
    known, sorted_ones = People(order), People(sorted(order, key=lambda one: one.path))
    for name in ("Ada", "Bob", "A", "B", "C"):
        assert known.named(name) == sorted_ones.named(name)
        assert known.is_ambiguous(name) == sorted_ones.is_ambiguous(name)


def test_the_people_of_a_memory_come_once_in_their_order() -> None:
    """And other things are none."""
    made = row("areas/a.html", entities=("person:Bob", "service:x", "person:Ada", "person:Bob"))
    assert names_of(made) == ("Bob", "Ada")
    assert names_of(row("areas/a.html")) == ()
