"""Many operations, one commit."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import BatchError, InvalidFlagError
from memhtml.domain.memory import Instant
from memhtml.domain.scope import Scope
from memhtml.ops.apply import Applied, apply
from memhtml.ops.batch import Outcome, Wishes, wishes
from memhtml.ops.lines import read_lines
from memhtml.ops.listing import list_memories
from memhtml.ops.neighbors import neighbors
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact, git, seen

Do = Callable[..., Applied]


@pytest.fixture
def do(workspace: Workspace) -> Do:
    """Applies lines, given as objects or as text."""

    def call(*lines: dict[str, object] | str, **wished: bool) -> Applied:
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        return apply(workspace, read_lines(text), Wishes(**wished))

    return call


def commits(workspace: Workspace) -> int:
    """How many there are."""
    return int(git(workspace.repository.root, "rev-list", "--count", "HEAD"))


def test_worked_example(workspace: Workspace, do: Do) -> None:
    """Four verbs, one commit, results in the order of the lines; a line sees what those before it did."""
    old = write(workspace, fact("Queues are drained by hand."))
    before = commits(workspace)
    done = do(
        {"op": "write", "claim": "Drain first.", "session_id": "s1"},
        "",
        {"op": "write", "claim": "Drain first."},
        {"op": "correct", "target": old.path, "claim": "Queues are drained by a job.", "session_id": "s2"},
        {"op": "link", "source": "areas/inbox/drain-first.html", "rel": "supports", "target": old.path},
        {"op": "archive", "path": "areas/inbox/drain-first.html"},
    )
    assert [(each.line, each.outcome.value, each.path) for each in done.results] == [
        (1, "written", "areas/inbox/drain-first.html"),
        (3, "deduped", "areas/inbox/drain-first.html"),
        (4, "corrected", "areas/inbox/queues-are-drained-by-a-job.html"),
        (5, "linked", "areas/inbox/drain-first.html"),
        (6, "archived", "archive/2026/areas/inbox/drain-first.html"),
    ]
    assert (done.written, done.deduped, done.corrected, done.linked, done.archived, done.refused) == (1, 1, 1, 1, 1, 0)
    assert done.exit_status == 0
    assert commits(workspace) == before + 1
    root = workspace.repository.root
    assert git(root, "log", "-1", "--format=%s") == "memory(apply): 4 changes"
    assert git(root, "log", "-1", "--format=%(trailers)") == "Memhtml-Session: s1\nMemhtml-Session: s2"
    assert git(root, "status", "--porcelain") == ""
    linked = neighbors(workspace, "archive/2026/areas/inbox/drain-first.html").neighbors
    assert [each.path for each in linked] == ["areas/inbox/queues-are-drained-by-a-job.html"]


def test_one_refusal_stops_an_atomic_batch_and_every_refusal_is_named(workspace: Workspace, do: Do) -> None:
    """Also those that only the store knows; the others are skipped, and nothing is as it was not."""
    write(workspace, fact("Nodes reboot on Sundays."))
    before = seen(workspace.repository.root)
    with pytest.raises(BatchError) as caught:
        do(
            {"claim": "One."},
            {"op": "archive", "path": "areas/nowhere.html"},
            {"claim": "Two."},
            {"op": "link", "source": "areas/inbox/one.html", "rel": "blocks", "target": "areas/inbox/two.html"},
        )
    assert [(number, error.code) for number, error in caught.value.failures] == [
        (2, "ERR_PATH_NOT_FOUND"),
        (4, "ERR_INVALID_EDGE"),
    ]
    assert caught.value.skipped == (1, 3)
    assert seen(workspace.repository.root) == before
    assert list_memories(workspace, Scope()).total == 1


def test_lines_that_cannot_be_read_stop_it_before_the_store_is_looked_at(workspace: Workspace, do: Do) -> None:
    """All of them are named at once."""
    before = seen(workspace.repository.root)
    with pytest.raises(BatchError) as caught:
        do({"claim": "One."}, "{", {"op": "fly"}, {"claim": "c", "importance": 99})
    assert [number for number, _ in caught.value.failures] == [2, 3, 4]
    assert seen(workspace.repository.root) == before


def test_best_effort_does_what_can_be_done_and_says_what_was_not(workspace: Workspace, do: Do) -> None:
    """One commit still, and an exit status that a script notices."""
    before = commits(workspace)
    done = do(
        {"claim": "One."}, "{", {"op": "archive", "path": "areas/nowhere.html"}, {"claim": "Two."}, best_effort=True
    )
    assert [each.outcome for each in done.results] == [
        Outcome.WRITTEN,
        Outcome.REFUSED,
        Outcome.REFUSED,
        Outcome.WRITTEN,
    ]
    assert [each.code for each in done.results] == [None, "ERR_INVALID_INPUT", "ERR_PATH_NOT_FOUND", None]
    assert done.exit_status == 1
    assert commits(workspace) == before + 1


def test_a_batch_in_which_nothing_can_be_done_makes_no_commit(workspace: Workspace, do: Do) -> None:
    """Nothing happens."""
    before = seen(workspace.repository.root)
    done = do({"op": "archive", "path": "areas/nowhere.html"}, best_effort=True)
    assert (done.commit, done.refused) == (None, 1)
    assert seen(workspace.repository.root) == before


def test_a_dry_run_tells_what_would_be_and_writes_nothing(workspace: Workspace, do: Do) -> None:
    """The same results, without a commit."""
    before = seen(workspace.repository.root)
    dry = do({"claim": "One."}, {"claim": "One."}, dry_run=True)
    assert (dry.dry_run, dry.commit, dry.written, dry.deduped) == (True, None, 1, 1)
    assert seen(workspace.repository.root) == before
    wet = do({"claim": "One."}, {"claim": "One."})
    assert [each.path for each in wet.results] == [each.path for each in dry.results]


def test_the_whole_batch_has_one_instant(workspace: Workspace, do: Do, clock: Hands) -> None:
    """However long it takes."""
    clock.instant = Instant("2026-08-01T12:00:00Z")
    do({"claim": "One."}, {"claim": "Two."})
    assert {row.created for row in list_memories(workspace, Scope()).memories} == {"2026-08-01T12:00:00Z"}


def test_a_single_change_is_named_in_the_commit(workspace: Workspace, do: Do) -> None:
    """As if it had been done alone."""
    do({"claim": "One."})
    assert git(workspace.repository.root, "log", "-1", "--format=%s") == "memory(write): One."


def test_conflicts_are_reported_and_nothing_is_done_about_them(workspace: Workspace, do: Do) -> None:
    """Between lines, and with what was there; the same value, and an event, are none."""
    standing = write(workspace, fact("The retry limit of checkout is 3."))
    done = do(
        {"claim": "The retry limit of checkout is 5."},
        {"claim": "The retry limit of checkout is 3!"},
        {"claim": "The retry limit of checkout is 9.", "type": "episodic"},
        {"claim": "The retry limit of billing is 9."},
        conflicts=True,
    )
    five, three = done.results[0].path, done.results[1].path
    assert [(each.line, each.path, each.value, each.other_line, each.other) for each in done.conflicts] == [
        (1, five, "5", None, standing.path),
        (2, three, "3", 1, five),
    ]
    assert done.displaced == ()
    assert list_memories(workspace, Scope()).total == 5


def test_two_projects_are_about_two_things(do: Do) -> None:
    """The same words in another workspace are no rival."""
    claim = "The retry limit of checkout is "
    done = do(
        {"claim": claim + "3.", "workspace": "alpha"},
        {"claim": claim + "5.", "workspace": "beta"},
        conflicts=True,
        consolidate=True,
    )
    assert (done.conflicts, done.displaced) == ((), ())


def test_last_wins_archives_what_a_later_claim_displaces(workspace: Workspace, do: Do) -> None:
    """What was there, and an earlier line; both are named, kept in the archive, and superseded by the winner."""
    standing = write(workspace, fact("The retry limit of checkout is 3."))
    done = do(
        {"claim": "The retry limit of checkout is 5."},
        {"claim": "The retry limit of checkout is 7."},
        {"claim": "Nodes reboot on Sundays."},
        consolidate=True,
    )
    winner = done.results[1].path
    assert [(each.previous, each.value, each.by, each.by_value, each.line) for each in done.displaced] == [
        (standing.path, "3", winner, "7", None),
        (done.results[0].path, "5", winner, "7", 1),
    ]
    assert {row.path for row in list_memories(workspace, Scope()).memories} == {winner, done.results[2].path}
    archived = [row for row in list_memories(workspace, Scope(archived=True)).memories if row.archived]
    assert {row.superseded_by for row in archived} == {winner}
    assert {row.path for row in archived} == {each.path for each in done.displaced}


def test_last_wins_goes_by_event_where_every_claim_has_one(do: Do) -> None:
    """A batch that tells old news does not displace new ones."""
    claim = "The retry limit of checkout is "
    done = do(
        {"claim": claim + "5.", "event_at": "2026-03-01"},
        {"claim": claim + "3.", "event_at": "2025-01-01"},
        consolidate=True,
    )
    assert [(each.value, each.by_value, each.line) for each in done.displaced] == [("3", "5", 2)]


def test_a_claim_that_is_said_again_wins_as_the_last(workspace: Workspace, do: Do) -> None:
    """Also where the store had it already, word for word."""
    write(workspace, fact("The retry limit of checkout is 5."))
    done = do(
        {"claim": "The retry limit of checkout is 3."}, {"claim": "The retry limit of checkout is 5."}, consolidate=True
    )
    assert [(each.value, each.by_value) for each in done.displaced] == [("3", "5")]
    assert done.results[1].outcome is Outcome.DEDUPED


def test_without_being_asked_nothing_is_displaced(workspace: Workspace, do: Do) -> None:
    """Never a default."""
    done = do({"claim": "The retry limit of checkout is 3."}, {"claim": "The retry limit of checkout is 5."})
    assert (done.displaced, done.conflicts) == ((), ())
    assert list_memories(workspace, Scope()).total == 2


def test_wishes_are_words_that_must_be_known() -> None:
    """A mistyped wish is refused, not passed over."""
    assert wishes(best_effort=False, dry_run=True, detect=["conflicts"], consolidate="last-wins") == Wishes(
        dry_run=True, conflicts=True, consolidate=True
    )
    with pytest.raises(InvalidFlagError):
        wishes(best_effort=False, dry_run=False, detect=["conflict"], consolidate=None)
    with pytest.raises(InvalidFlagError):
        wishes(best_effort=False, dry_run=False, detect=[], consolidate="first-wins")


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_a_batch_gives_as_many_memories_as_there_are_different_claims(workspace: Workspace, numbers: list[int]) -> None:
    """Whatever repeats, within it and after it; the count is derived from the input."""
    marks = [f"{len(numbers)}-{'-'.join(map(str, numbers))}-{number}" for number in numbers]
    before = list_memories(workspace, Scope(), limit=1).total
    text = "\n".join(json.dumps({"claim": f"Claim {mark}."}) for mark in marks)
    first = apply(workspace, read_lines(text))
    after = list_memories(workspace, Scope(), limit=1).total
    again = apply(workspace, read_lines(text))
    assert after - before == first.written <= len(set(numbers))
    assert first.written + first.deduped == len(numbers)
    assert (again.written, again.deduped, again.commit) == (0, len(numbers), None)
    assert [each.path for each in again.results] == [each.path for each in first.results]
