"""What branches say of nights."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml.domain.memory import MemoryPath
from memhtml.sleep.record import earlier_nights, unwanted
from memhtml.store.dropping import take_out
from memhtml.store.founding import init
from memhtml.store.landing import land
from memhtml.store.repository import Repository

from .hand import CLAIMS, DAY, begun, filled


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Repository:
    """A store without memories."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment, lock_wait=5.0)


@pytest.fixture
def paths(store: Repository) -> tuple[MemoryPath, ...]:
    """Three memories."""
    return filled(store, *CLAIMS)


def test_what_was_taken_out_is_unwanted_of_the_phase_that_was_meant(
    store: Repository, paths: tuple[MemoryPath, ...]
) -> None:
    """Decay is, where it alone was taken out; not where it went with a change that was meant."""
    with begun(store) as night:
        night.folded(paths[0], paths[1])
        night.eroded(paths[0], paths[2])
        take_out(night.opened, paths=[paths[0], paths[1]], why="They are not the same.")
        take_out(night.opened, paths=[paths[2]], why="It is still true.")
        expected = {
            "dedup-merge": frozenset({paths[0], paths[1], f"archive/2026/{paths[1]}"}),
            "confidence-decay": frozenset({paths[2]}),
        }
        assert unwanted(store) == expected
        land(night.opened, night.opened.run())
    assert unwanted(store) == expected, "main knows it too"
    with begun(store, "2026-07-29") as night:
        night.eroded(paths[0])
        take_out(night.opened, paths=[paths[0]], why="Nor less sure.")
    assert unwanted(store)["confidence-decay"] == {paths[0], paths[2]}, "each run by itself"


def test_what_went_along_is_not_unwanted(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Nobody said anything against it."""
    with begun(store) as night:
        commit = night.folded(paths[0], paths[1])
        night.eroded(paths[0])
        take_out(night.opened, commits=[commit], why="They are not the same.", later=True)
    assert set(unwanted(store)) == {"dedup-merge"}


def test_nights_before_are_known_by_their_reports(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Other files beside them are none; where nothing was, nothing is known."""
    with store.snapshot() as files:
        assert earlier_nights(files) == frozenset()
    assert unwanted(store) == {}
    with begun(store) as night:
        night.eroded(paths[0])
        night.reported()
        land(night.opened, night.opened.run())
    with store.snapshot() as files:
        assert earlier_nights(files) == {DAY}
