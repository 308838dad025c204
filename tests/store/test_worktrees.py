"""The two halves of a run's work tree."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import LockedError, StorageError
from memhtml.domain.memory import CommitId
from memhtml.domain.paths import segment_refusal
from memhtml.store import worktrees
from memhtml.store.branches import Runs
from memhtml.store.git import Git
from memhtml.store.lock import locked
from memhtml.store.repository import Repository
from memhtml.store.worktrees import RunTree, is_run_name, is_whole, make, take_away, working

from .conftest import Person

Put = Callable[[str, bytes], CommitId]
DAY = "2026-07-28"


@given(st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(-[1-9][0-9]?)?", fullmatch=True))
def test_every_name_on_the_disk_is_one_that_all_systems_take(name: str) -> None:
    """Folders, lock file and branch."""
    assert is_run_name(name)
    tree = RunTree(Path("store/.git"), name)
    names = [tree.files.name, tree.lock.name, tree.beside(".new").name, tree.gitdir.name, *tree.branch.split("/")]
    assert [segment_refusal(one) for one in names] == [None] * len(names)


def test_a_work_tree_is_made_taken_away_and_made_again(store: Repository, person: Person, put: Put) -> None:
    """Twice is once, and nothing is left."""
    put("areas/a.html", b"a")
    person.git("branch", "sleep/2026-07-28")
    tree = RunTree(store.layout.common, DAY)
    assert not is_whole(tree)
    take_away(tree)
    for _ in range(2):
        make(tree, store.git, wait=5.0)
        make(tree, store.git, wait=5.0)
        assert is_whole(tree)
        assert (tree.files / "areas/a.html").read_bytes() == b"a"
        listed = person.git("worktree", "list", "--porcelain")
        assert f"worktree {tree.files}" in listed
        assert "branch refs/heads/sleep/2026-07-28" in listed
        take_away(tree)
        take_away(tree)
        assert not is_whole(tree)
    assert person.git("worktree", "list", "--porcelain").count("worktree ") == 1


def test_where_references_are_in_tables_git_makes_the_halves(
    store: Repository, person: Person, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep more beside HEAD than a few lines; what comes out is the same."""
    put("areas/a.html", b"a")
    put("resources/b.html", b"b")
    person.status()
    person.git("sparse-checkout", "set", "areas")
    (store.layout.common / "reftable").mkdir()  # an empty folder is all that is looked at
    called: list[str] = []
    run = Git.run

    def noted(git: Git, *words: str, given: bytes = b"") -> bytes:
        called.append(" ".join(word for word in words if word not in {"-c", "core.sparseCheckout=false"}))
        return run(git, *words, given=given)

    monkeypatch.setattr(Git, "run", noted)
    with Runs(store).begin(DAY) as opened:
        assert sum(words.startswith("worktree add") for words in called) == 1
        assert (opened.tree.files / "resources/b.html").is_file()
        with opened.repository.transaction() as tx:
            tx.put("areas/b.html", b"b")
            tip = tx.commit("sleep(test): b")
        assert is_whole(opened.tree)
    with Runs(store).resume(DAY) as opened:
        assert sum(words.startswith("worktree add") for words in called) == 1
        assert opened.run().tip == tip
    (store.layout.common / "reftable").rmdir()
    assert person.git("fsck", "--strict", "--no-dangling") == ""


def test_git_never_sees_half_of_it(store: Repository, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off at any step of the disk, `git fsck` has nothing to say; the next one makes it whole."""
    person.git("branch", "sleep/2026-07-28")
    tree = RunTree(store.layout.common, DAY)

    def cut_off(*_: object, **__: object) -> None:
        raise OSError("cut off")

    for call in ("mkdir", "write_text", "replace", "open"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, call, cut_off)
            with pytest.raises(StorageError):
                make(tree, store.git, wait=5.0)
        assert not is_whole(tree)
        assert person.git("fsck", "--strict", "--no-dangling") == ""
    make(tree, store.git, wait=5.0)
    assert is_whole(tree)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", cut_off)
        with pytest.raises(StorageError):
            take_away(tree)
    assert not is_whole(tree)
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    take_away(tree)
    assert list((store.layout.common / "memhtml" / "runs").iterdir()) == []


def test_leftovers_of_a_killed_write_go_when_the_work_tree_is_brought_along(store: Repository, put: Put) -> None:
    """Temporary files and a journal of the run's own; nothing of a person's that git ignores."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        tree = opened.tree
    (tree.files / "areas/.memhtml-0.tmp").write_bytes(b"half")
    (tree.files / "areas/mine.tmp").write_bytes(b"mine")
    (tree.layout.desk / "journal").write_bytes(b"{")
    tree.mark.unlink()
    make(tree, store.git, wait=5.0)
    assert not (tree.files / "areas/.memhtml-0.tmp").exists()
    assert (tree.files / "areas/mine.tmp").exists()
    assert not (tree.layout.desk / "journal").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away there")
def test_a_lock_that_was_taken_away_meanwhile_is_no_lock(store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waited for a drop must not believe that the run is his."""
    tree = RunTree(store.layout.common, DAY)

    @contextmanager
    def dropped_meanwhile(path: Path, *, wait: float, command: str, what: str) -> Generator[int]:
        with locked(path, wait=wait, command=command, what=what) as descriptor:
            path.unlink()
            yield descriptor

    monkeypatch.setattr(worktrees, "locked", dropped_meanwhile)
    with pytest.raises(LockedError, match="was dropped meanwhile"), working(tree, wait=0.0, command="test"):
        pass
