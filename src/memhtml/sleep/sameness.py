"""Whether two memories are copies of one fact: not their words alone, but whose, where and when it holds."""

from __future__ import annotations

from collections.abc import Iterable

from memhtml.domain.carried import words
from memhtml.domain.memory import Entity
from memhtml.domain.paths import workspace_of
from memhtml.domain.rewording import Compared, Sense, compare, holds
from memhtml.domain.terms import fold
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.index.memories import MemoryRow
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.veto import Words, vetoed


class Judge:
    """Compares the memories of one corpus; knows what is a name in it, and what contests what."""

    def __init__(self, corpus: Corpus) -> None:
        entities = (entity for memory in corpus.memories.values() for entity in memory.row.entities)
        self._names = frozenset[str]().union(*(words(name) for name in {entity.name for entity in entities}))
        self._contested = {
            frozenset((tie.source, tie.resolved)) for tie in corpus.ties if tie.rel is Rel.CONTRADICTS and tie.resolved
        }

    def compare(self, one: Remembered, other: Remembered) -> Compared:
        """What two memories are to each other. Symmetric in all but the words of ``why``."""
        ways = vetoed(_said(one), _said(other)) if _said(one) != _said(other) else ()
        if ways:
            return Compared(Sense.APART, f"they differ by {' and '.join(sorted(ways))}")
        why = self._circumstance(one, other)
        return Compared(Sense.APART, why) if why else compare(one.body, other.body, self._names)

    def may_replace(self, keeper: Remembered, drop: Remembered) -> bool:
        """Whether the one may take the other's place if somebody says that they are the same.

        Nothing must be lost: they are wordings of one fact, or nothing parts them and the keeper holds what the other
        says, word for word.
        """
        sense = self.compare(keeper, drop).sense
        return sense is Sense.SAME or (sense is Sense.UNCLEAR and holds(keeper.body, drop.body))

    def _circumstance(self, one: Remembered, other: Remembered) -> str:
        """What else parts them, as half a sentence; "" when nothing does."""
        mine, theirs = one.row, other.row
        spaces = {workspace_of(one.path), workspace_of(other.path)} - {None}
        titles = words(mine.title) - words(one.body), words(theirs.title) - words(other.body)
        named = [title & self._names for title in titles]
        checks = (
            (frozenset((one.path, other.path)) in self._contested, "one contradicts the other"),
            (len(spaces) > 1, "they are of two workspaces"),
            ((mine.type is MemoryType.ARC) != (theirs.type is MemoryType.ARC), "one is an arc over memories"),
            (_window(mine) != _window(theirs), "they hold at different times"),
            (bool(mine.event_at and theirs.event_at and mine.event_at != theirs.event_at), "they happened twice"),
            (conflicting(mine.entities, theirs.entities), "they name different things"),
            (bool(named[0] and named[1] and named[0].isdisjoint(named[1])), "their titles name different things"),
        )
        return next((why for holds, why in checks if holds), "")


def conflicting(first: Iterable[Entity], second: Iterable[Entity]) -> bool:
    """Whether both name things of one kind, and none that is the same.

    >>> conflicting([Entity("service", "checkout")], [Entity("service", "billing")])
    True
    >>> conflicting([Entity("service", "Checkout")], [Entity("service", "checkout"), Entity("team", "payments")])
    False
    """
    mine, theirs = _by_kind(first), _by_kind(second)
    return any(mine[kind].isdisjoint(theirs[kind]) for kind in mine.keys() & theirs.keys())


def _by_kind(entities: Iterable[Entity]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entity in entities:
        found.setdefault(fold(entity.type), set()).add(" ".join(sorted(words(entity.name))) or entity.name)
    return found


def _window(row: MemoryRow) -> tuple[str | None, str | None]:
    return row.valid_from, row.valid_until


def _said(memory: Remembered) -> Words:
    return Words(memory.row.title, memory.row.gist, memory.body)
