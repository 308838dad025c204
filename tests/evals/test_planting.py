"""A fixture in a store: every memory is there, with its dates and its use, and every probe knows where."""

from __future__ import annotations

from memhtml.evals.fixture import Planted, fixture
from memhtml.evals.planting import plant
from memhtml.evals.scratch import scratch


def test_a_planted_fixture_is_what_it_says(environment: dict[str, str]) -> None:
    """Claims, dates and opens, counted over all memories; rivals and questions as the fixture has them."""
    made = fixture(3, 4)
    with scratch(environment) as store:
        planting = plant(store, made)
        assert [probe.number for probe in planting.probes] == [1, 2, 3, 4]
        expected = sum(1 + len(probe.controls) + len(probe.paraphrases) for probe in made.probes)
        with store.index.reading() as view:
            assert view.total == expected + len(made.distractors)

            def held(path: str, planted: Planted) -> None:
                row = view.rows([path])[path]
                access = view.state([path]).get(path)
                assert (row.gist, row.type, row.tags) == (planted.claim, planted.memory_type, planted.tags)
                assert (row.created, row.updated) == (planted.written, planted.written)
                assert (0 if access is None else access.opens) == planted.opens
                if access is not None:
                    assert planted.written < (access.last_opened or "") < planting.now

            for posed, probe in zip(planting.probes, made.probes, strict=True):
                held(posed.target, probe.target)
                assert posed.seed == 3
                for rival, (control, planted) in zip(posed.rivals, probe.controls, strict=True):
                    assert rival.family is control.family
                    held(rival.path, planted)
                assert [(question.style, question.family, question.query) for question in posed.questions] == [
                    (style.value, family, query) for style, family, query in probe.queries
                ]


def test_an_empty_fixture_plants_nothing(environment: dict[str, str]) -> None:
    """And a time to ask at all the same."""
    with scratch(environment) as store:
        planting = plant(store, fixture(1, 0))
        assert (planting.probes, planting.now) == ((), "2026-01-02T00:00:00Z")
