"""The store as it was: an index of an earlier commit, and what it shares with the live one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.errors import GitError
from memhtml.domain.memory import CommitId, Draft, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.fakes import HashedWords
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.store.founding import init
from memhtml.store.repository import Repository

NOW = Instant("2026-03-01T10:00:00Z")


@pytest.fixture
def repository(root: Path, environment: dict[str, str]) -> Repository:
    """An empty store."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


@pytest.fixture
def commit(repository: Repository, environment: dict[str, str]) -> Callable[..., CommitId]:
    """Writes claims to paths (None deletes), and commits them."""

    def git(*words: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        command = ["git", *identity, *words]
        return subprocess.run(
            command, cwd=repository.root, env=environment, check=True, capture_output=True, text=True
        ).stdout

    def run(**claims: str | None) -> CommitId:
        for name, claim in claims.items():
            place = repository.root / "areas" / f"{name}.html"
            place.parent.mkdir(exist_ok=True)
            if claim is None:
                place.unlink()
            else:
                place.write_bytes(render(compose(Draft(type=MemoryType.SEMANTIC, claim=claim), now=NOW)))
        git("add", "-A")
        git("commit", "-q", "-m", "change")
        return CommitId(git("rev-parse", "HEAD").strip())

    return run


def words(index: Index, query: str) -> list[str]:
    """The paths that hold any word of ``query``."""
    with index.reading() as view:
        return [hit.path for hit in view.lexical(terms(query), Scope(), 10)]


def test_an_earlier_commit_is_seen_as_it_was(repository: Repository, commit: Callable[..., CommitId]) -> None:
    """What was there then, nothing of what came after, no edit of the work tree; and the live index is as before."""
    first = commit(a="The queue is red.", b="The cache is red.")
    second = commit(a="The queue is blue.", b=None, c="The lock is blue.")
    (repository.root / "areas" / "d.html").write_bytes(
        render(compose(Draft(type=MemoryType.SEMANTIC, claim="Unsaved and red."), now=NOW))
    )
    with Index.open(repository.root) as index:
        index.update(repository)
        before = index.freshness(repository)
        with index.at_commit(repository, first) as past:
            assert words(past, "red blue") == ["areas/a.html", "areas/b.html"]
            with past.reading() as view:
                assert view.commit == first
                assert view.state(["areas/a.html"]) == {}
            assert past.freshness(repository).indexed == first
        with index.at_commit(repository, second) as past:
            assert words(past, "red") == []
            assert words(past, "blue") == ["areas/a.html", "areas/c.html"]
        assert words(index, "red") == ["areas/d.html"]
        assert index.freshness(repository) == before


def test_the_vectors_of_texts_that_are_still_known_come_along(
    repository: Repository, commit: Callable[..., CommitId]
) -> None:
    """By the text: what an earlier commit said, and was embedded then, is near again."""
    first = commit(a="The queue is red.")
    embedder = HashedWords(dimension=32)
    with Index.open(repository.root) as index:
        index.update(repository)
        fill(index, embedder)
        commit(a="Something else altogether.", b="The lock is blue.")
        index.update(repository)
        fill(index, embedder)
        with index.at_commit(repository, first) as past, past.reading() as view:
            assert view.coverage() == 1.0
            hits = view.nearest(embedder.embed(["The queue is red."])[0], Scope(), 5)
            assert [(hit.path, hit.cosine) for hit in hits] == [("areas/a.html", 1.0)]


def test_a_commit_from_before_the_index_is_built_from_its_tree(
    repository: Repository, commit: Callable[..., CommitId]
) -> None:
    """Also when the live index has never been filled."""
    first = commit(a="The queue is red.")
    commit(a=None)
    with Index.open(repository.root) as index, index.at_commit(repository, first) as past:
        assert words(past, "queue") == ["areas/a.html"]


def test_a_commit_that_is_not_there_is_an_error(repository: Repository, commit: Callable[..., CommitId]) -> None:
    """Said by git, in the tree of errors."""
    commit(a="The queue is red.")
    with Index.open(repository.root) as index:
        index.update(repository)
        with pytest.raises(GitError), index.at_commit(repository, CommitId("0" * 40)):
            pass


def test_a_move_embeds_nothing(repository: Repository, commit: Callable[..., CommitId]) -> None:
    """The archive is a move: chunks and vectors are found again by their texts."""
    commit(a="The queue is red.")
    with Index.open(repository.root) as index:
        index.update(repository)
        fill(index, HashedWords(dimension=16))
        (repository.root / "archive/2026/areas").mkdir(parents=True)
        (repository.root / "areas/a.html").rename(repository.root / "archive/2026/areas/a.html")
        report = index.update(repository)
        assert report.moved == ((MemoryPath("areas/a.html"), MemoryPath("archive/2026/areas/a.html")),)
        assert index.missing_vectors() == 0
