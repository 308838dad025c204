"""What a model was asked about lately."""

from __future__ import annotations

import pytest
from tests.sleep.corpora import corpus, memory

from memhtml.domain.memory import Instant
from memhtml.sleep.asked import Asked, key_of
from memhtml.sleep.corpus import Corpus, Night
from memhtml.store.layout import PENDING

LINE = '{"kind":"%s","key":"%s","night":"%s","confidence":1.0}\n'
LINES = (LINE % ("arcs", "old", "2026-07-20") + LINE % ("folds", "other", "2026-07-28")).encode()


def store(date: str = "2026-07-28") -> Corpus:
    """A store in which a night asked about something, and another phase about something else."""
    return corpus(files={PENDING: LINES}, night=Night(date, Instant(f"{date}T00:00:00Z")))


def test_what_was_asked_by_the_same_phase_is_known() -> None:
    """Another phase's questions are its own."""
    asked = Asked(store(), "arcs")
    assert "old" in asked
    assert "other" not in asked
    assert asked.tonight == 0
    assert Asked(store(), "folds").tonight == 1
    assert "old" not in Asked(corpus(), "arcs")


def test_nothing_noted_is_no_change() -> None:
    """Nor is what was known before."""
    asked = Asked(store(), "arcs")
    assert asked.change() is None
    asked.note("old")
    assert asked.change() is None
    assert asked.tonight == 0


def test_what_is_noted_is_kept_beside_what_others_keep() -> None:
    """In one file, once."""
    asked = Asked(store(), "arcs")
    asked.note("new")
    asked.note("new")
    assert "new" in asked
    assert asked.tonight == 1
    change = asked.change()
    assert change is not None
    assert change.path == PENDING
    assert change.data is not None
    assert sorted(change.data.decode().splitlines()) == sorted(
        (LINES.decode() + LINE % ("arcs", "new", "2026-07-28")).splitlines()
    )


def test_after_30_days_it_is_forgotten_with_the_next_note() -> None:
    """The file does not grow for ever."""
    asked = Asked(store("2026-08-20"), "arcs")
    asked.note("new")
    change = asked.change()
    assert change is not None
    assert change.data is not None
    assert b'"old"' not in change.data
    assert b'"other"' in change.data


A, B = memory("areas/a.html", "One."), memory("areas/b.html", "Two.")


@pytest.mark.parametrize(
    ("memories", "model"),
    [
        ([A], "m"),
        ([A, B, memory("areas/c.html")], "m"),
        ([A, memory("areas/b.html", "Three.")], "m"),
        ([A, memory("areas/c.html", "Two.")], "m"),
        ([A, B], "n"),
        ([], "m"),
    ],
)
def test_another_question_has_another_key(memories: list[object], model: str) -> None:
    """Other memories, other words in one of them, another model; the order is of no account."""
    assert key_of(memories, model) != key_of([A, B], "m")  # type: ignore[arg-type]  # memories
    assert key_of([B, A], "m") == key_of([A, B], "m")
