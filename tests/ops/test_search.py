"""Search and its surroundings: catching up, filling gaps, the past, and what goes wrong beside the answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import PathNotFoundError, StorageError
from memhtml.domain.memory import Instant
from memhtml.domain.scope import Scope
from memhtml.index.index import Index
from memhtml.ops.apply import apply
from memhtml.ops.archive import archive
from memhtml.ops.index import embed_index, index_status
from memhtml.ops.lines import read_lines
from memhtml.ops.search import search
from memhtml.ops.write import write
from memhtml.retrieve.answer import Arm, Reason, Request
from memhtml.workspace.workspace import FEW_GAPS, GAPS_AT_ONCE, MANY_GAPS, Workspace

from .conftest import Hands, fact, git, opened, seen

CLAIM = "Checkout drains its queue before every deploy."


@pytest.fixture
def embedding(workspace: Workspace) -> Iterator[Workspace]:
    """The same store with the embedder that hashes words."""
    with opened(workspace.repository.root, "fake-words@64") as found:
        yield found


def test_worked_example(workspace: Workspace) -> None:
    """The memory is found by its words, with what a listing shows; nothing is changed."""
    path = write(workspace, replace(fact(CLAIM), tags=("deploys",))).path
    write(workspace, fact("Nodes reboot on Sundays."))
    before = seen(workspace.repository.root)
    answer = search(workspace, Request("what drains the queue"))
    assert [hit.path for hit in answer.hits] == [path]
    assert (answer.hits[0].gist, answer.hits[0].tags, answer.reason) == (CLAIM, ("deploys",), None)
    assert seen(workspace.repository.root) == before


def test_nothing_comes_with_its_reason(workspace: Workspace) -> None:
    """An empty store, an empty scope, nothing relevant."""
    assert search(workspace, Request("queue")).reason is Reason.STORE_EMPTY
    write(workspace, fact(CLAIM))
    assert search(workspace, Request("queue", Scope(workspace="none"))).reason is Reason.SCOPE_EMPTY
    assert search(workspace, Request("banana bread")).reason is Reason.NOTHING_RELEVANT


def test_a_memory_is_found_by_the_next_search_after_any_change(workspace: Workspace) -> None:
    """Also after one that was made with git alone."""
    path = write(workspace, fact(CLAIM)).path
    assert search(workspace, Request("queue")).hits
    archive(workspace, [path])
    assert not search(workspace, Request("queue")).hits
    git(workspace.repository.root, "-c", "user.name=a", "-c", "user.email=a@b", "revert", "--no-edit", "HEAD")
    assert search(workspace, Request("queue")).hits[0].path == path


@pytest.mark.parametrize(
    ("count", "left"),
    [
        (GAPS_AT_ONCE, 0),
        (GAPS_AT_ONCE + 1, GAPS_AT_ONCE + 1 - FEW_GAPS),
        (MANY_GAPS, MANY_GAPS - FEW_GAPS),
        (MANY_GAPS + 1, MANY_GAPS + 1),
    ],
)
def test_a_search_closes_a_small_gap_and_leaves_a_big_one(embedding: Workspace, count: int, left: int) -> None:
    """A write never waits for the model, and a question waits for few vectors."""
    batch = "\n".join(f'{{"claim":"Fact {number} of {count} is here."}}' for number in range(count))
    apply(embedding, read_lines(batch))
    assert index_status(embedding).missing_vectors == count
    search(embedding, Request("fact"))
    assert index_status(embedding).missing_vectors == left


def test_an_embedder_that_fails_leaves_the_words(workspace: Workspace) -> None:
    """The answer is there, and says what it is without."""
    path = write(workspace, fact(CLAIM)).path
    with opened(workspace.repository.root, "fake-failing@64") as failing:
        answer = search(failing, Request("what drains the queue"))
    assert [hit.path for hit in answer.hits] == [path]
    assert [arm.arm for arm in answer.degraded] == [Arm.VECTOR]


def test_a_server_that_is_not_configured_leaves_the_words_too(workspace: Workspace) -> None:
    """A setting that needs another one stops no search; `index embed` says what is missing."""
    path = write(workspace, fact(CLAIM)).path
    with opened(workspace.repository.root, "some-model@64") as misled:
        answer = search(misled, Request("what drains the queue"))
    assert [hit.path for hit in answer.hits] == [path]
    assert [notice.code for notice in answer.warnings] == ["ERR_INVALID_SETTING"]


def test_vectors_of_another_model_are_not_compared(workspace: Workspace, embedding: Workspace) -> None:
    """The words answer, and the answer says why."""
    path = write(embedding, fact(CLAIM)).path
    embed_index(embedding)
    with opened(workspace.repository.root, "fake-words@32") as other:
        answer = search(other, Request("what drains the queue"))
    assert [hit.path for hit in answer.hits] == [path]
    assert [arm.arm for arm in answer.degraded] == [Arm.VECTOR]
    assert "fake-words@32" in answer.degraded[0].why


def test_what_was_known_then_is_found_as_it_was(workspace: Workspace, clock: Hands) -> None:
    """By instant and by commit; what came later is not there, and what was archived since is."""
    old = write(workspace, fact(CLAIM))
    clock.instant = Instant("2026-08-01T00:00:00Z")
    archive(workspace, [old.path])
    write(workspace, fact("The queue is drained by a job."))
    for moment in ("2026-07-29", "2026-07-28T10:00:00Z", str(old.commit)):
        answer = search(workspace, Request("queue"), known_at=moment)
        assert [hit.path for hit in answer.hits] == [old.path]
        assert answer.known_at == old.commit
    assert search(workspace, Request("queue")).known_at is None
    for moment in ("2020-01-01", "abcdef1", "soon", "--all", "HEAD", "\0"):
        with pytest.raises(PathNotFoundError):
            search(workspace, Request("queue"), known_at=moment)


def test_an_index_that_cannot_follow_is_said_beside_the_answer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has is still found."""
    path = write(workspace, fact(CLAIM)).path

    def full(self: Index, source: object) -> None:
        del self, source
        raise StorageError("the disk is full")

    monkeypatch.setattr(Index, "catch_up", full)
    answer = search(workspace, Request("queue"))
    assert [hit.path for hit in answer.hits] == [path]
    assert [notice.code for notice in answer.warnings] == ["ERR_STORAGE"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        "AND OR NOT",
        "NEAR(a b)",
        "a\0b",
        "queue" * 2000,
        "\u202equeue",
        "👩‍🚀",
        "-queue",
        "*",
        "{x}:y",
        "é",
    ],
)
def test_any_text_is_a_query(workspace: Workspace, query: str) -> None:
    """A result or none; never an error."""
    write(workspace, fact(CLAIM))
    answer = search(workspace, Request(query))
    assert bool(answer.hits) != (answer.reason is not None)
