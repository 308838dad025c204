"""A run comes to main: replayed where main has moved, then merged like a write, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import UnsafeFileError, WriteConflictError
from memhtml.domain.memory import BlobId, CommitId, Instant
from memhtml.domain.paths import is_generated
from memhtml.store.branches import RUN, OpenRun, Run, require_main
from memhtml.store.chain import Delta, Step, differences, rebuilt, steps
from memhtml.store.layout import PENDING, SIDECAR
from memhtml.store.message import subject
from memhtml.store.names import twin_key
from memhtml.store.objects import FILE_MODES
from memhtml.store.reading import blobs
from memhtml.store.transaction import Transaction

GATE = "Memhtml-Gate"
_SHOWN = 5
_NEW_MODE = "100644"
# Made from other things at any time: what main has of them stands, and whoever lands a run makes them anew.
_DERIVED = frozenset({"sitemap.xml", SIDECAR, PENDING})


class Replayed(Struct, frozen=True):
    """A run on main as it is.

    Attributes:
        run: as it is now; what a gate judges, and `land` then takes.
        moved: whether it stood elsewhere before.
        kept: files that are made from others and that both had changed, in path order: main's are in the result.
    """

    run: Run
    moved: bool
    kept: tuple[str, ...] = ()


class Landed(Struct, frozen=True):
    """A run on main.

    Attributes:
        commit: the merge.
        paths: the files that main got or lost with it, in path order; none when main held the run already.
    """

    commit: CommitId
    paths: tuple[str, ...]


def replay(opened: OpenRun) -> Replayed:
    """Put the run's commits on main as it is now, one by one, each with the files that it had. Main does not move.

    Nothing is merged inside a file: one that both sides have changed since they went apart, in whatever way, refuses.
    An archived or moved file counts at both its places.

    Raises:
        WriteConflictError: both changed a file, or added files that one system or another cannot keep apart; names
            all of them. The run stays where it was.
        DirtyTreeError: the run's work tree has been edited.
        GitError: main is not checked out, a merge or the like is under way, or git refused.
        StorageError: disk full or read-only.
    """
    run = opened.run()
    git = opened.repository.git
    main = require_main(opened.live, opened.live.git)
    if run.held or run.base == main:
        return Replayed(run, moved=False)
    chain = steps(git, run.base, run.tip)
    theirs = {delta.path: delta for delta in differences(git, run.base, main)}
    both = {path for step in chain for path in step.paths if path in theirs}
    kept = {path for path in both if path in _DERIVED or is_generated(path)}
    _refuse_conflicts((both - kept) | _too_alike(chain, theirs.values()))
    tip = rebuilt(git, main, [_without(step, kept) for step in chain])
    opened.move(run.tip, tip, "memhtml sleep: replayed on main")
    return Replayed(opened.run(), moved=True, kept=tuple(sorted(kept)))


def land(
    opened: OpenRun,
    judged: Run,
    *,
    when: Instant | None = None,
    trailers: Iterable[tuple[str, str]] = (),
    gate_skipped: bool = False,
) -> Landed:
    """Merge the run into main, with the guarantees of a write. A run that main holds already is landed.

    Args:
        opened: the run.
        judged: as it was when it was judged: it must stand on main and not have changed since.
        when: the date of the merge; ``None`` is now.
        trailers: name and value, for the merge's message.
        gate_skipped: whether nobody judged; the message says so.

    Raises:
        WriteConflictError: main moved, or the run changed, since; nothing has moved.
        DirtyTreeError: a person's uncommitted change stands where this would write.
        UnsafeFileError: the run brings something else than plain files.
        InvalidPathError: the run brings a file that memhtml does not write.
        LockedError: another writer held the store.
        StorageError: disk full or read-only.
        GitError: main is not checked out, a merge or the like is under way, or git refused.
    """
    with opened.live.transaction() as tx:
        require_main(opened.live, tx.git)
        run = opened.run()
        if run.held:
            return Landed(run.landed or run.tip, ())
        if run.tip != judged.tip:
            raise WriteConflictError(
                f"the run {run.name} changed since it was judged", suggestions=("run the command again",)
            )
        if tx.base is None or run.base != tx.base:
            raise WriteConflictError(
                f"main moved since the run {run.name} was put on it, so nothing was merged",
                suggestions=("run the command again",),
            )
        deltas = differences(tx.git, tx.base, run.tip)
        _stage(tx, deltas)
        told = [(RUN, run.name), *trailers, *([(GATE, "skipped")] if gate_skipped else [])]
        commit = tx.commit(subject("sleep", f"merge {run.branch}"), told, when=when, merging=run.tip)
    return Landed(commit, tuple(delta.path for delta in deltas))


def _stage(tx: Transaction, deltas: Sequence[Delta]) -> None:
    """Put every file of the run; what goes first, so that a name that is freed may be taken."""
    for delta in deltas:
        _refuse_odd(delta)
    for delta in deltas:
        if delta.new is None:
            tx.remove(delta.path)
    arriving = [(delta.path, delta.new) for delta in deltas if delta.new is not None]
    contents = blobs(tx.git, [BlobId(blob) for _, blob in arriving])
    for (path, _), (_, data) in zip(arriving, contents, strict=True):
        tx.put(path, data)


def _refuse_odd(delta: Delta) -> None:
    wanted = _NEW_MODE if delta.old is None else delta.old_mode
    if delta.new is not None and (delta.mode != wanted or delta.mode not in FILE_MODES):
        raise UnsafeFileError(
            f"the run makes {delta.path} something else than a plain file, or changes whether it may be executed",
            suggestions=(f"memhtml sleep drop RUN --path {delta.path}",),
        )


def _without(step: Step, kept: Collection[str]) -> Step:
    return replace(step, deltas=tuple(delta for delta in step.deltas if delta.path not in kept))


def _too_alike(chain: Sequence[Step], theirs: Iterable[Delta]) -> set[str]:
    """Paths that each side added and that cannot lie beside each other: twins, or one below the other."""
    ours = {delta.path for step in chain for delta in step.deltas if delta.new is not None}
    added = {delta.path for delta in theirs if delta.new is not None}
    ways = {twin_key(way): (way, path) for path in sorted(added) for way in _ways(path)}
    found: set[str] = set()
    for path in ours - added:
        for way in _ways(path):
            other = ways.get(twin_key(way))
            if other is not None and (other[0] != way or way in added or way == path):
                found |= {path, other[1]}
    return found


def _ways(path: str) -> Iterator[str]:
    """The path, and each folder on the way to it."""
    segments = path.split("/")
    return ("/".join(segments[:depth]) for depth in range(1, len(segments) + 1))


def _refuse_conflicts(conflicts: Collection[str]) -> None:
    if not conflicts:
        return
    paths = tuple(sorted(conflicts))
    shown = ", ".join(paths[:_SHOWN]) + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")
    raise WriteConflictError(
        f"main and the run both changed {shown}",
        paths=paths,
        suggestions=(
            "take them out of the run: memhtml sleep drop RUN --path PATH",
            "or drop the run and sleep again: a new run starts from main as it is",
        ),
    )
