"""One fact, one file, one commit."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import InvalidMemoryError, InvalidPathError, LockedError, MemhtmlError, StorageError
from memhtml.domain.memory import Draft
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.ops.listing import list_memories
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, opened, seen

CLAIM = "Drain before every deploy."


def test_worked_example(workspace: Workspace) -> None:
    """The file is where its tag says, the commit carries title and session, and the index knows it at once."""
    wanted = replace(fact(CLAIM), tags=("deploys",), session="s-1", prompt="p-1")
    written = write(workspace, wanted)
    root = workspace.repository.root
    assert written.path == "resources/deploys/drain-before-every-deploy.html"
    assert (written.deduped, written.title, written.type) == (False, CLAIM, MemoryType.SEMANTIC)
    assert written.commit == git(root, "rev-parse", "HEAD")
    assert git(root, "log", "-1", "--format=%s") == f"memory(write): {CLAIM}"
    assert git(root, "log", "-1", "--format=%(trailers)") == "Memhtml-Session: s-1\nMemhtml-Prompt: p-1"
    assert git(root, "log", "-1", "--format=%cI").startswith("2026-07-28T10:00:00")
    assert git(root, "status", "--porcelain") == ""
    assert written.warnings == ()
    assert [row.path for row in list_memories(workspace, Scope()).memories] == [written.path]


def test_the_same_content_again_changes_nothing(workspace: Workspace) -> None:
    """The existing path comes back; title and tags of the second one do not matter."""
    first = write(workspace, fact(CLAIM))
    before = seen(workspace.repository.root)
    again = write(workspace, replace(fact(CLAIM), title="Another title", tags=("x",)))
    assert (again.path, again.deduped, again.commit) == (first.path, True, None)
    assert seen(workspace.repository.root) == before


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Draft(MemoryType.SEMANTIC, article_html="<p>no claim</p>"), InvalidMemoryError),
        (Draft(MemoryType.SEMANTIC, article_html="<p><mark>x</mark></p><script>alert(1)</script>"), InvalidMemoryError),
        (replace(fact("x"), path="../outside.html"), InvalidPathError),
        (replace(fact("x"), path="/etc/passwd"), InvalidPathError),
        (replace(fact("x"), path="areas/a\0b.html"), InvalidMemoryError),
        (replace(fact("x"), path=".git/hooks/x.html"), InvalidPathError),
        (replace(fact("x"), workspace=".."), InvalidPathError),
        (replace(fact("x"), event_at="Aug 9"), InvalidMemoryError),
        (fact("x\0y"), InvalidMemoryError),
    ],
)
def test_a_refused_write_leaves_everything_as_it_was(
    workspace: Workspace, wanted: Draft, error: type[MemhtmlError]
) -> None:
    """Branch, git index, folder."""
    write(workspace, fact(CLAIM))
    before = seen(workspace.repository.root)
    with pytest.raises(error):
        write(workspace, wanted)
    assert seen(workspace.repository.root) == before


def test_markup_in_a_claim_is_text(workspace: Workspace) -> None:
    """Nothing that a caller says runs in a browser."""
    written = write(workspace, fact("Never write <script>alert(1)</script> & co."))
    text = (workspace.repository.root / written.path).read_text()
    assert "<script>" not in text
    assert "Never write &lt;script&gt;alert(1)&lt;/script&gt; &amp; co." in text


def test_an_index_that_cannot_follow_is_a_notice_and_never_hides_the_commit(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after the commit: the memory is written, and the caller learns both."""

    def full(self: Index, source: object) -> None:
        del self, source
        raise StorageError("the disk is full")

    monkeypatch.setattr(Index, "catch_up", full)
    written = write(workspace, fact(CLAIM))
    assert (workspace.repository.root / written.path).exists()
    assert written.commit == git(workspace.repository.root, "rev-parse", "HEAD")
    assert [notice.code for notice in written.warnings] == ["ERR_STORAGE"]
    assert "the disk is full" in written.warnings[0].message


def test_a_fault_of_the_index_after_the_commit_does_not_hide_it_either(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is, the change is done."""
    calls: list[int] = []
    real = Index.catch_up

    def faulty(self: Index, source: object) -> object:
        calls.append(1)
        if len(calls) > 1:
            raise ZeroDivisionError("a fault of ours")
        return real(self, source)

    monkeypatch.setattr(Index, "catch_up", faulty)
    written = write(workspace, fact(CLAIM))
    assert written.commit == git(workspace.repository.root, "rev-parse", "HEAD")
    assert [notice.code for notice in written.warnings] == ["ERR_UNKNOWN"]


def test_an_index_that_cannot_answer_does_not_stop_a_write(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Better two of one than none."""

    def broken(self: Index, content: object) -> None:
        del self, content
        raise StorageError("damaged")

    monkeypatch.setattr(Index, "duplicates", broken)
    assert write(workspace, fact(CLAIM)).deduped is False


def test_a_store_that_is_held_says_so(workspace: Workspace) -> None:
    """After the configured wait, and nothing is written."""
    root = workspace.repository.root
    with (
        workspace.repository.transaction(),
        opened(root, MEMHTML_LOCK_WAIT="0.05") as other,
        pytest.raises(LockedError),
    ):
        write(other, fact(CLAIM))
    assert git(workspace.repository.root, "log", "--oneline").count("\n") == 0
