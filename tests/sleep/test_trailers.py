"""What a phase's commit says of itself, and what is read from one that somebody else wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.sleep.trailers import State, Told, part_trailers, told, trailers
from memhtml.store.message import Wording, message, trailers_of

NAMES = st.text("abcdefghijklmnopqrstuvwxyz_-", min_size=1, max_size=20)
TOLD = st.builds(
    Told,
    phase=NAMES,
    state=st.sampled_from(State),
    counts=st.dictionaries(NAMES, st.integers(0, 10**6), max_size=8),
    note=st.sampled_from(["", "no model", "it failed: x"]),
    calls=st.integers(1, 10**6),
    tokens=st.integers(0, 10**9),
    deep=st.booleans(),
    model=st.sampled_from(["", "ollama:small"]),
)


@given(TOLD)
def test_what_a_commit_says_is_read_back(said: Told) -> None:
    """Through the message of a real commit."""
    text = message(Wording("memory(sleep): x", ('{"why":"y"}',)), trailers("2026-07-28", said))
    assert told(trailers_of(text)) == said


def test_a_phase_that_asked_nothing_says_nothing_of_it() -> None:
    """The trailers of the plainest phase, letter by letter."""
    assert trailers("2026-07-28", Told("reprieve", counts={"b": 1, "a": 0})) == (
        ("Memhtml-Run", "2026-07-28"),
        ("Memhtml-Phase", "reprieve"),
        ("Memhtml-Phase-State", "done"),
        ("Memhtml-Counts", '{"a":0,"b":1}'),
    )


def test_one_of_several_commits_does_not_end_a_phase() -> None:
    """It has a number."""
    assert told(part_trailers("2026-07-28", "compress", 3)) is None
    assert told(()) is None


@pytest.mark.parametrize("counts", ["", "[1]", "{", '{"a":"b"}', '{"a":true}', "null", "[" * 100_000])
def test_what_somebody_wrote_by_hand_is_taken_as_far_as_it_goes(counts: str) -> None:
    """No figure, no known state, no spending: the phase counts as done without any."""
    pairs = (
        ("Memhtml-Phase", "x"),
        ("Memhtml-Phase-State", "?"),
        ("Memhtml-Counts", counts),
        ("Memhtml-Spent", f"{'9' * 5000} calls, 1 tokens"),
    )
    assert told(pairs) == Told("x")
