"""Near-twins among candidates, told apart by what differs between them.

Candidates that say nearly the same are compared with each other, not only with the question: the better of two takes
the better of their places. A candidate without a twin keeps its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from memhtml.domain.agreement import Agreement, Weights, compare, same_stand, stand
from memhtml.domain.polarity import NEGATIONS
from memhtml.domain.statements import Statement
from memhtml.domain.stems import stem
from memhtml.domain.stopwords import STOP_WORDS

T = TypeVar("T", bound=Hashable)

TWIN = 0.3
"""Share of words that two statements have in common (Jaccard) from which they are compared with each other."""

WITHIN = 0.2
"""Difference of relevance up to which twins may change places: agreement decides between rivals, and lifts nothing that
is far behind."""

LIFT = 0.3
"""What winning against every twin adds to a relevance; losing takes as much away."""

_SOFTENING = 0.1  # added to the distance of twins: what differs counts more the less differs, but not without end
_DENIED = 0.5  # what that distance is at least where the denial is all: likeness then tells of the denial's own words
_OUTRIGHT = 1 / 3  # of the weight of a denial: what a candidate loses of its relevance at most
_CLOSEST = 4  # power of their likeness by which contests count: the nearest twin decides, not the crowd
_RECALL = 0.8  # how much of a sentence's fit is how many of the question's words it has; the rest is how few others
_UNKNOWN = 0.2  # weight of a word of the question that the index was not asked about: a function word
_FUNCTION_STEMS = frozenset(map(stem, STOP_WORDS))
_GRAMMAR = _FUNCTION_STEMS | frozenset(map(stem, NEGATIONS))
_DO = frozenset(map(stem, ("do", "does", "did")))


class Candidate(Struct, frozen=True):
    """One memory that may be the answer.

    Attributes:
        relevance: higher is better, comparable within one question.
        cosine: to the question; 0.0 when vectors take no part.
        lexical: bm25 as a share of the best candidate's.
        moment: when it happened or was written, compared as text; later is newer.
        statements: its sentences; at least one.
    """

    relevance: float
    cosine: float
    lexical: float
    moment: str
    statements: tuple[Statement, ...]


class Question(Struct, frozen=True):
    """What is asked, and how much each of its words tells.

    Attributes:
        statement: the question, read as one.
        rarity: weight of each of its stems; function words may be left out.
        weights: how signs count for this kind of question.
    """

    statement: Statement
    rarity: Mapping[str, float]
    weights: Weights


class Dealt(Struct, frozen=True):
    """Candidates in their new order, and which of them stand together.

    Attributes:
        order: places of the candidates as they were given, best first.
        twins: groups of places that hold near-twins, each best first: what comes after must keep their order.
    """

    order: tuple[int, ...]
    twins: tuple[tuple[int, ...], ...]


def deal(question: Question, candidates: Sequence[Candidate]) -> Dealt:
    """Candidates by relevance and agreement; twins among their places by what differs between them.

    Twins that differ in one value, where the question names neither value, are two states of one thing: the newer
    comes first. Equal ones keep the order in which they were given.
    """
    sides = _Sides(question)
    best = [sides.best(candidate.statements) for candidate in candidates]
    # A denial of the very thing that is claimed is no answer to it, even where no twin stands beside it.
    merit = [candidate.relevance + sides.denial(said) for candidate, said in zip(candidates, best, strict=True)]
    order = sorted(range(len(candidates)), key=lambda place: -merit[place])
    pairs = _Pairs(sides, candidates, best)
    order, twins = _redealt(order, pairs.links, lambda place: -(merit[place] + pairs.gain(place)))
    newest = sorted({candidate.moment for candidate in candidates}, reverse=True)
    age = {moment: rank for rank, moment in enumerate(newest)}
    order, states = _redealt(order, pairs.states, lambda place: age[candidates[place].moment])
    settled = [list(pair) for pair in pairs.settled]
    return Dealt(tuple(order), tuple(map(tuple, _merged(order, twins, states, settled))))


class _Sides:
    """Statements against one question, each compared with it once. They are told apart as objects, so keep them."""

    def __init__(self, question: Question) -> None:
        self._asked = question.statement
        self._rarity = {word: question.rarity.get(word, _UNKNOWN) for word in self._asked.held}
        self._whole = math.fsum(self._rarity.values()) or 1.0
        self._seen: dict[int, tuple[Agreement, float]] = {}
        self._fits: dict[int, float] = {}
        self.weights = question.weights
        self.topical = self._asked.held - _FUNCTION_STEMS

    def share(self, said: Statement) -> float:
        """The share of the question's words that a sentence has, by their weights, 0 to 1."""
        # Exact, since the order of a set changes from run to run.
        return math.fsum(map(self._rarity.__getitem__, self._asked.held & said.held)) / self._whole

    def fit(self, said: Statement) -> float:
        """How well a sentence covers the question, 0 to 1; among equal ones the one with fewer other words."""
        fit = self._fits.get(id(said))
        if fit is None:
            shared = len(self._asked.held & said.held) / max(1, len(said.held))
            fit = self._fits[id(said)] = self.share(said) * (_RECALL + (1 - _RECALL) * shared)
        return fit

    def best(self, said: Sequence[Statement]) -> Statement:
        """The sentence that covers the question best; of equal ones the first."""
        return said[0] if len(said) == 1 else max(said, key=self.fit)

    def agreement(self, said: Statement) -> tuple[Agreement, float]:
        """How a sentence answers, and what of it is the same however alike its twin is."""
        found = self._seen.get(id(said))
        if found is None:
            agreement = compare(self._asked, said)
            found = self._seen[id(said)] = (agreement, stand(agreement, self.weights))
        return found

    def denial(self, said: Statement) -> float:
        """What a candidate loses by denying outright: more the more it is about the question and nothing else."""
        found = self.agreement(said)[0].denial
        if not found:
            return 0.0
        only = len(self._asked.held & said.held) / max(1, len(said.held))
        return _OUTRIGHT * self.weights.denial * found * self.share(said) * only


class _Pairs:
    """Every pair of candidates that are near-twins, each looked at once."""

    def __init__(self, sides: _Sides, candidates: Sequence[Candidate], best: Sequence[Statement]) -> None:
        self._sides = sides
        self._candidates = candidates
        self._best = best
        self._known = [frozenset(said.held for said in candidate.statements) for candidate in candidates]
        self._won = [0.0] * len(candidates)
        self._weighed = [0.0] * len(candidates)
        self.links: list[tuple[int, int]] = []
        self.states: list[tuple[int, int]] = []
        self.settled: list[tuple[int, int]] = []
        for second, said in enumerate(best):
            for first in range(second):
                like = likeness(best[first], said)
                if like < TWIN:
                    continue
                apart = abs(candidates[first].relevance - candidates[second].relevance)
                # What plainly denies the other is about the same thing however far its words leave it behind.
                if apart <= WITHIN or (sides.weights.denied and is_denied(best[first], said)):
                    self._compare(first, second, like)
                else:
                    self.settled.append((first, second))

    def gain(self, place: int) -> float:
        """What a candidate wins against its twins, at most `LIFT`; 0.0 without twins."""
        weighed = self._weighed[place]
        return LIFT * self._won[place] / weighed if weighed else 0.0

    def _compare(self, first: int, second: int, like: float) -> None:
        one, other = self._candidates[first], self._candidates[second]
        said, also, alike = self._differing(first, second, like)
        mine, my_stand = self._sides.agreement(said)
        theirs, their_stand = self._sides.agreement(also)
        if one.moment != other.moment and self._are_states(first, second) and same_stand(mine, theirs):
            self.states.append((first, second))
            return
        weights = self._sides.weights
        small = (
            weights.cosine * (one.cosine - other.cosine)
            + weights.lexical * (one.lexical - other.lexical)
            + weights.order * (mine.order - theirs.order)
            + weights.length * (mine.length - theirs.length)
        )
        large = my_stand - their_stand
        distance = 1 - alike + _SOFTENING
        if weights.denied and is_denied(said, also):
            large += _plainly(mine, weights) - _plainly(theirs, weights)
            distance = max(distance, _DENIED)
        won = math.tanh((small / distance + large) / 2)
        near = max(alike, like) ** _CLOSEST
        self._won[first] += near * won
        self._won[second] -= near * won
        self._weighed[first] += near
        self._weighed[second] += near
        self.links.append((first, second))

    def _differing(self, first: int, second: int, like: float) -> tuple[Statement, Statement, float]:
        """The sentence of each that the other has not, and that is most about the question; and how alike they are."""
        own, others = self._candidates[first].statements, self._candidates[second].statements
        if len(own) > 1 or len(others) > 1:
            mine = [said for said in own if said.held not in self._known[second]]
            theirs = [said for said in others if said.held not in self._known[first]]
            if mine and theirs:
                said, also = self._sides.best(mine), self._sides.best(theirs)
                return said, also, likeness(said, also)
        return self._best[first], self._best[second], like

    def _are_states(self, first: int, second: int) -> bool:
        own, others = self._candidates[first].statements, self._candidates[second].statements
        return len(own) == len(others) == 1 and one_value_apart(own[0], others[0], self._sides.topical)


def likeness(first: Statement, second: Statement) -> float:
    """The share of words that two statements have in common (Jaccard), 0 to 1; symmetric."""
    common = len(first.held & second.held)
    return common / max(1, len(first.held) + len(second.held) - common)


def _plainly(agreement: Agreement, weights: Weights) -> float:
    """What a plain denial counts besides where it is all that differs: whatever else both twins deny."""
    return weights.denied * agreement.negation + weights.denial * (agreement.plain - agreement.denial)


def is_denied(first: Statement, second: Statement) -> bool:
    """Whether one of two statements is the other one plainly denied.

    They differ in function words alone, or also in the form of one verb where one of them has ``do`` (chose, did not
    choose), and have more other words in common than that. Symmetric.
    """
    if (first.negations > 0) == (second.negations > 0):
        return False
    one, other = first.held - second.held, second.held - first.held
    forms = 0 if _DO.isdisjoint(one | other) else 1
    unlike = len(one - _GRAMMAR)
    return unlike == len(other - _GRAMMAR) <= forms and unlike < len((first.held & second.held) - _GRAMMAR)


def one_value_apart(first: Statement, second: Statement, named: frozenset[str]) -> bool:
    """Whether two statements are the same but for one stretch of words in which neither has one of ``named``.

    What they share must be at least half of the shorter one. Symmetric; a statement is not apart from itself.
    """
    one, other = first.stems, second.stems
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    values = one[start : len(one) - end], other[start : len(other) - end]
    return start + end >= shorter / 2 and all(value and named.isdisjoint(value) for value in values)


def _redealt(
    order: Sequence[int], links: Iterable[tuple[int, int]], key: Callable[[int], float]
) -> tuple[list[int], list[list[int]]]:
    """``order`` with each group of linked members sorted by ``key`` over the places that it holds; and the groups."""
    groups = _groups(order, links)
    for group in groups:
        group.sort(key=key)
    return keep(order, groups), groups


def _groups(order: Sequence[int], links: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Members that are joined by links, directly or through others, in ``order``; lone members are left out."""
    leader = {member: member for member in order}

    def lead(member: int) -> int:
        while leader[member] != member:
            member = leader[member]
        return member

    for first, second in links:
        leader[lead(first)] = lead(second)
    groups: dict[int, list[int]] = {}
    for member in order:
        groups.setdefault(lead(member), []).append(member)
    return [group for group in groups.values() if len(group) > 1]


def _merged(order: Sequence[int], *partitions: list[list[int]]) -> list[list[int]]:
    """Groups that share a member are one, in ``order``."""
    links = [(group[0], member) for groups in partitions for group in groups for member in group[1:]]
    return _groups(order, links)


def keep(order: Sequence[T], groups: Iterable[Sequence[T]]) -> list[T]:
    """``order`` with the members of each group in the group's order, over the places that they hold.

    >>> keep(["b", "x", "a", "y"], [["a", "b"]])
    ['a', 'x', 'b', 'y']
    """
    kept = list(order)
    at = {member: place for place, member in enumerate(order)}
    for group in groups:
        places = sorted(at[member] for member in group)
        for place, member in zip(places, group, strict=True):
            kept[place] = member
    return kept
