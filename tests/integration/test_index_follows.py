"""The index follows a real store: what is committed, what is only saved, and what is taken back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.index.index import Index
from memhtml.store.founding import init
from memhtml.store.repository import Repository

Git = Callable[..., str]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="memhtml-type" content="semantic">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-03-01T10:00:00Z">
<meta name="memhtml-updated" content="{updated}">
</head>
<body>
<article><p><mark>{claim}</mark></p></article>
</body>
</html>
"""


def page(claim: str, *, title: str = "A title", updated: str = "2026-03-01T10:00:00Z") -> str:
    """A memory file with this claim."""
    return PAGE.format(title=title, claim=claim, updated=updated)


@pytest.fixture
def repository(root: Path, environment: dict[str, str]) -> Repository:
    """An empty store."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


@pytest.fixture
def git(repository: Repository, environment: dict[str, str]) -> Git:
    """Git as a person uses it in the store."""

    def run(*words: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        done = subprocess.run(
            ["git", *identity, *words], cwd=repository.root, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    return run


@pytest.fixture
def index(repository: Repository) -> Iterator[Index]:
    """The index of the store."""
    with Index.open(repository.root) as opened:
        yield opened


def save(repository: Repository, path: str, text: str) -> None:
    """Write a file as an editor does."""
    place = repository.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="\n")


def found(index: Index, words: str) -> list[str]:
    """The paths that hold any of ``words``, best first."""
    with index.reading() as view:
        return [hit.path for hit in view.lexical(terms(words), Scope(), 10)]


def test_a_committed_file_is_found_after_catching_up(repository: Repository, index: Index, git: Git) -> None:
    """The branch is followed by its difference; the title alone is enough to be found."""
    save(repository, "areas/inbox/a.html", page("Drain the queue.", title="Deploying"))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    report = index.catch_up(repository)
    assert (report.added, report.changed, report.removed) == (1, 0, 0)
    assert found(index, "queue") == found(index, "deploying") == ["areas/inbox/a.html"]
    assert index.catch_up(repository).generation == report.generation


def test_a_saved_file_is_found_after_an_update_and_leaves_when_it_is_deleted(
    repository: Repository, index: Index
) -> None:
    """An untracked file is read like any other; catching up with the branch does not lose it."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    index.update(repository)
    assert found(index, "queue") == ["areas/inbox/a.html"]
    index.catch_up(repository)
    assert found(index, "queue") == ["areas/inbox/a.html"]
    (repository.root / "areas/inbox/a.html").unlink()
    assert index.update(repository).removed == 1
    assert found(index, "queue") == []


def test_a_reverted_edit_gives_way_to_what_is_committed(repository: Repository, index: Index, git: Git) -> None:
    """The words of an edit are there while it is saved, and gone when it was taken back."""
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    save(repository, "areas/inbox/a.html", page("Flush the cache."))
    index.update(repository)
    assert (found(index, "cache"), found(index, "queue")) == (["areas/inbox/a.html"], [])
    git("checkout", "-q", "--", ".")
    index.update(repository)
    assert (found(index, "cache"), found(index, "queue")) == ([], ["areas/inbox/a.html"])


def test_a_move_takes_the_use_along(repository: Repository, index: Index, git: Git) -> None:
    """How often a memory was opened stays with it, wherever it goes, and comes back with it."""
    old, new = MemoryPath("areas/inbox/a.html"), MemoryPath("resources/ops/b.html")
    save(repository, old, page("Drain the queue."))
    git("add", "-A")
    git("commit", "-q", "-m", "a")
    index.catch_up(repository)
    index.state.open_memory(old, now="2026-03-01T10:00:00Z")
    (repository.root / "resources/ops").mkdir(parents=True)
    git("mv", old, new)
    git("commit", "-q", "-m", "b")
    assert index.catch_up(repository).moved == ((old, new),)
    with index.reading() as view:
        assert [access.opens for access in view.state([new]).values()] == [1]
        assert view.state([old]) == {}


def test_a_copied_file_is_named_as_a_duplicate_and_takes_over(repository: Repository, index: Index, git: Git) -> None:
    """The first by path is the memory; when it goes, the copy is the memory."""
    save(repository, "areas/inbox/b.html", page("Drain the queue."))
    save(repository, "areas/inbox/c.html", page("Drain the queue.", title="Another title"))
    assert index.update(repository).duplicates == (("areas/inbox/c.html", "areas/inbox/b.html"),)
    save(repository, "areas/inbox/a.html", page("Drain the queue."))
    assert index.update(repository).duplicates == (
        ("areas/inbox/b.html", "areas/inbox/a.html"),
        ("areas/inbox/c.html", "areas/inbox/a.html"),
    )
    assert found(index, "queue") == ["areas/inbox/a.html"]
    (repository.root / "areas/inbox/a.html").unlink()
    git("add", "-A")
    git("commit", "-q", "-m", "b and c")
    index.update(repository)
    assert found(index, "queue") == ["areas/inbox/b.html"]


def test_a_broken_file_is_counted_and_named_and_stops_nothing(repository: Repository, index: Index) -> None:
    """The others are indexed as if it were not there; mended, it is one of them."""
    save(repository, "areas/inbox/a.html", "<p>no memory</p>")
    save(repository, "areas/inbox/b.html", page("Drain the queue."))
    report = index.update(repository)
    assert [path for path, _ in report.unreadable] == ["areas/inbox/a.html"]
    assert found(index, "queue") == ["areas/inbox/b.html"]
    save(repository, "areas/inbox/a.html", page("Flush the queue."))
    assert index.update(repository).unreadable == ()
    assert len(found(index, "queue")) == 2
