"""From arguments to a draft."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import (
    InvalidFlagError,
    InvalidPathError,
    MemhtmlError,
    MissingArgumentError,
    UnexpectedArgumentError,
)
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus
from memhtml.ops.arguments import Arguments, bind
from memhtml.ops.drafts import citation, draft, entity, facet, link
from memhtml.ops.operation import Operation
from memhtml.ops.rows_writing import DRAFT

ROW = Operation(name="write", summary="", parameters=DRAFT, runs="x:y", envelope="x", examples=("memhtml write x",))


def arguments(**given: object) -> Arguments:
    """Checked arguments of a write."""
    return bind(ROW, given)


def test_worked_example() -> None:
    """Every argument finds its field, and structured texts are read."""
    found = draft(
        arguments(
            claim="Drain before deploy.",
            body="Else jobs are lost.",
            tag=["deploys", "queues", "deploys"],
            entity=["service:checkout-api"],
            facet=["retry limit=3"],
            cite=["RFC 9110 <https://www.rfc-editor.org/rfc/rfc9110>"],
            link=["caused-by:/areas/inbox/outage.html"],
            event_at="2026-07-28",
            importance="7",
            confidence="0.9",
            workspace="checkout",
            session_id="s1",
        )
    )
    assert found == Draft(
        type=MemoryType.SEMANTIC,
        claim="Drain before deploy.",
        body="Else jobs are lost.",
        tags=("deploys", "queues"),
        entities=(Entity("service", "checkout-api"),),
        facets=(Facet("retry limit", "3", 3.0),),
        citations=(Citation("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110"),),
        links=(Link(Rel.CAUSED_BY, MemoryPath("areas/inbox/outage.html")),),
        event_at="2026-07-28",
        importance=7,
        confidence=0.9,
        workspace="checkout",
        session="s1",
    )


@pytest.mark.parametrize("given", [{}, {"claim": " \n"}, {"body": ""}, {"title": "only a title"}])
def test_no_content_is_refused(given: dict[str, object]) -> None:
    """A blank text is no content."""
    with pytest.raises(MissingArgumentError, match="nothing to remember"):
        draft(arguments(**given))


@pytest.mark.parametrize("prose", [{"claim": "c"}, {"body": "b"}])
def test_prose_and_markup_exclude_each_other(prose: dict[str, object]) -> None:
    """Exactly one of the two."""
    with pytest.raises(UnexpectedArgumentError, match="not both"):
        draft(arguments(article_html="<p><mark>x</mark></p>", **prose))


def test_a_task_starts_as_todo_and_only_a_task_has_a_state_or_is_due() -> None:
    """What belongs to tasks is refused elsewhere, before anything is written."""
    assert draft(arguments(claim="c", type="task")).task_status is TaskStatus.TODO
    assert draft(arguments(claim="c", type="task", status="doing", due="2026-08-01")).due == "2026-08-01"
    with pytest.raises(UnexpectedArgumentError, match="--status is for tasks, and this is semantic"):
        draft(arguments(claim="c", status="doing"))
    with pytest.raises(UnexpectedArgumentError, match="--due is for tasks"):
        draft(arguments(claim="c", due="2026-08-01"))


@pytest.mark.parametrize(
    ("text", "number"),
    [("a=1", 1.0), ("a=-2.5e3", -2500.0), ("a=1_000", None), ("a=nan", None), ("a=inf", None), ("a=3 ms", None)],
)
def test_a_facets_value_is_a_number_when_it_is_written_as_one(text: str, number: float | None) -> None:
    """And its text is kept in any case."""
    assert facet(text) == Facet("a", text[2:], number)


def test_a_facets_value_may_hold_the_sign_and_its_edges_are_trimmed() -> None:
    """Split at the first one."""
    assert facet(" formula = a=b ") == Facet("formula", "a=b")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://a.example/x", Citation("https://a.example/x", "https://a.example/x")),
        ("the runbook", Citation("the runbook")),
        ("a <b>", Citation("a <b>")),
        ("<https://a.example>", Citation("https://a.example", "https://a.example")),
        ("x <javascript:alert(1)>", Citation("x <javascript:alert(1)>")),
    ],
)
def test_sources(text: str, found: Citation) -> None:
    """Only web and mail addresses are addresses."""
    assert citation(text) == found


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("entity", "checkout", InvalidFlagError),
        ("entity", ":x", InvalidFlagError),
        ("facet", "=3", InvalidFlagError),
        ("facet", "a=", InvalidFlagError),
        ("facet", "a", InvalidFlagError),
        ("cite", " ", InvalidFlagError),
        ("link", "areas/a.html", InvalidFlagError),
        ("link", "likes:areas/a.html", InvalidFlagError),
        ("link", "supports:../a.html", InvalidPathError),
        ("link", "supports:/etc/passwd", InvalidPathError),
    ],
)
def test_what_is_not_written_as_it_should_be_is_refused(name: str, text: str, error: type[MemhtmlError]) -> None:
    """With the form that it should have."""
    with pytest.raises(error):
        draft(arguments(claim="c", **{name: [text]}))


def test_a_mistyped_rel_gets_the_one_that_was_meant() -> None:
    """Dashes and underscores are the same."""
    with pytest.raises(InvalidFlagError) as caught:
        link("supprots:areas/a.html")
    assert caught.value.suggestions == ("did you mean supports?",)
    assert link("relates-to:areas/a.html").rel is Rel.RELATES_TO


def test_an_entity_keeps_further_colons() -> None:
    """Split at the first one."""
    assert entity("url:https://a.example") == Entity("url", "https://a.example")
