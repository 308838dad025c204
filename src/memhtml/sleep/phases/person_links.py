"""`about_person` links: from what names a person to that person's file, which is made where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import Draft, Entity, Link, MemoryPath
from memhtml.domain.naming import plain_name
from memhtml.domain.paths import SUFFIX, is_memory_path
from memhtml.domain.placement import PEOPLE
from memhtml.domain.slugs import UNTITLED, numbered, slug
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.splice import AddLink, DropLink, Edit
from memhtml.sleep.changes import AUTHOR, Archived, Change, Created, Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.mind import Mind
from memhtml.sleep.people import PERSON, People, Person, names_of, people
from memhtml.sleep.phase import Phase
from memhtml.sleep.veto import is_protected

LONGEST_NAME: Final = 120
"""Characters; what is longer names nobody."""


class _Town(Struct, frozen=True):
    """Who is who tonight.

    Attributes:
        known: those who have a file.
        made: those who get one, by plain name, each with the first memory that names them.
        stale: files that a night made for a name that somebody's file has since declared, and whose that is.
    """

    known: People
    made: Mapping[str, tuple[Person, Remembered]]
    stale: Mapping[MemoryPath, Person]

    def named(self, name: str) -> Person | None:
        """Who goes by ``name``, be it from tonight on."""
        new = self.made.get(plain_name(name))
        return self.known.named(name) or (None if new is None else new[0])


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Link every memory to the files of the people that it names, and put away stubs whose name became an alias."""
    del mind
    known = people(corpus)
    stale = dict(_stale(corpus, known))
    naming = [one for one in corpus.memories.values() if _may_change(corpus, one) and one.path not in stale]
    town = _Town(known, _made(corpus, known, naming), stale)
    edited = list(_edited(corpus, town, naming))
    changes: list[Change] = [_file(person, first) for person, first in town.made.values()]
    changes += edited
    changes += [Archived(path, _heir_has_it(heir), heir.path) for path, heir in stale.items()]
    counts = {
        "linked": sum(isinstance(edit, AddLink) for change in edited for edit in change.edits),
        "made": len(town.made),
        "stale": len(stale),
        "ambiguous": len({name for one in naming for name in names_of(one.row) if known.is_ambiguous(name)}),
    }
    return Proposal(changes=tuple(changes), counts=counts)


PHASE = Phase("person-links", propose)


def _stale(corpus: Corpus, known: People) -> Iterator[tuple[MemoryPath, Person]]:
    for path, memory in corpus.memories.items():
        row = memory.row
        if row.author != AUTHOR or row.aliases or not path.startswith(f"{PEOPLE}/") or not _may_change(corpus, memory):
            continue
        heir = known.named(row.title)
        if heir is not None and heir.path != path and plain_name(heir.name) != plain_name(row.title):
            yield path, heir


def _made(corpus: Corpus, known: People, naming: Iterable[Remembered]) -> dict[str, tuple[Person, Remembered]]:
    taken = {*corpus.memories, *corpus.tasks}
    found: dict[str, tuple[Person, Remembered]] = {}
    for memory in naming:
        for name in names_of(memory.row):
            if plain_name(name) in found or known.named(name) or known.is_ambiguous(name) or not _is_name(name):
                continue
            path = next(path for path in _places(name) if path not in taken)
            if path in corpus.refused:
                continue
            taken.add(path)
            found[plain_name(name)] = Person(name, path, is_stub=True), memory
    return found


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and name.isprintable() and slug(name) != UNTITLED


def _places(name: str) -> Iterator[MemoryPath]:
    paths = (f"{PEOPLE}/{numbered(slug(name), ordinal)}{SUFFIX}" for ordinal in count(1))
    return (MemoryPath(path) for path in paths if is_memory_path(path))


def _edited(corpus: Corpus, town: _Town, naming: Iterable[Remembered]) -> Iterator[Edited]:
    there: dict[MemoryPath, dict[MemoryPath, Link]] = {}
    for tie in corpus.ties:
        if tie.rel is Rel.ABOUT_PERSON and tie.resolved is not None:
            there.setdefault(tie.source, {})[tie.resolved] = Link(tie.rel, tie.target)
    for memory in naming:
        has = there.get(memory.path, {})
        named = [town.named(name) for name in names_of(memory.row)]
        named += [town.stale.get(path) for path in has]
        persons = {person.path: person for person in named if person is not None and person.path != memory.path}
        edits: list[Edit] = [DropLink(link) for path, link in has.items() if path in town.stale]
        edits += [AddLink(Link(Rel.ABOUT_PERSON, path)) for path in persons if path not in has]
        if edits:
            yield Edited(memory.path, tuple(edits), _reason(memory, persons.values()))


def _file(person: Person, first: Remembered) -> Created:
    draft = Draft(
        type=MemoryType.SEMANTIC,
        title=person.name,
        claim=f"{person.name} is a person whom memories here name.",
        path=person.path,
        entities=(Entity(PERSON, person.name),),
    )
    why = f"{person.name} is named and has no file."
    return Created(draft, Reason(why, (Evidence(first.path, first.row.gist),)))


def _reason(memory: Remembered, persons: Iterable[Person]) -> Reason:
    evidence = [Evidence(memory.path, f"{PERSON}:{name}") for name in names_of(memory.row)]
    evidence += [Evidence(person.path, person.name) for person in persons]
    return Reason("It names a person, and that person has a file.", tuple(evidence))


def _heir_has_it(heir: Person) -> Reason:
    return Reason(
        f"A night made it for a name that is another one of {heir.name}.",
        (Evidence(heir.path, ", ".join(heir.aliases)),),
    )


def _may_change(corpus: Corpus, memory: Remembered) -> bool:
    """Whether it is no person's to change, and no reviewer took such a change of it out."""
    return memory.path not in corpus.refused and not is_protected(memory.row.importance, memory.row.author)
