"""A run made by hand, as a night would make it: for tests of what reads runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from memhtml.domain.memory import CommitId, Draft, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.splice import AddLink, SetMeta, apply
from memhtml.sleep.changes import Evidence, Reason
from memhtml.sleep.review.reasons import paragraph
from memhtml.sleep.review.report import propose_report
from memhtml.sleep.trailers import State, Told, part_trailers, trailers
from memhtml.store.archiving import stage_archive
from memhtml.store.branches import OpenRun, Runs
from memhtml.store.message import Wording
from memhtml.store.repository import Repository
from memhtml.store.transaction import Transaction
from memhtml.store.writing import stage_write

DAY = "2026-07-28"
WRITTEN = Instant("2026-07-01T12:00:00Z")
MIDNIGHT = Instant(f"{DAY}T00:00:00Z")

CLAIMS = ("Alpha waits for beta.", "Beta is what alpha waits for.", "Gamma never waits.")

Work = Callable[[Transaction], Mapping[str, Reason]]


def wrote(tx: Transaction, claim: str, when: Instant = WRITTEN) -> MemoryPath:
    """A memory that says ``claim``."""
    return stage_write(tx, Draft(MemoryType.SEMANTIC, claim=claim), now=when, duplicates=lambda _: ()).path


def filled(store: Repository, *claims: str) -> tuple[MemoryPath, ...]:
    """Memories that say so, committed to main."""
    with store.transaction() as tx:
        paths = tuple(wrote(tx, claim) for claim in claims)
        tx.commit("memory(write): facts")
    return paths


class Night:
    """A night that a test makes, phase by phase."""

    def __init__(self, opened: OpenRun) -> None:
        self.opened = opened

    def phase(self, told: Told, work: Work | None = None, *, refused: Sequence[str] = (), part: int = 0) -> CommitId:
        """A commit of a phase: its last one, unless it is a ``part``."""
        name = self.opened.name
        with self.opened.repository.transaction() as tx:
            text = paragraph({} if work is None else work(tx), refused)
            said = part_trailers(name, told.phase, part) if part else trailers(name, told)
            return tx.commit(
                Wording(f"memory(sleep): {told.phase}", (text,) if text else ()), said, when=MIDNIGHT, empty=True
            )

    def folded(self, keep: MemoryPath, drop: MemoryPath) -> CommitId:
        """One goes to the archive, and the other says that it supersedes it."""
        reason = Reason("They say the same.", (Evidence(keep, "cosine 0.95"),))

        def work(tx: Transaction) -> Mapping[str, Reason]:
            place = stage_archive(tx, drop, now=MIDNIGHT).path
            tx.put(keep, apply(tx.read(keep) or b"", [AddLink(Link(Rel.SUPERSEDES, place))]))
            return {drop: reason, keep: Reason(reason.why)}

        return self.phase(Told("dedup-merge", counts={"merged": 1}), work, refused=("x and y differ by numeric",))

    def eroded(self, *paths: MemoryPath) -> CommitId:
        """They are trusted less."""

        def work(tx: Transaction) -> Mapping[str, Reason]:
            for path in paths:
                tx.put(path, apply(tx.read(path) or b"", [SetMeta("memhtml-confidence", "0.92")]))
            return {path: Reason("Nobody has reinforced it.") for path in paths}

        return self.phase(Told("confidence-decay", counts={"eroded": len(paths)}), work)

    def learned(self, claim: str, *evidence: Evidence) -> CommitId:
        """Something new, in a commit of its own."""

        def work(tx: Transaction) -> Mapping[str, Reason]:
            return {wrote(tx, claim, MIDNIGHT): Reason("A lesson of two sessions.", evidence)}

        return self.phase(Told("trace-consolidation"), work, part=1)

    def failed(self, phase: str) -> CommitId:
        """A phase that raised."""
        return self.phase(Told(phase, State.FAILED, note="an internal error: ValueError"))

    def reported(self) -> CommitId:
        """The last phase."""

        def work(tx: Transaction) -> Mapping[str, Reason]:
            proposal = propose_report(self.opened)
            for change in proposal.changes:
                tx.put(change.path, change.data or b"")  # type: ignore[union-attr] - it proposes nothing else
            return {change.path: change.reason for change in proposal.changes}  # type: ignore[union-attr] - see above

        return self.phase(Told("report"), work)


@contextmanager
def begun(store: Repository, date: str = DAY) -> Iterator[Night]:
    """A new run."""
    with Runs(store).begin(date) as opened:
        yield Night(opened)


def small(store: Repository) -> tuple[MemoryPath, ...]:
    """Memories that say `CLAIMS`, and a run that folds the second into the first and trusts the third less."""
    found = filled(store, *CLAIMS)
    with begun(store) as night:
        night.folded(found[0], found[1])
        night.eroded(found[2])
        night.reported()
    return found
