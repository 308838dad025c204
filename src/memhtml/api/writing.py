"""The methods of `Store` that change memories; each makes one commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from memhtml.api.checks import checked
from memhtml.api.fields import DraftFields
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus

if TYPE_CHECKING:
    from memhtml.ops.apply import Applied
    from memhtml.ops.archive import MovedMemories
    from memhtml.ops.correct import CorrectedMemory
    from memhtml.ops.link import LinkedMemories
    from memhtml.ops.tasks import TaskChanged
    from memhtml.ops.write import WrittenMemory
    from memhtml.workspace.workspace import Workspace


@checked
class Writing:
    """Writes, corrects, moves and joins memories."""

    _workspace: Workspace

    def write(self, claim: str | None = None, **fields: Unpack[DraftFields]) -> WrittenMemory:
        """Remember one fact: a claim, prose, or both; or markup.

        The same content again changes nothing, and gives the existing path with ``deduped``.

        Raises:
            InvalidMemoryError: the content breaks the format, with every violation.
            UsageError: a field cannot be what it is.
        """
        from memhtml.ops.lines import draft_of
        from memhtml.ops.write import write

        return write(self._workspace, draft_of({"claim": claim, **fields}))

    def apply(
        self,
        lines: str | Iterable[Mapping[str, object]],
        *,
        best_effort: bool = False,
        dry_run: bool = False,
        detect: Sequence[str] = (),
        consolidate: str | None = None,
    ) -> Applied:
        """Do many operations as one commit, with one instant; results in the order given.

        Args:
            lines: JSON lines, or objects such as ``{"op": "write", "claim": "…"}``.
            best_effort: do what can be done; else one refusal stops everything.
            dry_run: check and report, and write nothing.
            detect: ``conflicts`` and ``near-duplicates``, to have them reported.
            consolidate: ``last-wins`` archives, of claims of one thing, all but the later.

        Raises:
            BatchError: an operation was refused; every refusal is in it.
            InvalidFlagError: ``detect`` or ``consolidate`` names something else.
        """
        from memhtml.ops.apply import apply
        from memhtml.ops.batch import wishes
        from memhtml.ops.lines import checked_lines, read_lines

        given = read_lines(lines) if isinstance(lines, str) else checked_lines(lines)
        wanted = wishes(best_effort=best_effort, dry_run=dry_run, detect=detect, consolidate=consolidate)
        return apply(self._workspace, given, wanted)

    def correct(self, target: str, claim: str | None = None, **fields: Unpack[DraftFields]) -> CorrectedMemory:
        """Put a new memory in the place of the one at ``target``, which goes to the archive.

        Type, tags, entities, aliases and importance that are not given are the target's.

        Raises:
            PathNotFoundError: nothing is at ``target``; says where it went.
            WriteConflictError: it is archived or superseded already.
            DuplicateContentError: it says the same, or another memory does.
        """
        from memhtml.ops.correct import correct
        from memhtml.ops.lines import correction_of

        draft, keep_type = correction_of({"claim": claim, **fields})
        return correct(self._workspace, target, draft, keep_type=keep_type)

    def link(self, source: str, rel: Rel | str, target: str) -> LinkedMemories:
        """Say in ``source`` that it is ``rel`` to ``target``; nothing changes when it says so.

        Raises:
            PathNotFoundError: one of the two is nowhere.
            InvalidEdgeError: the two cannot be joined so.
        """
        from memhtml.ops.drafts import rel as named
        from memhtml.ops.link import link

        return link(self._workspace, source, named(rel), target)

    def unlink(self, source: str, rel: Rel | str, target: str) -> LinkedMemories:
        """Take a link back; nothing changes when ``source`` has none such.

        Raises:
            PathNotFoundError: the source is nowhere.
        """
        from memhtml.ops.drafts import rel as named
        from memhtml.ops.link import unlink

        return unlink(self._workspace, source, named(rel), target)

    def archive(self, *paths: str) -> MovedMemories:
        """Move memories to the archive; all of them or none. Nothing is deleted.

        Raises:
            PathNotFoundError: nothing is at one of the paths; says where it went.
            WriteConflictError: one is archived already.
        """
        from memhtml.ops.archive import archive

        return archive(self._workspace, paths)

    def restore(self, *paths: str) -> MovedMemories:
        """Move archived memories back to where they were; all of them or none.

        Raises:
            PathNotFoundError: nothing is in the archive for one of the paths.
            WriteConflictError: one is not archived, or its place is taken.
        """
        from memhtml.ops.archive import restore

        return restore(self._workspace, paths)

    def task_add(self, claim: str, **fields: Unpack[DraftFields]) -> WrittenMemory:
        """Add a task; ``status`` is ``todo`` unless it is given.

        Raises:
            InvalidMemoryError: the content breaks the format, with every violation.
        """
        fields["type"] = MemoryType.TASK
        return self.write(claim, **fields)

    def task_status(self, path: str, status: TaskStatus | str) -> TaskChanged:
        """Set how far a task is; one that is done goes to the archive in the same commit.

        Raises:
            PathNotFoundError: nothing is there; says where it went.
            InvalidMemoryError: it is no task.
            InvalidFlagError: there is no such status.
        """
        from memhtml.ops.tasks import status_named, task_status

        return task_status(self._workspace, path, status_named(status))
