"""Two states of a store against each other: whether what was found before is still found, and still told apart.

For whoever is about to merge changes that no person looked at one by one. What held before and does not hold after is
a reason to refuse; what did not hold before is no news.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.divergence import divergences
from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.domain.progress import Progress, silent
from memhtml.evals.gate import Case, inverted
from memhtml.evals.own import MOST, plant
from memhtml.evals.posed import Posed, Ranker, answered, shipped
from memhtml.evals.remembering import Remembering
from memhtml.evals.sample import Sample, Sampling, is_ahead, sample
from memhtml.evals.scratch import embed_all
from memhtml.evals.twins import moved, twins
from memhtml.index.pinned import Clean, Pinned

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.index.memories import MemoryRow
    from memhtml.index.source import Source
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder


class Snapshot(Struct, frozen=True):
    """A store at one commit, in an index that may be written to.

    Attributes:
        moved: where memories went on the way to this commit, from where the snapshot was taken.
    """

    index: Index
    source: Source
    moved: Mapping[MemoryPath, MemoryPath]


@contextmanager
def snapshot(index: Index, source: Source, commit: CommitId) -> Generator[Snapshot, None, None]:
    """The store as it is at ``commit``, for as long as the context lasts; ``index`` and its state are copied.

    What is not committed is left out.

    Raises:
        GitError: there is no such commit.
    """
    pinned = Pinned(source, commit, Clean())
    with index.copied() as copy:
        report = copy.update(pinned)
        yield Snapshot(copy, pinned, dict(report.moved))


class Trial(Struct, frozen=True):
    """How two states are compared.

    Attributes:
        now: when it is asked.
        probes: how many at most, beside those of ``touched``; as many as the earlier state has.
        seed: of the sample.
        touched: memories, by their earlier paths, that are asked for whatever is drawn: what a change of them does
            is not left to luck.
        evicted: memories, by their earlier paths, that were meant to go.
        ranker: `shipped`, unless another ranking is to be judged.
    """

    now: Instant
    probes: int = MOST
    seed: int = 1
    touched: tuple[MemoryPath, ...] = ()
    evicted: frozenset[MemoryPath] = frozenset()
    ranker: Ranker = shipped


class Reason(StrEnum):
    """Why the later state is refused."""

    NO_PROBES = "no_probes"
    INVERTED = "inverted"
    LOST = "lost"


class Regression(Struct, frozen=True):
    """A question that the later state answers worse.

    Attributes:
        reason: the memory fell below a control of its own, or is not found any more.
        target: the memory, by its earlier path.
        heir: where it, or what took its place, is now; ``None``: nowhere.
        control: what it fell below.
    """

    reason: Reason
    style: str
    query: str
    target: MemoryPath
    heir: MemoryPath | None
    control: MemoryPath | None = None

    def describe(self) -> str:
        """What happened, in one line.

        >>> a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
        >>> Regression(Reason.LOST, "keywords", "5 retries", a, None).describe()
        "'5 retries' found areas/a.html, and now finds neither it nor anything in its place"
        >>> Regression(Reason.INVERTED, "keywords", "5 retries", a, a, b).describe()
        "'5 retries' now ranks the wrong areas/b.html above areas/a.html"
        """
        if self.reason is Reason.INVERTED:
            return f"{self.query!r} now ranks the wrong {self.control} above {self.heir}"
        place = "anything in its place" if self.heir in {None, self.target} else f"{self.heir} in its place"
        return f"{self.query!r} found {self.target}, and now finds neither it nor {place}"


class Comparison(Struct, frozen=True):
    """Whether the later state may take the place of the earlier one.

    Attributes:
        reasons: why not; empty when it may.
        probes: memories of the earlier state that were asked for.
        questions: how many questions were asked, of both.
        held: how many of them ranked the memory above all of its controls before.
        regressions: in the order of probes and questions.
        evicted: memories that were asked for, and were meant to go: not found, and no reason to refuse.
        changed: memories that were asked for and say something else now, or what took their place does: they must be
            found, but wrong versions of what they said are no measure any more.
    """

    passed: bool
    reasons: tuple[Reason, ...]
    probes: int
    questions: int
    held: int
    regressions: tuple[Regression, ...]
    evicted: tuple[MemoryPath, ...]
    changed: tuple[MemoryPath, ...]

    def describe(self) -> str:
        """Why it is refused, in a few lines, the first regression told whole; empty when it is not."""
        if self.passed:
            return ""
        if not self.regressions:
            return "no memory of the store can be asked for, so nothing is known of what the changes do to it"
        count = len(self.regressions)
        return f"{count} of {self.questions} questions are answered worse\nthe first: {self.regressions[0].describe()}"


def compare(
    before: Snapshot, after: Snapshot, trial: Trial, embedder: Embedder | None, progress: Progress = silent
) -> Comparison:
    """Ask both states for memories of the earlier one, among controls of them.

    Args:
        before: the earlier state; controls are put into its index.
        after: the later one; the same.
        trial: what is asked, and what was meant to go.
        embedder: of the store; ``None``: by words alone, as the store is searched without.
        progress: told of every probe.

    Raises:
        ModelUnavailableError: the embedder cannot work: nothing is known then, and nothing is refused or let through.
        EmbedModelMismatchError: the index holds vectors of another space.
    """
    now = _asked_at(trial)
    embedder = None if embedder is None else Remembering(embedder)
    for state in (before, after):
        _embed(state, embedder, progress)
    with before.index.reading() as view, after.index.reading() as later:
        sampling = Sampling(trial.probes, trial.seed, beside=later, always=trial.touched)
        drawn = sample(view, sampling, trial.ranker(view, embedder, now), progress)
        targets = [probe.target for probe in drawn.probes]
        rows = view.rows(targets)
        fates = {path: _fate(later, after.moved, row) for path, row in rows.items()}
        redrawn = _redrawn(later, drawn, fates)
    first, second = (
        _asked(state, made, trial, embedder, progress) for state, made in ((before, drawn), (after, redrawn))
    )
    meant = tuple(path for path in targets if not fates[path].places and path in trial.evicted)
    regressions = tuple(
        regression
        for case, later in zip(first, second, strict=True)
        if case.target not in meant
        for regression in _regressions(case, later, fates[case.target])
    )
    found = {regression.reason for regression in regressions} | ({Reason.NO_PROBES} if not targets else set[Reason]())
    return Comparison(
        passed=not found,
        reasons=tuple(reason for reason in Reason if reason in found),
        probes=len(targets),
        questions=sum(len(case.asked) for case in first),
        held=sum(not inverted(case, asked) for case in first for asked in case.asked),
        regressions=regressions,
        evicted=meant,
        changed=tuple(path for path in targets if fates[path].changed),
    )


class _Fate(Struct, frozen=True):
    """What became of a memory.

    Attributes:
        places: where it and those that took its place are in use; none when it is not in use any more.
        same: the last of them says word for word what it said.
        changed: the last of them says otherwise.
    """

    places: tuple[MemoryPath, ...]
    same: bool
    changed: bool

    @property
    def heir(self) -> MemoryPath | None:
        return self.places[-1] if self.places else None


def _fate(view: View, gone: Mapping[MemoryPath, MemoryPath], memory: MemoryRow) -> _Fate:
    """Follow a memory through moves and supersessions; a circle ends before it repeats itself."""
    chain: list[MemoryRow] = []
    place: MemoryPath | None = memory.path
    while place is not None:
        row = next(iter(view.rows([gone.get(place, place)]).values()), None)
        if row is None or row in chain:
            break
        chain.append(row)
        place = row.superseded_by
    live = [row for row in chain if not row.archived]
    return _Fate(
        places=tuple(row.path for row in live),
        same=bool(live) and live[-1].content_hash == memory.content_hash,
        changed=bool(live) and bool(divergences(memory.gist, live[-1].gist)),
    )


def _redrawn(view: View, drawn: Sample, fates: Mapping[MemoryPath, _Fate]) -> Sample:
    """The same questions for what is there now: a text that was rewritten has controls of its own, not of the old one.

    What says otherwise by now, or is gone, has none, and can only be found or lost.
    """
    probes: list[Posed] = []
    files = dict(drawn.files)
    used = list(drawn.used)
    for probe in drawn.probes:
        fate = fates[probe.target]
        if fate.heir is None or fate.changed:
            probes.append(replace(probe, target=fate.heir or probe.target, rivals=()))
        elif fate.same or not probe.rivals:
            probes.append(replace(probe, target=fate.heir))
        else:
            made = twins((view,), fate.heir, files.keys(), ahead=is_ahead(probe.number))
            probes.append(replace(probe, target=fate.heir, rivals=made.rivals))
            files |= made.files
            used += made.used
    kept = {rival.path for probe in probes for rival in probe.rivals}
    return Sample(
        tuple(probes),
        {path: data for path, data in files.items() if path in kept},
        tuple(access for access in used if access.path in kept),
        drawn.rejected,
    )


def _asked_at(trial: Trial) -> Instant:
    """A day later: a control may be that much newer than what was written just now."""
    return moved(trial.now, newer=True)


def _asked(
    state: Snapshot, made: Sample, trial: Trial, embedder: Embedder | None, progress: Progress
) -> tuple[Case, ...]:
    plant(state.index, state.source, made)
    _embed(state, embedder, progress)
    with state.index.reading() as view:
        return answered(made.probes, trial.ranker(view, embedder, _asked_at(trial)), progress)


def _embed(state: Snapshot, embedder: Embedder | None, progress: Progress) -> None:
    if embedder is not None:
        embed_all(state.index, embedder, progress)


def _regressions(case: Case, later: Case, fate: _Fate) -> Iterator[Regression]:
    for was, then in zip(case.asked, later.asked, strict=True):
        if case.target not in was.ranking:
            continue  # it was pushed out by its own controls, so it has nothing to lose
        if set(fate.places).isdisjoint(then.ranking):
            yield Regression(Reason.LOST, was.style, was.query, case.target, fate.heir)
        elif not inverted(case, was):
            for inversion in inverted(later, then):
                yield Regression(
                    Reason.INVERTED, was.style, was.query, case.target, fate.heir, control=inversion.control
                )
