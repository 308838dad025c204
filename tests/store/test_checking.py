"""What doctor hears from the store."""

from __future__ import annotations

import os
from collections.abc import Callable

from memhtml.domain.memory import CommitId
from memhtml.store.checking import Finding
from memhtml.store.journal import Journal
from memhtml.store.repository import Repository

from .conftest import Person

Put = Callable[[str, bytes], CommitId]


def codes(store: Repository) -> list[tuple[str, str | None]]:
    """Code and path of each finding."""
    return [(finding.code, finding.path) for finding in store.check()]


def test_a_sound_store_has_no_finding(store: Repository, person: Person, put: Put) -> None:
    """Uncommitted work of a person is nothing wrong."""
    put("areas/a.html", b"a")
    put("areas/index.html", b"listing")
    person.write("areas/untracked.html", "mine")
    person.write("areas/notes.txt", "mine")
    assert codes(store) == []
    assert store.repair() == ()


def test_everything_wrong_is_found_and_what_can_be_is_repaired(store: Repository, person: Person, put: Put) -> None:
    """Leftovers, settings, links, devices and bad names, each once."""
    put("areas/a.html", b"a")
    (store.root / "areas/link.html").symlink_to("a.html")
    person.git("add", "areas/link.html")
    person.git("commit", "--quiet", "-m", "link")
    os.mkfifo(store.root / "areas/fifo.html")
    (store.root / "resources").symlink_to("/etc")
    person.write("areas/.memhtml-3.tmp", "half")
    person.write("areas/con.html", "x")
    person.git("config", "--unset", "merge.ours.driver")
    (store.layout.gitdir / "index.lock").write_text("")
    Journal(store.layout.desk).write(())
    person_branch = store.root / ".git/HEAD"
    person_branch.write_text("ref: refs/heads/trunk\n")
    (store.root / ".git/refs/heads/trunk").write_text((store.root / ".git/refs/heads/main").read_text())
    assert sorted(codes(store), key=str) == sorted(
        [
            ("bad-name", "areas/con.html"),
            ("clone-settings", None),
            ("git-lock", None),
            ("interrupted", None),
            ("other-branch", None),
            ("temporary", "areas/.memhtml-3.tmp"),
            ("unsafe-file", "areas/fifo.html"),
            ("unsafe-file", "areas/link.html"),
            ("unsafe-file", "areas/link.html"),
            ("unsafe-file", "resources"),
        ],
        key=str,
    )
    assert store.repair() == ("areas/.memhtml-3.tmp",)
    assert {code for code, _ in codes(store)} == {"bad-name", "clone-settings", "other-branch", "unsafe-file"}


def test_twins_and_damage_are_found(store: Repository, person: Person, put: Put) -> None:
    """Names that another system cannot tell apart, and an object that is gone."""
    put("areas/a.html", b"a")
    person.commit("areas/A.html", "other")
    assert codes(store) == [("twins", "areas/A.html")]
    blob = person.git("rev-parse", "HEAD:areas/a.html").strip()
    (store.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    damage = next(iter(store.check()))
    assert isinstance(damage, Finding)
    assert damage.code == "git-damaged"
    assert not damage.repairable


def test_a_detached_head_is_told(store: Repository, person: Person) -> None:
    """Writes are refused there, so doctor says so."""
    person.git("checkout", "--quiet", "--detach")
    assert [code for code, _ in codes(store)] == ["not-writable"]


def test_maintenance_leaves_the_store_as_it_is(store: Repository, person: Person, put: Put) -> None:
    """Git may pack what it likes."""
    commit = put("areas/a.html", b"a")
    store.maintain()
    assert store.head() == commit
    assert person.status() == ""
