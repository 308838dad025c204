"""To the archive and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import (
    InvalidMemoryError,
    InvalidPathError,
    MemhtmlError,
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType, TaskStatus
from memhtml.page.read import read
from memhtml.store.archiving import stage_archive, stage_restore
from memhtml.store.correcting import stage_correct
from memhtml.store.repository import Repository
from memhtml.store.resolving import resolve
from memhtml.store.tasks import stage_task_status

from .conftest import NOW, Person, nothing_else

Write = Callable[..., MemoryPath]
LATER = Instant("2027-01-01T00:00:00Z")


def test_archiving_moves_and_stamps(store: Repository, person: Person, write: Write) -> None:
    """One commit that git sees as a rename; the article is the same bytes."""
    path = write("Put away.", workspace="x")
    before = person.shown(path)
    with store.transaction() as tx:
        moved = stage_archive(tx, path, now=LATER)
        tx.commit("memory(archive): Put away.")
    assert (moved.path, moved.previous, moved.title) == (f"archive/2027/{path}", path, "Put away.")
    after = person.shown(moved.path)
    assert after.partition("<article>")[2] == before.partition("<article>")[2]
    assert 'memhtml-status" content="archived"' in after
    assert f'memhtml-archived" content="{LATER}"' in after
    assert [one.kind for one in store.history(moved.path)] == ["moved", "added"]
    assert not (store.root / "projects/x").exists()


@pytest.mark.parametrize("by", ["archive path", "original path"])
def test_restoring_undoes_it(store: Repository, person: Person, write: Write, by: str) -> None:
    """But for the time of the last change."""
    path = write("There and back.")
    before = person.shown(path)
    with store.transaction() as tx:
        place = stage_archive(tx, path, now=LATER).path
        tx.commit("memory(archive): x")
        moved = stage_restore(tx, place if by == "archive path" else path, now=LATER)
        tx.commit("memory(restore): x")
    assert (moved.path, moved.previous) == (path, place)
    assert person.shown(path) == before.replace(f'updated" content="{NOW}"', f'updated" content="{LATER}"')
    assert person.status() == ""


def test_no_stamp_lies_before_the_file_was_made(store: Repository, write: Write) -> None:
    """A clock that went back moves a file, and dates nothing before its beginning; neither does a done task."""
    early = Instant("2020-01-01T00:00:00Z")
    path, task = write("Here before."), write("Ship.", type=MemoryType.TASK)
    with store.transaction() as tx:
        places = [
            stage_archive(tx, path, now=early).path,
            stage_task_status(tx, task, TaskStatus.DONE, now=early).path,
        ]
        for place in places:
            facts = read(tx.read(place) or b"").facts
            assert facts is not None
            assert (facts.head.created, facts.head.updated, facts.head.archived) == (NOW, NOW, NOW)
        back = stage_restore(tx, places[0], now=early).path
        facts = read(tx.read(back) or b"").facts
        assert facts is not None
        assert (facts.head.created, facts.head.updated) == (NOW, NOW)


def test_a_superseded_memory_that_is_restored_points_nowhere(store: Repository, write: Write) -> None:
    """It holds again, so nothing leads away from it."""
    path = write("One.")
    with store.transaction() as tx:
        new = Draft(type=MemoryType.SEMANTIC, claim="Two.")
        place = stage_correct(tx, path, new, now=NOW, duplicates=nothing_else).superseded
        stage_restore(tx, place, now=LATER)
        facts = read(tx.read(path) or b"").facts
        assert facts is not None
        assert (facts.head.superseded_by, facts.head.archived) == (None, None)


def test_a_done_task_that_is_restored_is_to_do(store: Repository, write: Write) -> None:
    """Done and active would be two answers."""
    path = write("Ship.", type=MemoryType.TASK)
    with store.transaction() as tx:
        stage_task_status(tx, path, TaskStatus.DONE, now=NOW)
        stage_restore(tx, path, now=LATER)
        facts = read(tx.read(path) or b"").facts
        assert facts is not None
        assert facts.head.task_status is TaskStatus.TODO


def test_refusals_say_where_it_is(store: Repository, person: Person, write: Write) -> None:
    """Twice archived, twice restored, a place that is taken, a file without an original place, nothing at all."""
    path = write("One.", path="areas/a.html")
    write("Kept.", path="areas/kept.html")
    person.commit("archive/2020/by-hand.html", person.shown(path).replace("One.", "Hand."))
    person.commit("areas/broken.html", "<p>no memory</p>")
    with store.transaction() as tx:
        place = stage_archive(tx, path, now=NOW).path
        expected: list[tuple[type[MemhtmlError], Callable[[], object], str]] = [
            (PathNotFoundError, lambda: stage_archive(tx, path, now=NOW), place),
            (WriteConflictError, lambda: stage_archive(tx, place, now=NOW), "memhtml restore"),
            (WriteConflictError, lambda: stage_restore(tx, "areas/kept.html", now=NOW), ""),
            (PathNotFoundError, lambda: stage_restore(tx, "areas/none.html", now=NOW), ""),
            (InvalidPathError, lambda: stage_restore(tx, "archive/2020/by-hand.html", now=NOW), ""),
            (InvalidPathError, lambda: stage_archive(tx, "../a.html", now=NOW), ""),
            (InvalidMemoryError, lambda: stage_archive(tx, "areas/broken.html", now=NOW), ""),
        ]
        for kind, refused, advice in expected:
            with pytest.raises(kind) as error:
                refused()
            assert type(error.value) is kind
            assert advice in "".join(error.value.suggestions)
        tx.put(path, b"in the way")
        with pytest.raises(WriteConflictError, match="taken"):
            stage_restore(tx, place, now=NOW)
        tx.remove(path)
        stage_restore(tx, place, now=NOW)
        with pytest.raises(WriteConflictError, match="restored already"):
            stage_restore(tx, place, now=NOW)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ((), "2026"),
        (("2025",), "2026"),
        (("2026",), "2027"),
        (("2024", "2026", "2027"), "2028"),
        (("2031",), "2032"),
    ],
)
def test_a_path_leads_to_the_memory_that_was_archived_last(
    store: Repository, person: Person, write: Write, before: tuple[str, ...], expected: str
) -> None:
    """Also where a person has used it again, twice in a year; and that one goes back to where it was."""
    path = write("Last.", path="areas/a.html")
    for year in before:
        person.commit(f"archive/{year}/areas/a.html", person.shown(path).replace("Last.", f"Of {year}."))
    with store.transaction() as tx:
        place = stage_archive(tx, path, now=NOW).path
        assert place == f"archive/{expected}/areas/a.html"
        assert resolve(tx, path).path == place
        assert stage_restore(tx, path, now=NOW).previous == place
        assert b"Last." in (tx.read(path) or b"")


def test_a_path_for_which_the_archive_has_no_year_left_stays(store: Repository, person: Person, write: Write) -> None:
    """Somebody has put a file into the last year by hand."""
    path = write("Last.", path="areas/a.html")
    person.commit("archive/9999/areas/a.html", person.shown(path))
    with store.transaction() as tx:
        with pytest.raises(WriteConflictError, match="no year left") as refused:
            stage_archive(tx, path, now=NOW)
        assert "move archive/9999/areas/a.html by hand" in refused.value.suggestions
        assert tx.exists(path)
