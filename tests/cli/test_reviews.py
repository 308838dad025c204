"""Runs as a person sees them at a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.sleep.hand import CLAIMS, DAY, begun, filled

from memhtml.cli.human import render
from memhtml.cli.reviews import MOST_FILES, MOST_LINES, MOST_SAID, dropped, reviewed, runs
from memhtml.cli.screen import Screen
from memhtml.config.settings import load
from memhtml.domain.memory import MemoryPath
from memhtml.ops.init import init
from memhtml.ops.sleep.drop import drop_changes, drop_run
from memhtml.ops.sleep.review import SleepReview, review_run
from memhtml.ops.sleep.status import sleep_status
from memhtml.sleep.changes import Evidence
from memhtml.sleep.review.review import RunState
from memhtml.sleep.trailers import Told
from memhtml.workspace.workspace import Workspace


@pytest.fixture
def workspace(root: Path, environment: dict[str, str]) -> Iterator[Workspace]:
    """An empty store."""
    settings = load({"root": str(root), "embed": "off"}, environment, root.parent / "user.toml", root.parent)
    with Workspace(settings, variables=environment) as made:
        init(made)
        yield made


@pytest.fixture
def paths(workspace: Workspace) -> tuple[MemoryPath, ...]:
    """Three memories, and a run about them."""
    found = filled(workspace.repository, *CLAIMS)
    with begun(workspace.repository) as night:
        night.phase(Told("preflight", counts={"memories": 3, "not_embedded": 0}, model="scripted"))
        night.folded(found[0], found[1])
        night.learned("Delta waits for all.", Evidence("s-1", "we waited"))
        night.phase(Told("trace-consolidation", note="one talk was long"))
        night.failed("compress")
    return found


def drawn(draw: object, result: object, width: int = 200) -> str:
    """What a person would see."""
    stream = io.StringIO()
    draw(Screen(stream, width), result)  # type: ignore[operator] - one of three functions
    return stream.getvalue()


def test_runs_are_a_table_with_what_to_do(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """A run that was broken off, and one that failed in part, say so."""
    assert drawn(runs, sleep_status(workspace)).splitlines()[1].split(maxsplit=4) == [
        *(DAY, "open", "3", "0", "not finished: memhtml sleep resume; failed: compress")
    ]
    with begun(workspace.repository, "2026-07-29"):
        pass
    with begun(workspace.repository, "2026-07-30"):
        pass
    text = drawn(runs, sleep_status(workspace, limit=1))
    assert [line.split()[:2] for line in text.splitlines()[1:3]] == [["2026-07-30", "empty"], [DAY, "open"]]
    assert text.endswith("2 of 3 runs\n")
    assert paths


def test_no_runs_are_said_to_be_none(workspace: Workspace) -> None:
    """With how to make one."""
    assert drawn(runs, sleep_status(workspace)) == "no runs: memhtml sleep run makes one\n"


def test_a_review_shows_each_change_with_why_and_how(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """Phase by phase; a change that is a commit of its own can be named by it."""
    review = review_run(workspace)
    text = drawn(reviewed, review)
    lines = text.splitlines()
    assert lines[:3] == [
        f"Sleep {DAY}: 3 changes, open",
        f"sleep/{DAY} from {review.base[:10]} to {review.tip[:10]}, model scripted",
        "preflight: 3 memories",
    ]
    start = lines.index("dedup-merge: 1 merged")
    assert lines[start : start + 5] == [
        "dedup-merge: 1 merged",
        f"  archived {paths[1]} → archive/2026/{paths[1]}",
        "    They say the same.",
        f"    because {paths[0]}: cosine 0.95",
        "    says: Beta is what alpha waits for.",
    ]
    assert '    +<meta name="memhtml-status" content="archived">' in lines
    assert "  kept out: x and y differ by numeric" in lines
    part = next(commit for commit in review.commits if commit.part == 1)
    assert f"  {part.commit[:10]} memory(sleep): trace-consolidation" in lines
    assert "    after: Delta waits for all." in lines
    assert "trace-consolidation (one talk was long)" in lines
    assert "compress failed (an internal error: ValueError)" in lines
    assert lines[-1].startswith(f"Next: memhtml sleep drop {DAY} --path PATH --why")


def test_a_review_of_much_says_how_much_more_there_is(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """Files, lines, sentences; and a page is named."""
    review = review_run(workspace)
    fold = next(commit for commit in review.commits if commit.files)
    file = replace(fold.files[0], diff="\n".join(["+x"] * (MOST_LINES + 7)), evidence=(), before=None)
    commit = replace(
        fold, files=(file,) * (MOST_FILES + 2), refused=tuple(f"no {number}" for number in range(MOST_SAID + 3))
    )
    text = drawn(reviewed, replace(review, commits=(commit,), page=Path("review.html"), state=RunState.LANDED))
    assert text.count("archived ") == MOST_FILES
    assert "\n  and 2 more: --html FILE, or --json, has them\n" in text
    assert text.count("    and 7 more lines\n") == MOST_FILES
    assert text.count("kept out: ") == MOST_SAID
    assert "\n  and 3 more\n" in text
    assert text.endswith("The page is review.html\n")
    cut = replace(commit, files=(replace(file, diff="+x", omitted="the rest is left out"),))
    assert "    +x\n    the rest is left out\n" in drawn(reviewed, replace(review, commits=(cut,)))
    assert paths


def test_what_somebody_did_by_hand_has_its_own_place(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """After the phases."""
    review = review_run(workspace)
    fold = next(commit for commit in review.commits if commit.files)
    text = drawn(reviewed, replace(review, commits=(replace(fold, phase=""),)))
    assert f"\nby hand\n  archived {paths[1]}" in text


def test_hostile_texts_do_not_move_the_terminal(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """They are shown."""
    review = review_run(workspace)
    fold = next(commit for commit in review.commits if commit.files)
    hostile = replace(fold, refused=("\x1b[2J\u202e",), files=(replace(fold.files[0], why="[bold]\x1b]0;x\x07"),))
    text = drawn(reviewed, replace(review, commits=(hostile,)))
    assert "\\x1b[2J\\u202e" in text
    assert "[bold]\\x1b]0;x\\x07" in text
    assert not set(text) & set("\x1b\x07\u202e")
    assert paths


def test_what_was_dropped_is_named(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """A whole run is only shown first."""
    assert drawn(dropped, drop_run(workspace)) == (
        f"Would go: the run {DAY}: 5 commits, 3 changes\nNothing was done. Next: memhtml sleep drop {DAY} --yes\n"
    )
    gone = drop_changes(workspace, why="Not \x1bso.", paths=[paths[0]])
    assert drawn(dropped, gone) == f"1 path taken out of {DAY}:\n  {paths[0]}\n"
    assert f"  taken out: Not so.\n    {paths[0]}\n" in drawn(reviewed, review_run(workspace))
    with begun(workspace.repository, "2026-07-29") as night:
        night.folded(paths[0], paths[1])
    drop_changes(workspace, "2026-07-29", why="No.", paths=[paths[1]])
    shown = drawn(reviewed, review_run(workspace, "2026-07-29"))
    assert f"  taken out: No.\n    archive/2026/{paths[1]}\n    {paths[1]}\n    {paths[0]} (went along)\n" in shown
    last = drop_run(workspace, DAY, yes=True)
    assert drawn(dropped, last) == f"Gone: the run {DAY}: 5 commits, 2 changes\n"
    assert drawn(dropped, replace(last, state=RunState.LANDED)).endswith("; main keeps what it has of it\n")


def test_each_answer_has_its_form(workspace: Workspace, paths: tuple[MemoryPath, ...]) -> None:
    """The door finds it by the answer's type."""
    review = review_run(workspace)
    for envelope, draw, result in (
        ("sleep.status", runs, sleep_status(workspace)),
        ("sleep.review", reviewed, review),
        ("sleep.drop", dropped, drop_run(workspace)),
    ):
        assert drawn(lambda screen, each, envelope=envelope: render(envelope, each, screen), result) == drawn(
            draw, result
        )
    assert isinstance(review, SleepReview)
    assert paths
