"""Bringing what is known of transcripts up to date: only what is new in them is read.

A transcript that looks as it did is not opened. One that grew is read from where reading ended; one that shrank, was
written in place, or grew without beginning as it did, from its start. A last line that is not ended yet waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError
from memhtml.index.traces.reader import Mark
from memhtml.index.traces.transcripts import Transcripts
from memhtml.index.traces.writer import TraceWriter
from memhtml.traces.ledger import Ledger
from memhtml.traces.lines import Opener, lines, open_plain, seam
from memhtml.traces.records import Fate, classify
from memhtml.traces.tree import PROJECTS, Passed, Transcript, is_folder, obstacle, transcripts

PORTION = 16 * 1024 * 1024
"""Bytes of a transcript that are read within one transaction, so that another writer does not wait for long."""

MOST_NAMED = 50
"""Things passed over that a report names; all are counted."""

Tell = Callable[[str, int, int | None], None]
"""Told how far it is: a phrase, how much is done, and of how much, where that is known."""


class Followed(Struct, frozen=True):
    """What was found and done.

    Attributes:
        seen: transcripts that are there.
        opened: those that were opened: `added`, `grown`, `anew`, and those that another process read meanwhile.
        grown: read from where reading had ended.
        anew: read from the start again.
        waiting: those of them with a last line that is not ended.
        forgotten: known ones that are gone.
        lines: what became of each line that was read now.
        read: bytes of these lines.
        passed: how much was passed over.
        named: the first of it, by path.
    """

    seen: int
    opened: int
    unchanged: int
    added: int
    grown: int
    anew: int
    waiting: int
    forgotten: int
    lines: dict[str, int]
    read: int
    passed: int
    named: tuple[Passed, ...]


def resumes(mark: Mark | None, found: Transcript) -> int | None:
    """The offset from which ``found`` is to be read; ``None`` when it looks as it did.

    Where it is not 0, what stands before it must still be what stood there: see `lines.seam`. What was rewritten to the
    same size within one tick of the file system's clock (two seconds on FAT) looks as it did, and is not noticed;
    transcripts are only ever added to.
    """
    if mark is None:
        return 0
    if (found.size, found.modified) == (mark.size, mark.modified):
        return None
    return mark.position if found.size > mark.size else 0


def follow(
    known: Transcripts, root: Path, store: str, *, opener: Opener = open_plain, tell: Tell | None = None
) -> Followed:
    """Read what is new in the transcripts below ``root``. ``store`` is where the memories lie, with slashes.

    What cannot be read is passed over and named, and what is known of it stays.

    Raises:
        InvalidSettingError: no folder is at ``root``; nothing is forgotten then.
        IndexStaleError: another process is doing the same for longer than the wait.
        StorageError: what is known cannot be written.
    """
    if not is_folder(root):
        raise InvalidSettingError(
            f"trace_root names {root}, and no folder is there",
            suggestions=("memhtml config set trace_root FOLDER --user", "memhtml config get trace_root"),
        )
    top = root.resolve()
    following = _Following(known, top, store, opener)
    for found in transcripts(top):
        following.meet(found)
        if tell is not None:
            tell("reading transcripts", following.counts["seen"], None)
    following.forget()
    return following.report()


class _Following:
    """One pass over a tree."""

    def __init__(self, known: Transcripts, root: Path, store: str, opener: Opener) -> None:
        self._known = known
        self._root = root
        self._name = str(root).encode("utf-8", "backslashreplace").decode()
        self._store = store
        self._opener = opener
        with known.reading() as reader:
            self._left = reader.marks(self._name)
        self._passed: list[Passed] = []
        self._fates: Counter[Fate] = Counter()
        self.counts: Counter[str] = Counter()

    def meet(self, found: Transcript | Passed) -> None:
        """Look at the next thing in the tree."""
        if isinstance(found, Passed):
            self._passed.append(found)
            return
        self.counts["seen"] += 1
        if resumes(self._left.pop(found.path, None), found) is None:
            self.counts["unchanged"] += 1
            return
        try:
            with self._opener(self._root.joinpath(*found.path.split("/"))) as stream:
                self.counts["opened"] += 1
                first = True
                while self._portion(stream, found, first=first):
                    first = False
        except OSError as error:
            self._passed.append(Passed(found.path, obstacle(error)))

    def forget(self) -> None:
        """Take out what is gone; not what is only out of sight, such as all of a disk that is not there just now."""
        hidden = [passed.path for passed in self._passed if not passed.gone or passed.path in {"", PROJECTS}]
        for path, mark in self._left.items():
            if not any(not top or path == top or path.startswith(f"{top}/") for top in hidden):
                with self._known.writing() as writer:
                    writer.forget(mark.id)
                self.counts["forgotten"] += 1

    def report(self) -> Followed:
        """What came of it."""
        counts = self.counts
        return Followed(
            seen=counts["seen"],
            opened=counts["opened"],
            unchanged=counts["unchanged"],
            added=counts["added"],
            grown=counts["grown"],
            anew=counts["anew"],
            waiting=counts["waiting"],
            forgotten=counts["forgotten"],
            lines={fate.value: self._fates[fate] for fate in Fate},
            read=counts["read"],
            passed=len(self._passed),
            named=tuple(sorted(self._passed, key=lambda passed: passed.path)[:MOST_NAMED]),
        )

    def _portion(self, stream: BinaryIO, found: Transcript, *, first: bool) -> bool:
        """Read on, within one transaction; whether there is more."""
        with self._known.writing() as writer:
            begun = self._begun(writer, stream, found)
            if begun is None:
                return False
            transcript, start, kind = begun
            ledger = Ledger(writer, transcript, subagent=found.subagent)
            end, whole = start, True
            for line in lines(stream, start, found.size):
                fate, record = (Fate.OVERLONG, None) if line.data is None else classify(line.data, self._store)
                ledger.take(line.start, fate, record)
                end = line.end
                if end - start >= PORTION and end < found.size:
                    whole = False
                    break
            ledger.close()
            # Read in part, it is a file that will have grown.
            size = found.size if whole else end
            writer.settle(transcript, size=size, modified=found.modified, position=end, seam=seam(stream, end))
        self._fates += ledger.fates
        self.counts["read"] += end - start
        self.counts[kind] += first
        self.counts["waiting"] += whole and end < found.size
        return not whole

    def _begun(self, writer: TraceWriter, stream: BinaryIO, found: Transcript) -> tuple[int, int, str] | None:
        """The number of a transcript, where to read on, and what that is called; ``None``: there is nothing to read.

        Another process may have been here since this one looked, so the watermark is looked at again.
        """
        mark = writer.mark(self._name, found.path)
        start = resumes(mark, found)
        if start is None:
            return None
        if mark is not None and start and seam(stream, start) == mark.seam:
            return mark.id, start, "grown"
        if mark is not None:
            writer.forget(mark.id)
        number = writer.enter(self._name, found.path, found.project, subagent=found.subagent)
        return number, 0, "added" if mark is None else "anew"
