"""Operation `apply`: many operations, one commit, one instant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import BatchError
from memhtml.domain.memory import CommitId
from memhtml.ops.batch import LineResult, Outcome, Wishes, stage_batch
from memhtml.ops.changing import change
from memhtml.ops.lines import Line, Refusal, read_lines
from memhtml.ops.nearness import NearDuplicate
from memhtml.ops.rivals import Conflict, Displaced
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Applied(Struct, frozen=True):
    """A batch that was done.

    Attributes:
        results: in the order of the input.
        written: new memories.
        refused: lines that were not done; only with best effort are there any.
        dry_run: nothing was written.
        conflicts: claims that say otherwise of the same thing, if that was asked for.
        near_duplicates: memories that say nearly the same, if that was asked for.
        displaced: memories that were archived because a later claim takes their place, if that was asked for.
        commit: the commit; ``None`` when nothing changed.
    """

    results: tuple[LineResult, ...]
    written: int
    deduped: int
    corrected: int
    linked: int
    archived: int
    refused: int
    dry_run: bool
    conflicts: tuple[Conflict, ...]
    near_duplicates: tuple[NearDuplicate, ...]
    displaced: tuple[Displaced, ...]
    commit: CommitId | None
    warnings: tuple[Notice, ...]

    @property
    def exit_status(self) -> int:
        """1 when a line was refused."""
        return 1 if self.refused else 0


def run(workspace: Workspace, arguments: Arguments) -> Applied:
    """The `apply` operation."""
    wished = Wishes(
        best_effort=arguments.flag("best_effort"),
        dry_run=arguments.flag("dry_run"),
        conflicts=arguments.flag("detect_conflicts"),
        near_duplicates=arguments.flag("detect_near_duplicates"),
        consolidate=arguments.given("consolidate"),
    )
    return apply(workspace, read_lines(arguments.needed("lines")), wished)


def apply(workspace: Workspace, lines: Sequence[Line | Refusal], wished: Wishes | None = None) -> Applied:
    """Do ``lines`` as one commit: all of them, or, with best effort, those that can be done.

    Raises:
        BatchError: a line was refused, and best effort was not asked for; every refused line is in it.
        ModelUnavailableError: near duplicates are asked for, and there is no embedder.
    """
    chosen = wished or Wishes()
    _refuse_early(lines, chosen)
    done = change(workspace, lambda desk: stage_batch(workspace, desk, lines, chosen))
    found = done.value
    counts = Counter(result.outcome for result in found.results)
    return Applied(
        results=found.results,
        written=counts[Outcome.WRITTEN],
        deduped=counts[Outcome.DEDUPED],
        corrected=counts[Outcome.CORRECTED],
        linked=counts[Outcome.LINKED],
        archived=counts[Outcome.ARCHIVED],
        refused=counts[Outcome.REFUSED],
        dry_run=chosen.dry_run,
        conflicts=found.conflicts,
        near_duplicates=found.near_duplicates,
        displaced=found.displaced,
        commit=done.commit,
        warnings=done.warnings,
    )


def _refuse_early(lines: Sequence[Line | Refusal], wished: Wishes) -> None:
    """Lines that cannot be read stop an atomic batch before the store is looked at."""
    refusals = tuple((line.number, line.error) for line in lines if isinstance(line, Refusal))
    if refusals and not wished.best_effort:
        fine = tuple(line.number for line in lines if not isinstance(line, Refusal))
        raise BatchError(refusals, skipped=fine)
