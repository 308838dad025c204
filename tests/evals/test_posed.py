"""Questions put to a search."""

from __future__ import annotations

import pytest

from memhtml.domain.divergence import Divergence
from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.gate import Case, Ranked, Rival
from memhtml.evals.posed import Posed, Question, answered, shipped
from memhtml.evals.scratch import embed_all, scratch
from memhtml.models.fakes import AlwaysFailing, HashedWords

NOW = Instant("2026-03-01T12:00:00Z")
TARGET, RIVAL = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
QUESTIONS = (Question("keywords", Divergence.NUMBER, "5 retries"), Question("question", Divergence.NUMBER, "is it 5?"))
PROBE = Posed(7, 3, TARGET, (Rival(Divergence.NUMBER, RIVAL),), QUESTIONS)


def test_each_question_is_asked_as_it_stands() -> None:
    """Each gets its own answer, in the order in which they were posed; nothing posed is no case."""
    asked: list[str] = []

    def ask(query: str) -> list[MemoryPath]:
        asked.append(query)
        return [RIVAL, TARGET] if query == "5 retries" else [TARGET]

    assert answered((), ask) == ()
    assert answered((PROBE,), ask) == (
        Case(
            seed=7,
            number=3,
            target=TARGET,
            rivals=(Rival(Divergence.NUMBER, RIVAL),),
            asked=(
                Ranked("keywords", Divergence.NUMBER, "5 retries", (RIVAL, TARGET)),
                Ranked("question", Divergence.NUMBER, "is it 5?", (TARGET,)),
            ),
        ),
    )
    assert asked == ["5 retries", "is it 5?"]


def test_progress_is_told_of_every_probe() -> None:
    """With the seed, how many are done, and of how many."""
    told: list[tuple[str, int, int | None]] = []
    answered((PROBE, PROBE), lambda _: (), lambda *step: told.append(step))
    assert told == [("seed 7: asking", 0, 2), ("seed 7: asking", 1, 2)]


def test_a_search_is_the_one_that_an_agent_has(environment: dict[str, str]) -> None:
    """At most ten hits, nothing irrelevant, and no answer by words alone in the place of one with vectors."""
    drafts = [Draft(MemoryType.SEMANTIC, claim=f"The deploy number {number} was frozen.") for number in range(12)]
    with scratch(environment) as store:
        paths = store.write([(draft, NOW) for draft in drafts])
        with store.index.reading() as view:
            ask = shipped(view, None, NOW)
            assert len(ask("frozen deploy")) == 10
            assert next(iter(ask("frozen deploy number 7"))) == paths[7]
            assert ask("what meets the tariff on imported sugar in the kingdom of Sweden") == []
            with pytest.raises(ModelUnavailableError, match="vector arm"):
                shipped(view, HashedWords(), NOW)("frozen deploy")
        embed_all(store.index, HashedWords())
        with store.index.reading() as view:
            assert shipped(view, HashedWords(), NOW)("frozen deploy number 7")[0] == paths[7]
            with pytest.raises(ModelUnavailableError, match="fake-failing"):
                shipped(view, AlwaysFailing(), NOW)("frozen deploy")
