"""The files of one commit, by path."""

from __future__ import annotations

from memhtml.store.repository import Repository

from .conftest import Person

DEEP = "d/" * 5000


def test_a_path_of_any_depth_is_looked_up(store: Repository, person: Person) -> None:
    """Also where a link, or a person, names one that no memory could have: nothing is there."""
    person.commit("areas/d/d/a.html", "here")
    with store.transaction() as tx:
        assert tx.read("areas/d/d/a.html") == b"here"
        assert tx.names("areas/d") == ("d",)
        assert not tx.exists(f"areas/{DEEP}a.html")
        assert tx.read(f"areas/d/d/a.html/{DEEP}a.html") is None
        assert tx.names(f"areas/{DEEP}d") == ()
        assert not tx.exists("areas/d//d/a.html")
        assert not tx.exists("/areas/d/d/a.html")


def test_folders_that_are_not_there_are_empty(store: Repository) -> None:
    """At the root and below it."""
    with store.transaction() as tx:
        assert tx.names("none") == ()
        assert tx.names("none/below") == ()
        assert tx.read("none/below/a.html") is None
