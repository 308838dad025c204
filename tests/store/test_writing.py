"""A new memory: placed, deduplicated, refused whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from memhtml.domain.errors import (
    DirtyTreeError,
    InvalidEdgeError,
    InvalidMemoryError,
    InvalidPathError,
    MemhtmlError,
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.memory import ContentHash, Draft, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus
from memhtml.store.archiving import stage_archive, stage_restore
from memhtml.store.repository import Repository
from memhtml.store.resolving import resolve
from memhtml.store.transaction import Transaction
from memhtml.store.writing import Written, stage_write

from .conftest import NOW, Person, nothing_else

Write = Callable[..., MemoryPath]


def draft(claim: str, **fields: object) -> Draft:
    """A semantic memory, unless ``fields`` say otherwise."""
    return Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **fields})


def stage(tx: Transaction, claim: str, **fields: object) -> Written:
    """Stage a write."""
    return stage_write(tx, draft(claim, **fields), now=NOW, duplicates=nothing_else)


def knowing(*paths: str) -> Callable[[ContentHash], Iterable[MemoryPath]]:
    """An index that takes all of ``paths`` for duplicates of anything."""
    return lambda _: [MemoryPath(path) for path in paths]


def test_a_memory_is_placed_and_readable(store: Repository, person: Person) -> None:
    """Path by the rules of placement, bytes by the format."""
    with store.transaction() as tx:
        written = stage(tx, "Drain before deploy.", workspace="checkout", tags=("ops",))
        tx.commit("memory(write): Drain before deploy.")
    assert written.path == "projects/checkout/drain-before-deploy.html"
    assert (written.deduped, written.title) == (False, "Drain before deploy.")
    text = person.shown(written.path)
    assert f'content="{written.content_hash}"' in text
    assert "<p><mark>Drain before deploy.</mark></p>" in text


def test_names_are_numbered_and_an_archived_name_is_not_reused(store: Repository, write: Write) -> None:
    """A path is an id: links to the old one must not lead to another memory."""
    first = write("Same name.", title="Name")
    assert write("Same name, other content.", title="Name") == "areas/inbox/name-2.html"
    with store.transaction() as tx:
        stage_archive(tx, first, now=NOW)
        tx.commit("memory(archive): Name")
    assert write("A third content.", title="Name") == "areas/inbox/name-3.html"


def test_an_untracked_file_or_a_twin_takes_its_name(person: Person, write: Write) -> None:
    """Placement goes around what a person has there."""
    person.write("areas/inbox/mine.html", "mine")
    person.write("areas/inbox/TWIN.html", "mine")
    assert write("One.", title="mine") == "areas/inbox/mine-2.html"
    assert write("Two.", title="twin") == "areas/inbox/twin-2.html"


def test_an_episodic_name_carries_the_day_of_the_event(write: Write) -> None:
    """Given, or written in the markup, or else the day of writing."""
    event = "2025-12-31T23:30:00-01:00"
    assert write("A.", type=MemoryType.EPISODIC, event_at=event) == "areas/inbox/20260101-a.html"
    markup = '<p><mark>B.</mark> <time datetime="2024-02-29">then</time></p>'
    path = write(None, type=MemoryType.EPISODIC, article_html=markup, title="B")
    assert path == "areas/inbox/20240229-b.html"
    assert write("C.", type=MemoryType.EPISODIC) == "areas/inbox/20260728-c.html"


def test_the_same_content_is_deduplicated_only_when_it_is_there(store: Repository, write: Write) -> None:
    """The index proposes; the file decides: it must be in the branch, active, no task, with that very hash."""
    path = write("Water boils at 100 degrees.")
    other = write("Something else.")
    with store.transaction() as tx:
        again = stage_write(tx, draft("Water boils at 100 degrees."), now=NOW, duplicates=knowing(other, path))
        assert (again.path, again.deduped, again.title) == (path, True, "Water boils at 100 degrees.")
        assert tx.commit("memory(write): again") == tx.base
        fresh = stage_write(tx, draft("Really new."), now=NOW, duplicates=knowing(path, other, "areas/none.html"))
        assert not fresh.deduped


def test_what_is_archived_is_no_duplicate(store: Repository, write: Write) -> None:
    """Whoever writes it again means it to be active."""
    path = write("It holds.")
    with store.transaction() as tx:
        gone = stage_archive(tx, path, now=NOW).path
        again = stage_write(tx, draft("It holds."), now=NOW, duplicates=knowing(gone, path))
        assert not again.deduped


def test_an_uncommitted_file_is_no_duplicate(store: Repository, person: Person, write: Write) -> None:
    """The index knows hand edits; what is not in the branch can still vanish."""
    path = write("By memhtml.")
    person.write("areas/inbox/copy.html", (store.root / path).read_text().replace("By memhtml.", "By hand."))
    with store.transaction() as tx:
        written = stage_write(tx, draft("By hand."), now=NOW, duplicates=knowing("areas/inbox/copy.html"))
        assert not written.deduped


@pytest.mark.parametrize("task_first", [True, False])
def test_tasks_are_outside_deduplication(store: Repository, task_first: bool) -> None:  # noqa: FBT001 - a test parameter
    """In both directions, and among themselves."""
    kinds = [MemoryType.TASK, MemoryType.SEMANTIC] if task_first else [MemoryType.SEMANTIC, MemoryType.TASK]
    with store.transaction() as tx:
        first = stage(tx, "Ship it.", type=kinds[0])
        second = stage_write(tx, draft("Ship it.", type=kinds[1]), now=NOW, duplicates=knowing(first.path))
        task = stage_write(tx, draft("Ship it.", type=MemoryType.TASK), now=NOW, duplicates=knowing(first.path))
        assert (second.deduped, task.deduped) == (False, False)


def test_a_batch_finds_its_own_duplicates(store: Repository) -> None:
    """Before any of them is in the index; what the batch itself archives is none."""
    with store.transaction() as tx:
        first = stage(tx, "Once.")
        again = stage(tx, "Once.", tags=("other",))
        assert (again.path, again.deduped) == (first.path, True)
        stage_archive(tx, first.path, now=NOW)
        assert not stage(tx, "Once.").deduped


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"claim": ""}, InvalidMemoryError),
        ({"importance": 11}, InvalidMemoryError),
        ({"path": "../a.html"}, InvalidPathError),
        ({"path": "archive/2026/areas/a.html"}, InvalidPathError),
        ({"workspace": "a/b"}, InvalidPathError),
        ({"path": "areas/taken.html"}, WriteConflictError),
        ({"path": "areas/Taken.html"}, WriteConflictError),
        ({"path": "areas/taken.html/below.html"}, WriteConflictError),
        ({"path": "areas/mine.html"}, DirtyTreeError),
        ({"links": (Link(Rel.SUPPORTS, MemoryPath("areas/none.html")),)}, PathNotFoundError),
        ({"links": (Link(Rel.BLOCKS, MemoryPath("areas/taken.html")),)}, InvalidEdgeError),
    ],
)
def test_a_refused_write_stages_nothing(
    store: Repository, person: Person, write: Write, fields: dict[str, object], kind: type[MemhtmlError]
) -> None:
    """Everything is checked first, so that a best-effort batch can go on with its next line."""
    write("Taken.", path="areas/taken.html")
    person.write("areas/mine.html", "mine")
    with store.transaction() as tx:
        with pytest.raises(kind) as refused:
            stage(tx, **({"claim": "New."} | fields))
        assert type(refused.value) is kind
        assert not tx.taken("areas/inbox/new.html")
        stage(tx, "The next line.")
        tx.commit("memory(apply): one")
    assert person.git("show", "--name-only", "--format=").split() == ["areas/inbox/the-next-line.html"]


def test_an_explicit_path_of_an_archived_memory_is_refused(store: Repository, write: Write) -> None:
    """Links to the old one must not lead to another memory; restored, archived again, it still has its path."""
    path = write("First.", path="areas/a.html")
    write("On the first.", path="areas/b.html", links=(Link(Rel.RELATES_TO, path),))
    with store.transaction() as tx:
        gone = stage_archive(tx, path, now=NOW).path
        with pytest.raises(
            WriteConflictError, match=r"belongs to the archived memory archive/2026/areas/a\.html"
        ) as no:
            stage(tx, "Second.", path=path)
        assert f"memhtml restore {gone} brings that one back" in no.value.suggestions
        assert resolve(tx, path).path == gone
        stage_restore(tx, path, now=NOW)
        with pytest.raises(WriteConflictError, match="is taken"):
            stage(tx, "Second.", path=path)
        assert resolve(tx, gone).path == path
        assert stage_archive(tx, path, now=NOW).path == gone
        tx.commit("memory(archive): First.")
    with store.transaction() as tx, pytest.raises(WriteConflictError, match="belongs to the archived memory"):
        stage(tx, "Third.", path=f"/{path}")


def test_links_of_a_draft_lead_where_their_targets_live(store: Repository, person: Person, write: Write) -> None:
    """Also within one batch; where a memory came from need not be in the store."""
    old = write("Old place.")
    with store.transaction() as tx:
        place = stage_archive(tx, old, now=NOW).path
        new = stage(tx, "New one.")
        links = (
            Link(Rel.RELATES_TO, old),
            Link(Rel.RELATES_TO, place),
            Link(Rel.SUPPORTS, new.path),
            Link(Rel.FROM_SESSION, MemoryPath("sessions/1.html")),
        )
        path = stage(tx, "Linking.", links=links).path
        tx.commit("memory(apply): links")
    text = person.shown(path)
    assert text.count("memhtml-relates-to") == 1
    for expected in (
        f'relates-to" href="/{place}"',
        f'supports" href="/{new.path}"',
        'from-session" href="/sessions/1.html"',
    ):
        assert expected in text


def test_a_task_gets_its_status(store: Repository, person: Person) -> None:
    """Unless given, it is to do."""
    with store.transaction() as tx:
        one = stage(tx, "Ship it.", type=MemoryType.TASK).path
        two = stage(tx, "Ship more.", type=MemoryType.TASK, task_status=TaskStatus.DOING, due="2026-08-01").path
        tx.commit("memory(apply): tasks", when=Instant(NOW))
    assert 'memhtml-task-status" content="todo"' in person.shown(one)
    assert 'memhtml-task-status" content="doing"' in person.shown(two)
