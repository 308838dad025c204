"""A scope, as a filter over memories."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.memory import Entity
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.index.scoping import condition

Remember = Callable[..., str]


def inside(index: Index, scope: Scope) -> list[str]:
    """The paths in ``scope``, in path order."""
    with index.reading() as view:
        paths = view.listed(scope)
        assert view.count(scope) == len(paths)
        assert view.holds(scope) is bool(paths)
    return sorted(paths)


@pytest.fixture
def _neighbourhood(remember: Remember) -> None:
    """A memory of each sort, and neighbours that nearly are."""
    remember("projects/shop/a.html", "1", tags=("ops", "x"), entities=("service:shop", "person:Ada"))
    remember("projects/shop/tasks/t.html", "2", type="task", tags=("ops",))
    remember("projects/shops/b.html", "3", tags=("OPS",), entities=("service:Shop", "shop:service"))
    remember("areas/c.html", "4", type="episodic", facets=(("colour", "grey"), ("size", "4", 4.0)))
    remember("areas/d.html", "5", type="arc", facets=(("colour", "greyish"), ("grey", "colour")))
    remember("archive/2026/projects/shop/e.html", "6", tags=("ops",))
    remember("archive/2026/areas/f.html", "7", superseded_by="areas/c.html", tags=("x",))


@pytest.mark.usefixtures("_neighbourhood")
@pytest.mark.parametrize(
    ("scope", "paths"),
    [
        (Scope(), "projects/shop/a projects/shops/b areas/c areas/d"),
        (Scope(types=frozenset({MemoryType.TASK})), "projects/shop/tasks/t"),
        (Scope(types=frozenset({MemoryType.EPISODIC, MemoryType.ARC})), "areas/c areas/d"),
        (Scope(types=frozenset(MemoryType)), "projects/shop/a projects/shop/tasks/t projects/shops/b areas/c areas/d"),
        (Scope(workspace="shop"), "projects/shop/a"),
        (Scope(workspace="shop", archived=True), "projects/shop/a archive/2026/projects/shop/e"),
        (Scope(workspace="sho_"), ""),
        (Scope(tags=("ops",)), "projects/shop/a"),
        (Scope(tags=("ops", "OPS")), "projects/shop/a projects/shops/b"),
        (Scope(tags=("op", "")), ""),
        (Scope(tags=("\n ops\u00a0",)), "projects/shop/a"),
        (Scope(entity=Entity(" service", "shop\t")), "projects/shop/a"),
        (Scope(facet=(" colour ", "\u3000grey")), "areas/c"),
        (Scope(tags=("Ops",)), ""),
        (Scope(entity=Entity("service", "shop")), "projects/shop/a"),
        (Scope(entity=Entity("shop", "service")), "projects/shops/b"),
        (Scope(facet=("colour", "grey")), "areas/c"),
        (Scope(facet=("size", "4")), "areas/c"),
        (Scope(archived=True, tags=("x",)), "projects/shop/a archive/2026/areas/f"),
        (Scope(workspace="shop", tags=("x",), entity=Entity("person", "Ada")), "projects/shop/a"),
        (Scope(workspace="shop", tags=("OPS",)), ""),
    ],
)
def test_a_scope_lets_exactly_these_through(index: Index, scope: Scope, paths: str) -> None:
    """Strict equality, parts joined by AND, tasks and the archive out unless asked for."""
    assert inside(index, scope) == sorted(f"{path}.html" for path in paths.split())


@pytest.mark.parametrize(
    ("as_of", "paths"),
    [
        ("2026-01-31", "made"),
        ("2026-02-01", "made from"),
        ("2026-02-28T23:59:59Z", "made from"),
        ("2026-03-01", "made from event"),
        ("2026-03-31", "made event until"),
        ("2026-04-01", "made event until gone"),
        ("2026-05-01", "made event gone"),
    ],
)
def test_a_point_in_time_lets_through_what_held_then(index: Index, remember: Remember, as_of: str, paths: str) -> None:
    """From valid_from, else the event, else the writing; up to, not including, valid_until; superseded ones too."""
    remember("areas/made.html", "1", created="2026-01-01T00:00:00Z")
    remember("areas/from.html", "2", created="2026-05-01", event_at="2026-04-01", valid_from="2026-02-01",
             valid_until="2026-03-02")  # fmt: skip
    remember("areas/event.html", "3", created="2026-05-01", event_at="2026-03-01")
    remember("areas/until.html", "4", created="2026-03-15T00:00:00Z", valid_until="2026-04-20")
    remember("archive/2026/areas/gone.html", "5", created="2026-04-01", superseded_by="areas/made.html")
    remember("archive/2026/areas/dropped.html", "6", created="2026-01-01")
    found = [path.rpartition("/")[2].removesuffix(".html") for path in inside(index, Scope(as_of=as_of))]
    assert sorted(found) == sorted(paths.split())


@pytest.mark.usefixtures("_neighbourhood")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.text())
def test_values_are_never_read_as_sql(index: Index, one: str, other: str) -> None:
    """Whatever is asked for: quotes, wildcards, NUL, lone surrogates."""
    for scope, harmless in zip(_scopes(one, other), _scopes("a", "b"), strict=True):
        inside(index, scope)
        assert condition(scope).text == condition(harmless).text


def _scopes(one: str, other: str) -> tuple[Scope, ...]:
    return (
        Scope(workspace=one),
        Scope(tags=(one, other)),
        Scope(entity=Entity(one, other)),
        Scope(facet=(one, other)),
        Scope(as_of=one),
    )


def test_nothing_is_filtered_when_everything_is_asked_for() -> None:
    """All types, the archive too: no condition is left."""
    assert condition(Scope(types=frozenset(MemoryType), archived=True)).text == "TRUE"


@pytest.mark.parametrize(
    ("scope", "index_name"),
    [
        (Scope(workspace="w", archived=True, types=frozenset(MemoryType)), "files_workspace"),
        (Scope(tags=("t",)), "tags_tag"),
        (Scope(entity=Entity("a", "b")), "entities_name"),
        (Scope(facet=("a", "b")), "facets_value"),
    ],
)
def test_a_narrow_scope_is_walked_by_its_index(index: Index, scope: Scope, index_name: str) -> None:
    """Not by asking every memory."""
    where = condition(scope)
    statement = f"SELECT f.path FROM files AS f WHERE {where.text}"  # noqa: S608 - put together from constants
    with index.reading() as view:
        plan = view._connection.execute(f"EXPLAIN QUERY PLAN {statement}", where.parameters).fetchall()
    lines = [row[3] for row in plan]
    assert any(index_name in line for line in lines)
    assert not [line for line in lines if line.startswith("SCAN f")]
