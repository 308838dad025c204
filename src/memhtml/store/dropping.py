"""Taking a single change out of a run: what a reviewer does not want, with the reason kept where it was proposed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import InvalidInputError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.branches import OpenRun, Run
from memhtml.store.chain import Step, rebuilt, steps
from memhtml.store.classes import Changed, classified
from memhtml.store.git import Git
from memhtml.store.message import one_line, trailers_of, with_trailers
from memhtml.store.reading import blobs

DROPPED = "Memhtml-Dropped"
"""A path whose change was taken out of the commit that says so; one trailer for each."""
ALONG = "Memhtml-Dropped-Along"
"""A path whose change went since it was made from one that was taken out; nothing was said against it."""
REASON = "Memhtml-Dropped-Why"
_SHORTEST_ID = 7
_SHOWN = 5


class TakenOut(Struct, frozen=True):
    """What a run no longer proposes.

    Attributes:
        run: the run as it is now.
        paths: whose changes are gone, in path order.
    """

    run: Run
    paths: tuple[str, ...]


class Refused(Struct, frozen=True):
    """What a reviewer once took out of a commit.

    Attributes:
        trailers: all of the commit's, so that its phase and run are known.
        paths: whose changes were taken out, in path order.
        why: the newest reason.
    """

    commit: CommitId
    trailers: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]
    why: str


def refused(git: Git, commit: CommitId) -> tuple[Refused, ...]:
    """Everything that was taken out of the runs that ``commit`` holds, newest first. Looks at every message.

    Raises:
        GitError: there is no such commit.
    """
    printed = git.run("log", "--fixed-strings", f"--grep={DROPPED}:", "--format=%H", commit).decode()
    found: list[Refused] = []
    for one, data in blobs(git, [BlobId(line) for line in printed.split()]):
        trailers = trailers_of(data.partition(b"\n\n")[2].decode(errors="replace"))
        paths = tuple(sorted(value for name, value in trailers if name == DROPPED))
        reasons = [value for name, value in trailers if name == REASON]
        if paths and reasons:
            found.append(Refused(CommitId(one), trailers, paths, reasons[-1]))
    return tuple(found)


def take_out(
    opened: OpenRun, *, why: str, commits: Sequence[str] = (), paths: Sequence[str] = (), later: bool = False
) -> TakenOut:
    """Make the run its base and what remains of its changes.

    A commit goes with all its files; where ``later`` is set, what later commits made of these goes along. A path goes
    out of every commit, and so does every other place that the same file has in the run: a memory that was archived is
    where it was before. Commits stay, with what is left of their files and with trailers that say what was taken out
    of them and why, so that a run that is resumed does not begin again, and the next night can read what was not
    wanted.

    Raises:
        InvalidInputError: no reason is given, or nothing to take out.
        PathNotFoundError: the run has no such commit, or changes no such path.
        WriteConflictError: main holds the run already, or, unless ``later`` is set, a commit that stays changes a
            file of one that goes.
        DirtyTreeError: the run's work tree has been edited.
        StorageError: disk full or read-only.
        GitError: git refused.
    """
    run = opened.run()
    git = opened.repository.git
    if not one_line(why, 1) or not (commits or paths):
        raise InvalidInputError("what is taken out of a run needs a name and a reason")
    if run.held:
        raise WriteConflictError(
            f"main holds the run {run.name} already, or it has no commit", suggestions=("memhtml correct, or archive",)
        )
    chain = steps(git, run.base, run.tip)
    whole = {step.commit for step in _chosen(run, chain, commits)}
    files = classified(git, chain)
    everywhere = _with_other_places(run, files, paths)
    if not later:
        _refuse_needed(chain, whole, everywhere)
    remaining: list[Step] = []
    gone: set[str] = set()
    for step, own in zip(chain, files, strict=True):
        out = {path for path in step.paths if step.commit in whole or path in everywhere}
        along = _made_from(own, gone) - out if later else set[str]()
        gone |= out | along
        remaining.append(_without(step, out, along, why) if out or along else step)
    tip = rebuilt(git, run.base, remaining)
    opened.move(run.tip, tip, f"memhtml sleep drop: {len(gone)} paths")
    return TakenOut(opened.run(), tuple(sorted(gone)))


def _made_from(files: Sequence[Changed], gone: Collection[str]) -> set[str]:
    """All places that those of the step's files have which were made from what is gone: each stays where it was."""
    return {path for file in files if not set(file.paths).isdisjoint(gone) for path in file.paths}


def _chosen(run: Run, chain: Sequence[Step], commits: Sequence[str]) -> list[Step]:
    """The steps that the caller means, by id or by the beginning of one."""
    found: list[Step] = []
    for name in commits:
        matches = [step for step in chain if len(name) >= _SHORTEST_ID and step.commit.startswith(name)]
        if len(matches) != 1:
            raise PathNotFoundError(
                f"the run {run.name} has no commit {name[:80]}", suggestions=("memhtml sleep review lists them",)
            )
        found += matches
    return found


def _with_other_places(run: Run, files: Sequence[Sequence[Changed]], paths: Sequence[str]) -> frozenset[str]:
    """Those paths, and where the same files are before and after in the run."""
    known = {path for step in files for file in step for path in file.paths}
    unknown = sorted(set(paths) - known)
    if unknown:
        raise PathNotFoundError(
            f"the run {run.name} does not change {unknown[0]}", suggestions=("memhtml sleep review lists its files",)
        )
    wanted = set(paths)
    before = 0
    while len(wanted) != before:
        before = len(wanted)
        for step in files:
            for file in step:
                if not wanted.isdisjoint(file.paths):
                    wanted.update(file.paths)
    return frozenset(wanted)


def _refuse_needed(chain: Sequence[Step], whole: Collection[str], everywhere: frozenset[str]) -> None:
    """See that nothing stays that was made from what goes."""
    gone: set[str] = set()
    needed: dict[str, str] = {}
    for step in chain:
        if step.commit in whole:
            gone |= step.paths - everywhere
        else:
            needed |= dict.fromkeys(step.paths & gone, step.subject)
    if needed:
        paths = tuple(sorted(needed))
        shown = ", ".join(f"{path} ({needed[path]})" for path in paths[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        raise WriteConflictError(
            f"later commits of the run changed the same files: {shown}{more}",
            paths=paths,
            suggestions=("--later takes out what later commits make of these files, too", "or take out the paths"),
        )


def _without(step: Step, out: Collection[str], along: Collection[str], why: str) -> Step:
    said = [*((DROPPED, path) for path in sorted(out)), *((ALONG, path) for path in sorted(along)), (REASON, why)]
    text = with_trailers(step.message.decode(errors="surrogateescape"), said)
    return replace(
        step,
        message=text.encode(errors="surrogateescape"),
        deltas=tuple(delta for delta in step.deltas if delta.path not in out and delta.path not in along),
    )
