"""Edges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import InvalidEdgeError, InvalidPathError, MemhtmlError, PathNotFoundError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.store.archiving import stage_archive
from memhtml.store.linking import stage_link, stage_unlink
from memhtml.store.repository import Repository

from .conftest import NOW, Person

Write = Callable[..., MemoryPath]


def test_a_link_is_one_line_and_comes_out_again(store: Repository, person: Person, write: Write) -> None:
    """Adding it twice, or taking out what is not there, changes nothing and makes no commit."""
    one, two = write("One."), write("Two.")
    before = person.shown(one)
    with store.transaction() as tx:
        linked = stage_link(tx, one, Rel.CAUSED_BY, f"/{two}")
        tx.commit("memory(link): One.")
        assert (linked.changed, linked.target, linked.title) == (True, two, "One.")
        assert not stage_link(tx, one, Rel.CAUSED_BY, two).changed
        assert tx.commit("memory(link): again") == tx.base
    assert person.shown(one).replace(f'<link rel="memhtml-caused-by" href="/{two}">\n', "") == before
    assert person.git("show", "--format=", "--numstat").split()[:2] == ["1", "0"]
    with store.transaction() as tx:
        assert not stage_unlink(tx, one, Rel.SUPPORTS, two).changed
        assert stage_unlink(tx, one, Rel.CAUSED_BY, two).changed
        tx.commit("memory(unlink): One.")
    assert person.shown(one) == before


def test_a_target_that_has_moved_is_linked_and_unlinked_where_it_lives(store: Repository, write: Write) -> None:
    """By any path it ever had."""
    one, two = write("One."), write("Two.")
    with store.transaction() as tx:
        stage_link(tx, one, Rel.SUPPORTS, two)
        place = stage_archive(tx, two, now=NOW).path
        assert stage_link(tx, one, Rel.RELATES_TO, two).target == place
        gone = stage_unlink(tx, one, Rel.SUPPORTS, place)
        assert (gone.changed, gone.target) == (True, two)
        assert stage_unlink(tx, one, Rel.RELATES_TO, two).changed


def test_a_link_to_nothing_can_be_taken_out(store: Repository, person: Person, write: Write) -> None:
    """A hand edit may have left it."""
    one = write("One.")
    link = '<link rel="memhtml-supports" href="/areas/none.html">\n</head>'
    person.commit(one, person.shown(one).replace("</head>", link))
    with store.transaction() as tx:
        assert stage_unlink(tx, one, Rel.SUPPORTS, "areas/none.html").changed


def test_what_may_not_be_joined_is_refused(store: Repository, write: Write) -> None:
    """A task among memories, a memory among tasks, a memory with itself, nothing at all."""
    one, task = write("One."), write("Task.", type=MemoryType.TASK)
    other = write("Other task.", type=MemoryType.TASK)
    person = write("Ada.", path="resources/people/ada.html")
    with store.transaction() as tx:
        refusals: list[tuple[type[MemhtmlError], tuple[str, Rel, str]]] = [
            (InvalidEdgeError, (one, Rel.RELATES_TO, task)),
            (InvalidEdgeError, (task, Rel.RELATES_TO, one)),
            (InvalidEdgeError, (one, Rel.BLOCKS, task)),
            (InvalidEdgeError, (one, Rel.RELATES_TO, one)),
            (PathNotFoundError, (one, Rel.RELATES_TO, "areas/none.html")),
            (PathNotFoundError, ("areas/none.html", Rel.RELATES_TO, one)),
            (InvalidPathError, (one, Rel.RELATES_TO, "../x.html")),
        ]
        for kind, words in refusals:
            with pytest.raises(kind):
                stage_link(tx, *words)
        assert tx.commit("memory(link): nothing") == tx.base
        assert stage_link(tx, task, Rel.BLOCKS, other).changed
        assert stage_link(tx, task, Rel.ABOUT_PERSON, person).changed
