"""Where the checked-out branch stands: read from git's files, asked of git only where they do not say."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import GitError
from memhtml.domain.memory import CommitId
from memhtml.store.git import Git
from memhtml.store.layout import Layout

_ID_LENGTHS = frozenset({40, 64})
_DIGITS = frozenset("0123456789abcdef")
MAIN = "refs/heads/main"
_DEEPEST = 5  # symbolic references that git itself follows
_UNFINISHED = {
    "MERGE_HEAD": ("a merge", "git merge --continue, or git merge --abort"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue, or git cherry-pick --abort"),
    "REVERT_HEAD": ("a revert", "git revert --continue, or git revert --abort"),
    "rebase-merge": ("a rebase", "git rebase --continue, or git rebase --abort"),
    "rebase-apply": ("a rebase", "git rebase --continue, or git rebase --abort"),
    "BISECT_START": ("a bisection", "git bisect reset"),
}


class HeadState(Struct, frozen=True):
    """What is checked out.

    Attributes:
        commit: its commit; ``None`` on a branch without any.
        branch: its full name, ``refs/heads/main``; ``None`` when HEAD is detached.
    """

    commit: CommitId | None
    branch: str | None


def read_head(layout: Layout, git: Git) -> HeadState:
    """What is checked out now.

    Raises:
        GitError: HEAD says nothing that git understands.
    """
    text = _read(layout.gitdir / "HEAD")
    if text is None or text == "ref: refs/heads/.invalid":  # what git writes where references are kept in tables
        return _asked(git)
    branch: str | None = None
    for _ in range(_DEEPEST):
        if _is_id(text):
            return HeadState(CommitId(text), branch)
        if not text.startswith("ref: "):
            break
        branch = text.removeprefix("ref: ").strip()
        value = _read(layout.common / branch)
        if value is None:
            return HeadState(_packed(layout, branch), branch)
        text = value
    return _asked(git)


def refuse_unless_on_branch(layout: Layout, head: HeadState) -> None:
    """See that a commit now would land where its author finds it again.

    Raises:
        GitError: HEAD is detached, or a merge, rebase or the like is under way, which a commit would disturb.
    """
    try:
        names = {entry.name for entry in layout.gitdir.iterdir()}
    except OSError as error:
        raise GitError(f"the git folder cannot be read: {error.strerror}") from error
    for name, (what, way_out) in _UNFINISHED.items():
        if name in names:
            raise GitError(f"{what} is under way in the store", suggestions=(f"finish it first: {way_out}",))
    if head.branch is None:
        raise GitError(
            "the store stands at a single commit, on no branch: a write there would be lost from sight",
            suggestions=(
                "git switch main, or git switch -c NAME to keep what is here"
                if has_branch(layout, MAIN)
                else "git switch -c main: there is no branch main, and it starts here",
            ),
        )


def has_branch(layout: Layout, branch: str) -> bool:
    """Whether there is ``branch``, by its full name; said of any where git keeps references in tables."""
    if (layout.common / "reftable").is_dir():
        return True
    return _read(layout.common / branch) is not None or _packed(layout, branch) is not None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape").strip()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except OSError as error:
        raise GitError(f"the branch cannot be read: {error.strerror}") from error


def _packed(layout: Layout, branch: str) -> CommitId | None:
    text = _read(layout.common / "packed-refs")
    for line in (text or "").splitlines():
        commit, _, name = line.partition(" ")
        if name == branch and _is_id(commit):
            return CommitId(commit)
    return None


def _is_id(text: str) -> bool:
    return len(text) in _ID_LENGTHS and _DIGITS.issuperset(text)


def _asked(git: Git) -> HeadState:
    status, printed, _ = git.start("symbolic-ref", "--quiet", "HEAD").outcome()
    branch = printed.decode(errors="surrogateescape").strip() if status == 0 else None
    status, printed, _ = git.start("rev-parse", "--verify", "--quiet", "HEAD^{commit}").outcome()
    if status != 0 and branch is None:
        raise GitError("git cannot say what is checked out", suggestions=("git fsck in the store says what is broken",))
    return HeadState(CommitId(printed.decode().strip()) if status == 0 else None, branch)
