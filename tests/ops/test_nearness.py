"""Near duplicates by vector."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.scope import Scope
from memhtml.ops.apply import apply
from memhtml.ops.batch import Wishes
from memhtml.ops.index import embed_index
from memhtml.ops.lines import read_lines
from memhtml.ops.listing import list_memories
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, opened, seen

NEAR = Wishes(near_duplicates=True)


@pytest.fixture
def embedding(workspace: Workspace) -> Iterator[Workspace]:
    """The same store with the embedder that hashes words."""
    with opened(workspace.repository.root, "fake-words@64") as found:
        yield found


def lines(*claims: str) -> str:
    """A batch of claims."""
    return "\n".join(json.dumps({"claim": claim}) for claim in claims)


def test_worked_example(embedding: Workspace) -> None:
    """A memory in use, then an earlier line; something else is near neither. All are written."""
    standing = write(embedding, fact("Checkout drains its queue before every deploy."))
    embed_index(embedding)
    done = apply(
        embedding,
        read_lines(
            lines(
                "Checkout drains its queue before every single deploy.",
                "Nodes in the lab reboot on Sundays.",
                "In the lab, nodes reboot on Sundays.",
            )
        ),
        NEAR,
    )
    assert [(near.line, near.other_line, near.other) for near in done.near_duplicates] == [
        (1, None, standing.path),
        (3, 2, done.results[1].path),
    ]
    assert all(0.9 <= near.similarity <= 1 for near in done.near_duplicates)
    assert done.written == 3


def test_what_was_there_word_for_word_is_no_near_duplicate(embedding: Workspace) -> None:
    """Nothing happens: it is a duplicate, and the result says so already."""
    write(embedding, fact("Nodes reboot on Sundays."))
    embed_index(embedding)
    assert apply(embedding, read_lines(lines("Nodes reboot on Sundays.")), NEAR).near_duplicates == ()


def test_what_a_line_corrects_is_no_near_duplicate_of_it(embedding: Workspace) -> None:
    """It is in the archive then."""
    old = write(embedding, fact("Checkout drains its queue before every deploy."))
    embed_index(embedding)
    line = {"op": "correct", "target": old.path, "claim": "Checkout drains its queue before every single deploy."}
    assert apply(embedding, read_lines(json.dumps(line)), NEAR).near_duplicates == ()


def test_without_vectors_the_wish_is_refused_and_nothing_is_written(workspace: Workspace) -> None:
    """An empty list would read as a finding."""
    before = seen(workspace.repository.root)
    with pytest.raises(ModelUnavailableError, match="vectors"):
        apply(workspace, read_lines(lines("Nodes reboot on Sundays.")), NEAR)
    assert seen(workspace.repository.root) == before


def test_an_embedder_that_fails_is_said_and_nothing_is_written(workspace: Workspace) -> None:
    """The wish cannot be met."""
    with opened(workspace.repository.root, "fake-failing@64") as failing, pytest.raises(ModelUnavailableError):
        apply(failing, read_lines(lines("Nodes reboot on Sundays.")), NEAR)
    assert list_memories(workspace, Scope()).total == 0


def test_a_wish_for_nothing_new_costs_no_vectors(workspace: Workspace, tmp_path: Path) -> None:
    """A batch that only archives asks no embedder."""
    del tmp_path
    old = write(workspace, fact("Nodes reboot on Sundays."))
    with opened(workspace.repository.root, "fake-failing@64") as failing:
        done = apply(failing, read_lines(json.dumps({"op": "archive", "path": old.path})), NEAR)
    assert (done.archived, done.near_duplicates) == (1, ())
