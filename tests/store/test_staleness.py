"""Git's lock files: a dead git's go, a live one's stay."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memhtml.domain.errors import LockedError
from memhtml.domain.memory import CommitId
from memhtml.store.repository import Repository
from memhtml.store.staleness import clear_stale, lock_files

from .conftest import Person

Put = Callable[[str, bytes], CommitId]
LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/main.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_a_dead_gits_lock_is_taken_away_by_the_next_write(
    store: Repository, person: Person, put: Put, name: str
) -> None:
    """Git itself would refuse for ever."""
    (store.layout.gitdir / name).write_text("")
    put("areas/a.html", b"a")
    assert person.status() == ""
    assert lock_files(store.layout, "refs/heads/main") == ()


@contextmanager
def open_in_another_process(path: Path) -> Iterator[None]:
    """Somebody has the file open."""
    code = "import sys; file = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield
        process.communicate("")


@contextmanager
def an_editor_of_a_commit(person: Person) -> Iterator[None]:
    """`git commit --all` waits for its message: the lock is there, and nobody has it open."""
    editor = person.root.parent / "editor"
    editor.write_text("#!/bin/sh\necho editing\nread line\necho message > $1\n")
    editor.chmod(0o755)
    with subprocess.Popen(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--all", "--quiet"],
        cwd=person.root,
        env=dict(person.environment) | {"GIT_EDITOR": str(editor)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "editing\n"
        yield
        process.communicate("\n")
        assert process.returncode == 0


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="who has a file open is asked of /proc")
def test_an_open_lock_stays_and_the_write_says_so(store: Repository, put: Put) -> None:
    """Another program is at work: the wait is bounded, and nothing changes."""
    lock = store.layout.gitdir / "index.lock"
    lock.write_text("")
    with open_in_another_process(lock):
        with pytest.raises(LockedError, match=r"index\.lock"):
            clear_stale(store.layout, "refs/heads/main", wait=0.05)
        assert lock.exists()
    put("areas/a.html", b"a")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="which git is at work is asked of /proc")
def test_a_commit_in_its_editor_is_not_disturbed(store: Repository, person: Person, put: Put) -> None:
    """A live git does not keep its lock open; the write waits and refuses, and the person's commit succeeds."""
    put("areas/a.html", b"a")
    person.write("areas/a.html", "edited")
    with an_editor_of_a_commit(person):
        head = store.head()
        with pytest.raises(LockedError):
            clear_stale(store.layout, "refs/heads/main", wait=0.05)
        assert store.head() == head
    assert person.shown("areas/a.html") == "edited"
    assert person.git("log", "-1", "--format=%s").strip() == "message"
    put("areas/b.html", b"b")
    assert person.status() == ""


def test_no_lock_is_no_work(store: Repository) -> None:
    """Nothing is there, nothing is asked."""
    clear_stale(store.layout, "refs/heads/main", wait=0)
    assert lock_files(store.layout, None) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the editor waits at a FIFO")
def test_a_write_that_waits_for_an_open_commit_message_goes_on_top_of_it(
    store: Repository,
    person: Person,
    put: Callable[[str, bytes], CommitId],
    environment: dict[str, str],
    tmp_path: Path,
) -> None:
    """It is judged on the branch as it is when the person's git has ended."""
    put("areas/a.html", b"old")
    person.write("areas/a.html", "by hand")
    pipe = tmp_path / "message"
    os.mkfifo(pipe)
    lock = next(path for path in (store.root / ".git").rglob("lock") if path.is_file())
    editor = {**environment, "GIT_EDITOR": f'sh -c \'cat "{pipe}" > "$1"\' --'}
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    with subprocess.Popen(["git", *author, "commit", "--quiet", "--all"], cwd=store.root, env=editor) as commit:
        with pipe.open("w") as message:  # the editor is open, and so is what it locks
            os.truncate(lock, 0)
            writer = threading.Thread(target=put, args=("areas/b.html", b"new"))
            writer.start()
            while not lock.stat().st_size:
                pass
            message.write("by hand")
        assert commit.wait() == 0
    writer.join()
    assert person.git("log", "-2", "--format=%s").splitlines() == ["memory(write): areas/b.html", "by hand"]
    assert (person.shown("areas/a.html"), person.shown("areas/b.html")) == ("by hand", "new")
    assert person.status() == ""
