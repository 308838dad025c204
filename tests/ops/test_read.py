"""What is opened by path."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    InvalidPathError,
    PathNotFoundError,
    StorageError,
    UnsafeFileError,
)
from memhtml.domain.memory import Citation, Entity, Facet, Instant, Link
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import Rel
from memhtml.ops.listing import list_memories
from memhtml.ops.read import read
from memhtml.ops.reinforce import reinforce
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import Hands, fact, git


def test_read_gives_everything_that_the_file_says(workspace: Workspace) -> None:
    """And the file itself when it is asked for."""
    other = write(workspace, fact("Nodes reboot on Sundays."))
    written = write(
        workspace,
        replace(
            fact("Drain before every deploy."),
            body="Else jobs are lost.",
            tags=("deploys",),
            entities=(Entity("service", "checkout"),),
            facets=(Facet("wait", "30", 30.0),),
            citations=(Citation("the runbook", "https://a.example/runbook"),),
            links=(Link(Rel.RELATES_TO, other.path),),
            event_at="2026-07-01",
        ),
    )
    (opened,) = read(workspace, [written.path], html=True).memories
    assert opened.memory is not None
    assert opened.html == (workspace.repository.root / written.path).read_text()
    assert (opened.moved, opened.violations) == (False, ())
    assert opened.memory.gist == "Drain before every deploy."
    assert "Else jobs are lost." in opened.memory.text
    assert opened.memory.event_at == "2026-07-01"
    assert opened.memory.facets == (Facet("wait", "30", 30.0),)
    assert opened.memory.citations == (Citation("the runbook", "https://a.example/runbook"),)
    assert [(each.rel, each.target) for each in opened.memory.links] == [(Rel.RELATES_TO, other.path)]
    assert read(workspace, [written.path]).memories[0].html is None


def test_an_open_counts_once_in_fifteen_minutes_and_only_when_it_is_one(workspace: Workspace, clock: Hands) -> None:
    """By name, not by listing; and not when the caller says so."""
    path = write(workspace, fact("Drain before every deploy.")).path
    list_memories(workspace, Scope())
    assert read(workspace, [path], count=False).memories[0].counted is False
    assert read(workspace, [path, path]).memories[0].counted is True
    clock.instant = Instant("2026-07-28T10:14:59Z")
    assert read(workspace, [path]).memories[0].counted is False
    clock.instant = Instant("2026-07-28T10:15:00Z")
    assert read(workspace, [path]).memories[0].counted is True
    assert reinforce(workspace, [path]).memories[0].opens == 2


def test_several_paths_are_read_in_their_order_and_none_is_counted_if_one_is_missing(workspace: Workspace) -> None:
    """All or none."""
    one, two = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2))
    assert [each.path for each in read(workspace, [two, one], count=False).memories] == [two, one]
    with pytest.raises(PathNotFoundError, match=r"areas/none\.html"):
        read(workspace, [one, "areas/none.html"])
    assert read(workspace, [one]).memories[0].counted is True


def test_a_hand_edit_is_read_as_it_is_and_a_broken_file_with_what_is_wrong(workspace: Workspace) -> None:
    """Before it is committed; a new file too."""
    path = write(workspace, fact("Drain before every deploy.")).path
    file = workspace.repository.root / path
    good = file.read_text()
    file.write_text(good.replace("every deploy", "each deploy"))
    edited = read(workspace, [path]).memories[0]
    assert edited.memory is not None
    assert edited.memory.gist == "Drain before each deploy."
    new = file.with_name("by-hand.html")
    new.write_text(good.replace("<mark>", "").replace("</mark>", ""))
    broken = read(workspace, ["areas/inbox/by-hand.html"]).memories[0]
    assert broken.memory is None
    assert broken.html is not None
    assert any("mark" in violation for violation in broken.violations)


@pytest.mark.skipif(os.name != "posix", reason="links and FIFOs as POSIX has them")
def test_what_is_no_plain_file_is_never_followed(workspace: Workspace, tmp_path: Path) -> None:
    """A link to a secret, a FIFO that would block for ever, a folder."""
    inbox = workspace.repository.root / "areas" / "inbox"
    inbox.mkdir(parents=True)
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    (inbox / "link.html").symlink_to(secret)
    os.mkfifo(inbox / "pipe.html")
    (inbox / "folder.html").mkdir()
    for name in ("link", "pipe", "folder"):
        with pytest.raises(UnsafeFileError):
            read(workspace, [f"areas/inbox/{name}.html"])


def test_a_state_that_cannot_be_written_is_a_notice_and_the_memory_is_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked for is there."""
    path = write(workspace, fact("Drain before every deploy.")).path

    def full(self: object, *_: object) -> None:
        del self
        raise StorageError("the disk is full")

    monkeypatch.setattr(type(workspace.index.state), "open_memory", full)
    answer = read(workspace, [path])
    assert answer.memories[0].memory is not None
    assert answer.memories[0].counted is False
    assert [notice.code for notice in answer.warnings] == ["ERR_STORAGE"]


def test_an_invalid_path_says_how_one_is_written(workspace: Workspace) -> None:
    """Not only that it is wrong."""
    with pytest.raises(InvalidPathError) as caught:
        read(workspace, ["notes/a.html"])
    assert caught.value.suggestions


def test_a_memory_whose_file_was_deleted_by_hand_is_said_to_be_in_the_branch(workspace: Workspace) -> None:
    """With the command that brings it back, also when the loss is staged; that command works."""
    path = write(workspace, fact("Drain before every deploy.")).path
    root = workspace.repository.root
    for staged in (False, True):
        (root / path).unlink()
        if staged:
            git(root, "add", "-A")
        with pytest.raises(PathNotFoundError, match="in the branch, but its file is not in the work tree") as caught:
            read(workspace, [path])
        restore = shlex.split(caught.value.suggestions[0])
        assert restore == ["git", "-C", str(root), "checkout", "HEAD", "--", path]
        git(root, *restore[3:])
        assert read(workspace, [path]).memories[0].memory is not None
