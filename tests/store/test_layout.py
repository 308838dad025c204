"""What is a store, and what is something else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memhtml.domain.errors import NotAStoreError, StoreMissingError, UnsafeFileError
from memhtml.store.layout import locate
from memhtml.store.repository import Repository

from .conftest import Person


def git_init(place: Path, *words: str) -> None:
    """A repository of somebody."""
    subprocess.run(["git", "init", "--quiet", *words, str(place)], check=True, capture_output=True)


def test_nothing_and_an_empty_folder_are_a_store_that_is_missing(tmp_path: Path) -> None:
    """The error says how to make one."""
    for place in (tmp_path / "none", tmp_path):
        with pytest.raises(StoreMissingError) as refused:
            locate(place)
        assert "memhtml init" in refused.value.suggestions[0]


def a_file(place: Path) -> None:
    """A plain file."""
    place.write_text("x")


def a_folder(place: Path) -> None:
    """A folder of other things."""
    place.mkdir()
    (place / "x.txt").write_text("x")


def a_bare_repository(place: Path) -> None:
    """A repository without files."""
    git_init(place, "--bare")


def a_source_repository(place: Path) -> None:
    """A repository of a program."""
    git_init(place)
    (place / "main.py").write_text("x")


def a_folder_of_a_repository(place: Path) -> None:
    """A folder inside a repository, even one with memories above it."""
    git_init(place.parent)
    (place.parent / "areas").mkdir()
    place.mkdir()
    (place / "x.txt").write_text("x")


def a_broken_git_file(place: Path) -> None:
    """A .git file that leads nowhere."""
    place.mkdir()
    (place / ".git").write_text("gitdir: /nowhere\n")


@pytest.mark.parametrize(
    "there",
    [a_file, a_folder, a_bare_repository, a_source_repository, a_folder_of_a_repository, a_broken_git_file],
)
def test_something_else_is_no_store(tmp_path: Path, there: object) -> None:
    """It is named, and advice is given; nothing above the root is ever looked at."""
    assert callable(there)
    place = tmp_path / "place"
    there(place)
    with pytest.raises(NotAStoreError) as refused:
        locate(place)
    assert str(place) in refused.value.message
    assert refused.value.suggestions


def test_a_store_made_by_hand_is_one(tmp_path: Path, environment: dict[str, str]) -> None:
    """A git repository with one of the root folders."""
    git_init(tmp_path)
    (tmp_path / "areas").mkdir()
    store = Repository.open(tmp_path, environment=environment)
    assert store.head() is None
    assert list(store.tree()) == []


def test_a_root_behind_a_link_is_the_place_it_leads_to(store: Repository, tmp_path: Path) -> None:
    """The user's own link to the store is theirs; inside it none is followed."""
    (tmp_path / "link").symlink_to(store.root)
    assert locate(tmp_path / "link") == store.layout


def test_a_linked_work_tree_has_its_own_lock_and_the_same_objects(
    store: Repository, person: Person, tmp_path: Path
) -> None:
    """Where .git is a file, it is followed to the repository."""
    person.git("worktree", "add", "--quiet", "-b", "sleep/x", str(tmp_path / "tree"))
    other = Repository.open(tmp_path / "tree", environment=dict(person.environment))
    assert other.layout.common == store.layout.common
    assert other.layout.desk != store.layout.desk
    with store.transaction(), other.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a")
    assert (other.branch(), store.branch()) == ("sleep/x", "main")
    assert person.git("log", "-1", "--format=%s", "sleep/x").strip() == "memory(write): a"
    assert person.status() == ""
    assert Person(tmp_path / "tree", person.environment).status() == ""


def test_a_linked_house_is_refused(store: Repository, tmp_path: Path, environment: dict[str, str]) -> None:
    """Databases would be written outside the store."""
    (store.root / ".memhtml").rmdir()
    (tmp_path / "outside").mkdir()
    (store.root / ".memhtml").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFileError):
        Repository.open(store.root, environment=environment)
