"""Taking a single change out of a run: what a reviewer does not want, with the reason kept where it was proposed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import InvalidInputError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.domain.paths import is_memory_path
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
_NOWHERE: frozenset[str] = frozenset()
_PLAIN = re.compile(rb"[A-Za-z0-9._-]+")
"""A name that is written one way only, in whatever markup."""
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
    where it was before. What the run made of other memories so that they lead to a place where nothing is now goes
    along: a link to where a memory was moved, or archived, or to one that was new. Commits stay, with what is left of
    their files and with trailers that say what was taken out of them and why, so that a run that is resumed does not
    begin again, and the next night can read what was not wanted.

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
    meant = [{path for path in step.paths if step.commit in whole or path in everywhere} for step in chain]
    along = _along(git, chain, files, meant, later=later)
    remaining = [
        _without(step, out, other, why) if out or other else step
        for step, out, other in zip(chain, meant, along, strict=True)
    ]
    tip = rebuilt(git, run.base, remaining)
    gone = {path for paths in (*meant, *along) for path in paths}
    opened.move(run.tip, tip, f"memhtml sleep drop: {len(gone)} paths")
    return TakenOut(opened.run(), tuple(sorted(gone)))


def _along(
    git: Git, chain: Sequence[Step], files: Sequence[Sequence[Changed]], meant: Sequence[set[str]], *, later: bool
) -> list[set[str]]:
    """What goes out of each step beside what is ``meant``: what would lead nowhere, and all that was made from it."""
    led: list[set[str]] = [set() for _ in chain]
    while True:
        along: list[set[str]] = []
        gone: set[str] = set()
        for own, out, leading in zip(files, meant, led, strict=True):
            along.append(_made_from(own, gone | leading) - out)
            gone |= along[-1] | out if later else along[-1]
        taken = [out | other for out, other in zip(meant, along, strict=True)]
        found = _leading_nowhere(git, files, taken, _vanished(chain, taken))
        if not any(found):
            return along
        led = [known | more for known, more in zip(led, found, strict=True)]


def _vanished(chain: Sequence[Step], taken: Sequence[set[str]]) -> frozenset[str]:
    """The places where nothing is any more, of those whose changes are taken."""
    there: dict[str, bool] = {}
    for step, gone in zip(chain, taken, strict=True):
        for delta in step.deltas:
            if delta.path not in gone:
                there[delta.path] = delta.new is not None
            else:
                there.setdefault(delta.path, delta.old is not None)
    return frozenset(path for paths in taken for path in paths if not there[path])


def _leading_nowhere(
    git: Git, files: Sequence[Sequence[Changed]], taken: Sequence[set[str]], vanished: frozenset[str]
) -> list[set[str]]:
    """All places, in each step, of the memories that stay and that the step made lead to where nothing is any more."""
    found: list[set[str]] = [set() for _ in files]
    left = [[file for file in own if gone.isdisjoint(file.paths)] for own, gone in zip(files, taken, strict=True)]
    wanted = {blob for own in left for file in own for blob in (file.old, file.new) if is_memory_path(file.path)}
    leads = _leads(git, sorted(blob for blob in wanted if blob is not None), vanished) if vanished else {}
    for place, own in zip(found, left, strict=True):
        for file in own:
            if leads.get(file.new, _NOWHERE) - leads.get(file.old, _NOWHERE):
                place.update(file.paths)
    return found


def _leads(git: Git, ids: Sequence[BlobId], places: frozenset[str]) -> dict[BlobId | None, frozenset[str]]:
    """To which of these places each of the files leads; those that lead to none, or break the format, are left out."""
    from memhtml.page.read import read

    names = {place.rpartition("/")[2].encode() for place in places}
    plain = all(_PLAIN.fullmatch(name) for name in names)
    found: dict[BlobId | None, frozenset[str]] = {}
    for blob, data in blobs(git, ids):
        if plain and not any(name in data for name in names):
            continue  # to read a file costs a hundred times as much
        facts = read(data).facts
        if facts is not None:
            found[blob] = places & {*(link.target for link in facts.links), facts.head.superseded_by}
    return found


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
