"""A correction: the new file and the archived old one, in one commit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import (
    DuplicateContentError,
    InvalidEdgeError,
    InvalidMemoryError,
    MemhtmlError,
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.memory import Draft, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.read import read
from memhtml.store.archiving import stage_archive
from memhtml.store.correcting import Corrected, stage_correct
from memhtml.store.repository import Repository
from memhtml.store.transaction import Transaction

from .conftest import NOW, Person, nothing_else

Write = Callable[..., MemoryPath]


def correct(tx: Transaction, target: str, claim: str, **fields: object) -> Corrected:
    """Stage a correction."""
    draft = Draft(**{"type": MemoryType.SEMANTIC, "claim": claim, **fields})
    return stage_correct(tx, target, draft, now=NOW, duplicates=nothing_else)


def test_a_correction_is_one_commit_with_both_ends_stamped(store: Repository, person: Person, write: Write) -> None:
    """The new one names the archive path of the old one, the old one the new one."""
    old = write("Deploy takes five minutes.", workspace="checkout")
    with store.transaction() as tx:
        done = correct(tx, f"/{old}", "Deploy takes six minutes.")
        tx.commit("memory(correct): six")
    assert done.path == "projects/checkout/deploy-takes-six-minutes.html", "beside the old one"
    assert (done.previous, done.superseded) == (old, f"archive/2026/{old}")
    renamed, source, target, *added = person.git("show", "-M", "--name-status", "--format=").split()
    assert (renamed[0], source, target, added) == ("R", old, done.superseded, ["A", done.path])
    new, archived = read(person.shown(done.path).encode()).facts, read(person.shown(done.superseded).encode()).facts
    assert new is not None
    assert archived is not None
    assert new.links == (Link(Rel.SUPERSEDES, done.superseded),)
    head = archived.head
    assert (head.status.value, head.archived, head.updated, head.superseded_by) == ("archived", NOW, NOW, done.path)
    assert person.status() == ""
    assert [one.kind for one in store.history(done.superseded)] == ["moved", "added"]


def test_a_chain_of_corrections_in_one_batch(store: Repository, write: Write) -> None:
    """Each on the one before; the first cannot be corrected twice."""
    old = write("One.")
    with store.transaction() as tx:
        second = correct(tx, old, "Two.")
        third = correct(tx, second.path, "Three.")
        with pytest.raises(PathNotFoundError) as refused:
            correct(tx, old, "Four.")
        assert refused.value.suggestions == (f"use {third.path}",)
        with pytest.raises(WriteConflictError) as archived:
            correct(tx, second.superseded, "Four.")
        assert third.path in archived.value.suggestions[0]
        tx.commit("memory(apply): two corrections")
    with store.snapshot() as snapshot:
        assert snapshot.exists(third.path)
        assert not snapshot.exists("areas/inbox/four.html")


def test_an_archived_target_is_restored_first(store: Repository, write: Write) -> None:
    """It was put away on purpose, and nothing has taken its place."""
    old = write("One.")
    with store.transaction() as tx:
        place = stage_archive(tx, old, now=NOW).path
        with pytest.raises(WriteConflictError) as refused:
            correct(tx, place, "Two.")
        assert "memhtml restore" in refused.value.suggestions[0]


@pytest.mark.parametrize(
    ("target", "fields", "kind"),
    [
        ("areas/none.html", {}, PathNotFoundError),
        ("areas/one.html", {"claim": "One."}, DuplicateContentError),
        ("areas/one.html", {"claim": "Other."}, DuplicateContentError),
        ("areas/one.html", {"path": "areas/other.html"}, WriteConflictError),
        ("areas/one.html", {"path": "areas/one.html"}, WriteConflictError),
        ("areas/one.html", {"claim": ""}, InvalidMemoryError),
        ("areas/one.html", {"type": MemoryType.TASK}, InvalidEdgeError),
        ("areas/task.html", {}, InvalidEdgeError),
        ("areas/broken.html", {}, InvalidMemoryError),
    ],
)
def test_a_refused_correction_stages_nothing(
    store: Repository,
    person: Person,
    write: Write,
    target: str,
    fields: dict[str, object],
    kind: type[MemhtmlError],
) -> None:
    """Neither half of it: a new file without its archived target would be a lie."""
    write("One.", path="areas/one.html")
    other = write("Other.", path="areas/other.html")
    write("Task.", path="areas/task.html", type=MemoryType.TASK)
    person.commit("areas/broken.html", "<p>no memory</p>")
    given = {"type": MemoryType.SEMANTIC, "claim": "Two.", **fields}
    draft = Draft(**given)
    with store.transaction() as tx:
        with pytest.raises(kind) as refused:
            stage_correct(tx, target, draft, now=NOW, duplicates=lambda _: [other])
        assert type(refused.value) is kind
        assert tx.commit("memory(correct): nothing") == tx.base


def test_the_name_of_the_old_one_is_not_reused(store: Repository, write: Write) -> None:
    """Old links must find the archived one, and through it the new one."""
    old = write("Same title, five.", title="Deploy")
    with store.transaction() as tx:
        done = correct(tx, old, "Same title, six.", title="Deploy")
    assert done.path == "areas/inbox/deploy-2.html"


def test_a_correction_that_does_not_fit_beside_the_old_one_is_placed_as_a_new_one(
    store: Repository, write: Write
) -> None:
    """The folder leaves no room for its name."""
    old = write("One.", path="areas/" + ("d" * 199 + "/") * 4 + "a" * 140 + "/a.html")
    with store.transaction() as tx:
        assert correct(tx, old, "Two words.").path == "areas/inbox/two-words.html"
