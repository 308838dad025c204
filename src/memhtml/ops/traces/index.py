"""Operation `trace index`: what is new in the transcripts of agents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError
from memhtml.index.traces.reader import Totals
from memhtml.index.traces.transcripts import Transcripts
from memhtml.traces.following import Followed, follow
from memhtml.traces.records import Fate
from memhtml.traces.tree import Obstacle, is_folder
from memhtml.workspace.notice import Notice
from memhtml.workspace.workspace import DAMAGED

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class PassedOver(Struct, frozen=True):
    """Something that could not be read: its path below the root, and why."""

    path: str
    reason: Obstacle


class TracesIndexed(Struct, frozen=True):
    """What was read, and what is known now.

    Attributes:
        root: the folder that was looked through.
        transcripts: how many are there.
        opened: how many of them were opened.
        added: read for the first time.
        grown: read from where reading had ended.
        anew: read from their start again, because they are not what they were.
        waiting: those with a last line that is not ended; it is read when it is.
        forgotten: known ones that are gone.
        bytes_read: of the lines that were read.
        lines: what became of each of these lines; every kind is there.
        lines_known: the same of all lines of all known transcripts.
        passed_over: how much could not be read.
        named: the first of it, by path.
        known: what is known, of all roots that were ever looked through.
    """

    root: Path
    transcripts: int
    opened: int
    unchanged: int
    added: int
    grown: int
    anew: int
    waiting: int
    forgotten: int
    bytes_read: int
    lines: Mapping[str, int]
    lines_known: Mapping[str, int]
    passed_over: int
    named: tuple[PassedOver, ...]
    known: Totals
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> TracesIndexed:
    """The `trace index` operation."""
    return index_traces(workspace, rebuild=arguments.flag("rebuild"))


def index_traces(workspace: Workspace, *, rebuild: bool = False) -> TracesIndexed:
    """Read what is new in the transcripts; with ``rebuild``, forget everything first and read all of it.

    No folder at all where they should be is no error: nothing is read or forgotten then, and a warning says so.

    Raises:
        IndexTooNewError: a later memhtml made what is known.
        StorageError: what is known cannot be written.
    """
    root = workspace.settings.trace_root
    store = workspace.repository.root
    with Transcripts.open(store, anew=rebuild) as known:
        warnings = [Notice(DAMAGED, incident) for incident in known.incidents]
        try:
            if rebuild and is_folder(root):
                with known.writing() as writer:
                    writer.forget_all()
            done = follow(known, root, store.as_posix(), tell=workspace.progress)
        except InvalidSettingError as error:
            warnings.append(Notice(error.code, error.message))
            done = _nothing()
        with known.reading() as reader:
            return _indexed(root, done, reader.totals(), reader.fates(), tuple(warnings))


def _indexed(
    root: Path, done: Followed, totals: Totals, fates: Mapping[str, int], warnings: tuple[Notice, ...]
) -> TracesIndexed:
    return TracesIndexed(
        root=root,
        transcripts=done.seen,
        opened=done.opened,
        unchanged=done.unchanged,
        added=done.added,
        grown=done.grown,
        anew=done.anew,
        waiting=done.waiting,
        forgotten=done.forgotten,
        bytes_read=done.read,
        lines=done.lines,
        lines_known={fate.value: fates.get(fate.value, 0) for fate in Fate},
        passed_over=done.passed,
        named=tuple(PassedOver(passed.path, passed.obstacle) for passed in done.named),
        known=totals,
        warnings=warnings,
    )


def _nothing() -> Followed:
    return Followed(
        seen=0,
        opened=0,
        unchanged=0,
        added=0,
        grown=0,
        anew=0,
        waiting=0,
        forgotten=0,
        lines={fate.value: 0 for fate in Fate},
        read=0,
        passed=0,
        named=(),
    )
