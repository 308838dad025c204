"""The composition root: what is opened when, what goes wrong beside an answer, what is closed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memhtml.config.settings import load
from memhtml.domain.errors import IndexTooNewError, InvalidSettingError, StorageError, StoreMissingError
from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.index import Index
from memhtml.ops.init import init
from memhtml.ops.write import write
from memhtml.workspace.clock import FixedClock, SystemClock
from memhtml.workspace.workspace import DAMAGED, Workspace


def opened(root: Path, embed: str = "off") -> Workspace:
    """A workspace with this process's environment."""
    known = dict(os.environ)  # noqa: TID251 - handed on to git
    return Workspace(load({"root": str(root), "embed": embed}, known, root / "none.toml", root), variables=known)


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    """An empty store, vectors off."""
    with opened(root) as found:
        init(found)
        yield found


def test_nothing_is_opened_before_it_is_asked_for(tmp_path: Path) -> None:
    """A command that needs no store works where none is."""
    with opened(tmp_path / "none") as workspace:
        assert workspace.settings.root == tmp_path / "none"
        assert workspace.embedder is None
        with pytest.raises(StoreMissingError):
            _ = workspace.repository
    assert not (tmp_path / "none").exists()


def test_parts_are_opened_once_and_again_after_closing(workspace: Workspace) -> None:
    """Threads get the same ones."""
    found: list[Index] = []
    threads = [threading.Thread(target=lambda: found.append(workspace.index)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1
    workspace.close()
    workspace.close()
    assert workspace.index is not found[0]


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be taken away elsewhere")
def test_a_store_that_was_taken_away_is_missing_and_nothing_is_made(workspace: Workspace, root: Path) -> None:
    """Also for whoever has it open; when it stands there again, it is the one that stands there."""
    write(workspace, Draft(MemoryType.SEMANTIC, claim="The queue drains."))
    before = workspace.index
    root.rename(root.with_name("elsewhere"))
    for part in ("repository", "index"):
        with pytest.raises(StoreMissingError):
            getattr(workspace, part)
    with pytest.raises(StoreMissingError):
        workspace.catch_up()
    assert not root.exists()
    init(workspace)
    workspace.catch_up()
    assert workspace.index is not before
    with workspace.index.reading() as view:
        assert view.total == 0
    shutil.rmtree(root)
    root.with_name("elsewhere").rename(root)
    workspace.catch_up()
    with workspace.index.reading() as view:
        assert view.total == 1


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be taken away elsewhere")
@pytest.mark.parametrize("name", ["index.db", "state.db"])
def test_a_database_that_was_taken_away_is_made_anew(workspace: Workspace, root: Path, name: str) -> None:
    """What is counted or found from then on is where every other process looks."""
    path = write(workspace, Draft(MemoryType.SEMANTIC, claim="The queue drains.")).path
    for file in (root / ".memhtml").glob(f"{name}*"):
        file.unlink()
    workspace.catch_up()
    workspace.index.state.open_memory(path, now=Instant("2026-03-01T10:00:00Z"))
    with opened(root) as other, other.index.reading() as view:
        assert view.total == 1
        assert view.state([path])[path].opens == 1


def test_catching_up_says_what_is_wrong_and_refuses_only_what_it_must(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that cannot follow is a notice; one of a later program is not touched."""
    assert workspace.catch_up() == ()

    def fails(error: Exception) -> None:
        def follow(self: Index, source: object) -> None:
            del self, source
            raise error

        monkeypatch.setattr(Index, "catch_up", follow)

    fails(StorageError("the disk is full"))
    (notice,) = workspace.catch_up()
    assert (notice.code, "the disk is full" in notice.message) == ("ERR_STORAGE", True)
    fails(IndexTooNewError("made by memhtml 9"))
    with pytest.raises(IndexTooNewError):
        workspace.catch_up()


def test_a_damaged_database_is_said_once_it_was_found(workspace: Workspace, root: Path) -> None:
    """Whoever asks first after it."""
    workspace.close()
    (root / ".memhtml" / "index.db").write_bytes(b"no database" * 999)
    assert [notice.code for notice in workspace.catch_up()] == [DAMAGED]


def test_a_state_database_is_not_made_anew_silently(workspace: Workspace, root: Path) -> None:
    """It cannot be made from the files."""
    workspace.close()
    (root / ".memhtml" / "state.db").write_bytes(b"no database" * 999)
    codes = [notice.code for notice in workspace.catch_up()]
    assert codes
    assert set(codes) == {DAMAGED}
    with closing(sqlite3.connect(root / ".memhtml" / "state.db")) as database:
        assert database.execute("SELECT count(*) FROM access").fetchone() == (0,)


@pytest.mark.parametrize(
    ("embed", "codes"),
    [("off", []), ("fake-words@16", []), ("fake-failing@16", []), ("nobody@16", ["ERR_INVALID_SETTING"])],
)
def test_an_embedder_for_a_question_is_never_an_error(
    workspace: Workspace, root: Path, embed: str, codes: list[str]
) -> None:
    """What is wrong with it is a notice, or the search says it."""
    del workspace
    with opened(root, embed) as asking:
        embedder, notices = asking.searching_embedder()
        assert [notice.code for notice in notices] == codes
        assert (embedder is None) == (embed in {"off", "nobody@16"})
        if codes:
            with pytest.raises(InvalidSettingError):
                _ = asking.embedder


def test_clocks_tell_instants_as_files_write_them() -> None:
    """To the second, in UTC; one of them stands still."""
    now = SystemClock().now()
    assert len(now) == len("2026-07-28T10:00:00Z")
    assert now.endswith("Z")
    clock = FixedClock(Instant("2026-07-28T10:00:00Z"))
    assert clock.now() == clock.now() == "2026-07-28T10:00:00Z"
