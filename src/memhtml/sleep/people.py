"""Who the people of a store are: the file of each, and the other names that it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import MemoryPath
from memhtml.domain.naming import plain_name
from memhtml.domain.paths import SUFFIX, is_archived, original_path
from memhtml.domain.placement import PEOPLE
from memhtml.domain.slugs import slug
from memhtml.index.memories import MemoryRow
from memhtml.sleep.changes import AUTHOR
from memhtml.sleep.corpus import Corpus

PERSON: Final = "person"


class Person(Struct, frozen=True):
    """Somebody who has a file.

    Attributes:
        name: as the file names the person.
        path: of the file, in use or in the archive.
        aliases: other names that it declares.
        is_stub: whether a night made the file, so that it says nothing but the name.
    """

    name: str
    path: MemoryPath
    aliases: tuple[str, ...] = ()
    is_stub: bool = False


class People:
    """The people of a store, found by name or alias, whatever the case, accents and signs.

    Attributes:
        persons: files in use before those in the archive, each in path order.
    """

    def __init__(self, persons: Iterable[Person]) -> None:
        self.persons = tuple(sorted(persons, key=lambda person: (is_archived(person.path), person.path)))
        self._named: dict[str, Person] = {}
        declared: dict[str, dict[str, Person]] = {}
        for person in self.persons:
            self._named.setdefault(plain_name(person.name), person)
        for person in self.persons:
            for alias in person.aliases:
                declared.setdefault(plain_name(alias), {}).setdefault(
                    plain_name(person.name), self._named[plain_name(person.name)]
                )
        self._declared = {alias: tuple(by_name.values()) for alias, by_name in declared.items()}

    def named(self, name: str) -> Person | None:
        """Who goes by ``name``; ``None`` when nobody does, or more than one by an alias.

        A file of that very name comes before one that declares it, unless a night made it for want of another.
        """
        person = self._named.get(plain_name(name))
        declaring = self._declared.get(plain_name(name), ())
        if len(declaring) == 1 and (person is None or person.is_stub):
            return declaring[0]
        return person

    def is_ambiguous(self, name: str) -> bool:
        """Whether the files of two people or more declare ``name``."""
        return len(self._declared.get(plain_name(name), ())) > 1


def people(corpus: Corpus) -> People:
    """Those who have a file in ``resources/people/``, or had one there that is in the archive.

    A file is somebody's when it names that person and is called so, by its file name or its title, or when it names
    one person and declares an alias. What merely tells something of a person lies in the same folder and is not.
    """
    live = {path: memory.row for path, memory in corpus.memories.items()}
    return People((*_persons(live), *_persons(corpus.archived)))


def _persons(rows: Mapping[MemoryPath, MemoryRow]) -> Iterator[Person]:
    for path, row in rows.items():
        if row.superseded_by is None and original_path(path).startswith(f"{PEOPLE}/"):
            name = whose(path, row)
            if name is not None:
                aliases = tuple(alias for alias in row.aliases if plain_name(alias) != plain_name(name))
                yield Person(name, path, aliases, row.author == AUTHOR and not aliases)


def whose(path: MemoryPath, row: MemoryRow) -> str | None:
    """The name of the person whose file a memory would be at ``path``, in the folder of people; ``None``: nobody's."""
    names = names_of(row)
    called = original_path(path).rpartition("/")[2].removesuffix(SUFFIX)
    for name in names:
        if plain_name(row.title) == plain_name(name) or called == slug(name):
            return name
    return names[0] if len(names) == 1 and row.aliases else None


def names_of(row: MemoryRow) -> tuple[str, ...]:
    """The people that a memory names, in order, each once."""
    return tuple(dict.fromkeys(entity.name for entity in row.entities if entity.type == PERSON))
