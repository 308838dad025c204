"""A run of the discrimination gate: invented stores, really written, really indexed, really asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.progress import Progress, silent
from memhtml.evals.fixture import fixture
from memhtml.evals.gate import Demand
from memhtml.evals.planting import plant
from memhtml.evals.posed import Ranker, answered, shipped
from memhtml.evals.report import Answers, Mode, Report, Subject, reported, skipped
from memhtml.evals.scratch import scratch

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder

PROBES = 60
"""Probes of a seed unless the caller says otherwise."""

EVERY_FAMILY_FROM = 12
"""Probes from which a fixture that measures no control of a family is broken rather than small."""


class Run(Struct, frozen=True):
    """What is to be run: a store for each seed, with so many probes, asked by so much of memhtml.

    Attributes:
        ranker: `shipped`, unless another ranking is to be judged.
    """

    seeds: tuple[int, ...] = (1,)
    probes: int = PROBES
    mode: Mode = Mode.FAKE
    ranker: Ranker = shipped


def discriminate(
    run: Run, embedder: Embedder | None, environment: Mapping[str, str], progress: Progress = silent
) -> Report:
    """Plant the fixture of each seed in a store of its own; ask every question with ``embedder``, and without.

    Without an embedder, or where it fails, the run is skipped: an answer by words alone says nothing about vectors.

    Args:
        run: which fixtures.
        embedder: whose vectors are asked.
        environment: what git is run with.
        progress: told of every probe.

    Raises:
        MemhtmlError: a scratch store could not be made or asked.
    """
    demand = Demand(dict.fromkeys(run.seeds, run.probes), every_family=run.probes >= EVERY_FAMILY_FROM)
    subject = Subject(run.mode, None if embedder is None else embedder.space, demand)
    if embedder is None:
        return skipped(subject, "vectors are off")
    try:
        parts = [_answers(run, seed, _Means(embedder, environment, progress)) for seed in run.seeds]
    except ModelUnavailableError as error:
        return skipped(subject, error.message)
    return reported(
        subject,
        Answers(
            fused=tuple(case for part in parts for case in part.fused),
            lexical=tuple(case for part in parts for case in part.lexical),
            rejected=tuple(one for part in parts for one in part.rejected),
        ),
    )


class _Means(Struct, frozen=True):
    embedder: Embedder
    environment: Mapping[str, str]
    progress: Progress


def _answers(run: Run, seed: int, means: _Means) -> Answers:
    made = fixture(seed, run.probes)
    with scratch(means.environment) as store:
        planting = plant(store, made, means.progress)
        store.embed(means.embedder, means.progress)
        with store.index.reading() as view:
            answers = [
                answered(planting.probes, run.ranker(view, embedder, planting.now), means.progress)
                for embedder in (means.embedder, None)
            ]
    return Answers(answers[0], answers[1], made.rejected)
