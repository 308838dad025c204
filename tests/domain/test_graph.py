"""Ranks and communities: the same for the same edges, in any order."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.graph import TOLERANCE, Edge, bridges, communities, pagerank
from memhtml.domain.memory import MemoryPath

names = st.sampled_from([MemoryPath(f"areas/{letter}.html") for letter in "abcdefghijklmnop"])
edges = st.lists(st.tuples(names, names), max_size=60)


def graph(text: str) -> list[Edge]:
    """``"ab cd"`` is an edge from a to b and one from c to d."""
    return [(MemoryPath(pair[0]), MemoryPath(pair[1])) for pair in text.split()]


def clique(members: str) -> list[Edge]:
    """Everybody with everybody."""
    return graph(" ".join(a + b for a, b in combinations(members, 2)))


def neighbours(given_edges: list[Edge], node: MemoryPath) -> set[MemoryPath]:
    """Everything that an edge joins to ``node``, looked up edge by edge."""
    return {a if b == node else b for a, b in given_edges if node in {a, b} and a != b}


@given(edges, st.randoms(use_true_random=False), st.lists(names))
def test_the_order_of_the_edges_does_not_matter(
    given_edges: list[Edge], chance: Random, nodes: list[MemoryPath]
) -> None:
    """The same partition, and the same ranks to the last bit, for shuffled, doubled and iterated edges."""
    shuffled = [*given_edges, *given_edges[:7]]
    chance.shuffle(shuffled)
    groups = communities(given_edges)
    assert communities(iter(shuffled)) == groups
    assert list(pagerank(shuffled, reversed(nodes)).items()) == list(pagerank(given_edges, nodes).items())
    assert list(bridges(shuffled, groups).items()) == list(bridges(given_edges, groups).items())


@given(edges)
def test_the_direction_of_edges_makes_no_community(given_edges: list[Edge]) -> None:
    """Belonging together is mutual."""
    assert communities([(target, source) for source, target in given_edges]) == communities(given_edges)


@given(edges, st.lists(names))
def test_ranks_are_positive_and_add_up_to_one(given_edges: list[Edge], nodes: list[MemoryPath]) -> None:
    """Whatever dangles, nothing is lost; every node that was named has a rank, and no other."""
    ranks = pagerank(given_edges, nodes)
    assert set(ranks) == {*nodes, *(node for edge in given_edges for node in edge if edge[0] != edge[1])}
    assert list(ranks) == sorted(ranks)
    assert all(rank > 0 for rank in ranks.values())
    assert not ranks or math.isclose(math.fsum(ranks.values()), 1.0, abs_tol=1e-12)


@given(edges.filter(bool))
def test_ranks_are_a_fixed_point(given_edges: list[Edge]) -> None:
    """One more step of the definition, written out another way, moves them by less than the tolerance."""
    ranks = pagerank(given_edges)
    pairs = {(source, target) for source, target in given_edges if source != target}
    size = len(ranks)
    for node, rank in ranks.items():
        received = 0.0
        for other, held in ranks.items():
            targets = [target for source, target in pairs if source == other]
            received += held / size if not targets else held * targets.count(node) / len(targets)
        assert abs(0.15 / size + 0.85 * received - rank) <= TOLERANCE * size


def test_ranks_worked_out() -> None:
    """Solved by hand: c is pointed at by a and b and dangles; a = b = 1/3 : 1.5667, c the rest."""
    ranks = pagerank(graph("ac bc"))
    assert {node: round(rank, 4) for node, rank in ranks.items()} == {"a": 0.2128, "b": 0.2128, "c": 0.5745}
    ring = pagerank(graph("ab bc cd da"))
    assert {node: round(rank, 9) for node, rank in ring.items()} == dict.fromkeys("abcd", 0.25)


def test_a_node_without_edges_has_a_share_of_what_dangles() -> None:
    """Alone it has everything; beside a pair it has the least."""
    assert pagerank([], [MemoryPath("a")]) == {"a": 1.0}
    ranks = pagerank(graph("ab"), [MemoryPath("z")])
    assert ranks[MemoryPath("a")] == ranks[MemoryPath("z")] < ranks[MemoryPath("b")]


def test_the_iterations_end() -> None:
    """A long chain settles: each link has a little more than the one before, and the last has the most."""
    chain = [(MemoryPath(f"{n:03}"), MemoryPath(f"{n + 1:03}")) for n in range(20)]
    ranks = list(pagerank(chain).values())
    assert ranks == sorted(ranks)
    assert ranks[0] < ranks[-1]


def test_communities_worked_out() -> None:
    """Two cliques of four with one edge between them are two communities; the pair is none."""
    found = communities([*clique("abcd"), *clique("wxyz"), *graph("dw pq")])
    assert found == (("a", "b", "c", "d"), ("w", "x", "y", "z"))


def test_an_edge_between_two_triangles_keeps_them_apart() -> None:
    """With one vote each the smallest label would flood over it: d would follow c, and the rest d."""
    assert communities(graph("ab bc ca cd de ef fd")) == (("a", "b", "c"), ("d", "e", "f"))


def test_votes_of_one_label_are_added_up() -> None:
    """Two neighbours under one label have two votes: e stays with a and b, and c and d are too few."""
    assert communities(graph("ae be cd de")) == (("a", "b", "e"),)


def test_a_shared_neighbour_is_one_vote_more() -> None:
    """Three single votes for the star lose to the triangle's twice two; counted as twice three they would tie."""
    assert communities(graph("ab ac ad zb zc zd pq pz qz")) == (("a", "b", "c", "d"), ("p", "q", "z"))


def test_two_are_no_community_and_three_are() -> None:
    """Under three members it is dissolved."""
    assert communities(graph("ab")) == ()
    assert communities(graph("ab bc")) == (("a", "b", "c"),)


def test_a_tie_goes_to_the_smallest_label() -> None:
    """In a star every leaf is a tie at first; all end under one label, in path order."""
    assert communities(graph("mz mb mk")) == (("b", "k", "m", "z"),)


def test_votes_count_more_than_order() -> None:
    """One is tied once to the early clique and twice to the late one, and goes with the late one."""
    found = communities([*clique("abcd"), *clique("wxyz"), *graph("ma mw mx")])
    assert found == (("a", "b", "c", "d"), ("m", "w", "x", "y", "z"))


@given(edges)
def test_every_member_is_where_most_of_its_neighbours_are(given_edges: list[Edge]) -> None:
    """At the end nobody would move: no other community has more of a member's votes than its own."""
    groups = communities(given_edges)
    home = {node: number for number, group in enumerate(groups) for node in group}
    assert all(len(group) >= 3 and list(group) == sorted(group) for group in groups)
    assert len(home) == sum(map(len, groups))
    assert list(groups) == sorted(groups)
    for node, number in home.items():
        votes = [0] * len(groups)
        for other in neighbours(given_edges, node) & set(home):
            votes[home[other]] += 1 + len(neighbours(given_edges, node) & neighbours(given_edges, other))
        assert votes[number] == max(votes)


def test_bridges_worked_out() -> None:
    """D and w join the two cliques; p joins both from outside and twice to one of them; q joins nothing."""
    joined = [*clique("abcd"), *clique("wxyz"), *graph("dw pa py pz pq")]
    groups = (tuple(map(MemoryPath, "abcd")), tuple(map(MemoryPath, "wxyz")))
    assert bridges(joined, groups) == {
        "a": 0,
        "b": 0,
        "c": 0,
        "d": 1,
        "p": 3,
        "q": 0,
        "w": 1,
        "x": 0,
        "y": 0,
        "z": 0,
    }


@given(edges)
def test_bridges_are_what_is_left_of_the_neighbours(given_edges: list[Edge]) -> None:
    """Neighbours less those of the own community less those of none, counted from the edges."""
    groups = communities(given_edges)
    home = {node: group for group in groups for node in group}
    counted = bridges(given_edges, groups)
    assert list(counted) == sorted(counted)
    for node, number in counted.items():
        near = neighbours(given_edges, node)
        own = near & set(home.get(node, ()))
        assert number == len(near) - len(own) - len(near - set(home))


def test_nothing_comes_of_nothing() -> None:
    """No edges, and an edge to itself, which is none."""
    for nothing in ([], graph("aa")):
        assert pagerank(nothing) == {}
        assert communities(nothing) == ()
        assert bridges(nothing, ()) == {}
