"""Runs of sleep from Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml import MemhtmlError, Store, UsageError
from memhtml.domain.errors import MissingArgumentError, PathNotFoundError, WriteConflictError

DAY = "2026-07-28"


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Iterator[Store]:
    """Two memories that say the same, with vectors."""
    with Store.init(root, embed="fake-words@32", variables=environment) as made:
        for claim in ("Nodes reboot on Sundays.", "On Sundays nodes reboot.", "Builds take ten minutes."):
            made.write(claim)
        made.embed()
        yield made


def test_a_run_is_made_reviewed_and_taken_apart(store: Store) -> None:
    """As on the command line; the checked-out files stay as they are."""
    before = store.list().total
    assert store.plan_sleep(date=DAY).would_change
    assert store.sleep(date=DAY, dry_run=True).run is None
    assert store.sleep_status().runs == ()
    night = store.sleep(date=DAY, model=False, calls=3)
    assert (night.run, store.list().total) == (DAY, before)
    review = store.review_run()
    assert review.changed == store.sleep_status().runs[0].changed > 0
    assert [commit.phase for commit in store.review_run(DAY, phases=["dedup-merge"]).commits] == ["dedup-merge"]
    assert store.run_page().startswith("<!doctype html>")
    meant = review.commits[1].commit
    with pytest.raises(WriteConflictError, match="later commits"):
        store.drop_changes(why="They differ.", commits=[meant])
    assert store.drop_changes(why="They differ.", commits=[meant], later=True).changes == 3
    assert store.resume_sleep(DAY, tokens=5).run == DAY
    assert store.review_run().commits[1].dropped[0].why == "They differ."
    assert store.drop_run(DAY).done
    assert store.sleep_status(limit=1).total == 0
    with pytest.raises(PathNotFoundError):
        store.review_run()


@pytest.mark.parametrize("calls", [-1, 1.5, "3", True])
def test_a_budget_is_a_number(store: Store, calls: object) -> None:
    """From nothing on."""
    with pytest.raises(UsageError, match="calls takes"):
        store.sleep(date=DAY, calls=calls)  # type: ignore[arg-type] - some are of no use
    with pytest.raises(UsageError, match="tokens takes"):
        store.resume_sleep(DAY, tokens=calls)  # type: ignore[arg-type] - as above


def test_arguments_are_looked_at_first(store: Store) -> None:
    """And errors are those of the tree."""
    with pytest.raises(UsageError, match="files takes a list of texts"):
        store.drop_changes(why="x", files="areas/a.html")
    with pytest.raises(UsageError, match="why takes text"):
        store.drop_changes(why=None, files=["a"])  # type: ignore[arg-type] - that is the point
    with pytest.raises(UsageError, match="no date"):
        store.sleep(date="soon")
    with pytest.raises(PathNotFoundError):
        store.merge_run()
    store.sleep(date=DAY)
    store.sleep(date=DAY)
    with pytest.raises(MissingArgumentError, match="2026-07-28, 2026-07-28-2"):
        store.drop_run()
    with pytest.raises(MemhtmlError, match="no phase"):
        store.review_run(DAY, phases=["x"])
