"""Objects, loose or packed, of either hash."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memhtml.domain.errors import GitError
from memhtml.domain.memory import BlobId
from memhtml.store.founding import init
from memhtml.store.git import Git
from memhtml.store.objects import Entry, Objects, blob_id
from memhtml.store.repository import Repository

from .conftest import Person


@pytest.fixture(params=["sha1", "sha256"])
def store_of_either_hash(request: pytest.FixtureRequest, root: Path, environment: dict[str, str]) -> Repository:
    """A store whose repository names objects so."""
    words = ["git", "init", "--quiet", f"--object-format={request.param}", "--initial-branch=main", str(root)]
    subprocess.run(words, env=environment, check=True)
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


def test_writes_and_readings_work_with_either_hash(
    store_of_either_hash: Repository, environment: dict[str, str]
) -> None:
    """Loose objects, packed objects and new writes on top of packs."""
    store, person = store_of_either_hash, Person(store_of_either_hash.root, environment)
    assert person.status() == "", "the first commit of all is brought along too"
    assert not store.recover_if_needed()
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.put("projects/x/b.html", b"b")
        tx.commit("memory(write): a")
    person.git("gc", "--quiet")
    assert list((store.root / ".git/objects").glob("[0-9a-f][0-9a-f]")) == []
    with store.transaction() as tx:
        assert (tx.read("areas/a.html"), tx.exists("areas/c.html")) == (b"a", False)
        assert tx.names("") == (".gitattributes", ".gitignore", "README.html", "areas", "projects")
        tx.move("areas/a.html", "archive/2026/areas/a.html", b"a2")
        tx.commit("memory(archive): a")
    with store.snapshot() as snapshot:
        assert snapshot.read("archive/2026/areas/a.html") == b"a2"
        blob = blob_id(b"a2", store.head())
        assert snapshot.entry("archive/2026/areas/a.html") == Entry("100644", blob)
    assert dict(store.blobs([blob])) == {blob: b"a2"}
    assert person.status() == ""
    assert person.git("fsck", "--strict", "--no-dangling") == ""


def test_ids_are_those_of_git() -> None:
    """Both lengths, from any object's id as the pattern."""
    assert blob_id(b"memory\n", None) == "2142c3ad3ce3e2246b36e4196e0c6acd540f84a7"
    assert blob_id(b"", "0" * 64) == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"


def test_what_is_missing_or_of_another_kind_is_a_git_error(store: Repository) -> None:
    """Also when asked again, so that one bad answer does not spoil the next."""
    head = store.head()
    assert head is not None
    with Objects(store.layout, Git(store.root, store.layout.gitdir, {"PATH": "/usr/bin:/bin"})) as objects:
        for name, kind in (("1" * 40, "blob"), (head, "blob"), ("2" * 40, "tree")):
            with pytest.raises(GitError):
                objects.read(name, kind)
        assert objects.root_of(head)
        with pytest.raises(GitError):
            objects.entries(BlobId("3" * 40))
