"""A run as a person reviews it: every change with its reason, what speaks for it, what was and what would be.

All of it comes from the branch, before the run has landed and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from memhtml.domain.memory import BlobId, CommitId, MemoryPath
from memhtml.domain.paths import is_memory_path, original_path
from memhtml.sleep.changes import Evidence
from memhtml.sleep.review.difference import Difference, difference
from memhtml.sleep.review.reasons import read
from memhtml.sleep.trailers import PART, PHASE, State, Told, told
from memhtml.store.branches import Run, beginning
from memhtml.store.chain import steps
from memhtml.store.classes import RunCommit, commits, numbers
from memhtml.store.dropping import ALONG, DROPPED, REASON
from memhtml.store.git import Git
from memhtml.store.reading import blobs

REPORT = "report"
"""The last phase."""
BEGUN = "begun"
"""What became of a phase that has commits, but none that says it is done."""


class RunState(StrEnum):
    """Where a run is."""

    OPEN = "open"
    LANDED = "landed"
    EMPTY = "empty"


class Side(Struct, frozen=True):
    """What a memory says; both are "" where the file breaks the format."""

    title: str
    claim: str


class ReviewedFile(Struct, frozen=True):
    """One file of a commit.

    Attributes:
        path: where it is after the commit; for a deleted one, where it was.
        kind: meta-only, body-changed, archived, created, deleted or moved.
        previous: where an archived or moved one was.
        why: the reason that the run gives; "" when it gives none.
        evidence: what that rests on.
        before: what the memory said; ``None`` for a file that was not there, or is no memory.
        after: what it says.
        diff: of the file's bytes as text, unified, without the lines of names.
        omitted: why the diff is not there, or not whole; "" when it is.
    """

    path: str
    kind: str
    previous: str | None
    why: str
    evidence: tuple[Evidence, ...]
    before: Side | None
    after: Side | None
    diff: str
    omitted: str


class Withdrawn(Struct, frozen=True):
    """What a reviewer took out of a commit at one time.

    Attributes:
        paths: whose changes he meant, in path order.
        why: his reason.
        along: whose changes went with those, since they were made from them or led to them, in path order.
    """

    paths: tuple[str, ...]
    why: str
    along: tuple[str, ...] = ()


class ReviewedCommit(Struct, frozen=True):
    """One commit of a run.

    Attributes:
        phase: whose it is; "" for one that somebody made by hand.
        part: which of the phase's changes it is alone; ``None`` for the phase's last commit.
        trailers: name and value, in the order of the message.
        files: in path order.
        refused: what was kept out, a sentence each.
        dropped: what a reviewer took out since, in that order.
    """

    commit: CommitId
    subject: str
    phase: str
    part: int | None
    trailers: tuple[tuple[str, str], ...]
    files: tuple[ReviewedFile, ...]
    refused: tuple[str, ...]
    dropped: tuple[Withdrawn, ...]


class ReviewedPhase(Struct, frozen=True):
    """What became of a phase.

    Attributes:
        state: done, failed, skipped, or begun: it has not come to its end.
        counts: its figures, by name.
        note: why it did nothing, or what went wrong.
        commits: how many it has.
        changed: how many files they change, each counted once in every commit.
        refused: how much was kept out.
        dropped: how many files a reviewer took out since.
        calls: of a model.
        tokens: that they have cost.
    """

    phase: str
    state: str
    counts: Mapping[str, int]
    note: str
    commits: int
    changed: int
    refused: int
    dropped: int
    calls: int
    tokens: int


class Review(Struct, frozen=True):
    """A run.

    Attributes:
        run: its name.
        branch: where its commits are.
        state: open, landed, or empty: it has no commit.
        base: the commit that it began from, or was put on since.
        tip: its last commit.
        landed: the merge with which main got it; ``None`` also when it came by another way.
        deep: whether it looked further than usual.
        model: which one it asked; ``None``: none.
        changed: how many files its commits change, each counted once in every commit.
        phases: in the order in which they began.
        commits: oldest first.
    """

    run: str
    branch: str
    state: RunState
    base: CommitId
    tip: CommitId
    landed: CommitId | None
    deep: bool
    model: str | None
    changed: int
    phases: tuple[ReviewedPhase, ...]
    commits: tuple[ReviewedCommit, ...]


class Summary(Struct, frozen=True):
    """A run in short.

    Attributes:
        run: its name.
        state: open, landed, or empty: it has no commit.
        complete: every phase has come to its end.
        failed: the phases that failed, in their order.
        commits: how many there are.
        changed: how many files they change, each counted once in every commit.
        dropped: how many files a reviewer took out.
        landed: the merge with which main got it; ``None`` also when it came by another way.
    """

    run: str
    branch: str
    state: RunState
    complete: bool
    failed: tuple[str, ...]
    commits: int
    changed: int
    dropped: int
    base: CommitId
    tip: CommitId
    landed: CommitId | None


def summary(git: Git, run: Run) -> Summary:
    """The run in short; the files of its memories are not read.

    Raises:
        GitError: git refused.
    """
    base = beginning(git, run)
    chain = steps(git, base, run.tip)
    phases = {said.phase: said for step in chain if (said := told(step.trailers)) is not None}
    return Summary(
        run=run.name,
        branch=run.branch,
        state=state_of(run, len(chain)),
        complete=REPORT in phases,
        failed=tuple(name for name, said in phases.items() if said.state is State.FAILED),
        commits=len(chain),
        changed=sum(numbers(git, chain)),
        dropped=number_out(out for step in chain for out in withdrawn(step.trailers)),
        base=base,
        tip=run.tip,
        landed=run.landed,
    )


def reviewed(git: Git, run: Run, *, texts: bool = True) -> Review:
    """The run, from its branch.

    Args:
        git: of the store, or of the run's work tree.
        run: as it is now.
        texts: whether files are read; without them nobody knows what a memory said, and there are no diffs.

    Raises:
        GitError: git refused.
    """
    base = beginning(git, run)
    found = commits(git, base, run.tip)
    done = tuple(_commit(git, commit, texts=texts) for commit in found)
    phases = _phases(done)
    first = next((one for one in map(_told, done) if one is not None), None)
    return Review(
        run=run.name,
        branch=run.branch,
        state=state_of(run, len(found)),
        base=base,
        tip=run.tip,
        landed=run.landed,
        deep=first is not None and first.deep,
        model=first.model or None if first is not None else None,
        changed=sum(len(commit.files) for commit in done),
        phases=phases,
        commits=done,
    )


def state_of(run: Run, commits: int) -> RunState:
    """Where a run of so many commits is."""
    if not commits:
        return RunState.EMPTY
    return RunState.LANDED if run.held else RunState.OPEN


def withdrawn(trailers: Sequence[tuple[str, str]]) -> tuple[Withdrawn, ...]:
    """What a reviewer took out of the commit that has these trailers, in the order in which he did.

    >>> withdrawn([("Memhtml-Dropped", "a"), ("Memhtml-Dropped-Why", "no"), ("Memhtml-Dropped-Along", "b")])
    (Withdrawn(paths=('a',), why='no', along=()), Withdrawn(paths=(), why='', along=('b',)))
    """
    found: list[Withdrawn] = []
    paths: dict[str, list[str]] = {DROPPED: [], ALONG: []}
    for name, value in (*trailers, (REASON, "")):  # the last one ends what has no reason
        if name in paths:
            paths[name].append(value)
        elif name == REASON and any(paths.values()):
            found.append(Withdrawn(tuple(sorted(paths[DROPPED])), value, tuple(sorted(paths[ALONG]))))
            paths = {DROPPED: [], ALONG: []}
    return tuple(found)


def _commit(git: Git, commit: RunCommit, *, texts: bool) -> ReviewedCommit:
    said = dict(commit.trailers)
    part = said.get(PART, "")
    return ReviewedCommit(
        commit=commit.commit,
        subject=commit.subject,
        phase=said.get(PHASE, ""),
        part=int(part) if part.isascii() and part.isdigit() and len(part) < 10 else None,  # noqa: PLR2004 - digits
        trailers=commit.trailers,
        files=tuple(_files(git, commit, texts=texts)),
        refused=read(commit.message).refused,
        dropped=withdrawn(commit.trailers),
    )


def _files(git: Git, commit: RunCommit, *, texts: bool) -> Iterator[ReviewedFile]:
    reasons = read(commit.message)
    ids = dict.fromkeys(blob for file in commit.changed for blob in (file.old, file.new) if blob is not None)
    data = dict(blobs(git, tuple(ids))) if texts else {}
    for file in commit.changed:
        reason = reasons.of(file.paths)
        old, new = _data(data, file.old), _data(data, file.new)
        change = difference(old, new) if texts else Difference("", "not asked for")
        yield ReviewedFile(
            path=file.path,
            kind=file.kind,
            previous=file.previous,
            why=reason.why,
            evidence=reason.evidence,
            before=_side(file.previous or file.path, old),
            after=_side(file.path, new),
            diff=change.text,
            omitted=change.omitted,
        )


def _data(data: Mapping[BlobId, bytes], blob: BlobId | None) -> bytes | None:
    return None if blob is None else data.get(blob)


def _side(path: str, data: bytes | None) -> Side | None:
    from memhtml.page.read import read as read_page

    if data is None or not is_memory_path(path):
        return None
    facts = read_page(data).facts
    return Side("", "") if facts is None else Side(facts.title, facts.gist)


def _told(commit: ReviewedCommit) -> Told | None:
    return told(commit.trailers)


def _phases(done: Sequence[ReviewedCommit]) -> tuple[ReviewedPhase, ...]:
    by_phase: dict[str, list[ReviewedCommit]] = {}
    for commit in done:
        if commit.phase:
            by_phase.setdefault(commit.phase, []).append(commit)
    return tuple(_phase(name, own) for name, own in by_phase.items())


def _phase(name: str, own: Sequence[ReviewedCommit]) -> ReviewedPhase:
    last = next((one for one in map(_told, reversed(own)) if one is not None), None)
    said = Told(name) if last is None else last
    return ReviewedPhase(
        phase=name,
        state=BEGUN if last is None else said.state.value,
        counts=said.counts,
        note=said.note,
        commits=len(own),
        changed=sum(len(commit.files) for commit in own),
        refused=sum(len(commit.refused) for commit in own),
        dropped=number_out(out for commit in own for out in commit.dropped),
        calls=said.calls,
        tokens=said.tokens,
    )


def number_out(withdrawals: Iterable[Withdrawn]) -> int:
    """How many files those are, with what went along: one that was to be archived has a path there, too."""
    return len({original_path(MemoryPath(path)) for out in withdrawals for path in (*out.paths, *out.along)})
