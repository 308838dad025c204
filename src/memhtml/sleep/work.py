"""A night at work on its branch: the only place that commits what phases propose.

Every phase ends with a commit that says what it did, if only that it did nothing: the branch is the record. A phase
that fails costs itself and those that need it; what it had staged is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memhtml.domain.errors import MemhtmlError
from memhtml.index.pinned import Clean, Pinned
from memhtml.sleep.applying import RefusedError, Staging, stage
from memhtml.sleep.changes import Change, Proposal, Reason, known_as, touched
from memhtml.sleep.corpus import Corpus, Files, Night
from memhtml.sleep.gathering import facts_of, gather
from memhtml.sleep.guards import kept
from memhtml.sleep.means import Means
from memhtml.sleep.mind import Mind
from memhtml.sleep.outcome import Outcome, Result, doings
from memhtml.sleep.phase import Phase
from memhtml.sleep.preflight import PREFLIGHT, counted
from memhtml.sleep.record import earlier_nights, unwanted
from memhtml.sleep.review.reasons import paragraph
from memhtml.sleep.review.report import propose_report
from memhtml.sleep.review.review import REPORT
from memhtml.sleep.trailers import State, Told, part_trailers, trailers
from memhtml.store.message import Wording, subject

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.store.branches import OpenRun
    from memhtml.store.transaction import Transaction

MOST_ROUNDS = 10
"""How often a deep night asks a phase that repeats."""


class Work:
    """One night.

    Args:
        opened: the run.
        own: its own index; it is brought to the run's last commit.
        night: when it is; which nights were before it is looked up.
        means: what it may use.
        done: what is done already, by phase.
    """

    def __init__(self, opened: OpenRun, own: Index, night: Night, means: Means, done: Mapping[str, Told]) -> None:
        self._opened = opened
        self._own = own
        self._night = night
        self._means = means
        self._done = dict(done)
        self._earlier = tuple(done.values())
        self._mind = _mind(means, self._earlier)
        self._unwanted = unwanted(opened.live)
        self._gathered: Corpus | None = None
        self._follow()

    def through(self) -> Outcome:
        """Go through every phase that is not done yet.

        Raises:
            StorageError: disk full or read-only.
            GitError: git refused.
            LockedError: somebody else writes there.
        """
        steps: list[tuple[str, Callable[[], Result]]] = [(PREFLIGHT, self._preflight)]
        steps += [(phase.name, partial(self._phase, phase)) for phase in self._means.phases]
        steps.append((REPORT, self._report))
        results: list[Result] = []
        for number, (name, step) in enumerate(steps):
            # What is only counted leaves no commit: a night that has its report is whole all the same.
            if name not in self._done and REPORT not in self._done:
                self._means.progress(name, number, len(steps))
                result = step()
                self._done[name] = result.told
                results.append(result)
        return Outcome(self._opened.name, tuple(results), self._earlier, self._opened.run().tip)

    def _preflight(self) -> Result:
        with self._corpus() as corpus:
            counts = counted(corpus)
        name = "" if self._mind is None else self._mind.name
        return self._closed(Told(PREFLIGHT, counts=counts, deep=self._night.deep, model=name), ())

    def _phase(self, phase: Phase) -> Result:
        lacking = [need for need in phase.needs if self._done[need].state is not State.DONE]
        if lacking:
            return self._closed(Told(phase.name, State.SKIPPED, note=f"{lacking[0]} did not succeed"), ())
        before = self._spent()
        try:
            return self._worked(phase, before)
        except Exception as error:  # noqa: BLE001 - a phase that fails costs itself alone
            self._follow()
            return self._closed(self._costed(Told(phase.name, State.FAILED, note=told_of(error)), before), ())

    def _worked(self, phase: Phase, before: tuple[int, int]) -> Result:
        """Let the phase propose, and make what is allowed of it; a deep night asks some phases again."""
        counts: Counter[str] = Counter()
        refused: list[str] = []
        made: list[Change] = []
        pending: Sequence[Change] = ()
        note = ""
        for _ in range(MOST_ROUNDS if phase.repeats and self._night.deep else 1):
            with self._corpus() as corpus:
                proposal = proposed(phase, corpus, self._mind, self._unwanted)
            counts.update(proposal.counts)
            refused += proposal.refused
            note = note or proposal.note
            if not proposal.apart:
                pending = proposal.changes
                break
            new = self._made_apart(phase.name, proposal.changes, len(made), refused)
            made += new
            if not new:
                break
        told = self._costed(Told(phase.name, counts=dict(counts), note=note), before)
        if not phase.commits:
            return Result(told, (), tuple(refused))
        return self._closed(told, pending, made, refused)

    def _report(self) -> Result:
        proposal = propose_report(self._opened)
        return self._closed(Told(REPORT, counts=proposal.counts, note=proposal.note), proposal.changes)

    def _closed(
        self, told: Told, changes: Sequence[Change], made: Sequence[Change] = (), refused: Sequence[str] = ()
    ) -> Result:
        """The last commit of a phase: with ``changes``, after those that were ``made`` apart."""
        kept_out = list(refused)
        with self._opened.repository.transaction() as tx:
            done, reasons = self._staged(tx, changes, kept_out)
            all_made = (*made, *done)
            words = (
                f"{told.phase}: {len(all_made)} changes" if told.state is State.DONE else f"{told.phase}: {told.state}"
            )
            tx.commit(
                Wording(subject("sleep", words), _paragraphs(reasons, kept_out)),
                trailers(self._night.run, told),
                when=self._night.now,
                empty=True,
            )
        if done:
            self._follow()
        return Result(told, doings(all_made), tuple(dict.fromkeys(kept_out)))

    def _made_apart(self, phase: str, changes: Sequence[Change], before: int, refused: list[str]) -> list[Change]:
        """A commit for each change that the store takes."""
        made: list[Change] = []
        for change in changes:
            with self._opened.repository.transaction() as tx:
                done, reasons = self._staged(tx, (change,), refused)
                if not done:
                    continue
                tx.commit(
                    Wording(subject("sleep", f"{phase}: {known_as(change)}"), _paragraphs(reasons, ())),
                    part_trailers(self._night.run, phase, before + len(made) + 1),
                    when=self._night.now,
                )
            made.append(change)
            self._follow()
        return made

    def _staged(
        self, tx: Transaction, changes: Sequence[Change], refused: list[str]
    ) -> tuple[list[Change], dict[str, Reason]]:
        """Stage what the store takes, and say why of every file that it touches."""
        staging = Staging(tx, self._night.now, self._own.duplicates)
        done: list[Change] = []
        reasons: dict[str, Reason] = {}
        for change in changes:
            try:
                path = stage(staging, change)
            except RefusedError as error:
                refused.append(error.message)
                continue
            done.append(change)
            reasons[path] = change.reason
            for other in touched(change):
                reasons.setdefault(other, Reason(change.reason.why))
        return done, reasons

    @contextmanager
    def _corpus(self) -> Generator[Corpus]:
        """The store as the run has it; gathered anew when it has changed."""
        with self._opened.repository.snapshot() as files:
            if self._gathered is None:
                night = replace(self._night, earlier=self._before(files))
                self._gathered = gather(self._own, files, night, self._means.talks)
            yield replace(self._gathered, files=files, facts=facts_of(files))

    def _before(self, files: Files) -> frozenset[str]:
        return earlier_nights(files) - {self._night.run}

    def _follow(self) -> None:
        """Bring the run's own index to its last commit, with the vectors that are missing."""
        repository = self._opened.repository
        self._gathered = None
        self._own.update(Pinned(repository, repository.head(), Clean()))
        if self._means.embedder is not None:
            from memhtml.index.embedding import fill

            fill(self._own, self._means.embedder)

    def _spent(self) -> tuple[int, int]:
        return (0, 0) if self._mind is None else (self._mind.calls, self._mind.tokens)

    def _costed(self, told: Told, before: tuple[int, int]) -> Told:
        calls, tokens = self._spent()
        return replace(told, calls=calls - before[0], tokens=tokens - before[1])


def proposed(phase: Phase, corpus: Corpus, mind: Mind | None, out: Mapping[str, Collection[str]]) -> Proposal:
    """What the phase proposes of what is allowed; what the model got wrong is among what was refused."""
    refused = frozenset(out.get(phase.name, ()))
    proposal = phase.propose(replace(corpus, refused=refused), mind)
    faults = () if mind is None else mind.take_faults()
    allowed = kept(corpus, proposal, refused)
    return replace(allowed, refused=tuple(dict.fromkeys((*allowed.refused, *faults))))


def told_of(error: Exception) -> str:
    """What a failure is called where others read it: its message, or, if it is not one of ours, its kind alone."""
    return error.message if isinstance(error, MemhtmlError) else f"an internal error: {type(error).__name__}"


def _mind(means: Means, earlier: Sequence[Told]) -> Mind | None:
    """The model, less what the phases that are done have spent of its budget."""
    if means.model is None:
        return None
    calls, tokens = sum(told.calls for told in earlier), sum(told.tokens for told in earlier)
    return Mind(means.model, means.budget, calls=calls, tokens=tokens)


def _paragraphs(reasons: Mapping[str, Reason], refused: Sequence[str]) -> tuple[str, ...]:
    text = paragraph(reasons, tuple(dict.fromkeys(refused)))
    return (text,) if text else ()
