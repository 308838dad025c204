"""What the links say: who is pointed at, who belongs together, who stands between.

An edge is (source, target). A pair that is given twice counts once, an edge to itself not at all, and the order of the
edges never matters: nodes are visited in path order, ties are broken by it, and sums are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias

from memhtml.domain.memory import MemoryPath

Edge: TypeAlias = tuple[MemoryPath, MemoryPath]
Community: TypeAlias = tuple[MemoryPath, ...]
"""Members in path order."""

DAMPING: Final = 0.85
MOST_ITERATIONS: Final = 100
TOLERANCE: Final = 1e-6
"""Movement of all ranks together, for each node, below which they are done."""

SMALLEST_COMMUNITY: Final = 3


def pagerank(edges: Iterable[Edge], nodes: Iterable[MemoryPath] = ()) -> dict[MemoryPath, float]:
    """The rank of every node of ``edges`` and ``nodes``, in path order; together they are 1. No nodes, no ranks.

    What a node without outgoing edges holds is shared among all. Source: Page et al., 1999.

    >>> ranks = pagerank([(MemoryPath("a"), MemoryPath("c")), (MemoryPath("b"), MemoryPath("c"))])
    >>> {node: round(rank, 4) for node, rank in ranks.items()}
    {'a': 0.2128, 'b': 0.2128, 'c': 0.5745}
    """
    pairs = _distinct(edges)
    order = sorted({*nodes, *(node for pair in pairs for node in pair)})
    if not order:
        return {}
    count = len(order)
    outgoing = Counter(source for source, _ in pairs)
    incoming: dict[MemoryPath, list[MemoryPath]] = {node: [] for node in order}
    for source, target in pairs:
        incoming[target].append(source)
    ranks = dict.fromkeys(order, 1 / count)
    for _ in range(MOST_ITERATIONS):
        dangling = math.fsum(rank for node, rank in ranks.items() if node not in outgoing)
        shared = (1 - DAMPING + DAMPING * dangling) / count
        shares = {node: ranks[node] / links for node, links in outgoing.items()}
        moved = {node: shared + DAMPING * math.fsum(shares[source] for source in incoming[node]) for node in order}
        movement = math.fsum(abs(moved[node] - ranks[node]) for node in order)
        ranks = moved
        if movement < TOLERANCE * count:
            break
    return ranks


def communities(edges: Iterable[Edge]) -> tuple[Community, ...]:
    """The nodes that belong together, by label propagation; first members in path order. No edges, no communities.

    Each node in path order takes the label with the most votes of its neighbours, the smallest of equal ones, until a
    round changes nothing. A neighbour has one vote and one more for each neighbour that the two share: with one vote
    each, all labels tie in the first round, and the smallest floods over every edge that merely joins two groups. It
    ends: each change puts more votes under one label, or as many under a smaller one. Fewer than three are no
    community and are left out. Source: Raghavan et al., 2007.

    >>> a, b, c, d, e = map(MemoryPath, "abcde")
    >>> communities([(a, b), (b, c), (c, a), (d, e)])
    (('a', 'b', 'c'),)
    """
    near = _neighbours(edges)
    order = sorted(near)
    labels = {node: node for node in order}
    changed = True
    while changed:
        changed = False
        for node in order:
            label = _elected(node, near, labels)
            if label != labels[node]:
                labels[node] = label
                changed = True
    members: dict[MemoryPath, list[MemoryPath]] = {}
    for node in order:
        members.setdefault(labels[node], []).append(node)
    return tuple(sorted(tuple(group) for group in members.values() if len(group) >= SMALLEST_COMMUNITY))


def bridges(edges: Iterable[Edge], groups: Iterable[Community]) -> dict[MemoryPath, int]:
    """For every node of ``edges``, in path order, how many of its neighbours are in a community that is not its own.

    A neighbour outside every community counts for nothing; a node outside all of them may still join several.

    >>> a, b, c, d, e = map(MemoryPath, "abcde")
    >>> bridges([(a, d), (d, b), (e, d)], [(a, b, c)])
    {'a': 0, 'b': 0, 'd': 2, 'e': 0}
    """
    home = {node: number for number, group in enumerate(groups) for node in group}
    return {
        node: sum(other in home and home[other] != home.get(node) for other in others)
        for node, others in sorted(_neighbours(edges).items())
    }


def _elected(
    node: MemoryPath, near: dict[MemoryPath, set[MemoryPath]], labels: dict[MemoryPath, MemoryPath]
) -> MemoryPath:
    votes: Counter[MemoryPath] = Counter()
    for other in near[node]:
        votes[labels[other]] += 1 + len(near[node] & near[other])
    most = max(votes.values())
    return min(label for label, count in votes.items() if count == most)


def _distinct(edges: Iterable[Edge]) -> set[Edge]:
    return {(source, target) for source, target in edges if source != target}


def _neighbours(edges: Iterable[Edge]) -> dict[MemoryPath, set[MemoryPath]]:
    near: dict[MemoryPath, set[MemoryPath]] = {}
    for source, target in _distinct(edges):
        near.setdefault(source, set()).add(target)
        near.setdefault(target, set()).add(source)
    return near
