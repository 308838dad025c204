"""The gate on a store's own memories."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import EmbedModelMismatchError
from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.gate import Failure
from memhtml.evals.own import Draw, Own, discriminate_own
from memhtml.evals.report import Mode
from memhtml.evals.scratch import Scratch, scratch
from memhtml.models.fakes import AlwaysFailing, HashedWords

NOW = Instant("2026-03-01T12:00:00Z")
TEAMS = ("red", "blue", "green", "grey", "amber", "teal")


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[Scratch]:
    """Facts that are much alike, half of them with vectors."""
    with scratch(environment) as made:
        for half, deed in enumerate(("retries failed exports", "drops failed imports")):
            claims = [
                f"The nightly job of team {team} {deed} {half + place} times." for place, team in enumerate(TEAMS)
            ]
            made.write([(Draft(MemoryType.SEMANTIC, claim=claim), NOW) for claim in claims])
            if not half:
                made.embed(HashedWords())
        yield made


def seen(folder: Path) -> dict[str, str]:
    """Every file of the store: git's, the index, and the memories; not the table in which readers lock."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


@pytest.mark.parametrize("mode", list(Mode))
def test_a_store_is_asked_for_its_own_memories_and_never_changes(store: Scratch, mode: Mode) -> None:
    """Branch, work tree, index and vectors are byte for byte what they were, although some had no vector."""
    before, missing = seen(store.repository.root), store.index.missing_vectors()
    assert missing
    report = discriminate_own(Own(store.index, store.repository), Draw(NOW, mode=mode), HashedWords())
    assert report.passed, report.describe()
    assert report.verdict is not None
    assert report.lexical is not None
    assert report.verdict.probes == 2 * len(TEAMS)
    assert {score.name for score in report.verdict.families if score.probes} >= {"negation", "number"}
    assert store.index.missing_vectors() == missing
    assert seen(store.repository.root) == before


def test_vectors_of_another_space_are_never_mixed(store: Scratch) -> None:
    """Live, that is refused as a search refuses it; the fake makes its own, in the copy."""
    own = Own(store.index, store.repository)
    with pytest.raises(EmbedModelMismatchError):
        discriminate_own(own, Draw(NOW), HashedWords(64))
    assert discriminate_own(own, Draw(NOW, mode=Mode.FAKE), HashedWords(64)).passed
    with store.index.reading() as view:
        assert view.space == HashedWords().space


@pytest.mark.parametrize("embedder", [None, AlwaysFailing()])
def test_without_its_embedder_the_run_is_skipped(store: Scratch, embedder: AlwaysFailing | None) -> None:
    """It has not passed."""
    store.index.replace_space(AlwaysFailing().space)
    report = discriminate_own(Own(store.index, store.repository), Draw(NOW), embedder)
    assert (report.skipped, report.passed) == (True, False)


def test_fewer_probes_than_were_asked_for_fail_and_an_empty_store_fails(
    store: Scratch, environment: dict[str, str]
) -> None:
    """Where no number was given, as many as there are will do; none will not."""
    own = Own(store.index, store.repository)
    report = discriminate_own(own, Draw(NOW, probes=13, mode=Mode.FAKE), HashedWords())
    assert report.verdict is not None
    assert report.verdict.failures == (Failure.TOO_FEW_PROBES,)
    with scratch(environment) as empty:
        report = discriminate_own(Own(empty.index, empty.repository), Draw(NOW), HashedWords())
    assert report.verdict is not None
    assert report.verdict.failures == (Failure.NO_PROBES,)


def test_what_was_saved_by_hand_is_asked_for_too(store: Scratch) -> None:
    """The index of the store does not know it yet, and still does not afterwards."""
    from memhtml.page.compose import compose
    from memhtml.page.render import render

    draft = Draft(MemoryType.SEMANTIC, claim="The weekly report of team pink goes out on Fridays.")
    (store.repository.root / "areas/inbox/pink.html").write_bytes(render(compose(draft, now=NOW)))
    report = discriminate_own(Own(store.index, store.repository), Draw(NOW, mode=Mode.FAKE), HashedWords())
    assert report.verdict is not None
    assert report.verdict.probes == 2 * len(TEAMS) + 1
    with store.index.reading() as view:
        assert view.total == 2 * len(TEAMS)


def test_questions_that_find_nothing_before_there_are_controls_are_counted(environment: dict[str, str]) -> None:
    """Of a crowd that says the same, not all can be among ten; a store that is nothing else is no measure."""
    claim = "The nightly job of every team fails on public holidays."
    drafts = [Draft(MemoryType.SEMANTIC, claim=claim, body=f"Seen by witness {number}.") for number in range(40)]
    with scratch(environment) as crowd:
        crowd.write([(draft, NOW) for draft in drafts])
        report = discriminate_own(Own(crowd.index, crowd.repository), Draw(NOW, mode=Mode.FAKE), HashedWords())
    assert report.verdict is not None
    assert report.subject.demand.unfound > report.verdict.questions > 0
    assert Failure.MOSTLY_UNFOUND in report.verdict.failures
    assert report.passed_over == 40 - report.verdict.probes
