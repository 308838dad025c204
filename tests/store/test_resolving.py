"""From any old path to where a memory lives."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import PathNotFoundError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import ARCHIVE
from memhtml.store.resolving import archived_at, located, resolve

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>x</title>
<meta name="memhtml-type" content="semantic"><meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-01-01"><meta name="memhtml-updated" content="2026-01-01">{}
</head><body><article><p><mark>x</mark></p></article></body></html>
"""


class Files:
    """A tree of files by hand: path, and what supersedes it."""

    def __init__(self, **_: str) -> None:
        self.contents: dict[str, bytes] = {}

    def add(self, path: str, superseded_by: str | None = None) -> None:
        """One more memory."""
        meta = "" if superseded_by is None else f'<meta name="memhtml-superseded-by" content="/{superseded_by}">'
        self.contents[path] = PAGE.format(meta).encode()

    def read(self, path: str) -> bytes | None:
        """Its bytes."""
        return self.contents.get(path)

    def exists(self, path: str) -> bool:
        """Whether it is there."""
        return path in self.contents

    def names(self, folder: str) -> tuple[str, ...]:
        """What is in the folder."""
        start = f"{folder}/"
        return tuple(sorted({path[len(start) :].split("/")[0] for path in self.contents if path.startswith(start)}))


@pytest.fixture
def files() -> Files:
    """No file."""
    return Files()


def end(files: Files, path: str) -> str:
    """Where ``path`` leads."""
    return resolve(files, MemoryPath(path)).path


def test_a_memory_at_its_place_is_itself(files: Files) -> None:
    """Nothing on the way."""
    files.add("areas/a.html")
    found = resolve(files, MemoryPath("areas/a.html"))
    assert (found.asked, found.path, found.steps) == ("areas/a.html", "areas/a.html", ("areas/a.html",))


def test_moves_and_supersessions_are_followed_to_the_end(files: Files) -> None:
    """The first was superseded by a second, which was archived and superseded by a third, which was archived."""
    files.add("archive/2024/areas/a.html", "areas/b.html")
    files.add("archive/2025/areas/b.html", "areas/c.html")
    files.add("archive/2026/areas/c.html")
    found = resolve(files, MemoryPath("areas/a.html"))
    assert found.path == "archive/2026/areas/c.html"
    assert found.steps[0] == "areas/a.html"
    assert found.steps[-1] == found.path
    assert len(set(found.steps)) == len(found.steps)
    assert end(files, "archive/2025/areas/b.html") == "archive/2026/areas/c.html"


def test_a_restored_memory_is_found_by_its_archive_path(files: Files) -> None:
    """Links that were made while it was archived go on working, from any year."""
    files.add("areas/a.html")
    assert end(files, "archive/2025/areas/a.html") == "areas/a.html"
    assert end(files, "archive/2026/archive/2025/areas/a.html") == "areas/a.html"


def test_the_latest_year_counts(files: Files) -> None:
    """A path that was used twice leads to its later memory; names that are no years are passed over."""
    for year in ("2019", "2026", "notes", "20261"):
        files.add(f"{ARCHIVE}/{year}/areas/a.html")
    assert archived_at(files, MemoryPath("areas/a.html")) == "archive/2026/areas/a.html"
    assert located(files, MemoryPath("areas/b.html")) is None


@pytest.mark.parametrize("start", ["areas/a.html", "areas/b.html", "areas/self.html"])
def test_a_cycle_ends(files: Files, start: str) -> None:
    """Before anything is said twice, at a file that is there."""
    files.add("areas/a.html", "areas/b.html")
    files.add("areas/b.html", "areas/a.html")
    files.add("areas/self.html", "areas/self.html")
    found = resolve(files, MemoryPath(start))
    assert files.exists(found.path)
    assert len(set(found.steps)) == len(found.steps)


def test_a_chain_that_leads_to_nothing_ends_where_something_is(files: Files) -> None:
    """Also at a file that cannot be read as a memory."""
    files.add("areas/a.html", "areas/none.html")
    assert end(files, "areas/a.html") == "areas/a.html"
    files.add("areas/b.html", "areas/broken.html")
    files.contents["areas/broken.html"] = b"\xff\xfe nonsense"
    assert end(files, "areas/b.html") == "areas/broken.html"


def test_nothing_is_not_found(files: Files) -> None:
    """A path that nothing ever had."""
    files.add("areas/a.html")
    with pytest.raises(PathNotFoundError):
        resolve(files, MemoryPath("areas/none.html"))
