"""Finding memories by their words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memhtml.domain.scope import Scope
from memhtml.domain.terms import Term, content_terms, phrase, terms
from memhtml.domain.wordings import digest
from memhtml.index.index import Index
from memhtml.index.lexical import _MATCHED, _RANKED, ColumnWeights
from memhtml.index.scoping import condition

Remember = Callable[..., str]


def found(index: Index, query: str, scope: Scope | None = None, limit: int = 10, **weights: float) -> list[str]:
    """The paths that answer ``query``, best first."""
    with index.reading() as view:
        return [hit.path for hit in view.lexical(terms(query), scope or Scope(), limit, ColumnWeights(**weights))]


def test_any_word_is_enough_and_more_are_better(index: Index, remember: Remember) -> None:
    """The words of a query are alternatives; who holds more and rarer ones of them comes first."""
    remember("areas/a.html", "Drain the queue before the deploy.")
    remember("areas/b.html", "The queue is long.")
    remember("areas/c.html", "Nothing of that kind.")
    assert found(index, "draining queues") == ["areas/a.html", "areas/b.html"]


def test_scores_are_above_zero_and_fall(index: Index, remember: Remember) -> None:
    """Even for a word that every memory holds."""
    for number in range(5):
        remember(f"areas/{number}.html", f"the queue {'and more ' * number}")
    with index.reading() as view:
        scores = [hit.score for hit in view.lexical(terms("queue"), Scope(), 10)]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_equal_scores_go_to_the_newer_then_by_path(index: Index, remember: Remember) -> None:
    """When it happened counts before when it was written."""
    remember("areas/b.html", "The queue.", content="1", updated="2026-01-03T00:00:00Z")
    remember("areas/a.html", "The queue.", content="2", updated="2026-01-03T00:00:00Z")
    remember("areas/c.html", "The queue.", content="3", event_at="2026-01-04")
    remember("areas/d.html", "The queue.", content="4", updated="2026-02-01T00:00:00Z", event_at="2025-01-01")
    assert found(index, "queue") == ["areas/c.html", "areas/a.html", "areas/b.html", "areas/d.html"]
    assert found(index, "queue", limit=2) == ["areas/c.html", "areas/a.html"]


def test_every_column_is_searched_and_weighs_what_it_is_given(index: Index, remember: Remember) -> None:
    """Title, claim, body, tags and aliases, entities."""
    remember("areas/t.html", "x y z", gist="x", title="heron")
    remember("areas/g.html", "x y z w", gist="heron", title="x")
    remember("areas/b.html", "x y heron", gist="x", title="x")
    remember("areas/k.html", "x y z v", gist="x", title="x", tags=("heron",))
    remember("areas/l.html", "x y z u", gist="x", title="x", aliases=("heron",))
    remember("areas/e.html", "x y z t", gist="x", title="x", entities=("bird:heron",))
    assert len(found(index, "heron")) == 6
    for path, column in {"t": "title", "g": "claim", "b": "body", "e": "entities"}.items():
        assert found(index, "heron", **{column: 50.0})[0] == f"areas/{path}.html"
    assert set(found(index, "heron", tags=50.0)[:2]) == {"areas/k.html", "areas/l.html"}


def test_a_scope_holds_before_the_limit(index: Index, remember: Remember) -> None:
    """A hundred better hits outside do not hide the one inside; a neighbour's rows are never counted in."""
    for number in range(100):
        remember(f"projects/other/{number}.html", f"queue queue queue {number}", tags=("loud",))
    remember(
        "projects/mine/a.html", "A long text that names the queue once, and much else besides it.", tags=("still",)
    )
    assert found(index, "queue", Scope(workspace="mine"), limit=1) == ["projects/mine/a.html"]
    assert found(index, "queue", Scope(tags=("still",)), limit=1) == ["projects/mine/a.html"]
    assert found(index, "queue", Scope(workspace="min"), limit=1) == []


def test_nothing_to_ask_finds_nothing(index: Index, remember: Remember) -> None:
    """No words, no answer, no error."""
    remember("areas/a.html", "The queue.")
    assert found(index, "") == found(index, "?!") == []
    with index.reading() as view:
        assert view.lexical(terms("queue"), Scope(), 0) == []


def test_a_single_character_of_an_unspaced_script_is_found(index: Index, remember: Remember) -> None:
    """Anywhere in a run, by its beginning of a pair or as the end."""
    remember("areas/a.html", "東京都の会議")
    assert found(index, "京") == found(index, "議") == found(index, "都の") == ["areas/a.html"]
    assert found(index, "大") == []


def test_stop_words_find_what_holds_nothing_else(index: Index, remember: Remember) -> None:
    """They are dropped from a query that has better ones, never from a document."""
    remember("areas/a.html", "who is it")
    with index.reading() as view:
        assert [hit.path for hit in view.lexical(content_terms(terms("who is it")), Scope(), 10)] == ["areas/a.html"]


def test_a_frequency_is_of_stems_in_all_scopes_and_stops_at_its_cap(index: Index, remember: Remember) -> None:
    """Counted as the index counts, not as the scope does."""
    for number in range(7):
        remember(
            f"areas/{number}.html", f"The queue number {number} was drained.", type="task" if number else "semantic"
        )
    queue, draining, heron = terms("queues draining heron")
    with index.reading() as view:
        assert view.document_frequency((queue, draining, heron)) == {queue: 7, draining: 7, heron: 0}
        assert view.document_frequency((queue,), cap=3) == {queue: 3}


def test_matched_terms_are_told_for_each_path(index: Index, remember: Remember) -> None:
    """After stemming; a path without any has none, one that is not indexed is left out."""
    a = remember("areas/a.html", "Draining the queue.")
    b = remember("areas/b.html", "A heron.")
    remember("areas/c.html", "Another queue, drained.")
    drain, queue = terms("drain queues")
    with index.reading() as view:
        assert view.matched((drain, queue), [b, a, "areas/none.html"]) == {a: {drain, queue}, b: frozenset()}


def test_exact_names_are_found_whatever_their_case(index: Index, remember: Remember) -> None:
    """Entities with and without their type, tags, aliases; newer first; in scope only."""
    remember("areas/a.html", "1", entities=("person:Zoë Ångström",), updated="2026-01-01T00:00:00Z")
    remember("areas/b.html", "2", tags=("zoe angstrom",), updated="2026-01-02T00:00:00Z")
    remember("areas/c.html", "3", aliases=("ZOE  ÅNGSTRÖM",), updated="2026-01-03T00:00:00Z")
    remember("areas/d.html", "4", entities=("person:Zoë Ångström",), type="task")
    remember("areas/e.html", "Zoë Ångström in the text alone")
    with index.reading() as view:
        assert view.exact(["zoë ångström"], Scope(), 10) == ["areas/c.html", "areas/b.html", "areas/a.html"]
        assert view.exact(["person:ZOË ÅNGSTRÖM"], Scope(), 10) == ["areas/a.html"]
        assert view.exact(["zoë", "", "\udc80"], Scope(), 10) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
@example('"')
@example("NEAR(queue, 2) OR title:queue* ^x - + {a b}: c")
@example("\x00")
@example("AND")
@example("queue " * 2000)
@example("x" * 10_240)
def test_any_text_is_a_safe_query(index: Index, remember: Remember, query: str) -> None:
    """A result or none, never an error, and never a column or an operator out of a person's words."""
    remember("areas/a.html", "The queue.")
    given_terms = terms(query)
    with index.reading() as view:
        paths = [hit.path for hit in view.lexical(given_terms, Scope(), 10)]
        assert paths in ([], ["areas/a.html"])
        assert view.matched(given_terms[:50], ["areas/a.html"]).keys() == {"areas/a.html"}
        assert len(view.document_frequency(given_terms[:50])) == len(given_terms[:50])
        view.exact([query], Scope(), 10)


@pytest.mark.parametrize("scope", [Scope(), Scope(workspace="w", tags=("t",)), Scope(archived=True)])
def test_the_plan_walks_the_words_and_looks_files_up(index: Index, scope: Scope) -> None:
    """Never the other way round, which would search once for each file."""
    where = condition(scope)
    parameters = {
        "query": "x",
        "limit": 1,
        **dict.fromkeys(("title", "claim", "body", "tags", "entities"), 1.0),
        **where.parameters,
    }
    with index.reading() as view:
        plan = [
            row[3]
            for row in view._connection.execute(f"EXPLAIN QUERY PLAN {_RANKED.format(scope=where.filter)}", parameters)
        ]
        matched = view._connection.execute(f"EXPLAIN QUERY PLAN {_MATCHED}", {"query": "x", "files": "[]"}).fetchall()
    assert plan[0].startswith("SCAN search VIRTUAL TABLE INDEX 0:M")
    assert plan[1].startswith("SEARCH f USING INTEGER PRIMARY KEY")
    assert matched[0][3].startswith("SCAN search VIRTUAL TABLE INDEX 0:M")


def test_a_term_is_quoted_and_a_prefix_is_a_prefix(index: Index, remember: Remember) -> None:
    """Words that mean something to SQLite are words here."""
    remember("areas/a.html", "near and or not")
    assert found(index, "NEAR") == found(index, "AND") == ["areas/a.html"]
    with index.reading() as view:
        assert view.lexical([Term("nea")], Scope(), 10) == []
        assert len(view.lexical([Term("nea", prefix=True)], Scope(), 10)) == 1


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    memories=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["semantic", "semantic", "task"])), max_size=60),
    limit=st.integers(0, 8),
)
def test_looking_at_the_best_first_changes_nothing(
    remembering: Callable[[Index], Remember], memories: list[tuple[int, str]], limit: int
) -> None:
    """A broad scope, which is answered from the best by score, gives what going through all of them gives."""
    with Index.in_memory() as opened:
        remember = remembering(opened)
        for number, (times, kind) in enumerate(memories):
            remember(f"projects/w/{number}.html", f"x {'heron ' * times}", type=kind, content=str(number))
        assert found(opened, "heron", limit=limit) == found(opened, "heron", Scope(workspace="w"), limit=limit)


def test_ties_beyond_the_first_look_are_seen(index: Index, remember: Remember) -> None:
    """Sixty equal memories: the newest come first, wherever SQLite met them."""
    for number in range(60):
        moment = f"2026-01-{(number * 7) % 60 // 2 + 1:02d}T00:00:{(number * 7) % 60:02d}Z"
        remember(f"areas/{number}.html", "heron", content=str(number), updated=moment)
    with index.reading() as view:
        newest = view.listed(Scope(), 3)
    assert found(index, "heron", limit=3) == newest


def test_better_memories_out_of_scope_hide_nothing(index: Index, remember: Remember) -> None:
    """Sixty tasks that say it louder, and one memory that says it once."""
    for number in range(60):
        remember(f"areas/{number}.html", "heron heron", type="task")
    path = remember("areas/a.html", "heron among many other words that nobody asked for")
    assert found(index, "heron", limit=1) == [path]


def test_a_memory_is_found_by_its_very_words(index: Index, remember: Remember) -> None:
    """Title, claim or body, in scope, newer first and then by path; no other memory with the same words in it."""
    remember("areas/b.html", "Thanks, John.", gist="Thanks, John.", title="Note", content="1")
    remember("areas/a.html", "Thanks John! See you.", gist="Thanks John!", title="Another", content="2")
    remember("areas/c.html", "Bye.", gist="Bye.", title="thanks john", content="3", updated="2026-03-01T00:00:00Z")
    remember("areas/d.html", "Thanks, John and Ada.", gist="Thanks, John and Ada.", content="4")
    remember("archive/2025/areas/e.html", "Thanks, John.", content="5")
    number = digest("thanks john")
    assert number is not None
    with index.reading() as view:
        assert view.worded(number, Scope(), 10) == ["areas/c.html", "areas/a.html", "areas/b.html"]
        assert view.worded(number, Scope(), 1) == ["areas/c.html"]
        assert "archive/2025/areas/e.html" in view.worded(number, Scope(archived=True), 10)
        assert view.worded(number + 1, Scope(), 10) == []


def test_a_memory_is_found_by_a_phrase_it_holds(index: Index, remember: Remember) -> None:
    """Stemmed, one word after the other, in scope, newer first; not where more have it than are asked for."""
    remember("areas/a.html", "We say: the queue is drained at night.", content="1")
    remember("areas/b.html", "The queues is draining.", content="2", updated="2026-03-01T00:00:00Z")
    remember("areas/c.html", "The queue at night is drained.", content="3")
    remember("archive/2025/areas/d.html", "The queue is drained.", content="4")
    words = phrase("the queue is drained", 100)
    with index.reading() as view:
        assert view.phrased(words, Scope(), 2) == ["areas/b.html", "areas/a.html"]
        assert view.phrased(words, Scope(), 1) == []
        assert len(view.phrased(words, Scope(archived=True), 3)) == 3
        assert view.phrased(phrase("or the queue not", 100), Scope(), 10) == []
        assert view.phrased("ghost", Scope(), 10) == []
