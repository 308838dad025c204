"""Pages to browse a store by."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    DirtyTreeError,
    InvalidFlagError,
    UnsafeFileError,
    WriteConflictError,
)
from memhtml.domain.scope import Scope
from memhtml.ops.archive import archive
from memhtml.ops.listing import list_memories
from memhtml.ops.publish import publish
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, seen

CLAIM = "Drain before every deploy."


def by_hand(workspace: Workspace, path: str, text: str) -> Path:
    """A file that a person saved."""
    file = workspace.repository.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def commit_all(workspace: Workspace, message: str = "by hand") -> None:
    """What a person does then."""
    root = workspace.repository.root
    git(root, "add", "-A")
    git(root, "-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", message)


class Outline(HTMLParser):
    """Tags, links and text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember it."""
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name == "href" and value]

    def handle_data(self, data: str) -> None:
        """Remember it."""
        self.text.append(data)


def test_pages_list_what_is_there_and_link_to_it(workspace: Workspace) -> None:
    """Every folder up to the root, one commit, nothing when nothing changed; each link leads to a file."""
    write(workspace, replace(fact(CLAIM), workspace="checkout"))
    write(workspace, replace(fact("Wages <script>alert(1)</script> & \u202emore"), title="A <b>bold</b> title"))
    gone = archive(workspace, [write(workspace, fact("Fact 9 is here.")).path]).memories[0].path
    done = publish(workspace, base_url="https://memory.example/")
    root = workspace.repository.root
    pages = {str(path.relative_to(root)) for path in root.rglob("index.html")}
    assert pages == {
        "index.html",
        "projects/index.html",
        "projects/checkout/index.html",
        "areas/index.html",
        "areas/inbox/index.html",
        "archive/index.html",
        "archive/2026/index.html",
        "archive/2026/areas/index.html",
        "archive/2026/areas/inbox/index.html",
    }
    assert (done.pages, done.memories) == (9, 3)
    assert git(root, "status", "--porcelain") == ""
    listed = 0
    for page in pages:
        outline = Outline()
        outline.feed((root / page).read_text())
        assert not {"script", "style", "b", "img"} & set(outline.tags)
        for target in outline.links:
            assert ((root / page).parent / target).resolve().exists()
            listed += not target.endswith("index.html")
    assert listed == 3
    places = re.findall("<loc>([^<]*)</loc>", (root / "sitemap.xml").read_text())
    assert places == [
        "https://memory.example/areas/inbox/a-b-bold-b-title.html",
        "https://memory.example/projects/checkout/drain-before-every-deploy.html",
    ]
    assert not any(gone in place for place in places)
    assert publish(workspace, base_url="https://memory.example/").commit is None


def test_a_page_whose_folder_is_empty_now_is_taken_away(workspace: Workspace) -> None:
    """And the memory's new folder has one."""
    path = write(workspace, fact(CLAIM)).path
    publish(workspace)
    archive(workspace, [path])
    publish(workspace)
    root = workspace.repository.root
    assert not (root / "areas").exists() or not list((root / "areas").rglob("index.html"))
    assert (root / "archive/2026/areas/inbox/index.html").exists()
    assert list_memories(workspace, Scope(archived=True)).total == 1


@pytest.mark.parametrize("path", ["index.html", "areas/index.html", "areas/inbox/index.html", "sitemap.xml"])
def test_a_page_of_a_persons_own_is_not_replaced(workspace: Workspace, path: str) -> None:
    """Committed, so git would let it: it is refused by name, until the caller says that it may go."""
    write(workspace, fact(CLAIM))
    by_hand(workspace, path, '<meta name="generator" content="memhtml publish">mine')
    commit_all(workspace)
    before = seen(workspace.repository.root)
    with pytest.raises(WriteConflictError, match=f"publish did not make {path}") as caught:
        publish(workspace)
    assert "--replace" in caught.value.suggestions[1]
    assert seen(workspace.repository.root) == before
    assert publish(workspace, replace=True).changed == 4
    assert publish(workspace).commit is None


def test_a_page_that_a_person_edited_is_theirs(workspace: Workspace) -> None:
    """Were it one letter; taking the edit back makes it a page again."""
    path = write(workspace, fact(CLAIM)).path
    publish(workspace)
    page = workspace.repository.root / "areas/inbox/index.html"
    made = page.read_text()
    page.write_text(made.replace("Memories in", "My memories in"))
    commit_all(workspace)
    archive(workspace, [path])  # so that the page is stale too
    publish(workspace)
    assert "My memories in" in page.read_text()
    write(workspace, fact(CLAIM))
    with pytest.raises(WriteConflictError, match=r"areas/inbox/index\.html, or somebody has edited it"):
        publish(workspace)
    page.write_text(made)
    commit_all(workspace)
    publish(workspace)
    assert "My memories" not in page.read_text()


def test_no_title_breaks_the_seal(workspace: Workspace) -> None:
    """Whatever it holds, the pages are publish's own."""
    for title in ("@" * 64, f"memhtml publish {'@' * 64}", f"memhtml publish {'0' * 64}"):
        write(workspace, replace(fact(f"Titled {len(title)} {title[-1]}."), title=title))
        publish(workspace)
    assert publish(workspace).commit is None


def test_a_page_that_is_in_nobodys_way_stays(workspace: Workspace) -> None:
    """No memory is in its folder; even when others may be replaced."""
    write(workspace, fact(CLAIM))
    mine = by_hand(workspace, "resources/me/index.html", "mine")
    commit_all(workspace)
    publish(workspace, replace=True)
    assert mine.read_text() == "mine"


def test_a_page_that_a_person_is_writing_is_not_overwritten(workspace: Workspace) -> None:
    """Nor an address taken that is none."""
    write(workspace, fact(CLAIM))
    by_hand(workspace, "areas/index.html", "mine")
    before = seen(workspace.repository.root)
    with pytest.raises(DirtyTreeError) as caught:
        publish(workspace)
    assert caught.value.paths == ("areas/index.html",)
    with pytest.raises(InvalidFlagError):
        publish(workspace, base_url="javascript:alert(1)")
    assert seen(workspace.repository.root) == before


@pytest.mark.parametrize("path", ["index.html", "areas/index.html", "sitemap.xml"])
def test_an_edit_of_a_page_that_would_stay_as_it_is_is_named(workspace: Workspace, path: str) -> None:
    """Uncommitted, and nothing of publish's own has changed; also when others may be replaced."""
    write(workspace, fact(CLAIM))
    publish(workspace)
    page = workspace.repository.root / path
    page.write_text(page.read_text() + "mine")
    (workspace.repository.root / "areas/inbox/index.html").unlink()
    before = seen(workspace.repository.root)
    for replaced in (False, True):
        with pytest.raises(DirtyTreeError, match=path) as caught:
            publish(workspace, replace=replaced)
        assert caught.value.paths == (path,)
    assert seen(workspace.repository.root) == before


def test_a_deleted_page_is_made_again(workspace: Workspace) -> None:
    """As it was, without a commit; also one that changes, one that was staged for deletion, and a stale one."""
    path = write(workspace, fact(CLAIM)).path
    publish(workspace)
    root = workspace.repository.root
    page = root / "areas/index.html"
    made = page.read_bytes()
    page.unlink()
    git(root, "rm", "-q", "index.html")
    done = publish(workspace)
    assert (done.changed, done.commit) == (2, None)
    assert page.read_bytes() == made
    assert git(root, "status", "--porcelain") == ""
    (root / "areas/inbox/index.html").unlink()
    archive(workspace, [path])
    assert publish(workspace).commit is not None
    assert not (root / "areas/inbox/index.html").exists()
    assert git(root, "status", "--porcelain") == ""
    assert publish(workspace).changed == 0


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
@pytest.mark.parametrize("what", ["a folder", "a symbolic link"])
def test_what_stands_in_the_place_of_a_page_is_named(workspace: Workspace, what: str) -> None:
    """Nothing is written there, or through it."""
    write(workspace, fact(CLAIM))
    publish(workspace)
    page = workspace.repository.root / "areas/index.html"
    page.unlink()
    if what == "a folder":
        page.mkdir()
    else:
        page.symlink_to("../README.html")
    with pytest.raises(UnsafeFileError, match=f"areas/index.html is {what}"):
        publish(workspace)
    assert page.is_dir() or page.is_symlink()
