"""From what the arms found to one order: joined, agreed, folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from memhtml.domain.contrast import Candidate, deal, keep
from memhtml.domain.fusion import Joined, K, Ranking, fuse, join, ranked
from memhtml.domain.instants import hours_between
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import original_path
from memhtml.domain.salience import salience
from memhtml.domain.statements import Statement
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.memories import MemoryRow
from memhtml.index.state import Access
from memhtml.retrieve.answer import Arm, Share
from memhtml.retrieve.asking import Asked
from memhtml.retrieve.finding import Found

HEAD = 20
"""Candidates that are read and compared with each other: most of what a search costs beside its arms."""

RELEVANCE_WEIGHT = 2.0
"""Of the joined lexical and vector arms, whose weights are 1.0 each."""

NAMED = 0.3
"""What being named by the whole query adds to a relevance; a part of the query adds half."""

_PEOPLE = "resources/people/"
_DECIMALS = 5  # cosines differ by 1e-7 between processors; so rounded, an order is the same on all of them


class Judge(Struct, frozen=True):
    """An arm that finds nothing, and ranks what was found. It leaves out what it has no opinion of."""

    weight: float
    judge: Callable[[Judged], Mapping[MemoryPath, float | str]]


class Judged(Struct, frozen=True):
    """What the judges are given."""

    rows: Mapping[MemoryPath, MemoryRow]
    opened: Mapping[MemoryPath, Access]
    now: Instant


class Compared(Struct, frozen=True):
    """A memory as agreement sees it: when it was, and what it says."""

    moment: Instant
    statements: tuple[Statement, ...]


class Agreed(Struct, frozen=True):
    """All candidates after agreement, the groups of twins in their order, and the places of the compared before."""

    order: tuple[MemoryPath, ...]
    twins: tuple[tuple[MemoryPath, ...], ...] = ()
    before: Mapping[MemoryPath, int] = {}


class Order(Struct, frozen=True):
    """Candidates in their order, best first; and for explaining, what each arm made of them.

    Attributes:
        scores: of the places, falling.
        before: places by relevance alone, from 1, of those that agreement compared.
        agreed: places after agreement, which go into the fold.
        rankings: of the judges.
        values: what they ranked by.
    """

    paths: tuple[MemoryPath, ...]
    scores: tuple[float, ...]
    before: Mapping[MemoryPath, int]
    agreed: Mapping[MemoryPath, int]
    rankings: Mapping[Arm, Ranking]
    values: Mapping[Arm, Mapping[MemoryPath, float | str]]


def joined(asked: Asked, found: Mapping[Arm, Found]) -> dict[MemoryPath, float]:
    """The relevance of every candidate, best first; equal ones as their arms gave them, newer first."""
    relevance = {path: part.value for path, part in _parts(asked, found).items()}
    for path, named in found.get(Arm.EXACT, Found()).values.items():
        relevance[path] = relevance.get(path, 0.0) + NAMED * named
    verbatim = found.get(Arm.VERBATIM, Found()).values
    best = max(relevance.values(), default=0.0)
    for path in verbatim:
        # No less than any other, so that what says otherwise about the same thing is all that may stand before it.
        relevance[path] = max(relevance.get(path, 0.0), best)
    ordered = sorted(
        relevance,
        key=lambda path: (verbatim.get(path) != 1.0, -round(relevance[path], _DECIMALS), path not in verbatim),
    )
    return {path: relevance[path] for path in ordered}


def agreed(
    asked: Asked,
    relevance: Mapping[MemoryPath, float],
    found: Mapping[Arm, Found],
    compared: Mapping[MemoryPath, Compared],
) -> Agreed:
    """The candidates of ``relevance``, which is in order, after agreement. Only those ``compared`` can move."""
    head = [path for path in relevance if path in compared]
    lexical = found.get(Arm.LEXICAL, Found()).values
    cosines = found.get(Arm.VECTOR, Found()).values
    best = max(lexical.values(), default=1.0)
    farthest = min(cosines.values(), default=0.0)
    dealt = deal(
        asked.question,
        [
            Candidate(
                relevance=relevance[path],
                cosine=cosines.get(path, farthest),
                lexical=lexical.get(path, 0.0) / best,
                moment=compared[path].moment,
                statements=compared[path].statements,
            )
            for path in head
        ],
    )
    return Agreed(
        order=(*(head[place] for place in dealt.order), *(path for path in relevance if path not in compared)),
        twins=tuple(tuple(head[place] for place in group) for group in dealt.twins),
        before={path: place for place, path in enumerate(head, 1)},
    )


def folded(agreement: Agreed, judged: Judged, arms: frozenset[Arm], whole: Sequence[MemoryPath] = ()) -> Order:
    """The candidates with the judges' opinions, by reciprocal rank; twins stay as agreement put them.

    Those of ``whole``, whose very words the query has, come before all others, in the order of ``whole``.
    """
    places = {path: place for place, path in enumerate(agreement.order, 1)}
    values = {arm: judge.judge(judged) for arm, judge in JUDGES.items() if arm in arms}
    rankings = {arm: Ranking(JUDGES[arm].weight, ranked(given)) for arm, given in values.items()}
    scored = fuse([Ranking(RELEVANCE_WEIGHT, places), *rankings.values()])
    order = [*whole, *(path for path in keep([one.path for one in scored], agreement.twins) if path not in whole)]
    return Order(
        # The fold knows nothing of what twins say, so it may move them together, never past each other.
        paths=tuple(successors_first(order, judged.rows)),
        scores=tuple(one.score for one in scored),
        before=agreement.before,
        agreed=places,
        rankings=rankings,
        values=values,
    )


def successors_first(order: Sequence[MemoryPath], rows: Mapping[MemoryPath, MemoryRow]) -> list[MemoryPath]:
    """``order`` with what took a memory's place right before it, where both were found.

    The archive and the dates of a correction say nothing of which of the two holds now; the stamp does. A stamp names
    the place where the successor was written, so one that was archived since is known by its original path. Circles,
    which only a hand can make, are left as they are.
    """
    found = {original_path(path): path for path in order}
    placed: dict[MemoryPath, None] = {}
    for path in order:
        chain: list[MemoryPath] = []
        after: MemoryPath | None = path
        while after is not None and after not in placed and after not in chain:
            chain.append(after)
            successor = rows[after].superseded_by
            after = None if successor is None else found.get(original_path(successor))
        placed.update(dict.fromkeys(reversed(chain)))
    return list(placed)


def shares(path: MemoryPath, order: Order, found: Mapping[Arm, Found], asked: Asked) -> tuple[Share, ...]:
    """What each arm made of ``path``, those that found it first.

    What the joined relevance is worth in the fold is divided among words and vectors as they brought it about.
    """
    parts = _parts(asked, found).get(path)
    place = order.agreed.get(path, 0)
    worth = RELEVANCE_WEIGHT / (K + place) if place else 0.0
    by_vectors = 0.0 if parts is None else max(0.0, parts.vector) / (parts.lexical + max(0.0, parts.vector) or 1.0)
    contributions = {Arm.LEXICAL: worth * (1 - by_vectors), Arm.VECTOR: worth * by_vectors}
    made = [
        Share(arm, ranked(judged.values)[path], round(judged.values[path], _DECIMALS), contributions.get(arm, 0.0))
        for arm, judged in found.items()
        if path in judged.values
    ]
    if path in order.before:
        made.append(Share(Arm.AGREEMENT, place, float(order.before[path]), 0.0))
    for arm, ranking in order.rankings.items():
        rank = ranking.ranks.get(path)
        if rank is not None:
            made.append(Share(arm, rank, order.values[arm][path], ranking.weight / (K + rank)))
    return tuple(Share(one.arm, one.rank, one.value, round(one.contribution, 6)) for one in made)


def _parts(asked: Asked, found: Mapping[Arm, Found]) -> dict[MemoryPath, Joined]:
    return join(found.get(Arm.LEXICAL, Found()).values, found.get(Arm.VECTOR, Found()).values, asked.perfect)


def _recency(judged: Judged) -> dict[MemoryPath, float | str]:
    return {path: row.moment for path, row in judged.rows.items()}


def _salience(judged: Judged) -> dict[MemoryPath, float | str]:
    found: dict[MemoryPath, float | str] = {}
    for path, row in judged.rows.items():
        if row.type is MemoryType.TASK or path.startswith(_PEOPLE):
            continue
        access = judged.opened.get(path)
        if access is None:
            # Ranked last rather than left out, or one open would be worth more than any difference of relevance.
            found[path] = 0.0
            continue
        hours = None if access.last_opened is None else hours_between(access.last_opened, judged.now)
        found[path] = round(salience(hours, access.opens, access.outcome), _DECIMALS)
    return found if judged.opened else {}


JUDGES: Mapping[Arm, Judge] = {
    Arm.RECENCY: Judge(0.05, _recency),
    Arm.SALIENCE: Judge(0.05, _salience),
}
"""Weights are small on purpose: with 0.5 for recency, only 0.36 of the facts that were never restated come first,
with 0.05 all that do without it. They decide between what is equally relevant, and nothing else."""
