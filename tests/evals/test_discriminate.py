"""The gate on invented stores: what passes, what fails, what is skipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.evals.discriminate import Run, discriminate
from memhtml.evals.gate import Failure
from memhtml.evals.posed import Ask, shipped
from memhtml.evals.report import Mode
from memhtml.index.view import View
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import AlwaysFailing, HashedWords

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows


def test_the_shipped_ranking_holds_in_a_small_store(environment: dict[str, str]) -> None:
    """By all arms, every family and style counted, and by words alone without an error."""
    report = discriminate(Run(seeds=(4, 5), probes=12), HashedWords(), environment)
    assert (report.passed, report.skipped) == (True, False), report.describe()
    assert report.verdict is not None
    assert report.lexical is not None
    assert report.verdict.probes == report.lexical.probes == 24
    assert all(score.questions for score in (*report.verdict.families, *report.verdict.styles))
    assert [score.seed for score in report.by_seed] == [4, 5]
    assert report.subject.space == "fake-words@256"


@pytest.mark.parametrize("embedder", [None, AlwaysFailing()])
def test_a_live_run_without_its_embedder_is_skipped_and_has_not_passed(
    embedder: Embedder | None, environment: dict[str, str]
) -> None:
    """Neither words alone nor the fake take its place."""
    report = discriminate(Run(probes=2, mode=Mode.LIVE), embedder, environment)
    assert (report.skipped, report.passed, report.verdict, report.lexical) == (True, False, None, None)
    assert report.reason


def test_an_embedder_that_fails_while_questions_are_asked_skips_the_run(environment: dict[str, str]) -> None:
    """What was asked before that is no run."""

    class Tiring(HashedWords):
        """Makes the vectors of the store, and those of ten questions."""

        questions = 0

        def embed(self, texts: Sequence[str]) -> Rows:
            """As words are hashed, until it is tired."""
            self.questions += len(texts) == 1
            return AlwaysFailing(256).embed(texts) if self.questions > 10 else super().embed(texts)

    report = discriminate(Run(probes=6, mode=Mode.LIVE), Tiring(), environment)
    assert (report.skipped, report.passed) == (True, False)
    assert "always fails" in (report.reason or "")


def test_zero_probes_fail(environment: dict[str, str]) -> None:
    """A run that asked nothing has shown nothing."""
    report = discriminate(Run(probes=0), HashedWords(), environment)
    assert report.verdict is not None
    assert report.verdict.failures == (Failure.NO_PROBES,)
    assert not report.passed


def test_a_ranking_that_prefers_what_is_wrong_fails(environment: dict[str, str]) -> None:
    """Turned around, every answer is wrong; and one that returns nothing has lost every target."""

    def turned(view: View, embedder: Embedder | None, now: Instant) -> Ask:
        ask = shipped(view, embedder, now)
        return lambda query: list(reversed(ask(query)))

    def silent(view: View, embedder: Embedder | None, now: Instant) -> Ask:
        del view, embedder, now
        return lambda _: list[MemoryPath]()

    for ranker in (turned, silent):
        report = discriminate(Run(probes=3, ranker=ranker), HashedWords(), environment)
        assert not report.passed
        assert "seed 1, probe 1" in report.describe()


def test_the_same_seed_gives_the_same_report(environment: dict[str, str]) -> None:
    """On stores that were made one after the other."""
    run = Run(seeds=(9,), probes=3)
    assert discriminate(run, HashedWords(), environment) == discriminate(run, HashedWords(), environment)
