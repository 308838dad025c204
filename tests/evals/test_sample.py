"""Probes out of a store's own memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import Draft, Entity, Instant, Link, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.evals.sample import FIRST, VERBATIM, Sample, Sampling, sample
from memhtml.evals.scratch import Scratch, scratch
from memhtml.evals.twins import MORE_OPENS, moved
from memhtml.page.read import read

SCOPE = Scope()
WRITTEN = Instant("2026-03-01T12:00:00Z")


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[Scratch]:
    """An empty store."""
    with scratch(environment) as made:
        yield made


def put(store: Scratch, *claims: str, **more: object) -> tuple[MemoryPath, ...]:
    """Memories with these claims, in one commit."""
    drafts = [Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **more}) for claim in claims]
    return store.write([(draft, WRITTEN) for draft in drafts])


def drawn(store: Scratch, wanted: int = 60, seed: int = 1, *, finds: bool = True) -> Sample:
    """A sample of the store, whose search finds everything or nothing."""
    with store.index.reading() as view:
        everything = list(view.rows(view.listed(SCOPE)))

        def ask(query: str) -> Sequence[MemoryPath]:
            del query
            return everything if finds else ()

        return sample(view, Sampling(wanted, seed), ask)


def test_a_control_has_all_of_its_target_but_what_it_says(store: Scratch) -> None:
    """Type, tags, entities, aliases, confidence and dates are the same; the claim is not, nor is its title."""
    [path] = put(
        store,
        "The checkout worker retries failed payments 3 times.",
        body="It waits in between.",
        tags=("payments",),
        entities=(Entity("service", "checkout"),),
        aliases=("retry rule",),
        confidence=0.7,
        importance=8,
        event_at="2026-02-03",
        valid_from="2026-01-01",
    )
    sampled = drawn(store)
    [probe] = sampled.probes
    assert (probe.target, probe.seed, probe.number) == (path, 1, 1)
    target = read(store.repository.read_work(path)).facts
    assert target is not None
    by_family = {rival.family: read(sampled.files[rival.path]).facts for rival in probe.rivals}
    assert {Divergence.NEGATION, Divergence.NUMBER} <= set(by_family)
    for rival, control in zip(probe.rivals, by_family.values(), strict=True):
        assert control is not None
        assert control.gist != target.gist
        assert control.title == control.gist
        assert rival.path.startswith("resources/payments/")
        assert (control.head.type, control.head.tags, control.entities) == (
            target.head.type,
            target.head.tags,
            target.entities,
        )
        assert (control.head.aliases, control.head.confidence, control.head.importance, control.head.valid_from) == (
            ("retry rule",),
            0.7,
            8,
            "2026-01-01",
        )
        assert (control.head.created, control.head.updated, control.event_at) == (WRITTEN, WRITTEN, "2026-02-03")
        assert control.body.count("It waits in between.") == 1
        assert control.body.count("2026-02-03") == 1
    assert len(probe.questions) == len({question.query for question in probe.questions}) > 2


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        (None, "The checkout worker retries failed payments 5 times."),
        (
            "The checkout worker retries failed payments 3 times. It waits",
            "The checkout worker retries failed payments 5",
        ),
        ("The worker tries 3 times", "The worker tries 5 times"),
        ("Retry rule", "Retry rule"),
    ],
)
def test_a_control_has_the_title_that_its_text_would_have(store: Scratch, title: str | None, wanted: str) -> None:
    """A title that names what was changed would give the control away, or make it half right."""
    put(store, "The checkout worker retries failed payments 3 times.", body="It waits in between.", title=title)
    sampled = drawn(store)
    path = next(rival.path for rival in sampled.probes[0].rivals if rival.family is Divergence.NUMBER)
    facts = read(sampled.files[path]).facts
    assert facts is not None
    assert facts.gist == "The checkout worker retries failed payments 5 times."
    assert facts.title.startswith(wanted)


def test_every_second_control_is_newer_and_was_opened_more_often(store: Scratch) -> None:
    """The others were used as their targets were, or not at all."""
    paths = put(
        store,
        *(
            f"The nightly export job of team {name} fails after {number} rows."
            for number, name in enumerate(("red", "blue", "green", "grey"), 5)
        ),
    )
    for path in paths[:2]:
        store.index.state.open_memory(path, WRITTEN)
    sampled = drawn(store)
    assert len(sampled.probes) == 4
    used = {access.path: access for access in sampled.used}
    for probe in sampled.probes:
        opens = 1 if probe.target in paths[:2] else 0
        for rival in probe.rivals:
            written = read(sampled.files[rival.path]).facts
            assert written is not None
            ahead = probe.number % 2 == 0
            assert written.head.updated == ("2026-03-02T12:00:00Z" if ahead else WRITTEN)
            assert (rival.path in used) == (ahead or opens > 0)
            if rival.path in used:
                assert used[rival.path].opens == opens + (MORE_OPENS if ahead else 0)


def test_what_cannot_be_asked_for_is_passed_over(store: Scratch) -> None:
    """Too few words; in the archive, a task or superseded; nothing found before there were controls."""
    put(store, "It was great.")
    [old] = put(store, "The staging cluster reboots every Sunday night.")
    put(store, "The staging cluster reboots on request of its owners.", links=(Link(Rel.SUPERSEDES, old),))
    put(store, "The staging cluster needs a new owner.", type=MemoryType.TASK)
    sampled = drawn(store)
    assert [probe.target.rpartition("/")[2] for probe in sampled.probes] == [
        "the-staging-cluster-reboots-on-request-of-its-owners.html"
    ]
    assert (sampled.passed_over, sampled.unfound) == (2, 0)
    nothing = drawn(store, finds=False)
    assert (nothing.probes, nothing.files, nothing.used, nothing.passed_over) == ((), {}, (), 3)
    assert nothing.unfound == len(sampled.probes[0].questions)


def test_no_control_says_what_another_memory_says(store: Scratch) -> None:
    """It would be right, and no wrong version."""
    put(store, "The checkout worker retries failed payments.", "The checkout worker doesn't retry failed payments.")
    claims = {"The checkout worker retries failed payments.", "The checkout worker doesn't retry failed payments."}
    for data in drawn(store).files.values():
        facts = read(data).facts
        assert facts is not None
        assert facts.gist not in claims


def test_a_control_takes_no_path_and_says_nothing_that_another_state_has(
    store: Scratch, environment: dict[str, str]
) -> None:
    """It will lie in that one too."""
    put(store, "The checkout worker retries failed payments 3 times.")
    first = drawn(store)
    number = next(rival.path for rival in first.probes[0].rivals if rival.family is Divergence.NUMBER)
    denied = next(rival.path for rival in first.probes[0].rivals if rival.family is Divergence.NEGATION)
    with scratch(environment) as other:
        put(other, "The checkout worker retries failed payments 5 times.", path="areas/inbox/five.html")
        put(other, "Something else is here.", path=denied)
        with store.index.reading() as view, other.index.reading() as beside:
            second = sample(view, Sampling(60, 1, beside), lambda _: view.listed(SCOPE))
    claims = {facts.gist for data in second.files.values() if (facts := read(data).facts) is not None}
    assert "The checkout worker retries failed payments 5 times." not in claims
    assert denied not in second.files
    assert denied.replace(".html", "-2.html") in second.files
    assert number in first.files


def test_the_sample_is_drawn_by_its_seed(store: Scratch) -> None:
    """The same seed draws the same, another one another; no more than are wanted."""
    put(store, *(f"The nightly export job number {number} fails on holidays." for number in range(30)))
    assert drawn(store, 5, 1) == drawn(store, 5, 1)
    assert len(drawn(store, 5, 1).probes) == 5
    assert [probe.target for probe in drawn(store, 5, 1).probes] != [
        probe.target for probe in drawn(store, 5, 2).probes
    ]
    assert drawn(store, 0) == Sample((), {}, (), ())


def test_some_are_asked_for_whatever_is_drawn(store: Scratch) -> None:
    """First, in their order, beside those that are drawn; what is no memory in use is passed by."""
    paths = put(store, *(f"The nightly export job number {number} fails on holidays." for number in range(30)))
    [task] = put(store, "The staging cluster needs a new owner.", type=MemoryType.TASK)
    always = (paths[7], paths[3], task, MemoryPath("areas/nothing.html"), paths[7])

    def ask(query: str) -> Sequence[MemoryPath]:
        del query
        return paths

    with store.index.reading() as view:
        for seed in (1, 2):
            sampled = sample(view, Sampling(2, seed, always=always), ask)
            targets = [probe.target for probe in sampled.probes]
            assert targets[:2] == [paths[7], paths[3]]
            assert len(set(targets)) == 4
            assert [probe.number for probe in sampled.probes] == [1, 2, 3, 4]
        only = sample(view, Sampling(0, 1, always=always), ask)
    assert [probe.target for probe in only.probes] == [paths[7], paths[3]]


def test_what_must_be_asked_for_needs_neither_controls_nor_many_words(store: Scratch) -> None:
    """It is asked for by plain questions, or by itself, if that finds it among the first; else it is passed over."""
    [short] = put(store, "Cats purr.")
    [noun] = put(store, "The colour of the old bicycle shed behind the northern warehouse.")
    [old] = put(store, "The staging cluster reboots every Sunday night.")
    put(store, "The staging cluster reboots on request of its owners.", links=(Link(Rel.SUPERSEDES, old),))
    with store.index.reading() as view:

        def drawn_at(rank: int) -> Sample:
            others = [MemoryPath(f"areas/{number}.html") for number in range(rank - 1)]
            sampling = Sampling(0, 1, always=(short, noun, old))
            return sample(view, sampling, lambda _: [*others, short, noun, old])

        sampled = drawn_at(1)
        far = drawn_at(FIRST + 1)
    assert [probe.target for probe in sampled.probes] == [short, noun]
    assert all(probe.questions for probe in sampled.probes)
    assert sampled.passed_over == 1
    [question] = sampled.probes[0].questions
    assert (question.style, question.query) == (VERBATIM, "Cats purr.")
    assert not sampled.probes[0].rivals
    assert [probe.target for probe in far.probes] == [noun], "few words must find it among the first"


def test_the_next_day_has_the_same_form() -> None:
    """Dates stay dates; the last day that can be written has no next one."""
    assert moved(Instant("2026-02-28"), newer=True) == "2026-03-01"
    assert moved(Instant("2026-02-28T23:59:59Z"), newer=True) == "2026-03-01T23:59:59Z"
    assert moved(Instant("2026-02-28"), newer=False) == "2026-02-28"
    assert moved(Instant("9999-12-31T00:00:00Z"), newer=True) == "9999-12-31T00:00:00Z"
