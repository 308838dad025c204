"""The git index of a transaction, held while the branch moves."""

from __future__ import annotations

import subprocess
import threading

import pytest

from memhtml.domain.errors import LockedError
from memhtml.store import gitindex
from memhtml.store.git import Git
from memhtml.store.gitindex import Holding
from memhtml.store.objects import Entry, blob_id
from memhtml.store.repository import Repository

from .conftest import Person


@pytest.fixture
def git(store: Repository, environment: dict[str, str]) -> Git:
    """The store's git."""
    return Git(store.root, store.layout.gitdir, environment)


def held(store: Repository, git: Git) -> Holding:
    """The index, once it is held."""
    holding = Holding(git)
    while not (store.layout.gitdir / "index.lock").exists():
        pass
    return holding


def test_nobody_changes_an_index_that_is_held(store: Repository, person: Person, git: Git) -> None:
    """A person's git is refused, as beside any commit; what is then set is all that has changed."""
    base = store.head()
    person.write("areas/a.html", "a")
    blob = person.git("hash-object", "-w", "areas/a.html").strip()
    person.write("areas/b.html", "b")
    before = person.git("ls-files", "--stage").splitlines()
    holding = held(store, git)
    with pytest.raises(subprocess.CalledProcessError):
        person.git("add", "areas/b.html")
    holding.set([("areas/a.html", Entry("100644", blob))], base)
    assert sorted({*person.git("ls-files", "--stage").splitlines()} - {*before}) == [f"100644 {blob} 0\tareas/a.html"]
    person.git("add", "areas/b.html")
    assert blob == blob_id(b"a", base)


def test_an_index_that_is_let_go_is_as_it_was(store: Repository, person: Person, git: Git) -> None:
    """To the byte, and free: nothing that was begun for nothing stands in a person's way."""
    index = store.layout.gitdir / "index"
    before = index.read_bytes()
    held(store, git).close()
    assert index.read_bytes() == before
    person.write("areas/b.html", "b")
    person.git("add", "areas/b.html")


def test_an_index_that_another_git_holds_is_waited_for(
    store: Repository, person: Person, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not had at first, and set when the other has ended; one that never ends is named."""
    base, lock = store.head(), store.layout.gitdir / "index.lock"
    blob = blob_id(b"a", base)
    lock.write_text("")
    holding = Holding(git)
    ending = threading.Timer(0.05, lock.unlink)
    ending.start()
    holding.set([("areas/a.html", Entry("100644", blob))], base)
    ending.join()
    assert person.git("ls-files", "areas/a.html") == "areas/a.html\n"
    lock.write_text("")
    monkeypatch.setattr(gitindex, "_PAUSES", (0.01,))
    with pytest.raises(LockedError, match=r"index\.lock"):
        Holding(git).set([("areas/b.html", Entry("100644", blob))], base)
    lock.unlink()
