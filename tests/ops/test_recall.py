"""Recall and its surroundings."""

from __future__ import annotations

from memhtml.domain.memory import Instant
from memhtml.ops.archive import archive
from memhtml.ops.recall import recall
from memhtml.ops.rows_finding import BUDGET, LEAST_BUDGET
from memhtml.ops.write import write
from memhtml.retrieve import pack
from memhtml.retrieve.answer import Reason
from memhtml.retrieve.recall import RecallRequest
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact

CLAIM = "Checkout drains its queue before every deploy."


def test_worked_example(workspace: Workspace) -> None:
    """A fenced pack that quotes the memory with its path, within the budget."""
    path = write(workspace, fact(CLAIM)).path
    found = recall(workspace, RecallRequest("what drains the queue", budget=800))
    assert found.quoted == (path,)
    assert f"> {CLAIM}" in found.pack
    assert found.characters == len(found.pack) <= found.budget == 800
    assert (found.left_out, found.reason) == (0, None)


def test_nothing_gives_an_empty_pack_and_says_why(workspace: Workspace) -> None:
    """Nothing happens."""
    found = recall(workspace, RecallRequest("what drains the queue"))
    assert (found.pack, found.quoted, found.reason) == ("", (), Reason.STORE_EMPTY)


def test_without_the_bar_something_is_quoted_however_little_it_answers(workspace: Workspace) -> None:
    """Only because it was asked for."""
    path = write(workspace, fact("Checkout drains its queue, and the queue of billing, before every deploy.")).path
    question = "which banana bread recipe has the fewest deploy eggs"
    assert recall(workspace, RecallRequest(question)).quoted == ()
    assert recall(workspace, RecallRequest(question, bar=False)).quoted == (path,)


def test_what_was_known_then_is_quoted_as_it_was(workspace: Workspace, clock: Hands) -> None:
    """The archive of today is not the archive of then."""
    old = write(workspace, fact(CLAIM))
    clock.instant = Instant("2026-08-01T00:00:00Z")
    archive(workspace, [old.path])
    assert recall(workspace, RecallRequest("queue")).quoted == ()
    then = recall(workspace, RecallRequest("queue"), known_at="2026-07-29")
    assert (then.quoted, then.known_at) == ((old.path,), old.commit)


def test_the_table_has_the_bounds_of_the_pack() -> None:
    """They are written twice, since the table is read at every start and the pack is not."""
    assert (BUDGET, LEAST_BUDGET) == (pack.BUDGET, pack.LEAST_BUDGET)
