"""What doctor hears from the store."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

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


MEMORY = '<!doctype html>\n<html><head>\n<META content="semantic" name=memhtml-type>\n</head></html>\n'


@pytest.mark.parametrize("name", ["a.HTML", "b.Html", "c.htm", "d.HTM", "e.xhtml", "f.html.htm"])
def test_a_page_that_no_index_reads_is_named(store: Repository, person: Person, name: str) -> None:
    """Whatever is in it: somebody means it as a page, and only .html is one."""
    person.write(f"areas/{name}", "x")
    found = list(store.check())
    assert [(one.code, one.path) for one in found] == [("bad-name", f"areas/{name}")]
    assert "it must end with .html" in found[0].message
    assert found[0].fix == "rename it: its name must end in .html"


def test_a_memory_in_the_place_of_a_published_page_is_named(store: Repository, person: Person) -> None:
    """It is read by nobody, and publish wants its place; a page that says nothing of memhtml is a person's affair."""
    person.write("areas/index.html", MEMORY)
    person.write("resources/index.html", "<title>memhtml-type</title>")
    assert codes(store) == [("bad-name", "areas/index.html")]


def test_a_memory_outside_of_the_roots_is_named(store: Repository, person: Person) -> None:
    """However deep; other pages, and what git keeps, are a person's affair."""
    for path in ("mine.html", "notes/deep/a.HTM", "Areas2/b.html"):
        person.write(path, MEMORY)
    person.write("site/page.html", "<p>memhtml-type</p>")
    person.write(".git/a.html", MEMORY)
    assert codes(store) == [("bad-place", path) for path in ("Areas2/b.html", "mine.html", "notes/deep/a.HTM")]


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


@pytest.mark.parametrize(
    ("harm", "advice"),
    [
        (lambda gitdir: (gitdir / "HEAD").write_text("garbage"), "restore"),
        (lambda gitdir: (gitdir / "refs/heads/main").write_text("garbage"), "restore"),
        (lambda gitdir: (gitdir / "index").write_text("garbage"), "git reset"),
        (lambda gitdir: shutil.rmtree(gitdir / "objects"), "restore"),
        (lambda gitdir: (gitdir / "config").write_text("[garbage"), "restore"),
    ],
)
def test_a_repository_that_git_cannot_read_is_a_finding_and_the_rest_is_looked_at(
    store: Repository, person: Person, put: Put, harm: Callable[[Path], object], advice: str
) -> None:
    """Each trouble once, with what to do; the files are looked at all the same."""
    put("areas/a.html", b"a")
    person.write("areas/con.html", "x")
    (store.layout.gitdir / "objects").mkdir(exist_ok=True)
    harm(store.layout.gitdir)
    found = list(store.check())
    damaged = [finding for finding in found if finding.code == "git-damaged"]
    assert damaged
    assert len({finding.message for finding in damaged}) == len(damaged)
    assert any(advice in (finding.fix or "") for finding in damaged)
    assert found[-1].path == "areas/con.html"


def test_a_store_that_is_gone_is_a_finding(store: Repository) -> None:
    """Somebody took the folder away while it was open."""
    shutil.rmtree(store.root)
    found = list(store.check())
    assert {finding.code for finding in found} == {"git-damaged"}
    assert any("cannot be read" in finding.message or "no folder any more" in finding.message for finding in found)


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


@pytest.mark.parametrize("packed", [False, True])
def test_another_branch_is_named_with_a_command_that_works(
    store: Repository, person: Person, put: Put, *, packed: bool
) -> None:
    """Back to main where there is one, packed or not; where it was renamed, the name back."""
    put("areas/a.html", b"a")
    person.git("switch", "--quiet", "-c", "my-trunk")
    if packed:
        person.git("pack-refs", "--all")
    assert [one.fix for one in store.check()] == ["git switch main"]
    person.git("branch", "-D", "main")
    found = list(store.check())
    assert [(one.code, one.fix) for one in found] == [("other-branch", "git branch -m my-trunk main")]
    assert found[0].fix is not None
    person.git(*found[0].fix.split()[1:])
    assert codes(store) == []


def test_a_command_that_was_cut_off_is_named_with_the_one_that_finishes_it(store: Repository) -> None:
    """Doctor itself only with fix."""
    Journal(store.layout.desk).write(())
    (found,) = store.check()
    assert (found.code, found.repairable) == ("interrupted", True)
    assert (found.fix or "").startswith("memhtml doctor --fix finishes it")
