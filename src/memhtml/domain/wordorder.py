"""Whether two sentences with the same words say them of one another in the same way.

English lets some parts of a sentence stand elsewhere. Whatever else changes places may be who does what to whom, so a
kind of move is known here, or it is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memhtml.domain.carried import AND, BE, EACH, GENITIVE, OF, THIS, WHICH_IS, Item
from memhtml.domain.polarity import DENYING
from memhtml.domain.stems import stem
from memhtml.domain.synonyms import CLAUSES, KINDS, PARTICIPLES, RESTRICTING, STARTS, TELLING

_TIMES = frozenset(
    "daily nightly weekly monthly quarterly yearly hourly now today tomorrow yesterday".split()  # noqa: SIM905 - a list would take a line a word
)
_NAMING_TIMES = frozenset({"last", "next", "previous"})
_BY = stem("by")
_LONGEST_MOVE = 200
_LONGEST_NAME = 4
_LEADS_OF_THINGS = frozenset({"in", "on", "at", "into", "onto", "upon", "within", OF})
_KINDS_OF_LEAD = {
    "in": {"in"}, "within": {"in"}, "into": {"in", "to"}, "on": {"on"}, "upon": {"on"}, "onto": {"on", "to"},
    "at": {"in", "on"}, "of": {"in", "on"}, "to": {"to"},
}  # fmt: skip
_NO_PREPOSITION = frozenset({"", AND, BE, WHICH_IS, OF, GENITIVE})


class _Part(NamedTuple):
    """Neighbouring words as they stand in the one sentence, and in the other."""

    here: Sequence[Item]
    there: Sequence[Item]

    @property
    def is_cut(self) -> bool:
        """Whether it ends with a preposition: what that governs would be left behind."""
        return self.here[-1].word in STARTS

    @property
    def turned(self) -> _Part:
        """The same, looked at from the other sentence."""
        return _Part(self.there, self.here)

    @property
    def leads(self) -> set[str]:
        """What stands before it, left out, in the two."""
        return {self.here[0].lead, self.there[0].lead}

    @property
    def is_phrase(self) -> bool:
        """Whether it begins with the same preposition in both, or is a time: every Sunday, last spring, this week."""
        lead = self.here[0].lead
        if lead == THIS or self.here[0].word in _NAMING_TIMES:
            return any(stem(item.word) in TELLING for item in self.here[:2])
        return self.here[0].word in STARTS | EACH or (lead not in _NO_PREPOSITION and self.leads == {lead})


def keys(items: Sequence[Item]) -> tuple[str, ...]:
    """What the words stand for, in order."""
    return tuple(item.key for item in items)


def begins_part(item: Item) -> bool:
    """Whether a part of a sentence begins with the word, by a preposition or by ``and``."""
    return item.word in STARTS or item.lead == AND or item.lead not in _NO_PREPOSITION


def in_order(one: Sequence[Item], other: Sequence[Item]) -> bool:
    """Whether two sentences have the same words in the same order, but for one part that may stand elsewhere.

    Such a part is an adverb that denies nothing; a phrase with its preposition, in front of the sentence or beside
    another phrase; a verb in the passive, with or without who does it; the owner before or after what is owned; the
    name of a thing before or after its kind; one of two things named side by side; and a quality in front of a thing
    or after it. Symmetric.
    """
    mine, theirs = keys(one), keys(other)
    if mine == theirs:
        return not any(map(_led_apart, one, other))
    if len(mine) != len(theirs):
        return _is_passive(one, other) or _is_passive(other, one)
    moved = _moved(one, other)
    if moved is None:
        return False
    first, second, start = moved
    named = _stand_alike(first, second) and (_is_named(first, second) or _is_named(second, first))
    owned = _is_owner(first, second) or _is_owner(second.turned, first.turned)
    if named or owned or _is_enumeration(first, second, one[start - 1] if start else None):
        return True
    return _may_pass(first, second, in_front=start == 0) or _may_pass(second, first, in_front=start == 0)


def _led_apart(here: Item, there: Item) -> bool:
    """Whether two prepositions before a word say two things: in the box, on the box; access to Ada, access of Ada."""
    if here.word.endswith("ing") != there.word.endswith("ing"):
        return False  # To decide to move is to decide on moving.
    leads = _KINDS_OF_LEAD.get(here.lead), _KINDS_OF_LEAD.get(there.lead)
    return leads[0] is not None and leads[1] is not None and leads[0].isdisjoint(leads[1])


def _moved(one: Sequence[Item], other: Sequence[Item]) -> tuple[_Part, _Part, int] | None:
    """The two neighbouring parts that have changed places, and where the first begins; ``None`` for other changes."""
    mine, theirs = keys(one), keys(other)
    start, end = 0, len(mine)
    while start < end and mine[start] == theirs[start]:
        start += 1
    while end > start and mine[end - 1] == theirs[end - 1]:
        end -= 1
    if end - start > _LONGEST_MOVE:
        return None
    for cut in range(start + 1, end):
        if mine[cut:end] + mine[start:cut] == theirs[start:end]:
            place = start + end - cut
            return _Part(one[start:cut], other[place:end]), _Part(one[cut:end], other[start:place]), start
    return None


def _may_pass(part: _Part, over: _Part, *, in_front: bool) -> bool:
    """Whether a part may have changed places with what is beside it."""
    single = len(part.here) == 1
    if single and part.here[0].word in _TIMES:
        return not any(item.word in CLAUSES for item in over.here) and (in_front or len(over.here) <= _LONGEST_NAME)
    if single and any(item.word in STARTS for item in over.here):
        return in_front and part.is_phrase and not over.is_cut
    if single and _is_adverb(part.here[0].word, over.here, in_front=in_front):
        return True
    if single and len(over.here) <= _LONGEST_NAME and _is_said(part):
        return True
    if part.is_cut or over.is_cut:
        return False  # Deploy before migrating is not: before deploying, migrate.
    return part.is_phrase and (in_front or over.is_phrase)


def _is_said(part: _Part) -> bool:
    """Whether one has as a verb, or before a thing, what the other says of it: store tokens, idle connections.

    The other has: tokens are stored, connections that are idle.
    """
    plain, said = sorted((part.here[0], part.there[0]), key=lambda item: item.lead)
    if plain.lead:
        return False
    return said.lead == WHICH_IS or (said.lead == BE and (said.word.endswith("ed") or said.word in PARTICIPLES))


def _is_owner(head: _Part, owner: _Part) -> bool:
    """The player of soccer, the soccer player; the disk of the host, the host's disk. ``head`` stands first here."""
    return (
        owner.here[0].lead == OF
        and owner.there[0].lead == head.here[0].lead
        and (head.there[0].lead == GENITIVE or (head.there[0].lead == "" and len(head.here) == 1))
        and len(owner.here) <= _LONGEST_NAME
    )


def _is_named(kind: _Part, name: _Part) -> bool:
    """The channel ops-night, the ops-night channel; whichever comes first."""
    return (
        len(kind.here) == 1
        and kind.here[0].word in KINDS
        and len(name.here) <= _LONGEST_NAME
        and not any(item.word in STARTS or item.word in KINDS for item in name.here)
        and all(item.lead == "" for item in (*name.here[1:], *name.there[1:]))
    )


def _is_enumeration(first: _Part, second: _Part, before: Item | None) -> bool:
    """Whether two things are named side by side, in either order.

    What is done side by side has an order: drain and deploy.
    """
    lead = first.here[0].lead
    things = lead in _LEADS_OF_THINGS or first.here[0].article or (before is not None and before.word in STARTS)
    return (
        things
        and second.here[0].lead == first.there[0].lead == AND
        and second.there[0].lead == lead
        and max(len(first.here), len(second.here)) <= _LONGEST_NAME
        and not any(item.word.endswith("ing") or item.word in STARTS for item in (*first.here, *second.here))
    )


def _stand_alike(first: _Part, second: _Part) -> bool:
    """Whether the whole begins alike in both, and nothing stands between its parts."""
    inner = second.here[0], first.there[0]
    return first.here[0].lead == second.there[0].lead and not any(item.lead or item.article for item in inner)


def _is_adverb(word: str, over: Sequence[Item], *, in_front: bool) -> bool:
    """Whether a word may stand before or after others, and be said of the same.

    What denies is said of its neighbour, and so is what says how often, but in front of its sentence. Of two things
    that are done, it is said of the one beside it.
    """
    if not word.endswith("ly") or stem(word) in DENYING or len(over) > _LONGEST_NAME:
        return False
    if any(item.lead == AND for item in over):
        return False
    return in_front or stem(word) not in RESTRICTING


def _is_passive(passive: Sequence[Item], active: Sequence[Item]) -> bool:
    """Whether the one says in the passive voice (what, verb, by, whom) what the other says in the active."""
    said, like = keys(passive), keys(active)
    if said.count(_BY) != 1 or len(said) != len(like) + 1:
        return False
    by = said.index(_BY)
    rest = said[by + 1 :]
    verbs = [place for place in range(1, by) if passive[place].lead == BE or place == by - 1]
    return any(
        rest[:cut] + said[verb : verb + 1] + said[:verb] + said[verb + 1 : by] + rest[cut:] == like
        for verb in verbs
        for cut in range(1, len(rest) + 1)
    )
