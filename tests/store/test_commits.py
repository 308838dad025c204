"""Commit objects, and the branch moved by compare-and-swap."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memhtml.domain.errors import GitError, WriteConflictError
from memhtml.domain.memory import CommitId, Instant
from memhtml.store.commits import Change, Importing, Moving, Order, Signature, move
from memhtml.store.commits import move_branch as moved
from memhtml.store.git import Git
from memhtml.store.identity import Identity
from memhtml.store.layout import Layout
from memhtml.store.repository import Repository
from memhtml.store.staleness import lock_files

from .conftest import Person

WHO = Signature(Identity("Ada", "ada@example.org"), Instant("2026-07-28T10:00:00Z"))


@pytest.fixture
def git(store: Repository, environment: dict[str, str]) -> Git:
    """The store's git."""
    return Git(store.root, store.layout.gitdir, environment)


def parents(*commits: CommitId | None) -> tuple[CommitId, ...]:
    """Those of ``commits`` that there are."""
    return tuple(commit for commit in commits if commit is not None)


def make_commit(
    git: Git, parents: Sequence[CommitId], changes: Sequence[Change], message: str, signature: Signature
) -> CommitId:
    """One commit object."""
    with Importing.of_one(git, signature.when) as importing:
        importing.give(Order(parents, changes, message, signature))
        return importing.commit()


def move_branch(git: Git, layout: Layout, base: CommitId | None, commit: CommitId, reason: str) -> None:
    """The branch from one commit to another."""
    with Moving(git, reason) as moving:
        moved(moving, layout, base, commit)


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


def test_a_git_that_is_begun_and_given_up_leaves_nothing(store: Repository, git: Git) -> None:
    """Given nothing it takes its half-made pack away itself; in the middle of its work it is ended at once."""
    base, order = store.head(), Order(parents(store.head()), [Change("areas/a.html", b"a")], "a\n", WHO)
    packs = store.layout.common / "objects" / "pack"
    before = sorted(packs.iterdir())
    with Importing.of_one(git, WHO.when):
        pass
    assert sorted(packs.iterdir()) == before
    with Moving(git, "no"):
        pass
    with Importing.of_one(git, WHO.when) as importing:
        importing.give(order)
    assert store.head() == base
    assert lock_files(store.layout, "refs/heads/main") == ()


def test_a_cut_off_move_is_none(store: Repository, git: Git) -> None:
    """Its writer dies before the end of the line, wherever: the branch stays, and nothing is locked."""
    base = store.head()
    commit = make_commit(git, parents(base), [Change("areas/a.html", b"a")], "a\n", WHO)
    told = move(base, commit)
    for length in (1, 20, *range(told.index(commit.encode()), len(told))):
        with Moving(git, "no") as moving:
            moving.call.feed(told[:length])
        assert store.head() == base
        assert lock_files(store.layout, "refs/heads/main") == ()
    move_branch(git, store.layout, base, commit, "yes")
    assert store.head() == commit


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
