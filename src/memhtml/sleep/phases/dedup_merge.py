"""Near-duplicates folded: the older keeps, and gains what the other one is filed and linked by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import ContentHash, Entity, Link, MemoryPath
from memhtml.domain.rewording import Sense
from memhtml.domain.vocabulary import Rel, RelClass, rel_class
from memhtml.page.splice import AddLink, AddValue, Edit
from memhtml.sleep.answers import first, is_sure
from memhtml.sleep.changes import Evidence, Folded, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.likeness import Pair, cosine, near
from memhtml.sleep.mind import Heard, Mind, Offer
from memhtml.sleep.phase import Phase
from memhtml.sleep.sameness import Judge, conflicting
from memhtml.sleep.veto import is_protected

ALIKE: Final = 0.92
"""Cosine above which, and not at which, two memories are near-duplicates."""
WORTH_ASKING: Final = 0.86
"""Cosine from which on a model is asked."""
MOST_MERGES: Final = 100
MOST_COMPONENTS: Final = 300
LARGEST_COMPONENT: Final = 8
MOST_MEMBERS: Final = 40
"""Texts in one question."""
MOST_NEAR: Final = 64
"""Of one memory: a store in which more are that near is made of one pattern, and later nights go on."""
MOST_SHOWN: Final = 2000
"""Characters of a text that a model sees; what is longer is not asked about."""

TASK: Final = """\
Each passage is a note. Find the notes that state exactly the same facts in other words, so that one of them can go and
nothing is lost. Notes about another thing, person, place, time, number or condition are not the same, however alike
they look, and neither is a note that says more than another. Give each group of notes that are the same with their
keys and your confidence from 0 to 1. Most notes belong to no group.
"""

Ways = Mapping[tuple[MemoryPath, MemoryPath], Pair]


class Group(Struct, frozen=True):
    """Notes that a model takes for the same."""

    keys: list[str]
    confidence: float


class Groups(Struct, frozen=True):
    """A model's answer."""

    groups: list[Group]


class _Found(Struct, frozen=True):
    """What the store holds of near-duplicates.

    Attributes:
        judge: of pairs.
        pairs: all from the floor on, by their ends.
        sure: those that are folded without asking.
        unclear: those of which a model may say that they are the same, since the older says all that the other says.
        counts: of the pairs that are near-duplicates by their vectors.
    """

    judge: Judge
    pairs: Ways
    sure: frozenset[tuple[MemoryPath, MemoryPath]]
    unclear: frozenset[tuple[MemoryPath, MemoryPath]]
    counts: Mapping[str, int]


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Fold what is surely the same, and what a model says is the same where code does not see that it is not.

    The oldest of a group keeps. At most 100 go in a night, those with the oldest keepers first.
    """
    found = _search(corpus, WORTH_ASKING if mind else ALIKE)
    agreed: frozenset[tuple[MemoryPath, MemoryPath]] = frozenset()
    refused: tuple[str, ...] = ()
    if mind is not None:
        agreed, refused = _asked(corpus, found, mind)
    folds = list(_folds(corpus, found, agreed))[:MOST_MERGES]
    counts = {**found.counts, "merged": len(folds), **({"agreed": len(agreed)} if mind else {})}
    return Proposal(changes=tuple(folds), counts=counts, refused=refused)


PHASE = Phase("dedup-merge", propose)


def _search(corpus: Corpus, floor: float) -> _Found:
    judge = Judge(corpus)
    usable = [
        one for one in corpus.memories.values() if one.row.superseded_by is None and one.path not in corpus.refused
    ]
    pairs = {(pair.first, pair.second): pair for pair in (*near(usable, floor, MOST_NEAR), *_copies(usable))}
    counts: dict[str, int] = dict.fromkeys(("alike", "protected", "apart", "unclear"), 0)
    sure: set[tuple[MemoryPath, MemoryPath]] = set()
    unclear: set[tuple[MemoryPath, MemoryPath]] = set()
    for ends, pair in sorted(pairs.items()):
        alike = pair.cosine > ALIKE
        one, other = sorted((corpus.memories[path] for path in ends), key=_age)
        sense = judge.compare(one, other).sense
        counts["alike"] += alike
        if sense is Sense.APART:
            counts["apart"] += alike
        elif _is_protected(one) or _is_protected(other):
            counts["protected"] += alike
        elif sense is Sense.SAME and alike:
            sure.add(ends)
        else:
            counts["unclear"] += alike
            if judge.may_replace(one, other):
                unclear.add(ends)
    return _Found(judge, pairs, frozenset(sure), frozenset(unclear), counts)


def _copies(memories: Iterable[Remembered]) -> Iterator[Pair]:
    """Memories with the very same article, each with the next in path order: they need no vectors to be alike."""
    same: dict[ContentHash, list[MemoryPath]] = {}
    for memory in memories:
        same.setdefault(memory.row.content_hash, []).append(memory.path)
    for paths in same.values():
        paths.sort()
        yield from (
            Pair(one, other, 1.0) for place, one in enumerate(paths) for other in paths[place + 1 :][:MOST_NEAR]
        )


def _folds(corpus: Corpus, found: _Found, agreed: frozenset[tuple[MemoryPath, MemoryPath]]) -> Iterator[Folded]:
    """The oldest first, each takes what it is joined to and what is not taken: so nothing is left for another night."""
    joined: dict[MemoryPath, set[MemoryPath]] = {}
    for one, other in found.sure | agreed:
        joined.setdefault(one, set()).add(other)
        joined.setdefault(other, set()).add(one)
    gone: set[MemoryPath] = set()
    for keeper in sorted((corpus.memories[path] for path in joined), key=_age):
        if keeper.path in gone:
            continue
        entities = keeper.row.entities
        for drop in sorted((corpus.memories[path] for path in _reached(keeper.path, joined, gone)), key=_age):
            cosine_of = _may_take(found, keeper, drop, agreed) if _age(drop) > _age(keeper) else None
            if cosine_of is None or conflicting(entities, drop.row.entities):
                continue
            gone.add(drop.path)
            yield Folded(
                keeper.path, drop.path, _reason(keeper, drop, cosine_of), _gained(corpus, keeper, drop, entities)
            )
            entities = tuple(dict.fromkeys((*entities, *drop.row.entities)))


def _reached(
    start: MemoryPath, joined: Mapping[MemoryPath, set[MemoryPath]], gone: set[MemoryPath]
) -> frozenset[MemoryPath]:
    """What is joined to ``start``, directly or through others, and not gone."""
    reached = {start}
    ahead = [start]
    while ahead:
        new = joined[ahead.pop()] - reached - gone
        reached |= new
        ahead += new
    return frozenset(reached - {start})


def _may_take(
    found: _Found, keeper: Remembered, drop: Remembered, agreed: frozenset[tuple[MemoryPath, MemoryPath]]
) -> float | None:
    """The cosine of two memories when the one may take the other; ``None`` when it may not.

    What a model agreed to joins a group, and then whatever of it the oldest may replace goes; what words show does not.
    """
    ends = (min(keeper.path, drop.path), max(keeper.path, drop.path))
    if ends in found.sure or ends in agreed:
        return found.pairs[ends].cosine
    alike = cosine(keeper, drop)
    if not agreed or alike is None or alike < WORTH_ASKING:
        return None
    return alike if found.judge.may_replace(keeper, drop) else None


def _gained(corpus: Corpus, keeper: Remembered, drop: Remembered, entities: Sequence[Entity]) -> tuple[Edit, ...]:
    """What the one that stays takes over of the other's head."""
    values = [AddValue("memhtml-tag", tag) for tag in drop.row.tags if tag not in keeper.row.tags]
    values += [AddValue("memhtml-alias", alias) for alias in drop.row.aliases if alias not in keeper.row.aliases]
    values += [AddValue("memhtml-entity", str(entity)) for entity in drop.row.entities if entity not in entities]
    has = {(tie.rel, tie.resolved) for tie in corpus.ties if tie.source == keeper.path}
    links = [
        AddLink(Link(tie.rel, tie.resolved))
        for tie in corpus.ties
        if tie.source == drop.path
        and tie.resolved is not None
        and tie.resolved not in {keeper.path, drop.path}
        and tie.rel is not Rel.SUPERSEDES
        and rel_class(tie.rel) is not RelClass.TASK
        and (tie.rel, tie.resolved) not in has
    ]
    return (*values, *links)


def _reason(keeper: Remembered, drop: Remembered, alike: float) -> Reason:
    return Reason(
        f"They say the same, and {keeper.path} is the older one.",
        (
            Evidence(keeper.path, keeper.row.gist),
            Evidence(drop.path, drop.row.gist),
            Evidence("cosine", f"{alike:.5f}"),
        ),
    )


def _asked(
    corpus: Corpus, found: _Found, mind: Mind
) -> tuple[frozenset[tuple[MemoryPath, MemoryPath]], tuple[str, ...]]:
    """The pairs that the model takes for the same and may decide; and what it got wrong."""
    agreed: set[tuple[MemoryPath, MemoryPath]] = set()
    refused: list[str] = []
    for members in _batches(corpus, found):
        offers = [Offer(path, corpus.memories[path].body) for path in members]
        heard = mind.ask(TASK, offers, Groups)
        if heard is not None:
            _take(heard, found, agreed, refused)
    return frozenset(agreed), tuple(dict.fromkeys((*refused, *mind.take_faults())))


def _take(heard: Heard[Groups], found: _Found, agreed: set[tuple[MemoryPath, MemoryPath]], refused: list[str]) -> None:
    for group in first(heard.answer.groups, MOST_MEMBERS):
        keys = dict.fromkeys(first(group.keys, MOST_MEMBERS))
        paths = sorted({MemoryPath(path) for key in keys if (path := heard.source(key)) is not None})
        if len(paths) < len(keys):
            refused.append("a model named texts that it was not shown")
        if not is_sure(group.confidence):
            continue
        for place, one in enumerate(paths):
            for other in paths[place + 1 :]:
                if (one, other) in found.unclear:
                    agreed.add((one, other))
                elif (one, other) not in found.sure:
                    refused.append(f"a model takes {one} and {other} for the same, and they are not")


def _batches(corpus: Corpus, found: _Found) -> Iterator[list[MemoryPath]]:
    """Groups that hang together by unclear pairs, as many as go into one question."""
    batch: list[MemoryPath] = []
    groups = _small(corpus, found)
    for group in groups[:MOST_COMPONENTS]:
        if len(batch) + len(group) > MOST_MEMBERS:
            yield batch
            batch = []
        batch += group
    if batch:
        yield batch


def _small(corpus: Corpus, found: _Found) -> list[tuple[MemoryPath, ...]]:
    """The groups, the nearest pairs joined first, none with more than 8 members; in path order."""
    short = {path for path, one in corpus.memories.items() if len(one.body) <= MOST_SHOWN}
    group_of: dict[MemoryPath, frozenset[MemoryPath]] = {}
    for one, other in sorted(found.unclear, key=lambda ends: (-found.pairs[ends].cosine, ends)):
        if one in short and other in short:
            both = group_of.get(one, frozenset((one,))) | group_of.get(other, frozenset((other,)))
            if len(both) <= LARGEST_COMPONENT:
                group_of.update(dict.fromkeys(both, both))
    return sorted(tuple(sorted(group)) for group in set(group_of.values()))


def _is_protected(memory: Remembered) -> bool:
    return is_protected(memory.row.importance, memory.row.author)


def _age(memory: Remembered) -> tuple[str, MemoryPath]:
    return memory.row.created, memory.path
