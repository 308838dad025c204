"""Runs of sleep: a branch and a work tree of its own, beside a store in which everybody goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    DirtyTreeError,
    GitError,
    InvalidPathError,
    LockedError,
    PathNotFoundError,
    StorageError,
    WriteConflictError,
)
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.store import branches
from memhtml.store.branches import OpenRun, Run, Runs
from memhtml.store.journal import Intent, Journal
from memhtml.store.objects import blob_id
from memhtml.store.repository import Repository
from memhtml.store.worktrees import RunTree, is_whole

from .conftest import Person

Put = Callable[[str, bytes], CommitId]
DAY = "2026-07-28"


def propose(opened: OpenRun, path: str, data: bytes = b"proposed") -> CommitId:
    """One commit of the run."""
    with opened.repository.transaction() as tx:
        tx.put(path, data)
        return tx.commit(f"sleep(test): {path}", [("Memhtml-Run", opened.name)])


def live_state(store: Repository, person: Person) -> tuple[object, ...]:
    """All that a run must not change: branch, index, what git calls changed, and every file."""
    files = {path: path.read_bytes() for path in store.root.rglob("*") if path.is_file() and ".git" not in path.parts}
    return store.head(), store.branch(), person.git("ls-files", "--stage"), person.status(), files


def test_a_run_is_a_store_of_its_own_on_its_own_branch(store: Repository, person: Person, put: Put) -> None:
    """Nothing of the live work tree, its index or HEAD sees it, and what is committed there stays there."""
    base = put("areas/a.html", b"a")
    person.write("areas/mine.html", "untracked")
    before = live_state(store, person)
    with Runs(store).begin(DAY) as opened:
        assert opened.run() == Run(DAY, base, base, held=True)
        assert opened.repository.branch() == "sleep/2026-07-28"
        assert (opened.repository.root / ".memhtml").is_dir()
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"a"
        tip = propose(opened, "areas/b.html")
        assert opened.run() == Run(DAY, tip, base, held=False)
        assert opened.repository.root.is_relative_to(store.layout.common)
    assert live_state(store, person) == before
    person.git("clean", "--quiet", "-dfx", "-e", "areas/mine.html", "-e", ".memhtml")
    person.git("worktree", "prune", "--expire", "now")
    person.git("gc", "--quiet", "--prune=now")
    with Runs(store).resume(DAY) as opened:
        assert opened.repository.head() == tip
        assert opened.repository.read_work(MemoryPath("areas/b.html")) == b"proposed"
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert list(store.check()) == []


def test_agents_write_to_main_while_a_run_works(store: Repository, person: Person, put: Put) -> None:
    """Neither waits for the other, and each commit is on one branch."""
    with Runs(store).begin(DAY) as opened, opened.repository.transaction() as tx:
        put("areas/main.html", b"m")
        tx.put("areas/run.html", b"r")
        tx.commit("sleep(test): run")
        put("areas/more.html", b"m")
    assert "areas/run.html" not in person.files()
    assert {"areas/main.html", "areas/more.html"} <= set(person.files())
    branch = person.git("ls-tree", "-r", "--name-only", "sleep/2026-07-28", "--", "areas").split()
    assert branch == ["areas/run.html"]


def test_names_count_up_within_a_day(store: Repository, put: Put) -> None:
    """A branch has a name, and a report on main has one: the next report must not go over it."""
    runs = Runs(store)
    names: list[str] = []
    for _ in range(2):
        with runs.begin(DAY) as opened:
            names.append(opened.name)
    put(".memhtml/sleep/2026-07-28-3.html", b"a report of a run that has landed")
    for _ in range(7):
        with runs.begin(DAY) as opened:
            names.append(opened.name)
    with runs.begin("2026-07-27") as opened:
        names.append(opened.name)
    assert names == [DAY, *(f"{DAY}-{number}" for number in (2, 4, 5, 6, 7, 8, 9, 10)), "2026-07-27"]
    assert [run.name for run in runs.listed()] == ["2026-07-27", *names[:-1]], "by date and number, 10 after 9"


def test_a_run_that_was_dropped_leaves_nothing(store: Repository, person: Person, put: Put) -> None:
    """Work tree, branch, lock and log are gone; main and every file are as they were, and the name is free again."""
    put("areas/a.html", b"a")
    folders = {path for path in (store.root / ".git").rglob("*") if "objects" not in path.parts}
    before = live_state(store, person)
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/b.html")
    runs.drop(DAY)
    assert live_state(store, person) == before
    after = {path for path in (store.root / ".git").rglob("*") if "objects" not in path.parts}
    assert after - folders <= {store.layout.common / "memhtml" / "runs", store.layout.common / "packed-refs"}
    assert runs.listed() == ()
    with pytest.raises(PathNotFoundError):
        runs.drop(DAY)
    with runs.begin(DAY) as opened:
        assert opened.name == DAY


def test_only_one_works_on_a_run(store: Repository) -> None:
    """A second night, a reviewer and a drop are told who does; another run is free."""
    runs = Runs(Repository.open(store.root, environment=dict(store.git.environment), lock_wait=0.1))
    with runs.begin(DAY), runs.begin(DAY) as second:
        assert second.name == f"{DAY}-2"
        with pytest.raises(LockedError, match=r"the run 2026-07-28 is being worked on by process"), runs.resume(DAY):
            pass
        with pytest.raises(LockedError):
            runs.drop(DAY)
    runs.drop(DAY)


def no_files(tree: RunTree) -> None:
    """The folder is gone."""
    shutil.rmtree(tree.files)


def no_gits_half(tree: RunTree) -> None:
    """What git knows of it is gone, as after `git worktree prune`."""
    shutil.rmtree(tree.gitdir)


def neither(tree: RunTree) -> None:
    """Both are gone, as in a clone."""
    no_files(tree)
    no_gits_half(tree)


def half_checked_out(tree: RunTree) -> None:
    """Cut off in the middle of writing files and index."""
    tree.mark.unlink()
    (tree.files / "areas/b.html").unlink()
    (tree.files / "areas/a.html").write_bytes(b"hal")
    (tree.gitdir / "index").unlink()
    (tree.gitdir / "index.lock").write_bytes(b"DIRC")
    (tree.common / f"{tree.branch}.lock").write_bytes(b"")


def torn_pointer(tree: RunTree) -> None:
    """The two halves do not know each other."""
    (tree.files / ".git").unlink()


def half_removed(tree: RunTree) -> None:
    """A drop that was cut off."""
    tree.mark.unlink()
    tree.gitdir.rename(tree.beside(".old"))


def before_the_link(tree: RunTree) -> None:
    """A beginning that was cut off."""
    neither(tree)
    tree.files.mkdir()
    tree.beside(".new").mkdir()


def gits_own_start(tree: RunTree) -> None:
    """What `git worktree add` leaves when it is killed."""
    neither(tree)
    tree.gitdir.mkdir(parents=True)
    (tree.gitdir / "locked").write_text("initializing")


WOUNDS = [
    no_files,
    no_gits_half,
    neither,
    half_checked_out,
    torn_pointer,
    half_removed,
    before_the_link,
    gits_own_start,
]


@pytest.mark.parametrize("wound", WOUNDS)
def test_a_run_is_resumed_whatever_became_of_its_work_tree(
    store: Repository, person: Person, put: Put, wound: Callable[[RunTree], None]
) -> None:
    """The branch is the run: all that was committed is there, in files and index, and it goes on."""
    put("areas/a.html", b"a")
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        tip = propose(opened, "areas/b.html")
        tree = opened.tree
    wound(tree)
    with runs.resume(DAY) as opened:
        assert opened.repository.head() == tip
        assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
        assert opened.repository.read_work(MemoryPath("areas/b.html")) == b"proposed"
        propose(opened, "areas/c.html")
        assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert person.git("worktree", "list", "--porcelain").count("worktree ") == 2
    assert list(store.check()) == []
    runs.drop(DAY)


@pytest.mark.parametrize("wound", WOUNDS)
def test_a_run_is_dropped_whatever_became_of_its_work_tree(
    store: Repository, person: Person, wound: Callable[[RunTree], None]
) -> None:
    """Nothing of it is left."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/b.html")
        propose(opened, "areas/a.html")
        tree = opened.tree
    wound(tree)
    runs.drop(DAY)
    assert person.git("worktree", "list", "--porcelain").count("worktree ") == 1
    assert person.git("branch", "--list").split() == ["*", "main"]
    assert list((store.layout.common / "memhtml" / "runs").iterdir()) == []
    assert not (store.layout.common / "worktrees").exists()


def test_a_write_that_was_cut_off_in_a_run_is_settled_when_it_is_resumed(store: Repository) -> None:
    """Its journal lies beside the index of the run's work tree, and is no affair of the live one."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/a.html", b"old")
        root, desk = opened.repository.root, opened.repository.layout.desk
    (root / "areas/a.html").write_bytes(b"new")
    old, new = blob_id(b"old", None), blob_id(b"new", None)
    Journal(desk).write((Intent("areas/a.html", old, new, old),))
    assert not store.recover_if_needed()
    with runs.resume(DAY) as opened:
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"old"
        assert not Journal(desk).pending()


def test_files_that_git_ignores_outlive_a_repair(store: Repository) -> None:
    """The run's copy of the index is worth keeping."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/a.html")
        (opened.repository.root / ".memhtml/index.db").write_bytes(b"vectors")
        opened.tree.mark.unlink()
    with runs.resume(DAY) as opened:
        assert (opened.repository.root / ".memhtml/index.db").read_bytes() == b"vectors"


def test_a_store_that_was_moved_takes_its_runs_along(
    store: Repository, environment: dict[str, str], tmp_path: Path
) -> None:
    """Git wrote down where the work tree was; the branch knows better."""
    with Runs(store).begin(DAY) as opened:
        tip = propose(opened, "areas/a.html")
    place = tmp_path / "elsewhere"
    shutil.move(store.root, place)
    moved = Repository.open(place, environment=environment)
    with Runs(moved).resume(DAY) as opened:
        assert opened.repository.head() == tip
        assert opened.repository.root.is_relative_to(place)
    assert list(moved.check()) == []


def test_a_run_starts_from_main_alone(store: Repository, person: Person, put: Put) -> None:
    """Not from another branch, a single commit, another run, or the middle of a merge."""
    put("areas/a.html", b"a")
    runs = Runs(store)
    with (
        runs.begin(DAY) as opened,
        pytest.raises(GitError, match="starts from main"),
        Runs(opened.repository).begin("2026-07-29"),
    ):
        pass
    person.git("switch", "--quiet", "-c", "feature")
    with pytest.raises(GitError, match="on branch feature"), runs.begin("2026-07-29"):
        pass
    person.git("switch", "--quiet", "--detach")
    with pytest.raises(GitError, match="on no branch"), runs.begin("2026-07-29"):
        pass
    person.git("switch", "--quiet", "main")
    (store.layout.gitdir / "MERGE_HEAD").write_text(f"{store.head()}\n")
    with pytest.raises(GitError, match="a merge is under way"), runs.begin("2026-07-29"):
        pass
    assert [run.name for run in runs.listed()] == [DAY]


def test_before_the_first_commit_there_is_no_run(store: Repository, person: Person) -> None:
    """Nothing to curate, and nothing to start from."""
    person.git("update-ref", "-d", "refs/heads/main")
    assert Runs(store).listed() == ()
    with pytest.raises(GitError, match="main has no commit yet"), Runs(store).begin(DAY):
        pass
    with pytest.raises(PathNotFoundError):
        Runs(store).find(DAY)


def test_damage_is_no_strange_branch(store: Repository) -> None:
    """A run whose commit is gone is an error of git's, and not passed over."""
    with Runs(store).begin(DAY) as opened:
        tip = propose(opened, "areas/a.html")
    (store.layout.common / "objects" / tip[:2] / tip[2:]).unlink()
    with pytest.raises(GitError):
        Runs(store).listed()


@pytest.mark.parametrize("name", ["", "main", "2026-7-1", "2026-07-28-0", "../x", "2026-07-28-2/x", "2026-07-28\n"])
def test_a_name_that_no_run_has_is_refused(store: Repository, name: str) -> None:
    """It becomes a path, so nothing but a date and a number will do."""
    for call in (Runs(store).find, Runs(store).drop):
        with pytest.raises(InvalidPathError):
            call(name)
    with pytest.raises(InvalidPathError), Runs(store).begin(name):
        pass


def test_a_run_that_is_not_there_is_said_so(store: Repository) -> None:
    """A number is for those that are there."""
    with pytest.raises(PathNotFoundError, match="no run 2026-07-28-2"), Runs(store).resume("2026-07-28-2"):
        pass
    with pytest.raises(InvalidPathError, match="a date is wanted"), Runs(store).begin("2026-07-28-2"):
        pass
    assert Runs(store).listed() == ()


def test_somebodys_branches_and_work_trees_are_left_alone(store: Repository, person: Person, tmp_path: Path) -> None:
    """A branch called sleep, a work tree with the name of a run's, other branches below sleep/."""
    runs = Runs(store)
    person.git("branch", "sleep")
    with pytest.raises(GitError, match="a branch called sleep") as refused, runs.begin(DAY):
        pass
    assert refused.value.suggestions == ("git branch -m sleep NAME",)
    person.git("branch", "-m", "sleep", "sleep/tight")
    place = tmp_path / "sleep-2026-07-28"
    person.git("worktree", "add", "--quiet", str(place), "sleep/tight")
    with pytest.raises(GitError, match="another work tree"), runs.begin(DAY):
        pass
    assert runs.listed() == ()
    assert person.git("-C", str(place), "status", "--porcelain") == ""
    assert list(store.check()) == []
    assert store.repair() == ()
    assert place.is_dir()
    person.git("worktree", "move", str(place), str(tmp_path / "other"))
    with runs.begin("2026-07-29") as opened:
        propose(opened, "areas/a.html")


def test_a_branch_that_the_store_stands_on_is_not_touched(store: Repository, person: Person) -> None:
    """Two work trees on one branch would undo each other."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        propose(opened, "areas/a.html")
    person.git("switch", "--quiet", "--ignore-other-worktrees", "sleep/2026-07-28")
    for call in (lambda: runs.drop(DAY), lambda: runs.resume(DAY).__enter__()):
        with pytest.raises(GitError, match="stands on the branch of the run"):
            call()
    assert person.git("rev-parse", "sleep/2026-07-28").strip() == store.head()


def test_a_sparse_checkout_of_the_store_is_not_the_runs(store: Repository, person: Person, put: Put) -> None:
    """A run reads every memory."""
    put("areas/a.html", b"a")
    put("resources/b.html", b"b")
    person.status()
    person.git("sparse-checkout", "set", "areas")
    assert not (store.root / "resources/b.html").exists()
    with Runs(store).begin(DAY) as opened:
        assert opened.repository.read_work(MemoryPath("resources/b.html")) == b"b"
        assert opened.repository.git.run("status", "--porcelain") == b""


def test_a_branch_moves_with_its_work_tree_or_not_at_all(store: Repository, person: Person) -> None:
    """Compare-and-swap: whoever was faster keeps what he did, and an edited work tree is not walked over."""
    with Runs(store).begin(DAY) as opened:
        first = propose(opened, "areas/a.html", b"1")
        second = propose(opened, "areas/a.html", b"2")
        with pytest.raises(WriteConflictError):
            opened.move(first, first, "no")
        assert is_whole(opened.tree), "nothing happened, so nothing is to be made again"
        opened.move(second, first, "back")
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"1"
        assert opened.run().tip == first
        (opened.repository.root / "areas/a.html").write_bytes(b"edited")
        (opened.repository.root / "areas/new.html").write_bytes(b"mine")
        with pytest.raises(DirtyTreeError) as refused:
            opened.move(first, second, "forward")
        assert refused.value.paths == ("areas/a.html", "areas/new.html")
        assert (opened.repository.root / "areas/a.html").read_bytes() == b"edited"
        assert opened.tree.mark.is_file()
    assert person.git("rev-parse", "sleep/2026-07-28").strip() == first


def test_a_branch_that_moved_alone_is_followed_when_the_run_is_resumed(
    store: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark goes before the branch moves, so that nobody takes the old files for its own."""
    with Runs(store).begin(DAY) as opened:
        first = propose(opened, "areas/a.html", b"1")
        second = propose(opened, "areas/a.html", b"2")

        def cut_off(*_: object, **__: object) -> None:
            raise StorageError("cut off")

        monkeypatch.setattr(branches, "bring", cut_off)
        with pytest.raises(StorageError):
            opened.move(second, first, "back")
        monkeypatch.undo()
        assert not is_whole(opened.tree)
        assert opened.run().tip == first
    with Runs(store).resume(DAY) as opened:
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"1"


def test_a_beginning_that_fails_leaves_nothing(
    store: Repository, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No branch, no halves, no lock: the disk was full, say."""

    def full(*_: object, **__: object) -> None:
        raise StorageError("full")

    with monkeypatch.context() as patch:
        patch.setattr(branches, "make", full)
        with pytest.raises(StorageError), Runs(store).begin(DAY):
            pass
    assert person.git("branch", "--list").split() == ["*", "main"]
    assert list((store.layout.common / "memhtml" / "runs").iterdir()) == []
    assert list(store.check()) == []


def test_what_has_landed_is_known_by_main(store: Repository, person: Person, put: Put) -> None:
    """By a merge, by a fast-forward, or not: what main holds is read from its history."""
    runs = Runs(store)
    with runs.begin(DAY) as opened:
        base, tip = opened.run().base, propose(opened, "areas/a.html")
    person.git("merge", "--quiet", "--no-ff", "-m", "by hand", "sleep/2026-07-28")
    merge = store.head()
    assert runs.find(DAY) == Run(DAY, tip, base, held=True, landed=merge)
    put("areas/later.html", b"x")
    assert runs.find(DAY) == Run(DAY, tip, base, held=True, landed=merge)
    with runs.begin(DAY) as opened:
        other = propose(opened, "areas/c.html")
    person.git("merge", "--quiet", "--ff-only", "sleep/2026-07-28-2")
    assert runs.find(f"{DAY}-2") == Run(f"{DAY}-2", other, other, held=True)
    person.git("switch", "--quiet", "--orphan", "stranger")
    person.commit("areas/x.html", "x")
    person.git("branch", "sleep/2020-01-01")
    assert [run.name for run in runs.listed()] == [DAY, f"{DAY}-2"], "a branch that never was main's is no run"
