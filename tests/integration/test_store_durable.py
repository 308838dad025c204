"""An acknowledged write is on the disk: every part of it was synced before the call returned."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from memhtml.store.founding import init
from memhtml.store.repository import Repository


def test_git_syncs_objects_and_branch(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Git itself counts its flushes: blob, trees and commit, and then the reference."""
    init(root, environment=environment)
    trace = tmp_path / "trace"
    trace.mkdir()
    Path(environment["HOME"], ".gitconfig").write_text(f"[trace2]\n\teventTarget = {trace}\n", encoding="utf-8")
    store = Repository.open(root, environment=environment)
    with store.transaction() as tx:
        tx.put("areas/inbox/a.html", b"a")
        tx.commit("memory(write): a")
    flushes: dict[str, int] = {}
    for path in trace.iterdir():
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        name = next(event["name"] for event in events if event["event"] == "cmd_name")
        counts = [int(event["value"]) for event in events if event.get("key") == "fsync/hardware-flush"]
        flushes[name] = flushes.get(name, 0) + sum(counts)
    # A commit, the root, areas, inbox, and the blob; then the branch.
    assert flushes["unpack-objects"] >= 5
    assert flushes["update-ref"] >= 1


def test_a_write_starts_a_fixed_handful_of_processes(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """None of them walks the store: not for its first memory, not beside three hundred others, not in a batch."""
    init(root, environment=environment)
    trace = tmp_path / "trace"
    store = Repository.open(root, environment=environment)
    seen: list[list[str]] = []
    for count in (1, 300, 1, 50):
        trace.mkdir()
        Path(environment["HOME"], ".gitconfig").write_text(f"[trace2]\n\teventTarget = {trace}\n", encoding="utf-8")
        with store.transaction() as tx:
            for number in range(count):
                tx.put(f"areas/inbox/{len(seen)}-{number}.html", f"{len(seen)} {number}".encode())
            tx.commit("memory(apply): some")
        Path(environment["HOME"], ".gitconfig").unlink()
        seen.append(sorted(name_of(path) for path in trace.iterdir()))
        for path in trace.iterdir():
            path.unlink()
        trace.rmdir()
    few = ["config", "fast-import", "ls-files", "unpack-objects", "update-index", "update-ref"]
    # Three hundred objects stay in the pack that they came in; the next tree is then read out of it.
    packed = [name for name in few if name != "unpack-objects"]
    assert seen == [few, packed, sorted([*few, "cat-file"]), few]


def name_of(trace: Path) -> str:
    """Which git wrote this trace."""
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    return str(next(event["name"] for event in events if event["event"] == "cmd_name"))


@pytest.mark.skipif(sys.platform == "win32", reason="folders are synced on POSIX")
def test_files_and_folders_are_synced_in_their_order(
    root: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Journal, its folder, the new file; later, when it has its name, the folder of the file."""
    init(root, environment=environment)
    store = Repository.open(root, environment=environment)
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a")
    synced: list[str] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        synced.append(f"{kind} {Path(f'/proc/self/fd/{descriptor}').resolve().name}")
        named = (root / "areas/b.html").exists()
        synced[-1] += ", b.html is there" if named else ""
        sync(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("names of descriptors come from /proc")
    monkeypatch.setattr(os, "fsync", noted)
    with store.transaction() as tx:
        tx.put("areas/b.html", b"b")
        tx.commit("memory(write): b")
    assert synced == [
        "file journal.new",
        "folder memhtml",
        "file .memhtml-0.tmp",
        "folder areas, b.html is there",
    ]
