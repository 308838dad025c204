"""Recall quotes what a search finds, from real memories in a real index."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from memhtml.domain.memory import BlobId, Draft, Entity, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index import tables
from memhtml.index.database import Kind
from memhtml.index.index import Index
from memhtml.index.projection import Projected, project
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.retrieve.answer import Reason
from memhtml.retrieve.recall import Recalled, RecallRequest, recall

NOW = Instant("2026-03-01T12:00:00Z")


def put(index: Index, name: str, draft: Draft) -> MemoryPath:
    """Make a memory of ``draft``, as a write would, without a repository around it."""
    path = MemoryPath(f"areas/inbox/{name}.html")
    data = render(compose(draft, now=NOW))
    rows = project(data, path, BlobId(sha256(data).hexdigest()))
    assert isinstance(rows, Projected)
    with index._connections.writing(Kind.INDEX) as connection:
        tables.insert(connection, rows)
    return path


@pytest.fixture
def index() -> Iterator[Index]:
    """A store about deploys, with an arc, a folded detail and one memory about something else."""
    with Index.in_memory() as made:
        put(made, "frozen", Draft(MemoryType.SEMANTIC, claim="Production deploys are frozen on Friday afternoons."))
        put(
            made,
            "folded",
            Draft(
                MemoryType.PROCEDURAL,
                article_html=(
                    "<p><mark>A production deploy drains the queue first.</mark></p>"
                    "<details><summary>How to drain</summary><p>The secret deploy token is in the vault.</p></details>"
                    "<aside><p>Deploy folklore says otherwise.</p></aside>"
                ),
            ),
        )
        put(made, "arc", Draft(MemoryType.ARC, claim="Production deploys went from weekly to daily over the year."))
        put(made, "cats", Draft(MemoryType.SEMANTIC, claim="Tabby cats purr at about twenty five hertz."))
        yield made


def asked(index: Index, query: str, **more: object) -> Recalled:
    """Recall by words alone."""
    return recall(index, None, RecallRequest(query=query, **more), NOW)


def test_what_is_known_is_quoted_arcs_first(index: Index) -> None:
    """The pack holds the claims that answer, and nothing about anything else."""
    recalled = asked(index, "production deploys")
    assert recalled.reason is None
    assert recalled.pack.quoted[0] == "areas/inbox/arc.html"
    assert set(recalled.pack.quoted[1:]) == {"areas/inbox/frozen.html", "areas/inbox/folded.html"}
    assert "> Production deploys are frozen on Friday afternoons.\n" in recalled.pack.text
    assert "cats" not in recalled.pack.text


def test_folds_and_asides_are_never_quoted(index: Index) -> None:
    """A summary is; what is folded under it, and a caveat that is not the claim, are not."""
    text = asked(index, "production deploys").pack.text
    assert "How to drain" in text
    assert "secret deploy token" not in text
    assert "folklore" not in text


def test_nothing_is_recalled_where_nothing_answers(index: Index) -> None:
    """No pack, and the reason that a search would give."""
    recalled = asked(index, "glacier moraine formation")
    assert recalled.pack.text == ""
    assert recalled.reason is Reason.NOTHING_RELEVANT


def test_a_scope_holds_for_a_pack_too(index: Index) -> None:
    """Only the types that were asked for."""
    scope = Scope(types=frozenset({MemoryType.ARC}))
    assert asked(index, "production deploys", scope=scope).pack.quoted == ("areas/inbox/arc.html",)


def test_a_pack_keeps_its_budget_over_a_real_index(index: Index) -> None:
    """However much answers."""
    for number in range(30):
        body = f"Production deploy number {number} went well. " + f"It took {number} minutes and nobody minded. " * 20
        put(
            index,
            f"deploy-{number}",
            Draft(MemoryType.EPISODIC, body=body, entities=(Entity("service", f"s{number}"),)),
        )
    pack = asked(index, "production deploys", budget=5000).pack
    assert len(pack.text) <= 5000
    assert len(pack.quoted) + len(pack.listed) + pack.left_out == 33
    assert pack.quoted
    assert pack.listed
