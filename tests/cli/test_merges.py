"""What a person reads of a merge."""

from __future__ import annotations

import io
from pathlib import Path

from msgspec.structs import replace

from memhtml.cli.merges import SHOWN, merged
from memhtml.cli.screen import Screen
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.ops.sleep.merge import Gate, MergedRun, RankingHeld, StoreHeld
from memhtml.store.branches import Runs
from memhtml.store.repository import Repository

from .conftest import Command

DONE = MergedRun(
    run="2026-07-28",
    branch="sleep/2026-07-28",
    commit=CommitId("c" * 40),
    already=False,
    files=2,
    paths=("areas/a.html", "areas/b.html"),
    tries=2,
    kept=("sitemap.xml",),
    gate=Gate.PASSED,
    ranking=RankingHeld(60, 400, 1.0),
    store=StoreHeld(62, 200, 198, (MemoryPath("areas/e.html"),), (MemoryPath("areas/c.html"),)),
    warnings=(),
)


def drawn(done: MergedRun) -> str:
    """The screen."""
    stream = io.StringIO()
    merged(Screen(stream), done)
    return stream.getvalue()


def test_a_merge_is_told_with_who_was_asked() -> None:
    """The commit, the files, how often, and what the gates found out."""
    assert [line.rstrip() for line in drawn(DONE).splitlines()] == [
        "Merged: sleep/2026-07-28, 2 files (cccccccccc)",
        "  areas/a.html",
        "  areas/b.html",
        "main moved meanwhile: it was judged 2 times",
        "made from others, and as main had them: sitemap.xml; memhtml publish makes listings anew",
        "The ledger adds up; 60 invented and 62 own memories are told apart and found as before",
        "  not found any more, as was meant: areas/e.html",
        "  says something else now: areas/c.html",
    ]


def test_a_merge_that_nobody_judged_says_so() -> None:
    """And no more than the first files are named."""
    paths = tuple(f"areas/{number}.html" for number in range(50))
    told = drawn(replace(DONE, ranking=None, store=None, tries=1, files=70, paths=paths))
    assert told.count("areas/") == SHOWN
    assert "and 50 more" in told
    assert "Nobody judged it, as the merge commit says; the ledger adds up" in told
    assert "meanwhile" not in told


def test_a_run_that_main_has_is_nothing_to_do() -> None:
    """With the merge, where there is one."""
    already = replace(DONE, already=True)
    assert drawn(already).rstrip() == "Nothing to do: main holds the run 2026-07-28 already (cccccccccc)"
    assert drawn(replace(already, commit=None)).rstrip().endswith("already")


def test_a_command_line_merges_or_is_told_why_not(command: Command, root: Path, environment: dict[str, str]) -> None:
    """The error names the paths and the command that helps; the same run without its fault lands."""
    command("init")
    path = command("write", "Drain before every deploy.").data["path"]
    runs = Runs(Repository.open(root, environment=environment))
    with runs.begin("2026-07-28") as opened, opened.repository.transaction() as tx:
        tx.remove(path)
        tx.commit("sleep(dedup-merge): 1", [("Memhtml-Phase", "dedup-merge")])
    refused = command("sleep", "merge", "--skip-gate")
    assert (refused.status, refused.code) == (1, "ERR_WRITE_CONFLICT")
    assert refused.envelope["details"] == {"paths": [path]}
    assert refused.envelope["suggestions"] == [
        f'memhtml sleep drop 2026-07-28 --path {path} --why "vanished: {path}"',
    ]
    dropped = command("sleep", "drop", "2026-07-28", "--path", path, "--why", "still needed")
    assert dropped.status == 0, dropped.stdout
    done = command("sleep", "merge", "2026-07-28", "--skip-gate")
    assert (done.envelope["type"], done.data["gate"], done.data["files"]) == ("sleep.merge", "skipped", 0)
    assert command("read", path).status == 0
    assert command("sleep", "merge", "--seed", "x").code == "ERR_INVALID_FLAG"
