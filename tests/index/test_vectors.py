"""Finding memories by their vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import EmbedModelMismatchError
from memhtml.domain.memory import Entity
from memhtml.domain.scope import Scope
from memhtml.index.index import Index
from memhtml.index.scoping import condition
from memhtml.index.vectors import _OF_PATHS, _OWNERS

Remember = Callable[..., str]
SPACE = "hands@4"


def embed(index: Index, vectors: dict[str, tuple[float, ...]]) -> None:
    """Give every pending text whose text begins with a key that vector, made one long."""
    rows = []
    for text in index.pending(SPACE, -1):
        name = next(key for key in vectors if key in text.text)
        vector = np.asarray(vectors[name], dtype="<f4")
        rows.append((text.text_hash, (vector / np.linalg.norm(vector)).tobytes()))
    index.store_vectors(SPACE, rows)


def near(
    index: Index, vector: tuple[float, ...], scope: Scope | None = None, limit: int = 10
) -> list[tuple[str, float]]:
    """The paths nearest to ``vector``, with their cosines."""
    query = np.asarray(vector, dtype=np.float32)
    with index.reading() as view:
        hits = view.nearest(query / np.float32(np.linalg.norm(query)), scope or Scope(), limit)
    return [(hit.path, hit.cosine) for hit in hits]


def test_the_nearest_come_first(index: Index, remember: Remember) -> None:
    """By cosine, rounded to five decimals."""
    remember("areas/a.html", "north")
    remember("areas/b.html", "east")
    remember("areas/c.html", "both")
    embed(index, {"north": (1, 0, 0, 0), "east": (0, 1, 0, 0), "both": (1, 1, 0, 0)})
    assert near(index, (1, 0.1, 0, 0)) == [
        ("areas/a.html", 0.99504),
        ("areas/c.html", 0.77396),
        ("areas/b.html", 0.0995),
    ]


def test_a_memory_is_as_near_as_its_best_chunk(index: Index, remember: Remember) -> None:
    """Being long is not being near: ten chunks that are half right lose to one that is right."""
    long = " ".join(f"east {'word ' * 240}{number}." for number in range(10))
    remember("areas/long.html", f"north first. {long}", title="north")
    remember("areas/short.html", "near north")
    embed(index, {"near north": (1, 0.1, 0, 0), "north first": (1, 0.5, 0, 0), "east": (0.5, 1, 0, 0)})
    assert [path for path, _ in near(index, (1, 0, 0, 0))] == ["areas/short.html", "areas/long.html"]
    with index.reading() as view:
        hits = view.nearest(np.asarray((1, 0, 0, 0), dtype=np.float32), Scope(), 2)
        pieces = view.chunks(["areas/long.html"])["areas/long.html"]
    assert hits[1].chunk == 0
    assert pieces[0].startswith("north first.")


def test_equal_cosines_go_to_the_newer_then_by_path(index: Index, remember: Remember) -> None:
    """Also when they are the same vector of the same text."""
    remember("areas/b.html", "north", content="1", updated="2026-01-02T00:00:00Z")
    remember("areas/a.html", "north", content="2", updated="2026-01-02T00:00:00Z")
    remember("areas/c.html", "north", content="3", event_at="2026-01-03")
    remember("areas/d.html", "south", updated="2026-01-09T00:00:00Z")
    embed(index, {"north": (1, 0, 0, 0), "south": (1, 0.000001, 0, 0)})
    order = ["areas/d.html", "areas/c.html", "areas/a.html", "areas/b.html"]
    assert [path for path, _ in near(index, (1, 0, 0, 0))] == order
    assert [path for path, _ in near(index, (1, 0, 0, 0), limit=1)] == order[:1]


@pytest.mark.parametrize(
    "scope",
    [
        Scope(workspace="mine"),
        Scope(tags=("rare",)),
        Scope(entity=Entity("bird", "heron")),
        Scope(facet=("colour", "grey")),
    ],
)
def test_a_scope_holds_before_the_limit(index: Index, remember: Remember, scope: Scope) -> None:
    """Hundreds of nearer memories outside do not hide the one inside."""
    for number in range(400):
        remember(f"projects/other/{number}.html", f"near {number}", tags=("common",))
    remember("projects/mine/a.html", "far", tags=("rare",), entities=("bird:heron",), facets=(("colour", "grey"),))
    embed(index, {"near": (1, 0, 0, 0), "far": (0, 1, 0, 0)})
    assert near(index, (1, 0, 0, 0), scope, limit=1) == [("projects/mine/a.html", 0.0)]
    assert len(near(index, (1, 0, 0, 0), limit=3)) == 3


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    memories=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.booleans()), min_size=1, max_size=60),
    limit=st.integers(1, 12),
    narrow=st.booleans(),
)
def test_nothing_nearer_is_missed(
    remembering: Callable[[Index], Remember], memories: list[tuple[int, int, bool]], limit: int, *, narrow: bool
) -> None:
    """The answer is the beginning of what sorting all cosines in scope gives."""
    cosines: dict[str, float] = {}
    vectors: dict[str, tuple[float, ...]] = {}
    with Index.in_memory() as index:
        remember = remembering(index)
        for number, (x, y, mine) in enumerate(memories):
            path = remember(f"projects/{'mine' if mine else 'other'}/{number}.html", f"at {x} {y} {number}.")
            vectors[f"at {x} {y} {number}."] = (x, y, 1, 0)
            if mine or not narrow:
                cosines[path] = x / float(np.sqrt(x * x + y * y + 1))
        embed(index, vectors)
        got = near(index, (1, 0, 0, 0), Scope(workspace="mine") if narrow else None, limit)
    expected = sorted(cosines, key=lambda path: (-round(cosines[path], 4), path))[:limit]
    assert [path for path, _ in got] == expected
    assert [cosine for _, cosine in got] == pytest.approx([cosines[path] for path in expected], abs=1e-5)


def test_without_vectors_there_is_nothing(index: Index, remember: Remember) -> None:
    """No space, no hit, no error; an empty index lacks nothing."""
    with index.reading() as view:
        assert view.coverage() == 1.0
        assert view.space is None
        view.require_space("any@7")
    remember("areas/a.html", "north")
    assert near(index, (1, 0, 0, 0)) == []
    with index.reading() as view:
        assert view.coverage() == 0.0
        assert view.vectors(["areas/a.html"]) == {}


def test_coverage_counts_chunks_as_they_come_and_go(index: Index, remember: Remember) -> None:
    """A text that two memories hold covers both; one that changes is uncovered again."""
    remember("areas/a.html", "north", content="1")
    remember("areas/b.html", "north", content="2")
    remember("areas/c.html", "east")
    remember("areas/d.html", "west")
    embed(index, {"north": (1, 0, 0, 0), "east": (0, 1, 0, 0), "west": (0, 0, 1, 0)})
    with index.reading() as view:
        assert view.coverage() == 1.0
    remember("areas/c.html", "south")
    with index.reading() as view:
        assert view.coverage() == 0.75
    assert index.missing_vectors() == 1
    remember("areas/c.html", "east")
    assert index.missing_vectors() == 0
    assert index.pending(SPACE, -1) == []


def test_a_text_is_pending_once_and_the_newest_come_first(index: Index, remember: Remember) -> None:
    """Whatever holds it; a limit cuts the older ones."""
    remember("areas/a.html", "old", updated="2026-01-01T00:00:00Z")
    remember("areas/b.html", "new", updated="2026-01-03T00:00:00Z", content="1")
    remember("areas/c.html", "new", updated="2026-01-02T00:00:00Z", content="2")
    assert [text.text for text in index.pending(SPACE, -1)] == ["A title\nnew", "A title\nold"]
    assert [text.text for text in index.pending(SPACE, 1)] == ["A title\nnew"]


def test_another_space_is_refused_with_the_command_that_changes_it(index: Index, remember: Remember) -> None:
    """Reading, filling and storing alike; vectors of two spaces never meet."""
    remember("areas/a.html", "north")
    embed(index, {"north": (1, 0, 0, 0)})
    for attempt in (
        lambda: index.pending("other@4", -1),
        lambda: index.store_vectors("other@4", []),
    ):
        with pytest.raises(EmbedModelMismatchError, match="hands@4") as refusal:
            attempt()
        assert "memhtml index embed --replace" in refusal.value.suggestions
    with index.reading() as view, pytest.raises(EmbedModelMismatchError):
        view.require_space("other@4")
    index.replace_space("other@2")
    with index.reading() as view:
        assert (view.space, view.coverage()) == ("other@2", 0.0)
    assert near(index, (1, 0, 0, 0)) == []
    index.replace_space("other@2")
    assert len(index.pending("other@2", -1)) == 1


def test_a_vector_of_another_dimension_is_refused(index: Index, remember: Remember) -> None:
    """As a record and as a query."""
    remember("areas/a.html", "north")
    name = index.pending(SPACE, 1)[0].text_hash
    with pytest.raises(ValueError, match="16 bytes"):
        index.store_vectors(SPACE, [(name, b"\0" * 12)])
    embed(index, {"north": (1, 0, 0, 0)})
    with pytest.raises(ValueError, match="cannot be compared"):
        near(index, (1, 0, 0))


def test_a_vector_that_is_there_is_passed_over(index: Index, remember: Remember) -> None:
    """Two processes may fill the same gap; the first one's vector stays."""
    remember("areas/a.html", "north")
    name = index.pending(SPACE, 1)[0].text_hash
    first, second = (np.asarray(row, dtype="<f4").tobytes() for row in ((1, 0, 0, 0), (0, 1, 0, 0)))
    assert index.store_vectors(SPACE, [(name, first), (name, second)]) == 1
    assert index.store_vectors(SPACE, [(name, second)]) == 0
    assert near(index, (1, 0, 0, 0)) == [("areas/a.html", 1.0)]


def test_vectors_of_paths_are_those_of_their_chunks_in_order(index: Index, remember: Remember) -> None:
    """A row a chunk; a path without any is left out."""
    remember("areas/a.html", f"north {'word ' * 240}. east {'word ' * 240}.", title="north")
    remember("areas/b.html", "west")
    embed(index, {"north\neast": (0, 1, 0, 0), "north": (1, 0, 0, 0), "west": (0, 0, 1, 0)})
    with index.reading() as view:
        rows = view.vectors(["areas/b.html", "areas/none.html", "areas/a.html"])
    assert {path: row.tolist() for path, row in rows.items()} == {
        "areas/a.html": [[1, 0, 0, 0], [0, 1, 0, 0]],
        "areas/b.html": [[0, 0, 1, 0]],
    }


def test_the_plans_look_vectors_up(index: Index) -> None:
    """By id or by text, never all of them."""
    with index.reading() as view:
        where = condition(Scope(tags=("t",)))
        owners = (_OWNERS.format(scope=where.filter), {"ids": "[]", **where.parameters})
        for statement, parameters in (owners, (_OF_PATHS, {"paths": "[]"})):
            plan = [row[3] for row in view._connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            assert not [
                line for line in plan if line.startswith("SCAN") and "wanted" not in line and "json" not in line
            ]
        plan = [row[3] for row in view._connection.execute(f"EXPLAIN QUERY PLAN {owners[0]}", owners[1])]
        # The file of each vector is looked up, and then asked whether it is in the list; never the list for each.
        assert plan.index("SEARCH f USING INTEGER PRIMARY KEY (rowid=?)") < next(
            number for number, line in enumerate(plan) if "LIST SUBQUERY" in line
        )


def test_ties_beyond_the_first_look_are_seen(index: Index, remember: Remember) -> None:
    """Sixty texts of one vector: the newest come first, wherever they stand in the matrix."""
    for number in range(60):
        moment = f"2026-01-{(number * 7) % 60 // 2 + 1:02d}T00:00:{(number * 7) % 60:02d}Z"
        remember(f"areas/{number}.html", f"near {number}", updated=moment)
    embed(index, {"near": (1, 0, 0, 0)})
    with index.reading() as view:
        newest = view.listed(Scope(), 3)
    assert [path for path, _ in near(index, (1, 0, 0, 0), limit=3)] == newest


def test_nearer_memories_out_of_scope_hide_nothing(index: Index, remember: Remember) -> None:
    """Two hundred tasks that are nearer, and one memory that is far."""
    for number in range(200):
        remember(f"areas/{number}.html", f"near {number}", type="task")
    path = remember("areas/a.html", "far")
    embed(index, {"near": (1, 0, 0, 0), "far": (0, 1, 0, 0)})
    assert near(index, (1, 0, 0, 0), limit=1) == [(path, 0.0)]
