"""The index followed, rebuilt, verified, embedded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    EmbedModelMismatchError,
    IndexTooNewError,
    ModelUnavailableError,
)
from memhtml.domain.scope import Scope
from memhtml.ops.doctor import doctor
from memhtml.ops.index import embed_index, index_status, rebuild_index, update_index, verify_index
from memhtml.ops.listing import list_memories
from memhtml.ops.status import status
from memhtml.ops.write import write
from memhtml.workspace.workspace import DAMAGED, Workspace

from .conftest import fact, git, opened, seen

CLAIM = "Drain before every deploy."


def by_hand(workspace: Workspace, path: str, text: str) -> Path:
    """A file that a person saved."""
    file = workspace.repository.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit_all(workspace: Workspace, message: str = "by hand") -> None:
    """What a person does then."""
    root = workspace.repository.root
    git(root, "add", "-A")
    git(root, "-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", message)


def test_a_saved_file_is_found_after_an_update_and_before_a_commit(workspace: Workspace) -> None:
    """And is gone from the index when it is deleted again."""
    path = write(workspace, fact(CLAIM)).path
    text = (workspace.repository.root / path).read_text()
    file = by_hand(workspace, "areas/inbox/saved.html", text.replace("Drain", "Rest"))
    assert list_memories(workspace, Scope()).total == 1
    assert index_status(workspace).uncommitted == ("areas/inbox/saved.html",)
    done = update_index(workspace)
    assert (done.added, done.memories) == (1, 2)
    assert index_status(workspace).fresh
    file.unlink()
    assert update_index(workspace).removed == 1
    assert update_index(workspace).added == 0


def test_rebuild_gives_the_same_rows_and_verify_says_so(workspace: Workspace) -> None:
    """With the files that break the format, and those that say the same, named."""
    path = write(workspace, fact(CLAIM)).path
    by_hand(workspace, "areas/inbox/broken.html", "<p>no head")
    by_hand(workspace, "areas/zz.html", (workspace.repository.root / path).read_text())
    commit_all(workspace)
    done = rebuild_index(workspace)
    assert done.memories == 1
    assert [each.path for each in done.unreadable] == ["areas/inbox/broken.html"]
    assert [(each.path, each.of) for each in done.duplicates] == [("areas/zz.html", path)]
    verified = verify_index(workspace)
    assert verified.same
    assert verified.compared > 0
    assert verified.exit_status == 0


def test_a_damaged_index_is_made_anew_and_said(workspace: Workspace) -> None:
    """The memories are in the files."""
    write(workspace, fact(CLAIM))
    root = workspace.repository.root
    workspace.close()
    (root / ".memhtml" / "index.db").write_bytes(b"this is no database" * 500)
    with opened(root) as again:
        found = list_memories(again, Scope())
    assert found.total == 1
    assert [notice.code for notice in found.warnings] == [DAMAGED]


def test_a_newer_index_is_refused_before_anything_is_written(workspace: Workspace) -> None:
    """A write too: it could not be found by what made the index."""
    write(workspace, fact(CLAIM))
    root = workspace.repository.root
    workspace.close()
    with closing(sqlite3.connect(root / ".memhtml" / "index.db")) as database, database:
        database.execute("INSERT INTO ledger SELECT 9999, name || '-later' FROM ledger LIMIT 1")
    before = seen(root)
    with opened(root) as again:
        for call in (lambda: write(again, fact("Another fact.")), lambda: list_memories(again, Scope())):
            with pytest.raises(IndexTooNewError):
                call()
    assert seen(root) == before


def test_vectors_are_made_for_what_has_none_and_only_once(workspace: Workspace) -> None:
    """Also in portions; the coverage says how far it is."""
    for number in range(4):
        write(workspace, fact(f"Fact {number} is here."))
    with opened(workspace.repository.root, "fake-words@32") as embedding:
        part = embed_index(embedding, limit=1)
        assert (part.embedded, part.remaining, part.coverage) == (1, 3, 0.25)
        rest = embed_index(embedding)
        assert (rest.embedded, rest.remaining, rest.coverage, rest.space) == (3, 0, 1.0, "fake-words@32")
        assert embed_index(embedding).embedded == 0
        assert status(embedding).space == "fake-words@32"


def test_vectors_of_two_models_are_never_mixed(workspace: Workspace) -> None:
    """Another space is refused, with the flag that replaces what is there."""
    write(workspace, fact(CLAIM))
    root = workspace.repository.root
    with opened(root, "fake-words@32") as first:
        embed_index(first)
    with opened(root, "fake-words@64") as second:
        with pytest.raises(EmbedModelMismatchError) as caught:
            embed_index(second)
        assert "memhtml index embed --replace" in caught.value.suggestions
        assert [finding.code for finding in doctor(second).findings] == ["vectors"]
        assert embed_index(second, replace=True).space == "fake-words@64"
        assert doctor(second).healthy


def test_an_embedder_that_fails_is_said_and_the_memories_stay(workspace: Workspace) -> None:
    """And `off` is an error here, where vectors are all that is asked for."""
    write(workspace, fact(CLAIM))
    with opened(workspace.repository.root, "fake-failing@32") as failing, pytest.raises(ModelUnavailableError):
        embed_index(failing)
    with pytest.raises(ModelUnavailableError, match="vectors are off"):
        embed_index(workspace)
    assert list_memories(workspace, Scope()).total == 1
