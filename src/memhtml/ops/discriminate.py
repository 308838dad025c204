"""Operation `eval discriminate`: whether search ranks memories above nearly identical wrong versions of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import (
    DiscriminationFailedError,
    InvalidFlagError,
    InvalidSettingError,
    MemhtmlError,
    ModelUnavailableError,
    UnexpectedArgumentError,
)
from memhtml.evals.discriminate import Run, discriminate
from memhtml.evals.gate import Demand, Failure, Inversion, Score, Verdict
from memhtml.evals.own import Draw, Own, discriminate_own
from memhtml.evals.report import Mode, Report, SeedScore, Subject, ThrownAway, skipped
from memhtml.evals.sample import LEAST_WORDS
from memhtml.models.fakes import HashedWords
from memhtml.ops.arguments import bounded, shown
from memhtml.ops.rows_evals import MOST_PROBES, MOST_SEED, MOST_SEEDS, PROBES
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Discrimination(Struct, frozen=True):
    """What a run of the gate came to.

    Attributes:
        passed: the ranking by all arms holds. A run that was skipped has not passed.
        skipped: it could not be made, and there are no numbers.
        reason: why it was skipped.
        mode: whose vectors were asked.
        space: of the vectors; ``None`` where there are none.
        corpus: the store's own memories were asked for, and not those of invented stores.
        seeds: of the invented stores, or of the sample.
        failures: all reasons why it did not pass.
        wanted: probes that were asked for.
        probes: probes that were made.
        mrr: mean of 1 / rank of the target among itself and its own controls, 0 to 1.
        corpus_mrr: mean of 1 / rank of the target among all results; it decides nothing.
        inversions: each time that a target was ranked at or below a control of its own.
        families: the same numbers by what the controls say otherwise.
        styles: the same numbers by how the questions are asked.
        lexical: the same questions by words alone, as where vectors are off; it decides nothing.
        thrown_away: derived texts that were no controls, and why.
        passed_over: memories of the store that were drawn and could not be asked for.
        unfound: questions that did not find their memory before any control was there, and were not asked again.
        by_seed: in the order of ``seeds``.
        description: why it has not passed, in words; empty when it has.
        warnings: what was wrong with the store's index.
    """

    passed: bool
    skipped: bool
    reason: str | None
    mode: Mode
    space: str | None
    corpus: bool
    seeds: tuple[int, ...]
    failures: tuple[Failure, ...]
    wanted: int
    probes: int
    questions: int
    mrr: float | None
    corpus_mrr: float | None
    inversions: tuple[Inversion, ...]
    families: tuple[Score, ...]
    styles: tuple[Score, ...]
    lexical: Verdict | None
    thrown_away: tuple[ThrownAway, ...]
    passed_over: int
    unfound: int
    by_seed: tuple[SeedScore, ...]
    description: str
    warnings: tuple[Notice, ...] = ()

    @property
    def exit_status(self) -> int:
        """1 unless it has passed."""
        return 0 if self.passed else 1

    @property
    def alarm(self) -> MemhtmlError | None:
        """What standard error says of it."""
        if self.passed:
            return None
        if self.skipped:
            return ModelUnavailableError(
                self.description,
                suggestions=("memhtml config list shows the embedder", "--mode fake runs everywhere, and says less"),
            )
        if Failure.NO_PROBES in self.failures:
            return DiscriminationFailedError(self.description, suggestions=self._how_to_probe())
        return DiscriminationFailedError(self.description)

    def _how_to_probe(self) -> tuple[str, ...]:
        if not self.wanted and not self.corpus:
            return ("ask for one probe at least: --probes 1",)
        if not self.corpus:
            return ("memhtml doctor",)
        return (
            "memhtml list shows what is in the store; tasks and archived memories are not asked for",
            f"write claims of at least {LEAST_WORDS} content words with a verb that can be denied, or a number",
            "memhtml eval discriminate, without --corpus, asks invented stores",
        )


class Wished(Struct, frozen=True):
    """How the gate is to be run.

    Attributes:
        mode: whose vectors are asked; ``None``: of hashed words, and with ``corpus`` of the configured embedder.
        seed: the first one.
        seeds: how many.
        probes: how many of each; ``None`` is 60, and with ``corpus`` as many as the store has, up to that.
        corpus: ask for the store's own memories.
    """

    mode: Mode | None = None
    seed: int = 1
    seeds: int = 1
    probes: int | None = None
    corpus: bool = False


def run(workspace: Workspace, arguments: Arguments) -> Discrimination:
    """The `eval discriminate` operation."""
    mode = arguments.text("mode")
    return discrimination(
        workspace,
        Wished(
            mode=None if mode is None else mode_of(mode),
            seed=arguments.count("seed"),
            seeds=arguments.count("seeds"),
            probes=arguments.integer("probes"),
            corpus=arguments.flag("corpus"),
        ),
    )


def mode_of(word: str) -> Mode:
    """The mode of that name.

    Raises:
        InvalidFlagError: there is none.
    """
    try:
        return Mode(word)
    except ValueError:
        raise InvalidFlagError(f"mode takes {' or '.join(Mode)}, not {shown(word)}") from None


def discrimination(workspace: Workspace, wished: Wished) -> Discrimination:
    """Run the gate: on invented stores, for which no store is needed, or on the store's own memories.

    What keeps the configured embedder from working makes the run a skipped one, which has not passed. No memory of
    the store changes; its index is put right and follows the store, as for every operation, and what was wrong with it
    is among the warnings.

    Raises:
        UnexpectedArgumentError: several seeds of one store.
        InvalidFlagError: a number is outside what it can be.
        EmbedModelMismatchError: the store's index holds vectors of another space than the configured one.
    """
    bounded("seed", wished.seed, 0, MOST_SEED)
    bounded("seeds", wished.seeds, 1, MOST_SEEDS)
    if wished.probes is not None:
        bounded("probes", wished.probes, 0, MOST_PROBES)
    if wished.corpus and wished.seeds > 1:
        raise UnexpectedArgumentError("--corpus takes one sample, which --seed draws, and no --seeds")
    mode = wished.mode or (Mode.LIVE if wished.corpus else Mode.FAKE)
    try:
        embedder = HashedWords() if mode is Mode.FAKE else workspace.embedder
    except (InvalidSettingError, ModelUnavailableError) as error:
        return _answer(skipped(_unasked(wished, mode), error.message), wished)
    if wished.corpus:
        warnings = workspace.catch_up()
        return _answer(_own(workspace, wished, mode, embedder), wished, warnings)
    seeds = tuple(range(wished.seed, wished.seed + wished.seeds))
    run = Run(seeds, PROBES if wished.probes is None else wished.probes, mode)
    return _answer(discriminate(run, embedder, workspace.variables, workspace.progress), wished)


def _own(workspace: Workspace, wished: Wished, mode: Mode, embedder: Embedder | None) -> Report:
    draw = Draw(workspace.clock.now(), wished.probes, wished.seed, mode)
    return discriminate_own(Own(workspace.index, workspace.repository), draw, embedder, workspace.progress)


def _unasked(wished: Wished, mode: Mode) -> Subject:
    seeds = range(wished.seed, wished.seed + wished.seeds)
    return Subject(mode, None, Demand(dict.fromkeys(seeds, PROBES if wished.probes is None else wished.probes)))


def _answer(report: Report, wished: Wished, warnings: tuple[Notice, ...] = ()) -> Discrimination:
    verdict, subject = report.verdict, report.subject
    return Discrimination(
        passed=report.passed,
        skipped=report.skipped,
        reason=report.reason,
        mode=subject.mode,
        space=subject.space,
        corpus=wished.corpus,
        seeds=tuple(subject.demand.probes),
        failures=() if verdict is None else verdict.failures,
        wanted=sum(subject.demand.probes.values()),
        probes=0 if verdict is None else verdict.probes,
        questions=0 if verdict is None else verdict.questions,
        mrr=None if verdict is None else verdict.mrr,
        corpus_mrr=None if verdict is None else verdict.corpus_mrr,
        inversions=() if verdict is None else verdict.inversions,
        families=() if verdict is None else verdict.families,
        styles=() if verdict is None else verdict.styles,
        lexical=report.lexical,
        thrown_away=report.thrown_away,
        passed_over=report.passed_over,
        unfound=subject.demand.unfound,
        by_seed=report.by_seed,
        description=report.describe() + _why_no_probe(report, wished),
        warnings=warnings,
    )


def _why_no_probe(report: Report, wished: Wished) -> str:
    """What goes behind the description of a run without probes: by what was looked at."""
    if report.verdict is None or Failure.NO_PROBES not in report.verdict.failures:
        return ""
    if wished.probes == 0:
        return ": none was asked for"
    if not wished.corpus:
        return ""
    if not report.passed_over:
        return ": the store has no memory to ask for"
    rejected = sum(one.count for one in report.thrown_away)
    return (
        f": of {report.passed_over} memories none has a claim of at least {LEAST_WORDS} content words that can be "
        f"turned into a wrong one and that a search finds; {rejected} derived texts were rejected"
    )
