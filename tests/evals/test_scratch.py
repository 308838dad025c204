"""A scratch store is a store like any other, for as long as it is needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memhtml.domain.errors import InvalidMemoryError, ModelUnavailableError
from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals import scratch as module
from memhtml.evals.scratch import scratch
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.retrieve.answer import Request
from memhtml.retrieve.search import search

EARLY, LATE = Instant("2026-01-01T00:00:00Z"), Instant("2026-02-01T00:00:00Z")


def fact(claim: str) -> Draft:
    """A memory that says ``claim``."""
    return Draft(MemoryType.SEMANTIC, claim=claim)


def test_worked_example(environment: dict[str, str]) -> None:
    """Real files in a real repository, found by a search, each written when it says; then gone."""
    with scratch(environment) as made:
        paths = made.write([(fact("Nodes reboot on Sundays."), LATE), (fact("Builds take ten minutes."), EARLY)])
        assert paths == ("areas/inbox/nodes-reboot-on-sundays.html", "areas/inbox/builds-take-ten-minutes.html")
        root = made.repository.root
        assert b"Builds take ten minutes." in (root / paths[1]).read_bytes()
        command = ["git", "-C", str(root), "log", "--format=%s"]
        log = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        assert log.splitlines()[0] == "memory(apply): 2 changes"
        hits = search(made.index, None, Request("reboot"), LATE).hits
        assert [(hit.path, hit.created) for hit in hits] == [(paths[0], LATE)]
        with made.index.reading() as view:
            assert {path: row.created for path, row in view.rows(paths).items()} == dict(
                zip(paths, (LATE, EARLY), strict=True)
            )
    assert not root.exists()


def test_the_folder_goes_also_when_something_fails(environment: dict[str, str]) -> None:
    """A draft that is refused stops everything, and leaves nothing."""
    roots: list[Path] = []

    def fail() -> None:
        with scratch(environment) as made:
            roots.append(made.repository.root)
            made.write([(fact("Fine."), EARLY), (fact("\x00"), EARLY)])

    with pytest.raises(InvalidMemoryError):
        fail()
    assert not roots[0].exists()


def test_nothing_to_write_is_no_commit(environment: dict[str, str]) -> None:
    """And nothing to embed needs no embedder that works."""
    with scratch(environment) as made:
        head = made.repository.head()
        assert made.write([]) == ()
        assert made.repository.head() == head
        made.embed(AlwaysFailing())


def test_the_same_content_has_one_path(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a batch, from one batch to the next, and in the next call."""
    monkeypatch.setattr(module, "BATCH", 2)
    claims = ["One.", "One.", "Two.", "One."]
    with scratch(environment) as made:
        paths = made.write([(fact(claim), EARLY) for claim in claims])
        assert (paths[0] == paths[1] == paths[3], paths[2] == paths[0]) == (True, False)
        assert made.write([(fact("Two."), LATE)]) == (paths[2],)
        with made.index.reading() as view:
            assert view.total == 2


def test_many_memories_are_several_commits_and_all_are_indexed(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress is told before the first and after every portion."""
    monkeypatch.setattr(module, "BATCH", 3)
    monkeypatch.setattr(module, "PORTION", 2)
    told: list[tuple[str, int, int | None]] = []
    with scratch(environment) as made:
        memories = [(fact(f"Fact {number} holds."), EARLY) for number in range(7)]
        paths = made.write(memories, lambda *step: told.append(step))
        assert len(set(paths)) == 7
        with made.index.reading() as view:
            assert set(view.rows(paths)) == set(paths)
        command = ["git", "-C", str(made.repository.root), "log", "--format=%s %cI", "-n", "3"]
        log = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        sizes = [line.split()[1] for line in log.splitlines()]
    assert sizes == ["1", "3", "3"]
    assert "2026-01-01T00:00:00" in log
    assert told == [("writing", done, 7) for done in (0, 2, 4, 6)]


def test_every_text_gets_its_vector(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In portions, the progress rising to the whole."""
    monkeypatch.setattr(module, "PORTION", 2)
    told: list[tuple[str, int, int | None]] = []
    with scratch(environment) as made:
        made.write([(fact(f"Fact {number} holds."), EARLY) for number in range(5)])
        made.embed(HashedWords(32), lambda *step: told.append(step))
        assert made.index.missing_vectors() == 0
        with made.index.reading() as view:
            assert (view.coverage(), view.space) == (1.0, "fake-words@32")
    assert told == [("embedding", done, 5) for done in (0, 2, 4, 5)]


def test_an_embedder_that_fails_is_an_error(environment: dict[str, str]) -> None:
    """A score with half of the vectors is none."""
    with scratch(environment) as made:
        made.write([(fact("One."), EARLY)])
        with pytest.raises(ModelUnavailableError, match="always fails"):
            made.embed(AlwaysFailing())
