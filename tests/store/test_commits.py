"""Commit objects, and the branch moved by compare-and-swap."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import GitError, WriteConflictError
from memhtml.domain.memory import CommitId, Instant
from memhtml.store.commits import Change, Signature, make_commit, move_branch
from memhtml.store.git import Git
from memhtml.store.identity import Identity
from memhtml.store.repository import Repository

from .conftest import Person

WHO = Signature(Identity("Ada", "ada@example.org"), Instant("2026-07-28T10:00:00Z"))


@pytest.fixture
def git(store: Repository, environment: dict[str, str]) -> Git:
    """The store's git."""
    return Git(store.root, store.layout.gitdir, environment)


def parents(*commits: CommitId | None) -> tuple[CommitId, ...]:
    """Those of ``commits`` that there are."""
    return tuple(commit for commit in commits if commit is not None)


def test_a_commit_is_made_and_no_branch_moves(store: Repository, person: Person, git: Git) -> None:
    """Whoever moves the branch decides; until then nothing names the commit."""
    base = store.head()
    changes = [Change("areas/a b.html", b"a"), Change("README.html", None), Change("areas/x", b"x", "100755")]
    commit = make_commit(git, parents(base), changes, "memory(write): a\n", WHO)
    assert store.head() == base
    assert person.git("for-each-ref", "--format=%(refname)").split() == ["refs/heads/main"]
    assert person.git("rev-parse", f"{commit}^").strip() == base
    assert person.git("ls-tree", "-r", "--format=%(objectmode) %(path)", commit).splitlines() == [
        "100644 .gitattributes",
        "100644 .gitignore",
        "100644 areas/a b.html",
        "100755 areas/x",
    ]
    assert person.git("log", "-1", "--format=%an %cE %cI %s", commit).split()[:2] == ["Ada", "ada@example.org"]
    assert make_commit(git, parents(base), changes, "memory(write): a\n", WHO) == commit, (
        "the same again is the same commit"
    )
    move_branch(git, store.layout, base, commit, "because")
    assert store.head() == commit
    for log in ("HEAD", "main"):
        assert person.git("reflog", "-1", "--format=%gs", log).strip() == "because"


def test_a_branch_that_is_elsewhere_does_not_move(store: Repository, git: Git) -> None:
    """Not forward, not back, not from nothing."""
    base = store.head()
    assert base is not None
    one = make_commit(git, parents(base), [Change("areas/a.html", b"a")], "one\n", WHO)
    two = make_commit(git, parents(one), [Change("areas/a.html", b"b")], "two\n", WHO)
    move_branch(git, store.layout, base, one, "one")
    for before, after in ((base, two), (two, base), (None, two)):
        with pytest.raises(WriteConflictError):
            move_branch(git, store.layout, before, after, "no")
        assert store.head() == one
    move_branch(git, store.layout, base, one, "already there, which is all that was wanted")
    move_branch(git, store.layout, one, two, "two")


def test_a_base_that_is_not_there_is_a_git_error_without_a_trace(store: Repository, git: Git) -> None:
    """Git leaves a report about itself; it is taken away."""
    with pytest.raises(GitError):
        make_commit(git, parents(CommitId("1" * 40)), [Change("areas/a.html", b"a")], "one\n", WHO)
    assert list(store.layout.gitdir.glob("fast_import_crash_*")) == []


def test_a_git_that_ends_before_it_has_read_everything_says_why(store: Repository, git: Git) -> None:
    """More than a pipe holds is left unread: git's own complaint comes out, and no broken pipe."""
    base = store.head()
    changes = [Change(f"areas/{number}.html", b"x" * 1_000_000) for number in range(5)]
    with pytest.raises(GitError, match="fast-import"):
        make_commit(git, parents(CommitId("0123456789" * 4)), changes, "a\n", WHO)
    assert store.head() == base


def test_what_is_done_meanwhile_is_done_once_and_may_fail(store: Repository, git: Git) -> None:
    """The same commit comes out; a failure is passed on, ends git, and leaves the branch where it is."""
    base, changes, done = store.head(), [Change("areas/a.html", b"a")], list[str]()
    commit = make_commit(git, parents(base), changes, "a\n", WHO, lambda: done.append("once"))
    assert done == ["once"]
    assert commit == make_commit(git, parents(base), changes, "a\n", WHO)

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_commit(git, parents(base), changes, "b\n", WHO, fail)
    assert store.head() == base


def test_a_commit_may_have_two_parents(store: Repository, person: Person, git: Git) -> None:
    """Its files are those of the first, with the changes; nothing is merged by itself."""
    base = store.head()
    other = make_commit(git, parents(base), [Change("areas/other.html", b"o")], "other\n", WHO)
    first = make_commit(git, parents(base), [Change("areas/first.html", b"f")], "first\n", WHO)
    both = make_commit(git, parents(first, other), [Change("areas/x.html", b"x")], "both\n", WHO)
    assert person.git("rev-parse", f"{both}^1", f"{both}^2").split() == [first, other]
    assert person.git("ls-tree", "-r", "--name-only", both, "--", "areas").split() == [
        "areas/first.html",
        "areas/x.html",
    ]
