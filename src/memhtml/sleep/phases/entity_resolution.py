"""Names of one thing made one: what a person's file declares, what is spelled alike, and what a model knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.naming import are_distinct, are_words_alike, may_abbreviate, plain_name
from memhtml.page.splice import AddValue, DropValue, Edit
from memhtml.sleep.answers import first, is_sure
from memhtml.sleep.changes import Change, Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Heard, Mind, Offer
from memhtml.sleep.pending import Finding, Pending, read
from memhtml.sleep.people import PERSON, people
from memhtml.sleep.phase import Phase
from memhtml.sleep.spellings import similar
from memhtml.sleep.veto import is_protected

MERGED: Final = 0.85
"""Similarity from which on two names are one."""
OFFERED: Final = 0.75
"""Similarity from which on somebody is asked to look."""
NAMES_AT_ONCE: Final = 40
MOST_QUESTIONS: Final = 20
KIND: Final = "entity"
MOST_OFFERED: Final = 50

EXACT: Final = frozenset(
    {PERSON, "lang", "url", "file", "path", "version", "id", "issue", "pr", "commit", "email", "host", "ip"}
)
"""Types of which one letter makes another thing: only names that are the same once normalised are merged unasked."""

TASK: Final = """\
Each passage is the name of a thing, as type:name. Some things have two names here. Give each group of names that surely
stand for one and the same thing, with their keys and your confidence from 0 to 1. Two things that are merely related,
of the same kind, or parts of one another are two. Most names belong to no group.
"""

Uses = Mapping[Entity, frozenset[MemoryPath]]
Renames = dict[Entity, "_Rename"]


class Cluster(Struct, frozen=True):
    """Names that a model takes for one thing's."""

    keys: list[str]
    confidence: float


class Clusters(Struct, frozen=True):
    """A model's answer."""

    clusters: list[Cluster]


class _Rename(Struct, frozen=True):
    """What a name becomes, and why."""

    to: Entity
    reason: Reason


class _Look(Struct, frozen=True):
    """Names that are alike.

    Attributes:
        merged: one name for two, by code alone.
        offered: pairs that somebody should look at, the first of them first in order, with their similarity.
    """

    merged: Renames
    offered: Mapping[tuple[Entity, Entity], float]


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Rename in the heads of the memories that name a thing otherwise; the name of more files stays."""
    uses = _uses(corpus)
    declared = _declared(corpus, uses)
    look = _alike(_without(uses, declared))
    renames = {**declared, **look.merged}
    pending = read(corpus.files)
    refused = [
        f"{one} and {other} look alike ({alike:.2f}); merge them by hand, or declare an alias, if they are one"
        for (one, other), alike in sorted(look.offered.items())
    ][:MOST_OFFERED]
    if mind is not None:
        agreed, pending = _agreed(corpus, mind, _without(uses, renames), pending, refused)
        renames |= agreed
    changes: list[Change] = list(_edited(corpus, _settled(renames)))
    edited = len(changes)
    kept = pending.written(corpus.night.date, Reason("These names wait for another night to find them one too."))
    changes += [kept] if kept and mind is not None else []
    counts = {
        "declared": len(declared),
        "merged": len(renames) - len(declared),
        "offered": len(look.offered),
        "edited": edited,
    }
    return Proposal(changes=tuple(changes), counts=counts, refused=tuple(dict.fromkeys(refused)))


PHASE = Phase("entity-resolution", propose)


def _uses(corpus: Corpus) -> dict[Entity, frozenset[MemoryPath]]:
    found: dict[Entity, set[MemoryPath]] = {}
    for path, memory in corpus.memories.items():
        for entity in memory.row.entities:
            found.setdefault(entity, set()).add(path)
    return {entity: frozenset(found[entity]) for entity in sorted(found)}


def _without(uses: Uses, renames: Renames) -> dict[Entity, frozenset[MemoryPath]]:
    """The uses once those renames are made."""
    found: dict[Entity, frozenset[MemoryPath]] = {}
    for entity, paths in uses.items():
        to = _end(entity, renames)
        found[to] = found.get(to, frozenset()) | paths
    return {entity: found[entity] for entity in sorted(found)}


def _end(entity: Entity, renames: Renames) -> Entity:
    while entity in renames:
        entity = renames[entity].to
    return entity


def _settled(renames: Renames) -> Renames:
    """Each name with what it is in the end called."""
    return {entity: _Rename(_end(entity, renames), rename.reason) for entity, rename in renames.items()}


def _declared(corpus: Corpus, uses: Uses) -> Renames:
    known = people(corpus)
    found: Renames = {}
    for entity in uses:
        person = known.named(entity.name) if entity.type == PERSON else None
        if person is not None and plain_name(person.name) != plain_name(entity.name):
            why = f"The file of {person.name} declares {entity.name} as another name."
            found[entity] = _Rename(
                Entity(PERSON, person.name), Reason(why, (Evidence(person.path, f"alias {entity.name}"),))
            )
    return found


def _alike(uses: Uses) -> _Look:
    """Of each two names of one type that are alike, the one of more files, then the smaller, takes the other."""
    merged: Renames = {}
    offered: dict[tuple[Entity, Entity], float] = {}
    held = dict(uses)
    by_type: dict[str, list[Entity]] = {}
    for entity in _by_weight(uses):
        by_type.setdefault(entity.type, []).append(entity)
    for entities in by_type.values():
        plain = [plain_name(entity.name) for entity in entities]
        for (one, other), alike in sorted(similar(plain, OFFERED).items()):
            keep, drop = entities[one], entities[other]
            if keep in merged or drop in merged or _are_two(keep, drop, held):
                continue
            if alike >= MERGED and _are_one(plain[one], plain[other], keep.type):
                merged[drop] = _Rename(keep, _spelled(keep, drop, alike, uses))
                held[keep] |= held[drop]
            else:
                offered[keep, drop] = alike
    return _Look(merged, {pair: alike for pair, alike in offered.items() if merged.keys().isdisjoint(pair)})


def _by_weight(uses: Uses) -> list[Entity]:
    return sorted(uses, key=lambda entity: (-len(uses[entity]), entity.name, entity.type))


def _are_one(first_name: str, second_name: str, kind: str) -> bool:
    if kind in EXACT:
        return first_name == second_name
    return are_words_alike(first_name, second_name, MERGED)


def _are_two(one: Entity, other: Entity, uses: Uses) -> bool:
    """Whether it is seen that two names stand for two things: by their words, or since one memory names both."""
    mine, theirs = plain_name(one.name), plain_name(other.name)
    if mine == theirs:
        return False
    return are_distinct(mine, theirs) or not uses[one].isdisjoint(uses[other])


def _spelled(keep: Entity, drop: Entity, alike: float, uses: Uses) -> Reason:
    return Reason(
        f"{drop} and {keep} are spellings of one name, and more files use the latter, or it comes first.",
        (
            Evidence("similarity", f"{alike:.4f}"),
            Evidence("files", f"{len(uses[keep])} with {keep}, {len(uses[drop])} with {drop}"),
        ),
    )


def _edited(corpus: Corpus, renames: Renames) -> Iterator[Edited]:
    """The heads that name a thing by a name that it no longer has. What an article defines stays as it is written."""
    for path, memory in corpus.memories.items():
        row = memory.row
        if renames.keys().isdisjoint(row.entities) or is_protected(row.importance, row.author):
            continue
        if path in corpus.refused:
            continue
        facts = corpus.facts(path)
        wrong = [] if facts is None else [entity for entity in facts.head.entities if entity in renames]
        edits: list[Edit] = []
        for entity in dict.fromkeys(wrong):
            edits += [
                AddValue("memhtml-entity", str(renames[entity].to)),
                DropValue("memhtml-entity", str(entity)),
            ]
        if edits:
            reasons = [renames[entity].reason for entity in dict.fromkeys(wrong)]
            evidence = tuple(one for reason in reasons for one in reason.evidence)
            yield Edited(path, tuple(edits), Reason(" ".join(reason.why for reason in reasons), evidence))


def _agreed(corpus: Corpus, mind: Mind, uses: Uses, pending: Pending, refused: list[str]) -> tuple[Renames, Pending]:
    """What a model takes for one on a second night; and what waits for one."""
    found: Renames = {}
    night = corpus.night.date
    for batch in _batches(uses):
        heard = mind.ask(TASK, [Offer(str(entity), str(entity)) for entity in batch], Clusters)
        if heard is None:
            continue
        for (keep, drop), confidence in _pairs(heard, batch, uses, refused):
            if keep in found or drop in found:
                continue
            key = f"{keep}\n{drop}" if str(keep) < str(drop) else f"{drop}\n{keep}"
            if pending.agreed(KIND, key, night):
                pending = pending.without(KIND, key)
                why = f"On two nights a model took {drop} and {keep} for one."
                found[drop] = _Rename(keep, Reason(why, (Evidence("confidence", f"{confidence:.2f}"),)))
            else:
                pending = pending.with_(Finding(KIND, key, night, confidence))
    refused += mind.take_faults()
    return found, pending


def _batches(uses: Uses) -> Iterator[Sequence[Entity]]:
    """The names of each type that has more than one, in the order of their names, so that like ones meet."""
    by_type: dict[str, list[Entity]] = {}
    for entity in uses:
        by_type.setdefault(entity.type, []).append(entity)
    batches = [
        ordered[start : start + NAMES_AT_ONCE]
        for _, entities in sorted(by_type.items())
        if len(ordered := sorted(entities, key=lambda entity: (plain_name(entity.name), entity.name))) > 1
        for start in range(0, len(ordered), NAMES_AT_ONCE)
    ]
    return iter(batches[:MOST_QUESTIONS])


def _pairs(
    heard: Heard[Clusters], batch: Sequence[Entity], uses: Uses, refused: list[str]
) -> Iterator[tuple[tuple[Entity, Entity], float]]:
    """Of each cluster that may be one, the name that stays with each of the others."""
    by_name = {str(entity): entity for entity in batch}
    for cluster in first(heard.answer.clusters, NAMES_AT_ONCE):
        keys = dict.fromkeys(first(cluster.keys, NAMES_AT_ONCE))
        named = {by_name[source] for key in keys if (source := heard.source(key)) is not None}
        if len(named) < len(keys):
            refused.append("a model named things that it was not shown")
        if len(named) < 2 or not is_sure(cluster.confidence):  # noqa: PLR2004 - a pair
            continue
        keep, *others = sorted(named, key=lambda entity: (-len(uses[entity]), entity.name))
        for drop in others:
            if _may_be_one(keep, drop, uses):
                yield (keep, drop), cluster.confidence
            else:
                refused.append(f"a model takes {keep} and {drop} for one, and nothing in the names says so")


def _may_be_one(keep: Entity, drop: Entity, uses: Uses) -> bool:
    """Whether letters allow what a model says: two names that have nothing in common are two things."""
    mine, theirs = plain_name(keep.name), plain_name(drop.name)
    alike = are_words_alike(mine, theirs, OFFERED) or may_abbreviate(mine, theirs)
    return alike and keep.type == drop.type and not _are_two(keep, drop, uses)
