"""The lines of a batch staged into one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import BatchError, InvalidFlagError, MemhtmlError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.ops.arguments import shown
from memhtml.ops.changing import Desk, Staged, Told, Trailers
from memhtml.ops.correct import stage as stage_correction
from memhtml.ops.lines import ArchiveLine, CorrectLine, Line, LinkLine, Refusal, WriteLine
from memhtml.ops.nearness import NearDuplicate, Newcomer, near_duplicates
from memhtml.ops.rivals import Claim, Conflict, Displaced, claim_of, conflicts, contests, losers, standing_claims

if TYPE_CHECKING:
    from memhtml.workspace.workspace import Workspace

MOST_TRAILERS = 20
DETECTED = ("conflicts", "near-duplicates")
LAST_WINS = "last-wins"


class Outcome(StrEnum):
    """What became of a line."""

    WRITTEN = "written"
    DEDUPED = "deduped"
    CORRECTED = "corrected"
    LINKED = "linked"
    ARCHIVED = "archived"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


_NEW = frozenset({Outcome.WRITTEN, Outcome.CORRECTED, Outcome.DEDUPED})


class LineResult(Struct, frozen=True):
    """One line's result.

    Attributes:
        line: its number in the input, from 1, blank lines counted.
        path: the memory that is meant, where it lives now.
        previous: where it was, if it moved; for a correction, where the corrected one was.
        superseded: for a correction, where the corrected one lies now.
        error: why it was refused.
        code: the code of that.
    """

    line: int
    op: str
    outcome: Outcome
    path: MemoryPath | None = None
    title: str | None = None
    previous: MemoryPath | None = None
    superseded: MemoryPath | None = None
    error: str | None = None
    code: str | None = None


class Wishes(Struct, frozen=True):
    """How a batch is to be done.

    Attributes:
        best_effort: refused lines do not stop the others.
        dry_run: check and report only.
        conflicts: report claims that say otherwise of the same thing.
        near_duplicates: report memories that say nearly the same.
        consolidate: archive, of claims that say otherwise of the same thing, all but the later.
    """

    best_effort: bool = False
    dry_run: bool = False
    conflicts: bool = False
    near_duplicates: bool = False
    consolidate: bool = False


def wishes(*, best_effort: bool, dry_run: bool, detect: Sequence[str], consolidate: str | None) -> Wishes:
    """How a batch is to be done, from a caller's words.

    Raises:
        InvalidFlagError: a word says nothing.
    """
    unknown = [word for word in detect if word not in DETECTED]
    if unknown:
        raise InvalidFlagError(f"detect takes {' and '.join(DETECTED)}, not {shown(unknown[0])}")
    if consolidate not in {None, LAST_WINS}:
        raise InvalidFlagError(f"consolidate takes {LAST_WINS}, not {shown(consolidate)}")
    return Wishes(best_effort, dry_run, DETECTED[0] in detect, DETECTED[1] in detect, consolidate is not None)


class BatchDone(Struct, frozen=True):
    """A batch as it was staged: results in the order of the lines, and what else was found."""

    results: tuple[LineResult, ...]
    conflicts: tuple[Conflict, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()
    displaced: tuple[Displaced, ...] = ()


def stage_batch(workspace: Workspace, desk: Desk, lines: Sequence[Line | Refusal], wished: Wishes) -> Staged[BatchDone]:
    """Put every line into the transaction, in order: a line sees what those before it did.

    Raises:
        BatchError: a line was refused, and best effort is not wished for.
    """
    results: list[LineResult] = []
    refused: list[tuple[int, MemhtmlError]] = []
    for place, line in enumerate(lines):
        workspace.progress("applying", place, len(lines))
        try:
            results.append(_staged(desk, line))
        except MemhtmlError as error:
            refused.append((line.number, error))
            results.append(LineResult(line.number, line.op, Outcome.REFUSED, error=error.message, code=error.code))
    if refused and not wished.best_effort:
        wrong = {number for number, _ in refused}
        raise BatchError(tuple(refused), skipped=tuple(line.number for line in lines if line.number not in wrong))
    done = _looked_over(workspace, desk, BatchDone(tuple(results)), wished)
    told = None if wished.dry_run else Told(_subject(done), _trailers(lines))
    return Staged(done, told)


def _staged(desk: Desk, line: Line | Refusal) -> LineResult:
    match line:
        case Refusal():
            raise line.error
        case WriteLine():
            return _written(desk, line)
        case CorrectLine():
            return _corrected(desk, line)
        case LinkLine():
            return _linked(desk, line)
        case ArchiveLine():
            return _archived(desk, line)
        case _:
            assert_never(line)


def _written(desk: Desk, line: WriteLine) -> LineResult:
    from memhtml.store.writing import stage_write

    new = stage_write(desk.transaction, line.draft, now=desk.now, duplicates=desk.duplicates)
    outcome = Outcome.DEDUPED if new.deduped else Outcome.WRITTEN
    return LineResult(line.number, line.op, outcome, new.path, new.title)


def _corrected(desk: Desk, line: CorrectLine) -> LineResult:
    new = stage_correction(desk, line.target, line.draft, keep_type=line.keep_type)
    return LineResult(line.number, line.op, Outcome.CORRECTED, new.path, new.title, new.previous, new.superseded)


def _linked(desk: Desk, line: LinkLine) -> LineResult:
    from memhtml.store.linking import stage_link

    edge = stage_link(desk.transaction, line.source, line.rel, line.target)
    outcome = Outcome.LINKED if edge.changed else Outcome.UNCHANGED
    return LineResult(line.number, line.op, outcome, edge.source, edge.title)


def _archived(desk: Desk, line: ArchiveLine) -> LineResult:
    from memhtml.store.archiving import stage_archive

    moved = stage_archive(desk.transaction, line.path, now=desk.now)
    return LineResult(line.number, line.op, Outcome.ARCHIVED, moved.path, moved.title, moved.previous)


def _looked_over(workspace: Workspace, desk: Desk, done: BatchDone, wished: Wishes) -> BatchDone:
    """``done`` with what was wished for beside it: conflicts, near duplicates, displaced memories."""
    if not (wished.conflicts or wished.near_duplicates or wished.consolidate):
        return done
    newcomers = _newcomers(desk, done)
    if wished.near_duplicates:
        added = [one for one in newcomers if not one.was_there]
        done = replace(done, near_duplicates=near_duplicates(workspace, added, desk.transaction.exists))
    if not (wished.conflicts or wished.consolidate):
        return done
    own = [claim for one in newcomers if (claim := claim_of(one.path, one.facts, one.line)) is not None]
    fresh = {claim.path for claim in own}
    standing = [
        claim
        for claim in standing_claims(workspace, frozenset(claim.slot for claim in own))
        if claim.path not in fresh and desk.transaction.exists(claim.path)
    ]
    contested = contests([*standing, *own])
    if wished.conflicts:
        done = replace(done, conflicts=conflicts(contested))
    if wished.consolidate:
        done = replace(done, displaced=tuple(_displaced(desk, *pair) for pair in losers(contested)))
    return done


def _newcomers(desk: Desk, done: BatchDone) -> list[Newcomer]:
    """The memories that the batch names as new, and has not moved on since, in the order of the lines."""
    from memhtml.page.read import read

    found: list[Newcomer] = []
    for result in done.results:
        if result.outcome not in _NEW or result.path is None:
            continue
        data = desk.transaction.read(result.path)
        facts = None if data is None else read(data).facts
        if facts is not None:
            found.append(Newcomer(result.line, result.path, facts, result.outcome is Outcome.DEDUPED))
    return found


def _displaced(desk: Desk, loser: Claim, winner: Claim) -> Displaced:
    from memhtml.store.archiving import stage_archive
    from memhtml.store.linking import stage_link

    moved = stage_archive(desk.transaction, loser.path, now=desk.now)
    stage_link(desk.transaction, winner.path, Rel.SUPERSEDES, moved.path)
    return Displaced(moved.path, loser.path, loser.filled.value, winner.path, winner.filled.value, loser.line)


def _subject(done: BatchDone) -> str:
    from memhtml.store.message import subject

    acted = [each for each in done.results if each.outcome not in {Outcome.REFUSED, Outcome.DEDUPED, Outcome.UNCHANGED}]
    if len(acted) == 1:
        return subject(acted[0].op, acted[0].title or acted[0].op)
    return subject("apply", f"{len(acted)} changes")


def _trailers(lines: Sequence[Line | Refusal]) -> Trailers:
    from memhtml.store.message import trailers

    drafts = [line.draft for line in lines if isinstance(line, WriteLine | CorrectLine)]
    pairs = [pair for draft in drafts for pair in trailers(session=draft.session, prompt=draft.prompt)]
    return tuple(dict.fromkeys(pairs))[:MOST_TRAILERS]
