"""One change, whole or not at all, and never a person's."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    DirtyTreeError,
    InvalidPathError,
    PathNotFoundError,
    UnsafeFileError,
    WriteConflictError,
)
from memhtml.domain.memory import CommitId
from memhtml.store import transaction
from memhtml.store.repository import Repository
from memhtml.store.staleness import lock_files

from .conftest import Person

Put = Callable[[str, bytes], CommitId]


def test_a_commit_is_on_the_branch_and_nothing_is_dirty(store: Repository, person: Person) -> None:
    """Branch, git index and work tree agree when a write returns."""
    with store.transaction() as tx:
        tx.put("areas/a.html", b"<p>a</p>\n")
        tx.put("projects/x/tasks/b.html", b"b")
        commit = tx.commit("memory(write): a", [("Memhtml-Session", "s-1")])
    assert person.git("rev-parse", "refs/heads/main").strip() == commit == store.head()
    assert person.shown("areas/a.html") == "<p>a</p>\n"
    assert (store.root / "projects/x/tasks/b.html").read_bytes() == b"b"
    assert person.status() == ""
    assert person.git("log", "-1", "--format=%B").strip() == "memory(write): a\n\nMemhtml-Session: s-1"
    assert person.git("fsck", "--strict", "--no-dangling") == ""


def test_several_changes_are_one_commit_and_a_move_is_a_rename(store: Repository, person: Person, put: Put) -> None:
    """What was staged together lands together, and git follows the file."""
    put("areas/deep/er/a.html", b"line\n" * 20)
    before = int(person.git("rev-list", "--count", "HEAD"))
    with store.transaction() as tx:
        tx.move("areas/deep/er/a.html", "archive/2026/areas/deep/er/a.html", b"line\n" * 20 + b"end\n")
        tx.put("areas/b.html", b"b")
        tx.commit("memory(correct): b")
    assert int(person.git("rev-list", "--count", "HEAD")) == before + 1
    shown = person.git("show", "--name-status", "-M", "--format=")
    assert "areas/deep/er/a.html\tarchive/2026/areas/deep/er/a.html" in shown
    assert not (store.root / "areas/deep").exists(), "folders that a move leaves empty go, as with git"
    assert person.status() == ""


def test_leaving_without_a_commit_changes_nothing(store: Repository, person: Person) -> None:
    """Staging is in memory: a transaction that is given up was never there."""
    before = store.head()
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        with pytest.raises(PathNotFoundError):
            tx.remove("areas/none.html")
    assert store.head() == before
    assert person.status() == ""
    assert not (store.root / "areas").exists()


def test_what_changes_nothing_makes_no_commit(put: Put) -> None:
    """The same bytes again: the base comes back."""
    commit = put("areas/a.html", b"a")
    assert put("areas/a.html", b"a") == commit


def test_a_commit_may_be_made_for_its_message_alone(store: Repository, person: Person, put: Put) -> None:
    """The same files, one commit more; a person's staged file stays out of it."""
    base = put("areas/a.html", b"a")
    staged_new(person)
    status = person.status()
    with store.transaction() as tx:
        commit = tx.commit("sleep(decay): 0", [("Memhtml-Phase", "decay")], empty=True)
    assert person.git("rev-parse", f"{commit}^", f"{commit}^{{tree}}").split() == [
        base,
        person.git("rev-parse", f"{base}^{{tree}}").strip(),
    ]
    assert person.status() == status


def test_a_transaction_reads_what_it_has_put(store: Repository, put: Put) -> None:
    """Later stagings see earlier ones, and the branch behind them."""
    put("areas/a.html", b"a")
    with store.transaction() as tx:
        tx.put("areas/b.html", b"b")
        assert (tx.read("areas/a.html"), tx.read("areas/b.html"), tx.read("areas/c.html")) == (b"a", b"b", None)
        tx.remove("areas/a.html")
        assert (tx.exists("areas/a.html"), tx.exists("areas/b.html"), tx.exists("areas")) == (False, True, False)
        assert tx.names("areas") == ("a.html", "b.html")
        assert tx.taken("areas/b.html")
        assert not tx.taken("areas/a.html")


def test_a_transaction_goes_on_after_its_commit(store: Repository, person: Person) -> None:
    """Several commits under one lock, each on the one before."""
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        first = tx.commit("memory(write): a")
        tx.put("areas/b.html", tx.read("areas/a.html") or b"")
        second = tx.commit("memory(write): b")
    assert person.git("rev-parse", f"{second}^").strip() == first
    assert person.status() == ""


def untracked(person: Person) -> None:
    """A file that git does not know, where the change would write."""
    person.write("areas/new.html", "mine")


def ignored(person: Person) -> None:
    """A file that git was told to overlook."""
    person.write(".git/info/exclude", "new.html\n")
    person.write("areas/new.html", "mine")


def staged_new(person: Person) -> None:
    """A new file that is staged."""
    untracked(person)
    person.git("add", "areas/new.html")


def staged_and_taken_away(person: Person) -> None:
    """A new file that lives in the git index alone."""
    staged_new(person)
    (person.root / "areas/new.html").unlink()


def edited(person: Person) -> None:
    """An edit that is not staged."""
    person.write("areas/old.html", "mine")


def staged_edit(person: Person) -> None:
    """An edit that is staged."""
    edited(person)
    person.git("add", "areas/old.html")


def staged_edit_undone_in_the_file(person: Person) -> None:
    """An edit that lives in the git index alone."""
    staged_edit(person)
    person.write("areas/old.html", "old")


def deleted(person: Person) -> None:
    """A file taken away by hand."""
    (person.root / "areas/old.html").unlink()


def staged_deletion(person: Person) -> None:
    """A deletion that is staged."""
    person.git("rm", "--quiet", "areas/old.html")


@pytest.mark.parametrize(
    "doing",
    [
        untracked,
        ignored,
        staged_new,
        staged_and_taken_away,
        edited,
        staged_edit,
        staged_edit_undone_in_the_file,
        deleted,
        staged_deletion,
    ],
)
def test_a_persons_change_on_the_very_path_is_refused_by_name(
    store: Repository, person: Person, put: Put, doing: Callable[[Person], None]
) -> None:
    """Whatever is uncommitted where a change would write stays as it is, staged parts included."""
    put("areas/old.html", b"old")
    doing(person)
    status, index, head = person.status(), person.git("ls-files", "--stage"), store.head()
    files = {path: path.read_bytes() for path in store.root.rglob("*.html")}
    with store.transaction() as tx:
        tx.put("areas/old.html", b"changed by memhtml")
        tx.put("areas/new.html", b"made by memhtml")
        tx.put("areas/third.html", b"goes along")
        with pytest.raises(DirtyTreeError) as refused:
            tx.commit("memory(apply): three")
    assert refused.value.paths in {("areas/new.html",), ("areas/old.html",)}
    assert refused.value.paths[0] in refused.value.message
    assert (person.status(), person.git("ls-files", "--stage"), store.head()) == (status, index, head)
    assert {path: path.read_bytes() for path in store.root.rglob("*.html")} == files


def test_a_persons_changes_elsewhere_stay_and_are_not_committed(store: Repository, person: Person, put: Put) -> None:
    """Staged, edited and untracked files of a person are theirs through any number of writes."""
    put("areas/old.html", b"old")
    put("areas/gone.html", b"gone")
    staged_new(person)
    edited(person)
    person.git("rm", "--quiet", "areas/gone.html")
    person.write("notes.txt", "mine")
    status = person.status()
    put("areas/other.html", b"other")
    with store.transaction() as tx:
        tx.move("areas/other.html", "archive/2026/areas/other.html", b"other")
        tx.commit("memory(archive): other")
    assert person.status() == status
    assert "areas/new.html" not in person.files()
    assert person.shown("areas/old.html") == "old"


def test_line_ends_that_git_converts_are_no_edit(store: Repository, person: Person) -> None:
    """In a clone with core.autocrlf a file lies with CRLF; git calls it clean, and so does a write."""
    person.commit("areas/a.html", "one\ntwo\n")
    person.git("rm", "--quiet", ".gitattributes")
    person.git("commit", "--quiet", "-m", "no attributes")
    person.git("config", "core.autocrlf", "true")
    (store.root / "areas/a.html").unlink()
    person.git("checkout", "--quiet", "--", "areas/a.html")
    assert (store.root / "areas/a.html").read_bytes() == b"one\r\ntwo\r\n"
    assert person.status() == ""
    with store.transaction() as tx:
        tx.put("areas/a.html", b"one\ntwo\nthree\n")
        tx.commit("memory(link): a")
    assert person.status() == ""
    assert person.shown("areas/a.html") == "one\ntwo\nthree\n"


def test_a_git_that_holds_the_index_for_a_moment_is_waited_for(
    store: Repository, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person's `git add` beside a write: the index is brought along when it has ended."""
    lock = store.layout.gitdir / "index.lock"
    move = transaction.move_branch
    timer = threading.Timer(0.05, lock.unlink)

    def moved_while_git_adds(*words: object) -> None:
        move(*words)
        timer.start()

    monkeypatch.setattr(transaction, "move_branch", moved_while_git_adds)
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        lock.write_text("")
        tx.commit("memory(write): a")
    timer.join()
    assert person.status() == ""
    assert not store.recover_if_needed()


def test_what_is_done_meanwhile_is_done_once_and_may_fail(store: Repository, person: Person) -> None:
    """Before the branch moves; a failure is passed on, and then nothing was changed and nothing is locked."""
    base, heads = store.head(), list[CommitId | None]()
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        commit = tx.commit("memory(write): a", meanwhile=lambda: heads.append(store.head()))
    assert (heads, store.head()) == ([base], commit)

    def fail() -> None:
        raise KeyboardInterrupt

    with store.transaction() as tx:
        tx.put("areas/b.html", b"b")
        with pytest.raises(KeyboardInterrupt):
            tx.commit("memory(write): b", meanwhile=fail)
    assert store.head() == commit
    assert person.status() == ""
    assert lock_files(store.layout, "refs/heads/main") == ()


def test_a_sparse_checkout_is_no_deletion(store: Repository, person: Person, put: Put) -> None:
    """A file that the person's checkout leaves out is not missing; a change brings it in."""
    put("areas/a.html", b"a")
    person.git("update-index", "--skip-worktree", "areas/a.html")
    (store.root / "areas/a.html").unlink()
    assert person.status() == ""
    put("areas/a.html", b"changed")
    assert person.status() == ""
    assert (store.root / "areas/a.html").read_bytes() == b"changed"


def test_an_edit_between_check_and_rename_stays(
    store: Repository, person: Person, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch has moved when somebody saves the very file: their bytes stay, as an uncommitted edit."""
    put("areas/a.html", b"a")
    move = transaction.move_branch

    def moved_while_somebody_saves(*words: object) -> None:
        move(*words)
        person.write("areas/a.html", "saved just now")
        person.write("areas/b.html", "new just now")

    monkeypatch.setattr(transaction, "move_branch", moved_while_somebody_saves)
    with store.transaction() as tx:
        tx.put("areas/a.html", b"changed")
        tx.put("areas/b.html", b"made")
        tx.commit("memory(apply): two")
    assert person.shown("areas/a.html") == "changed"
    assert (store.root / "areas/a.html").read_text() == "saved just now"
    assert (store.root / "areas/b.html").read_text() == "new just now"
    assert not store.recover_if_needed()
    assert list(store.root.rglob("*.tmp")) == []


@pytest.mark.parametrize("way", ["forward", "backward", "sideways"])
def test_a_branch_that_moved_meanwhile_refuses(store: Repository, person: Person, put: Put, way: str) -> None:
    """Compare-and-swap is strict: also when somebody took a commit back."""
    put("areas/a.html", b"a")
    put("areas/b.html", b"b")
    with store.transaction() as tx:
        tx.put("areas/c.html", b"c")
        if way == "forward":
            person.commit("areas/by-hand.html", "x")
        else:
            person.git("reset", "--quiet", "--hard", "HEAD~1")
            if way == "sideways":
                person.commit("areas/by-hand.html", "x")
        head = store.head()
        with pytest.raises(WriteConflictError):
            tx.commit("memory(write): c")
    assert store.head() == head
    assert person.status() == ""
    assert not (store.root / "areas/c.html").exists()


def test_a_link_in_the_way_is_never_followed(store: Repository, tmp_path: Path, put: Put) -> None:
    """A folder, or a file, that is a symbolic link leads nowhere, whoever put it there."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.html").write_text("theirs")
    (store.root / "areas").symlink_to(outside)
    with store.transaction() as tx:
        for refused in (lambda: tx.put("areas/b.html", b"b"), lambda: tx.taken("areas/a.html")):
            with pytest.raises(UnsafeFileError):
                refused()
    (store.root / "areas").unlink()
    put("areas/a.html", b"a")
    (store.root / "areas/a.html").unlink()
    (store.root / "areas/a.html").symlink_to(outside / "a.html")
    with store.transaction() as tx:
        tx.put("areas/a.html", b"changed")
        with pytest.raises(UnsafeFileError):
            tx.commit("memory(link): a")
    assert (outside / "a.html").read_text() == "theirs"
    assert sorted(path.name for path in outside.iterdir()) == ["a.html"]


def test_a_link_in_the_branch_is_never_read(store: Repository, person: Person) -> None:
    """A committed symbolic link is no memory, also where the work tree shows a file."""
    (store.root / "areas").mkdir()
    (store.root / "areas/a.html").symlink_to("/etc/hostname")
    (store.root / "areas/way").symlink_to("/etc")
    person.git("add", "areas")
    person.git("commit", "--quiet", "-m", "links")
    with store.transaction() as tx:
        for refused in (lambda: tx.read("areas/a.html"), lambda: tx.put("areas/a.html", b"x")):
            with pytest.raises(UnsafeFileError):
                refused()
        with pytest.raises((WriteConflictError, UnsafeFileError)):
            tx.put("areas/way/b.html", b"x")


def test_a_fifo_in_the_way_is_refused_and_does_not_hang(store: Repository) -> None:
    """Opening a FIFO would wait for ever."""
    (store.root / "areas").mkdir()
    os.mkfifo(store.root / "areas/a.html")
    with store.transaction() as tx:
        tx.put("areas/a.html", b"x")
        with pytest.raises(UnsafeFileError):
            tx.commit("memory(write): a")


@pytest.mark.parametrize(
    "path",
    ["../a.html", "/areas/a.html", "areas/../a.html", "notes.txt", "areas/a.txt", ".git/config", ".git/a.html",
     "areas//a.html", ".memhtml/index.db", ".memhtml/sleep/../a.html", "other/a.html", ""],
)  # fmt: skip
def test_only_paths_of_a_store_are_written(store: Repository, path: str) -> None:
    """A path that leads out, or to what is not memhtml's, is refused before anything."""
    with store.transaction() as tx, pytest.raises(InvalidPathError):
        tx.put(path, b"x")


@pytest.mark.parametrize(
    "path",
    ["areas/index.html", "index.html", "sitemap.xml", "projects/x/index.html", ".memhtml/config.toml",
     ".memhtml/state/access.jsonl", ".memhtml/sleep/2026-01-01.html", "README.html"],
)  # fmt: skip
def test_the_files_of_the_house_are_written(store: Repository, person: Person, path: str) -> None:
    """What publish, config and the state export make is committed like a memory."""
    with store.transaction() as tx:
        tx.put(path, b"made\n")
        tx.commit("memory(publish): one")
    assert person.shown(path) == "made\n"
    assert person.status() == ""


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ("areas/drain.html", "areas/Drain.html"),
        ("projects/Checkout/a.html", "projects/checkout/b.html"),
        ("areas/stra\u00dfe.html", "areas/STRASSE.html"),
        ("projects/cafe\u0301/a.html", "projects/caf\u00e9/b.html"),
    ],
)
def test_twins_are_refused_by_name(store: Repository, person: Person, there: str, wanted: str) -> None:
    """Two names that another system takes for one never come to be, whether the first is committed or not."""
    person.write(there, "x")
    for _ in range(2):
        with store.transaction() as tx, pytest.raises(WriteConflictError) as refused:
            tx.put(wanted, b"y")
        assert refused.value.suggestions
        person.git("add", there)
        person.git("commit", "--quiet", "--allow-empty", "-m", "by hand")


def test_a_file_is_no_folder_and_a_folder_no_file(store: Repository, person: Person, put: Put) -> None:
    """Neither takes the place of the other, in the branch or in the work tree."""
    put("areas/a.html", b"a")
    put("areas/folder.html/b.html", b"b")
    person.write("areas/plain", "a file")
    for path in ("areas/a.html/b.html", "areas/folder.html", "areas/plain/c.html"):
        with pytest.raises((WriteConflictError, UnsafeFileError)):
            put(path, b"x")
    with store.transaction() as tx:
        tx.put("areas/new.html", b"n")
        with pytest.raises(WriteConflictError):
            tx.put("areas/new.html/below.html", b"x")
    assert person.status() == "?? areas/plain\n"


def test_a_move_needs_a_source_and_a_free_target(store: Repository, put: Put) -> None:
    """Nothing is written over by a move."""
    put("areas/a.html", b"a")
    put("areas/b.html", b"b")
    with store.transaction() as tx:
        with pytest.raises(WriteConflictError):
            tx.move("areas/a.html", "areas/b.html", b"a")
        with pytest.raises(PathNotFoundError):
            tx.move("areas/none.html", "areas/c.html", b"a")


def test_a_message_cannot_forge_trailers(store: Repository, person: Person) -> None:
    """Titles and sessions are one line each, whatever is in them."""
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit(
            "memory(write): a\n\nMemhtml-Session: forged\x1b[31m", [("Memhtml-Session", "s\nMemhtml-Prompt: forged")]
        )
    found = person.git("log", "-1", "--format=%(trailers:only)").strip()
    assert found == "Memhtml-Session: s Memhtml-Prompt: forged"
    assert "\x1b" not in person.git("log", "-1", "--format=%B")


def test_the_date_of_a_commit_may_be_given(store: Repository, person: Person) -> None:
    """So that the same run twice gives the same commits."""
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a", when="2026-01-02T03:04:05Z")
    assert person.git("log", "-1", "--format=%cI").strip() in {"2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05Z"}
