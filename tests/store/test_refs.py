"""Where the branch stands, and whether a commit may go there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import GitError
from memhtml.domain.memory import CommitId
from memhtml.store.repository import Repository

from .conftest import Person

Put = Callable[[str, bytes], CommitId]


def packed(person: Person) -> None:
    """References are packed into one file."""
    person.git("pack-refs", "--all")


def linked(person: Person) -> None:
    """The branch is a reference to another."""
    person.git("branch", "real")
    person.git("symbolic-ref", "refs/heads/main", "refs/heads/real")


def detached(person: Person) -> None:
    """A commit is checked out, no branch."""
    person.git("checkout", "--quiet", "--detach")


def switched(person: Person) -> None:
    """Another branch is checked out."""
    person.git("switch", "--quiet", "-c", "feature/ä")


def as_it_is(_: Person) -> None:
    """Nothing special."""


@pytest.mark.parametrize("doing", [as_it_is, packed, linked, detached, switched])
def test_head_is_what_git_says(store: Repository, person: Person, put: Put, doing: Callable[[Person], None]) -> None:
    """However the reference is kept."""
    put("areas/a.html", b"a")
    doing(person)
    assert store.head() == person.git("rev-parse", "HEAD").strip()
    put_on = store.branch()
    if doing is detached:
        assert put_on is None
    else:
        commit = put("areas/b.html", b"b")
        assert store.head() == commit == person.git("rev-parse", "HEAD").strip()
        assert person.status() == ""


def test_a_commit_goes_to_the_branch_that_is_checked_out(store: Repository, person: Person, put: Put) -> None:
    """Its files are what the person sees; main stays where it is."""
    main = put("areas/a.html", b"a")
    switched(person)
    commit = put("areas/b.html", b"b")
    assert person.git("rev-parse", "main").strip() == main
    assert person.git("rev-parse", "feature/ä").strip() == commit
    assert store.branch() == "feature/ä"


def refused(store: Repository) -> GitError:
    """The refusal of a write."""
    with pytest.raises(GitError) as error, store.transaction():
        pass
    return error.value


def test_a_detached_head_refuses_with_the_way_back(store: Repository, person: Person, put: Put) -> None:
    """A commit on no branch would be lost from sight at the next checkout."""
    put("areas/a.html", b"a")
    detached(person)
    assert "git switch main" in refused(store).suggestions[0]
    person.git("switch", "--quiet", "main")
    put("areas/b.html", b"b")


def conflict(person: Person, put: Put) -> None:
    """Two branches that changed one file."""
    put("areas/a.html", b"a\n")
    person.git("switch", "--quiet", "-c", "other")
    person.commit("areas/a.html", "other\n")
    person.git("switch", "--quiet", "main")
    person.commit("areas/a.html", "main\n")


@pytest.mark.parametrize("verb", ["merge", "rebase", "cherry-pick", "revert", "bisect"])
def test_what_is_under_way_is_finished_first(store: Repository, person: Person, put: Put, verb: str) -> None:
    """As with git's own partial commits: a write in the middle would end up inside somebody's merge."""
    conflict(person, put)
    words = {
        "merge": ["merge", "other"],
        "rebase": ["rebase", "other"],
        "cherry-pick": ["cherry-pick", "other"],
        "revert": ["revert", "--no-edit", "HEAD~1"],
        "bisect": ["bisect", "start", "HEAD", "HEAD~2"],
    }[verb]
    try:
        person.git(*words)
    except Exception:  # noqa: BLE001 - a conflict, as wanted
        assert verb != "bisect"
    status, head = person.status(), store.head()
    error = refused(store)
    assert verb.removesuffix("ion")[:5] in error.message
    assert f"git {verb}" in error.suggestions[0]
    assert (person.status(), store.head()) == (status, head)
    person.git(*(["bisect", "reset"] if verb == "bisect" else [verb, "--abort"]))
    put("areas/after.html", b"x")


def test_a_head_that_says_nothing_is_a_git_error(store: Repository) -> None:
    """A damaged repository is named as one."""
    (store.layout.gitdir / "HEAD").write_text("nonsense\n")
    with pytest.raises(GitError):
        store.head()


def test_a_branch_without_commits_has_no_head(store: Repository, person: Person, put: Put) -> None:
    """And the first commit there has no parent."""
    person.git("switch", "--quiet", "--orphan", "fresh")
    assert store.head() is None
    put("areas/a.html", b"a")
    assert person.git("rev-list", "--count", "HEAD").strip() == "1"
    assert person.files() == ["areas/a.html"]


def test_a_detached_head_without_a_branch_main_is_told_how_to_make_it(
    store: Repository, person: Person, put: Put
) -> None:
    """The way back that is named works."""
    put("areas/a.html", b"a")
    detached(person)
    person.git("branch", "-D", "main")
    advice = refused(store).suggestions[0]
    assert advice.startswith("git switch -c main")
    person.git("switch", "--quiet", "-c", "main")
    put("areas/b.html", b"b")
