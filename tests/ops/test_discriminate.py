"""Operation `eval discriminate`: modes, refusals, and what a caller is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    DiscriminationFailedError,
    EmbedModelMismatchError,
    InvalidFlagError,
    ModelUnavailableError,
    UnexpectedArgumentError,
)
from memhtml.evals.report import Mode
from memhtml.ops.discriminate import Wished, discrimination, mode_of
from memhtml.ops.encoding import dumps, encode
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, opened, seen

FACTS = [
    f"The nightly job of team {name} retries failed exports {number} times." for number, name in enumerate("abcd", 3)
]


def remember(workspace: Workspace) -> None:
    """Write the facts."""
    for claim in FACTS:
        write(workspace, fact(claim))


def test_the_fake_needs_no_store_and_no_embedder(root: Path) -> None:
    """Vectors are off and nothing is at the root; the answer has all numbers, under the keys that scripts read."""
    with opened(root) as workspace:
        done = discrimination(workspace, Wished(probes=2, seed=3, seeds=2))
    assert (done.passed, done.skipped, done.exit_status, done.alarm, done.description) == (True, False, 0, None, "")
    assert (done.mode, done.space, done.corpus, done.seeds) == (Mode.FAKE, "fake-words@256", False, (3, 4))
    data = json.loads(dumps(encode(done), dense=False))
    assert data["mrr"] == 1.0
    assert data["inversions"] == []
    assert {"corpusMrr", "families", "styles", "lexical", "thrownAway", "bySeed", "seeds"} <= set(data)
    assert [family["name"] for family in data["families"]] == ["negation", "number", "qualifier"]
    assert len(data["styles"]) >= 3
    assert data["lexical"]["questions"] == data["questions"]
    assert not root.exists()


@pytest.mark.parametrize("embed", ["off", "fake-failing@32", "some-model@32"])
def test_a_live_run_without_what_it_needs_is_skipped(root: Path, workspace: Workspace, embed: str) -> None:
    """It has not passed, has no numbers, ends with 1, and is told as an error."""
    remember(workspace)
    workspace.close()
    with opened(root, embed) as found:
        for corpus in (False, True):
            done = discrimination(found, Wished(mode=Mode.LIVE, probes=2, corpus=corpus))
            assert (done.skipped, done.passed, done.exit_status) == (True, False, 1)
            assert (done.mrr, done.corpus_mrr, done.lexical, done.probes, done.questions) == (None, None, None, 0, 0)
            assert isinstance(done.alarm, ModelUnavailableError)
            assert "not passing" in done.alarm.message
            assert done.reason


def test_live_asks_the_embedder_of_the_settings(root: Path) -> None:
    """And no other."""
    with opened(root, "fake-words@64") as workspace:
        done = discrimination(workspace, Wished(mode=Mode.LIVE, probes=1))
    assert (done.mode, done.space, done.skipped) == (Mode.LIVE, "fake-words@64", False)


def test_a_run_that_fails_is_told_as_an_error(root: Path) -> None:
    """With its code, although the answer is one."""
    with opened(root) as workspace:
        done = discrimination(workspace, Wished(probes=0))
    assert (done.passed, done.skipped, done.exit_status) == (False, False, 1)
    assert isinstance(done.alarm, DiscriminationFailedError)
    assert done.alarm.code == "ERR_DISCRIMINATION_FAILED"
    assert done.alarm.message == done.description == "no probe was made: none was asked for"
    assert done.alarm.suggestions == ("ask for one probe at least: --probes 1",)


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ((), "the store has no memory to ask for"),
        (("Ada.", "Bo.", "Cy."), "of 3 memories none has a claim of at least 4 content words that can be turned"),
    ],
)
def test_a_store_without_a_probe_is_told_why(workspace: Workspace, claims: tuple[str, ...], why: str) -> None:
    """No inversion is spoken of, since there is none; what no probe measures has no mean."""
    for claim in claims:
        write(workspace, fact(claim))
    done = discrimination(workspace, Wished(corpus=True, mode=Mode.FAKE))
    assert (done.exit_status, done.probes, done.passed_over) == (1, 0, len(claims))
    assert done.alarm is not None
    assert done.alarm.message.startswith(f"no probe was made: {why}")
    assert done.alarm.suggestions[0].startswith("memhtml list shows")
    assert not any("inversion" in line or "question" in line for line in done.alarm.suggestions)
    data = json.loads(dumps(encode(done), dense=False))
    assert [(family["mrr"], family["corpusMrr"]) for family in data["families"]] == [(None, None)] * 3


def test_a_damaged_index_is_a_warning(root: Path, workspace: Workspace) -> None:
    """It is made again, as by every operation, and the answer says so."""
    remember(workspace)
    workspace.close()
    (root / ".memhtml" / "index.db").write_text("garbage")
    for file in (root / ".memhtml").glob("index.db-*"):
        file.unlink()
    with opened(root) as found:
        before = seen(root)
        done = discrimination(found, Wished(corpus=True, mode=Mode.FAKE))
        assert (done.passed, done.probes) == (True, 4)
        assert [notice.code for notice in done.warnings] == ["INDEX_DAMAGED"]
        assert seen(root) == before
    with opened(root) as found:
        assert discrimination(found, Wished(corpus=True, mode=Mode.FAKE)).warnings == ()


def test_the_store_is_asked_for_its_own_memories(root: Path, workspace: Workspace) -> None:
    """By its embedder unless the fake is wanted; it does not change, nor does its index."""
    remember(workspace)
    workspace.close()
    with opened(root, "fake-words@64") as live:
        before, house = seen(root), (root / ".memhtml" / "index.db").read_bytes()
        done = discrimination(live, Wished(corpus=True))
        assert done.passed, done.description
        assert (done.mode, done.space, done.corpus, done.probes, done.wanted) == (
            Mode.LIVE,
            "fake-words@64",
            True,
            4,
            4,
        )
        assert discrimination(live, Wished(corpus=True, mode=Mode.FAKE)).space == "fake-words@256"
        assert seen(root) == before
        assert (root / ".memhtml" / "index.db").read_bytes() == house


def test_vectors_of_another_model_are_an_error_and_no_skip(root: Path, workspace: Workspace) -> None:
    """There is a command that helps."""
    remember(workspace)
    workspace.index.replace_space("fake-words@32")
    workspace.close()
    with opened(root, "fake-words@64") as live, pytest.raises(EmbedModelMismatchError):
        discrimination(live, Wished(corpus=True))


@pytest.mark.parametrize(
    "wished",
    [
        Wished(seed=-1),
        Wished(seed=1_000_000),
        Wished(seeds=0),
        Wished(seeds=1001),
        Wished(probes=-1),
        Wished(probes=5001),
    ],
)
def test_numbers_outside_their_range_are_refused(root: Path, wished: Wished) -> None:
    """Also for callers that come past the command line."""
    with opened(root) as workspace, pytest.raises(InvalidFlagError):
        discrimination(workspace, wished)


def test_one_store_takes_one_sample(workspace: Workspace) -> None:
    """Several seeds of it would be the same question again."""
    with pytest.raises(UnexpectedArgumentError):
        discrimination(workspace, Wished(corpus=True, seeds=2))


def test_a_mode_that_is_none_is_refused() -> None:
    """By what it takes."""
    assert (mode_of("fake"), mode_of("live")) == (Mode.FAKE, Mode.LIVE)
    with pytest.raises(InvalidFlagError, match="mode takes fake or live, not 'faek'"):
        mode_of("faek")
