"""The gate's store: one seed, one store; and nothing in it helps a target but what it says."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from itertools import chain

import msgspec
import pytest

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.instants import normalised
from memhtml.domain.statements import read
from memhtml.domain.terms import fold
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Rejection
from memhtml.evals.fixture import LOOKALIKES_A_PROBE, STRANGERS_A_PROBE, Fixture, Planted, _Making, fixture
from memhtml.evals.inventions import STATEMENTS
from memhtml.evals.probes import Style

SEEDS = range(20)
PROBES = 60
DIGEST = "b8972bbcbf1d850f148bf941630aa5ab88af996774c3688f541af85a9da27be2"


@pytest.fixture(scope="module")
def stores() -> list[Fixture]:
    """As many as the gate is held over."""
    return [fixture(seed, PROBES) for seed in SEEDS]


def memories(store: Fixture) -> list[Planted]:
    """All that is written."""
    planted = [(probe.target, *(twin for _, twin in probe.controls), *probe.paraphrases) for probe in store.probes]
    return [*chain.from_iterable(planted), *store.distractors]


def test_a_seed_is_a_store_on_every_machine_and_version() -> None:
    """To the byte. A new digest here means that all measured scores are of another store."""
    written = msgspec.json.encode(fixture(1, 12))
    assert hashlib.sha256(written).hexdigest() == DIGEST
    assert msgspec.json.encode(fixture(1, 12)) == written


def test_another_seed_is_another_store(stores: list[Fixture]) -> None:
    """Twenty seeds, twenty stores, of which no two share more than a few claims."""
    claims = [{probe.target.claim for probe in store.probes} for store in stores]
    assert len({frozenset(one) for one in claims}) == len(SEEDS)
    assert max(len(one & other) for one in claims for other in claims if one is not other) <= PROBES // 10


@pytest.mark.parametrize("probes", [0, 1, 2, 7, PROBES, 200])
def test_there_are_as_many_probes_as_were_asked_for(probes: int) -> None:
    """None asked for, none made."""
    made = fixture(3, probes)
    assert (made.seed, len(made.probes)) == (3, probes)
    assert len(made.distractors) == probes * (STRANGERS_A_PROBE + LOOKALIKES_A_PROBE)


def test_no_claim_is_written_twice(stores: list[Fixture]) -> None:
    """A control that said what another memory says would be no control."""
    for store in stores:
        claims = Counter(fold(memory.claim) for memory in memories(store))
        assert [claim for claim, times in claims.items() if times > 1] == []


def test_a_claim_is_used_up_once_anybody_has_said_it() -> None:
    """Over and over about one thing: no target is another's twin or paraphrase, and no twin is another's target."""
    making = _Making(Chance(1), 1)
    making._things = ["belmar gateway"]
    kept = [statement for statement in STATEMENTS if {"day", "many"} & set(re.findall(r"\{(\w+)\}", statement.claim))]
    found = [making.probe(statement, favoured=False) for _ in range(60) for statement in kept]
    probes = [one[0] for one in found if one is not None]
    said = Counter(
        fold(claim)
        for probe in probes
        for claim in (probe.target.claim, *(control.claim for control, _ in probe.controls))
    )
    assert [claim for claim, times in said.items() if times > 1] == []
    assert 10 < len(probes) < len(found)
    assert any(one.reason is Rejection.SAME_AS_ANOTHER for made in found if made is not None for one in made[1])


def test_a_twin_differs_in_what_it_says_alone(stores: list[Fixture]) -> None:
    """Type and tags are the same; in half of the probes dates and opens too, and in the rest the twin has more."""
    for store in stores:
        favoured = 0
        for probe in store.probes:
            target = probe.target
            for control, twin in probe.controls:
                assert (twin.claim, twin.body) == (control.claim, control.body)
                assert (twin.memory_type, twin.tags) == (target.memory_type, target.tags)
                same = (twin.written, twin.opens) == (target.written, target.opens)
                assert same or (twin.written > target.written and twin.opens > target.opens)
            favoured += all(twin.written > target.written for _, twin in probe.controls)
            assert len({twin.written > target.written for _, twin in probe.controls}) == 1
        assert favoured == PROBES // 2


def test_every_control_diverges_in_its_own_way(stores: list[Fixture]) -> None:
    """And in no other, so that each family is measured by itself."""
    for store in stores:
        for probe in store.probes:
            assert probe.controls
            for control, _ in probe.controls:
                assert divergences(probe.target.claim, control.claim) == {control.family}


def test_every_family_and_both_directions_are_in_a_third_of_the_probes(stores: list[Fixture]) -> None:
    """Targets that deny and targets that do not; and each kind of control."""
    for store in stores:
        families = Counter(control.family for probe in store.probes for control, _ in probe.controls)
        assert families.keys() == set(Divergence)
        assert min(families.values()) >= PROBES / 3
        denying = sum(read(probe.target.claim).negations > 0 for probe in store.probes)
        assert PROBES / 3 <= denying <= PROBES * 2 / 3
        qualified = sum(bool(read(probe.target.claim).qualifiers) for probe in store.probes)
        assert 3 <= qualified <= PROBES / 2


def test_a_query_tells_the_target_from_each_of_its_controls(stores: list[Fixture]) -> None:
    """It agrees with the target in all three ways, and with no control; every style asks; none copies the claim."""
    for store in stores:
        for probe in store.probes:
            assert {style for style, _, _ in probe.queries} == set(Style)
            families = {control.family for control, _ in probe.controls}
            for _, family, text in probe.queries:
                assert family in families
                assert divergences(probe.target.claim, text) == frozenset()
                assert all(divergences(control.claim, text) for control, _ in probe.controls)
                assert fold(text).rstrip("?") != fold(probe.target.claim).rstrip(".")
            assert len({text for _, _, text in probe.queries}) == len(probe.queries)


def test_paraphrases_are_right(stores: list[Fixture]) -> None:
    """At least one a probe, with the target's polarity, numbers and qualifiers."""
    for store in stores:
        for probe in store.probes:
            assert probe.paraphrases
            assert all(divergences(probe.target.claim, said.claim) == frozenset() for said in probe.paraphrases)


def test_distractors_are_about_other_things(stores: list[Fixture]) -> None:
    """No thing that a probe is about comes up in any of them."""
    for store in stores:
        things = {probe.target.tags[0].replace("-", " ") for probe in store.probes}
        assert not any(thing in memory.claim for memory in store.distractors for thing in things)
        assert len(store.distractors) >= 10 * PROBES


def test_a_claim_said_again_in_a_body_is_turned_there_too(stores: list[Fixture]) -> None:
    """A twin whose body held the truth would be half a control."""
    again = [
        (probe.target, twin)
        for store in stores
        for probe in store.probes
        for _, twin in probe.controls
        if probe.target.claim in probe.target.body
    ]
    assert len(again) > 300
    for target, twin in again:
        assert twin.claim in twin.body
        assert target.claim not in twin.body


def test_everything_can_be_written(stores: list[Fixture]) -> None:
    """Instants are in the form that files hold, claims are one line, opens are no fewer than none."""
    for memory in chain.from_iterable(map(memories, stores[:3])):
        assert normalised(memory.written) == memory.written
        assert memory.claim == " ".join(memory.claim.split())
        assert memory.claim[0].isupper() or memory.claim[0].isdigit()
        assert memory.opens >= 0
        assert all(tag == tag.lower() and " " not in tag for tag in memory.tags)
