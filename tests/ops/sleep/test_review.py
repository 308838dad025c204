"""A run reviewed, in an answer and on a page."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.ops.conftest import seen
from tests.sleep.hand import DAY, small

from memhtml.domain.errors import InvalidFlagError, InvalidPathError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import MemoryPath
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.encoding import dumps, encode
from memhtml.ops.sleep.review import SleepReview, review_run, run, run_page
from memhtml.sleep.review.report import whole_page
from memhtml.sleep.review.review import reviewed
from memhtml.store.branches import Runs
from memhtml.workspace.workspace import Workspace


@pytest.fixture
def paths(workspace: Workspace) -> tuple[MemoryPath, ...]:
    """Three memories, and a run about them."""
    return small(workspace.repository)


def door(workspace: Workspace, **given: object) -> SleepReview:
    """As a command line asks."""
    row = operation("sleep review")
    assert row is not None
    return run(workspace, bind(row, given))


@pytest.mark.usefixtures("paths")
def test_the_answer_is_the_whole_review(workspace: Workspace) -> None:
    """With keys as everywhere; nothing in the store or in its work tree is touched by it."""
    before = seen(workspace.repository.root)
    answer = door(workspace)
    repository = workspace.repository
    expected = reviewed(repository.git, Runs(repository).find(DAY))
    found = json.loads(dumps(encode(answer), dense=False))
    assert found == json.loads(dumps(encode(expected), dense=False)) | {"page": None}
    assert list(found) == [
        *("run", "branch", "state", "base", "tip", "landed", "deep", "model", "changed", "phases", "commits", "page")
    ]
    file = found["commits"][0]["files"][0]
    assert list(file) == [
        *("path", "kind", "previous", "why", "evidence", "before", "after", "diff", "omitted"),
    ]
    assert file["evidence"] == [{"source": "areas/inbox/alpha-waits-for-beta.html", "said": "cosine 0.95"}]
    assert seen(workspace.repository.root) == before


@pytest.mark.usefixtures("paths")
def test_one_phase_may_be_asked_for(workspace: Workspace) -> None:
    """The others are counted all the same."""
    answer = door(workspace, run=DAY, phase=["confidence-decay"])
    assert [commit.phase for commit in answer.commits] == ["confidence-decay"]
    assert [phase.phase for phase in answer.phases] == ["dedup-merge", "confidence-decay", "report"]
    with pytest.raises(InvalidFlagError, match="no phase 'decay'") as caught:
        review_run(workspace, phases=["decay"])
    assert caught.value.suggestions == ("it has dedup-merge, confidence-decay, report",)


@pytest.mark.usefixtures("paths")
def test_a_page_goes_into_a_file(workspace: Workspace, tmp_path: Path) -> None:
    """The same that Python gets as text; a page may be made again over one, and nothing else is left beside it."""
    place = tmp_path / "pages" / "review.html"
    place.parent.mkdir()
    answer = door(workspace, html=str(place))
    assert answer.page == place
    repository = workspace.repository
    page = whole_page(reviewed(repository.git, Runs(repository).find(DAY)))
    assert place.read_text(encoding="utf-8") == page == run_page(workspace)
    review_run(workspace, phases=["report"], html=place)
    assert place.read_text(encoding="utf-8") != page
    assert [each.name for each in place.parent.iterdir()] == ["review.html"]


@pytest.mark.usefixtures("paths")
def test_what_is_no_page_is_not_written_over(workspace: Workspace, tmp_path: Path) -> None:
    """A person's file, a folder, and all that is in the store; what is there stays as it is."""
    mine = tmp_path / "thesis.html"
    mine.write_text("<p>mine</p>")
    (tmp_path / "folder").mkdir()
    for place in (mine, tmp_path / "folder"):
        with pytest.raises(WriteConflictError, match="no page of memhtml sleep"):
            review_run(workspace, html=place)
    assert mine.read_text() == "<p>mine</p>"
    root = workspace.repository.root
    before = seen(root)
    (tmp_path / "way").symlink_to(root, target_is_directory=True)
    for place in (root / "areas" / "x.html", tmp_path / "way" / "y.html", root):
        with pytest.raises(InvalidFlagError, match="outside of the store"):
            review_run(workspace, html=place)
    assert seen(root) == before


@pytest.mark.usefixtures("paths")
def test_a_page_that_cannot_be_written_leaves_nothing(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No folder is there, or the disk refuses in the middle."""
    with pytest.raises(OSError, match="No such file"):
        review_run(workspace, html=tmp_path / "nowhere" / "x.html")
    place = tmp_path / "pages"
    place.mkdir()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        review_run(workspace, html=place / "x.html")
    assert list(place.iterdir()) == []


def test_what_is_no_run_is_refused(workspace: Workspace) -> None:
    """With what to do."""
    with pytest.raises(PathNotFoundError, match="no run is open"):
        review_run(workspace)
    with pytest.raises(PathNotFoundError, match="there is no run 2026-07-28"):
        review_run(workspace, DAY)
    with pytest.raises(InvalidPathError, match="is no run"):
        review_run(workspace, "../main")
