"""The history of a memory, and the branch as it was."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import PathNotFoundError
from memhtml.domain.instants import GRAMMAR_HELP, normalised
from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.domain.paths import original_path
from memhtml.store.commits import seconds
from memhtml.store.git import Git
from memhtml.store.message import PROMPT, SESSION

_SEPARATOR = "\x1e"
_FORMAT = (
    "%x1e%H%x00%cI%x00%an%x00%s%x00" + f"%(trailers:key={SESSION},valueonly)%x00%(trailers:key={PROMPT},valueonly)%x00"
)


class Revision(Struct, frozen=True):
    """One commit that changed a memory.

    Attributes:
        path: where the memory lived after this commit.
        kind: ``added``, ``modified``, ``moved``, or ``deleted`` (by hand).
    """

    commit: CommitId
    when: Instant
    author: str
    subject: str
    path: MemoryPath
    kind: str
    session: str | None = None
    prompt: str | None = None


_KINDS = {"A": "added", "M": "modified", "R": "moved", "D": "deleted", "T": "modified", "C": "added"}


def history(git: Git, path: MemoryPath, start: CommitId) -> tuple[Revision, ...]:
    """The commits that changed the memory at ``path``, newest first, through every move; empty for an unknown path.

    It ends with the commit that added the memory. Git takes a correction for a rename of what it corrects when the two
    are alike; that one went to the archive in the same commit, so here the correction is added.

    Raises:
        GitError: git refused.
    """
    printed = git.run("log", "--follow", "-M40%", "--name-status", "-z", f"--format={_FORMAT}", start, "--", path)
    revisions: list[Revision] = []
    for record in printed.decode(errors="replace").split(_SEPARATOR)[1:]:
        revision, source = _revision(record)
        if source is not None and _went_elsewhere(git, revision, source):
            revision = replace(revision, kind="added")
        revisions.append(revision)
        if revision.kind == "added":
            break
    return tuple(revisions)


def _went_elsewhere(git: Git, revision: Revision, source: MemoryPath) -> bool:
    """Whether ``source``, which git takes for the origin, really went to the archive in the same commit."""
    if original_path(revision.path) == source or original_path(source) == revision.path:
        return False
    printed = git.run(
        "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=A", "--name-only", "--root", revision.commit
    )
    added = printed.decode(errors="surrogateescape").split("\0")[1:-1]
    return any(one != revision.path and original_path(MemoryPath(one)) == source for one in added)


def commit_at(git: Git, moment: str, start: CommitId) -> CommitId:
    """The commit that ``moment`` names: an instant (the newest commit not after it) or a commit id, 7 digits or more.

    A date means the end of that day, in UTC.

    Raises:
        PathNotFoundError: the store has no commit so old, or none with that id.
    """
    moment = moment.strip()
    instant = normalised(moment)
    if instant is not None:
        until = Instant(f"{instant}T23:59:59Z") if len(instant) == len("2026-01-01") else instant
        # In seconds, since git's own reading of dates ends in 2099. Commits of a branch that was merged later are no
        # moment of this one.
        words = ("rev-list", "-1", "--first-parent", f"--before=@{seconds(until)} +0000", start)
        found = git.run(*words).decode().strip()
        if not found:
            raise PathNotFoundError(f"the store has no commit before {instant}")
        return CommitId(found)
    if not moment.isalnum() or len(moment) < 7:  # noqa: PLR2004 - git's own shortest
        raise PathNotFoundError(
            f"{moment[:80]!a} is no instant and no commit, which is named by its hash",
            suggestions=(GRAMMAR_HELP, "git rev-parse HEAD, or another name, in the store gives the hash"),
        )
    status, printed, _ = git.start("rev-parse", "--verify", "--quiet", f"{moment}^{{commit}}").outcome()
    if status != 0:
        raise PathNotFoundError(f"the store has no commit {moment[:80]}")
    return CommitId(printed.decode().strip())


def _revision(record: str) -> tuple[Revision, MemoryPath | None]:
    """A revision, and the path that git takes its file to have been moved from."""
    commit, when, author, subject, session, prompt, rest = record.split("\0", 6)
    names = [name for name in rest.strip("\n\0").split("\0") if name]
    status = names[0][:1] if names else "M"
    source = MemoryPath(names[1]) if status == "R" else None
    revision = Revision(
        commit=CommitId(commit),
        when=normalised(when) or Instant(when),
        author=author,
        subject=subject,
        path=MemoryPath(names[-1] if names else ""),
        kind=_KINDS.get(status, "modified"),
        session=session.strip() or None,
        prompt=prompt.strip() or None,
    )
    return revision, source
