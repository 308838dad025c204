"""The gate over many seeds: what is claimed of the ranking, counted."""

from __future__ import annotations

import pytest

from memhtml.evals.discriminate import PROBES, Run, discriminate
from memhtml.evals.report import Mode, Report
from memhtml.models.factory import embedder
from memhtml.models.fakes import HashedWords

pytestmark = pytest.mark.slow


def holds(report: Report, seeds: int) -> None:
    """No inversion, by any family or style, and every probe of every seed asked."""
    assert report.verdict is not None
    assert report.passed, "\n".join(inversion.describe() for inversion in report.verdict.inversions)
    assert report.verdict.probes == seeds * PROBES
    assert all(score.mrr == 1.0 for score in (*report.verdict.families, *report.verdict.styles))
    assert len(report.verdict.styles) >= 3
    assert all(score.passed for score in report.by_seed)


def test_twenty_invented_stores_hold_with_hashed_words(environment: dict[str, str]) -> None:
    """Sixty probes each."""
    holds(discriminate(Run(seeds=tuple(range(1, 21))), HashedWords(), environment), 20)


def test_five_invented_stores_hold_with_the_built_in_model(environment: dict[str, str]) -> None:
    """Sixty probes each; skipped, and said, where the model has no build."""
    report = discriminate(Run(seeds=tuple(range(1, 6)), mode=Mode.LIVE), embedder("on"), environment)
    if report.skipped:
        pytest.skip(report.reason or "")
    holds(report, 5)
