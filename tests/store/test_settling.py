"""Recovery: work tree and index go where the branch says, and a person's edits stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.files import TEMPORARY
from memhtml.store.journal import Intent, Journal
from memhtml.store.objects import blob_id
from memhtml.store.repository import Repository

from .conftest import Person

Put = Callable[[str, bytes], CommitId]
OLD, NEW = b"old", b"new"
PATH = "areas/a.html"


def blob(data: bytes | None) -> BlobId | None:
    """The id of ``data``."""
    return None if data is None else blob_id(data, None)


def interrupted(store: Repository, *intents: Intent) -> None:
    """Leave the journal of a killed transaction."""
    store.layout.desk.mkdir(exist_ok=True)
    Journal(store.layout.desk).write(intents)


@pytest.mark.parametrize("committed", [OLD, NEW])
@pytest.mark.parametrize("in_index", [OLD, NEW])
@pytest.mark.parametrize("in_work_tree", [OLD, NEW])
def test_work_tree_and_index_go_where_the_branch_says(
    store: Repository, person: Person, committed: bytes, in_index: bytes, in_work_tree: bytes
) -> None:
    """Every mixture that a kill can leave of an edit."""
    person.commit(PATH, committed.decode())
    person.write(PATH, in_index.decode())
    person.git("add", PATH)
    person.write(PATH, in_work_tree.decode())
    interrupted(store, Intent(PATH, blob(OLD), blob(NEW), blob(OLD)))
    assert store.recover_if_needed()
    assert person.status() == ""
    assert (store.root / PATH).read_bytes() == committed
    assert not store.recover_if_needed()


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("half", ["nothing", "published", "removed"])
def test_a_half_done_move_is_finished_or_undone(
    store: Repository,
    person: Person,
    put: Put,
    moved: bool,  # noqa: FBT001 - a parameter of the test
    half: str,
) -> None:
    """Both ends agree with the branch afterwards, and no temporary file is left."""
    there, gone = "archive/2026/areas/a.html", PATH
    put(PATH, OLD)
    if moved:
        with store.transaction() as tx:
            tx.move(PATH, there, NEW)
            tx.commit("memory(archive): a")
        person.write(PATH, "old")
        (store.root / there).unlink()
    if half != "nothing":
        person.write(there, "new")
    else:
        person.write("archive/2026/areas/" + TEMPORARY.format(0), "new")
    if half == "removed":
        (store.root / PATH).unlink()
    interrupted(store, Intent(there, None, blob(NEW), None), Intent(gone, blob(OLD), None, blob(OLD)))
    assert store.recover_if_needed()
    assert person.status() == ""
    assert (store.root / there).exists() == moved
    assert (store.root / PATH).exists() != moved
    assert list(store.root.rglob("*.tmp")) == []


@pytest.mark.parametrize("staged", [True, False])
def test_what_a_person_wrote_since_the_kill_stays(
    store: Repository,
    person: Person,
    put: Put,
    staged: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Content that is neither old nor new is theirs, in the work tree and in the index."""
    put(PATH, OLD)
    person.write(PATH, "theirs")
    if staged:
        person.git("add", PATH)
    status = person.status()
    interrupted(store, Intent(PATH, blob(OLD), blob(NEW), blob(OLD)))
    assert store.recover_if_needed()
    assert person.status() == status
    assert (store.root / PATH).read_text() == "theirs"


def test_a_link_that_a_person_put_there_stays(store: Repository, put: Put) -> None:
    """It is not followed, and keeps nobody from going on."""
    put(PATH, OLD)
    (store.root / PATH).unlink()
    (store.root / PATH).symlink_to("/etc/hostname")
    interrupted(store, Intent(PATH, blob(OLD), blob(NEW), blob(OLD)))
    assert store.recover_if_needed()
    assert (store.root / PATH).is_symlink()


def test_a_change_of_many_files_is_finished_or_undone(store: Repository, person: Person) -> None:
    """More than are held in memory at a time, some of them gone, some new, one saved by a person since."""
    many = 300

    def data(kind: str, number: int) -> bytes:
        return f"{kind} {number}".encode()

    with store.transaction() as tx:
        for number in range(many):
            tx.put(f"areas/old/{number}.html", data("old", number))
        tx.commit("memory(apply): many")
    intents: list[Intent] = []
    with store.transaction() as tx:
        for number in range(many):
            tx.put(f"areas/new/{number}.html", data("new", number))
            tx.remove(f"areas/old/{number}.html")
            new, old = blob(data("new", number)), blob(data("old", number))
            intents += [
                Intent(f"areas/new/{number}.html", None, new, None),
                Intent(f"areas/old/{number}.html", old, None, old),
            ]
        tx.commit("memory(apply): all of them move")
    for number in range(0, many, 2):
        (store.root / f"areas/new/{number}.html").unlink()
        person.write(f"areas/old/{number}.html", f"old {number}")
    person.write("areas/new/7.html", "mine")
    interrupted(store, *intents)
    assert store.recover_if_needed()
    assert person.status() == " M areas/new/7.html\n"
    assert not (store.root / "areas/old").exists()
    person.git("reset", "--quiet", "--soft", "HEAD~1")
    interrupted(store, *intents)
    assert store.recover_if_needed()
    assert person.status() == "?? areas/new/7.html\n"
    assert len(list((store.root / "areas/old").iterdir())) == many


def test_a_live_writer_is_left_alone(store: Repository) -> None:
    """Its journal is no leftover, and a reader does not wait for it."""
    with store.transaction():
        interrupted(store, Intent(PATH, None, blob(NEW), None))
        assert not store.recover_if_needed()
        assert Journal(store.layout.desk).pending()
    assert store.recover_if_needed()


def test_the_next_write_recovers_too(store: Repository, person: Person, put: Put) -> None:
    """Whatever command comes first."""
    put(PATH, OLD)
    person.write(PATH, "new")
    interrupted(store, Intent(PATH, blob(OLD), blob(NEW), blob(OLD)))
    put("areas/b.html", b"b")
    assert person.status() == ""
    assert (store.root / PATH).read_bytes() == OLD


def test_nothing_to_do_touches_nothing(store: Repository) -> None:
    """A store at rest has no lock and no journal to look at."""
    assert not store.recover_if_needed()
    (store.layout.desk / "lock").unlink()
    assert not store.recover_if_needed()
    assert list(store.layout.desk.iterdir()) == []
