"""Two states of a store: what a curation may do to them, and what it may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memhtml.domain.memory import CommitId, Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.comparison import Comparison, Reason, Regression, Trial, compare, snapshot
from memhtml.evals.posed import Ask, Ranker, shipped
from memhtml.evals.scratch import Scratch, scratch
from memhtml.index.view import View
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import HashedWords
from memhtml.store.archiving import stage_archive
from memhtml.store.correcting import stage_correct
from memhtml.store.transaction import Transaction

NOW = Instant("2026-03-01T12:00:00Z")
LATER = Instant("2026-03-02T12:00:00Z")
TEAMS = ("red", "blue", "green", "grey", "amber", "teal")
FACTS = [
    f"The nightly job of team {team} retries failed exports {number} times." for number, team in enumerate(TEAMS, 3)
]
RED = MemoryPath("areas/inbox/the-nightly-job-of-team-red-retries-failed-exports-3-times.html")


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[Scratch]:
    """Six facts that are much alike."""
    with scratch(environment) as made:
        made.write([(fact(claim), NOW) for claim in FACTS])
        yield made


def fact(claim: str) -> Draft:
    """A memory that says ``claim`` and no more."""
    return Draft(MemoryType.SEMANTIC, claim=claim)


def changed(store: Scratch, change: Callable[[Transaction], object]) -> tuple[CommitId, CommitId]:
    """The commits before and after ``change``; the index of the store does not follow."""
    with store.repository.transaction() as transaction:
        before = transaction.base
        assert before is not None
        change(transaction)
        return before, transaction.commit("memory(apply): a change", when=LATER)


def compared(
    store: Scratch, change: Callable[[Transaction], object], *evicted: MemoryPath, embedder: HashedWords | None = None
) -> Comparison:
    """The verdict on ``change``."""
    before, after = changed(store, change)
    repository = store.repository
    with snapshot(store.index, repository, before) as earlier, snapshot(store.index, repository, after) as later:
        return compare(earlier, later, Trial(LATER, evicted=frozenset(evicted)), embedder)


@pytest.mark.parametrize("embedder", [None, HashedWords()])
def test_what_harms_nothing_is_let_through(store: Scratch, embedder: HashedWords | None) -> None:
    """By words alone, or with vectors; both states are asked the same, and the store's index learns of neither."""
    other = fact("Cats purr at twenty five hertz.")
    from memhtml.store.writing import stage_write

    with store.index.reading() as view:
        generation = view.generation
    done = compared(store, lambda tx: stage_write(tx, other, now=LATER, duplicates=lambda _: ()), embedder=embedder)
    assert (done.passed, done.reasons, done.regressions, done.evicted, done.changed) == (True, (), (), (), ())
    assert done.describe() == ""
    assert done.probes == len(TEAMS)
    assert done.held == done.questions > 2 * len(TEAMS)
    with store.index.reading() as view:
        assert (view.generation, view.total) == (generation, len(TEAMS))


def test_a_memory_that_is_gone_is_lost(store: Scratch) -> None:
    """For every question that found it; the others are not touched."""
    done = compared(store, lambda tx: stage_archive(tx, RED, now=LATER))
    assert (done.passed, done.reasons) == (False, (Reason.LOST,))
    assert {regression.target for regression in done.regressions} == {RED}
    assert {regression.heir for regression in done.regressions} == {None}
    assert RED in done.describe()


def test_what_is_touched_is_asked_for_however_small_the_sample(store: Scratch) -> None:
    """Also a memory of two words, and one that nobody can make a wrong version of; by what took its place, too."""
    [short] = store.write([(fact("Cats purr."), NOW)])
    for gone in (RED, short):
        before, after = changed(store, lambda tx, gone=gone: stage_archive(tx, gone, now=LATER))
        verdicts: list[Comparison] = []
        for touched in ((), (gone,)):
            with (
                snapshot(store.index, store.repository, before) as earlier,
                snapshot(store.index, store.repository, after) as later,
            ):
                verdicts.append(compare(earlier, later, Trial(LATER, probes=0, touched=touched), None))
        assert [done.reasons for done in verdicts] == [(Reason.NO_PROBES,), (Reason.LOST,)]
        assert {one.target for one in verdicts[1].regressions} == {gone}
        store.index.catch_up(store.repository)


def test_a_plain_question_has_no_wrong_versions_afterwards_either(store: Scratch) -> None:
    """What took the place of a memory of two words is found, and that is all that is asked."""
    [short] = store.write([(fact("Cats purr."), NOW)])
    better = fact("Cats purr while the nightly job retries failed exports.")
    before, after = changed(store, lambda tx: stage_correct(tx, short, better, now=LATER, duplicates=lambda _: ()))
    with (
        snapshot(store.index, store.repository, before) as earlier,
        snapshot(store.index, store.repository, after) as later,
    ):
        done = compare(earlier, later, Trial(LATER, probes=0, touched=(short,)), None)
        with later.index.reading() as view:
            total = view.total
    assert (done.passed, done.probes, done.questions) == (True, 1, 1)
    assert total == len(TEAMS) + 2, "no control of the new text was planted"


def test_what_was_meant_to_go_is_listed_apart(store: Scratch) -> None:
    """It is no reason to refuse; and a memory that was to go and stayed is asked for as any other."""
    done = compared(store, lambda tx: stage_archive(tx, RED, now=LATER), RED)
    assert (done.passed, done.evicted, done.regressions) == (True, (RED,), ())
    stayed = compared(store, lambda tx: tx.put("areas/inbox/index.html", b"a listing"), RED)
    assert (stayed.passed, stayed.evicted) == (True, ())


def test_what_took_its_place_is_found_instead(store: Scratch) -> None:
    """A better text of the same fact stands for it, among the controls of the old one."""
    better = fact("The nightly job of team red retries its failed exports 3 times, then stops.")
    done = compared(store, lambda tx: stage_correct(tx, RED, better, now=LATER, duplicates=lambda _: ()))
    assert (done.passed, done.changed, done.regressions) == (True, (), ())
    assert done.probes == len(TEAMS)


def test_a_move_is_followed(store: Scratch) -> None:
    """A memory that lies in another folder is the same memory."""

    def move(tx: Transaction) -> None:
        data = tx.read(RED)
        assert data is not None
        tx.move(RED, RED.replace("areas/inbox", "resources/exports"), data)

    assert compared(store, move).passed


@pytest.mark.parametrize("deed", ["retries failed exports 5 times", "never retries failed exports 3 times"])
def test_a_memory_that_says_otherwise_now_must_be_found_and_no_more(store: Scratch, deed: str) -> None:
    """Wrong versions of what it says now may be what it said; that it changed is told."""
    other = fact(f"The nightly job of team red {deed}.")
    done = compared(store, lambda tx: stage_correct(tx, RED, other, now=LATER, duplicates=lambda _: ()))
    assert (done.passed, done.changed) == (True, (RED,)), done.describe()


def test_a_memory_that_falls_below_a_control_of_its_own_is_inverted(store: Scratch) -> None:
    """A question that held before and does not hold after; one that did not hold before is no news."""

    def worse_from(first: int) -> Ranker:
        """Turned around for all that asks from the ``first`` on."""
        states: list[object] = []

        def ranker(view: View, embedder: Embedder | None, now: Instant) -> Ask:
            states.append(view)
            ask = shipped(view, embedder, now)
            return ask if len(states) < first else lambda query: list(reversed(ask(query)))

        return ranker

    before, after = changed(store, lambda tx: tx.put("areas/inbox/index.html", b"a listing"))

    def verdict(first: int) -> Comparison:
        with (
            snapshot(store.index, store.repository, before) as earlier,
            snapshot(store.index, store.repository, after) as later,
        ):
            return compare(earlier, later, Trial(LATER, ranker=worse_from(first)), None)

    # The sample asks first, then the earlier state, then the later one.
    done = verdict(3)
    assert (done.passed, done.reasons, done.held) == (False, (Reason.INVERTED,), done.questions)
    assert {regression.target for regression in done.regressions} == {
        regression.heir for regression in done.regressions
    }
    assert all(regression.control for regression in done.regressions)
    assert "now ranks the wrong" in done.describe()
    both = verdict(2)
    assert both.passed
    assert both.held < both.questions


def test_the_same_state_twice_is_let_through(store: Scratch) -> None:
    """Nothing is worse than itself."""
    assert compared(store, lambda tx: tx.put("areas/inbox/index.html", b"a listing")).passed


def test_nothing_that_can_be_asked_for_is_no_pass(environment: dict[str, str]) -> None:
    """Nothing is known of what the change does."""
    with scratch(environment) as empty:
        done = compared(empty, lambda tx: tx.put("areas/inbox/index.html", b"a listing"))
    assert (done.passed, done.reasons, done.probes) == (False, (Reason.NO_PROBES,), 0)
    assert "nothing is known" in done.describe()


def test_a_regression_is_told_in_a_line() -> None:
    """With what is found instead, where something has taken the memory's place."""
    heir = MemoryPath("areas/inbox/heir.html")
    told = Regression(Reason.LOST, "keywords", "retries", RED, heir).describe()
    assert told == f"'retries' found {RED}, and now finds neither it nor {heir} in its place"
