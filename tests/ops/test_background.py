"""Vectors that are made while nobody asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memhtml import Store
from memhtml.models.embedder import Identity, Space
from memhtml.models.fakes import HashedWords
from memhtml.ops.background import LOCK, PORTION, Background
from memhtml.store.lock import locked
from memhtml.workspace.workspace import Workspace

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows

LONG = 60.0


class Watched:
    """An embedder that tells of every call before it answers."""

    def __init__(self, told: Callable[[Sequence[str]], object]) -> None:
        self._told = told
        self._within = HashedWords(32)
        self.calls: list[tuple[str, int]] = []

    @property
    def space(self) -> Space:
        """The fake's."""
        return self._within.space

    def describe(self) -> Identity:
        """The fake's."""
        return self._within.describe()

    def embed(self, texts: Sequence[str]) -> Rows:
        """The fake's rows, after the call is told of."""
        self.calls.append((threading.current_thread().name, len(texts)))
        self._told(texts)
        return self._within.embed(texts)


def filled(root: Path, count: int, embed: str = "fake-words@32") -> tuple[Store, Workspace]:
    """A store of so many memories, none with a vector."""
    store = Store.init(root, embed=embed)
    for number in range(count):
        store.write(f"Rack {number} stands in room {number}00.")
    return store, store._workspace


def watched(workspace: Workspace, told: Callable[[Sequence[str]], object] = len) -> Watched:
    """Let a watched embedder stand in the workspace's place for one."""
    found = Watched(told)
    workspace._embedder = found
    return found


def test_what_is_missing_is_made_in_portions(root: Path) -> None:
    """By a thread of its own, and once."""
    store, workspace = filled(root, PORTION + 3)
    embedder = watched(workspace)
    with store, Background(workspace) as background:
        background.look()
        assert background.settled(LONG)
        assert workspace.index.missing_vectors() == 0
        assert embedder.calls == [("memhtml-vectors", PORTION), ("memhtml-vectors", 3)]
        background.look()
        assert background.settled(LONG)
        assert len(embedder.calls) == 2
        store.write("The spare rack has no room.")
        assert len(embedder.calls) == 2  # a write waits for no model
        background.look()
        assert background.settled(LONG)
        assert embedder.calls[2:] == [("memhtml-vectors", 1)]
        assert background.trouble is None


def test_nothing_is_loaded_where_nothing_is_missing(root: Path) -> None:
    """Nor where vectors are off, or no store is."""
    store, workspace = filled(root, 0)
    embedder = watched(workspace)
    with store, Background(workspace) as background:
        background.look()
        assert background.settled(LONG)
        assert embedder.calls == []
    store, workspace = filled(root.parent / "off", 1, "off")
    with store, Background(workspace) as background:
        background.look()
        assert background.settled(LONG)
        assert background.trouble is None
        assert workspace.index.missing_vectors() == 1


def test_no_lock_is_held_while_the_model_works(root: Path) -> None:
    """A memory can be written from inside it, and its index too."""
    store, workspace = filled(root, 1)

    def written(_: Sequence[str]) -> None:
        with Store.open(root, embed="off") as other:
            if other.list().total == 1:
                other.write("This one came in between.")

    watched(workspace, written)
    with store, Background(workspace) as background:
        background.look()
        assert background.settled(LONG)
        assert background.trouble is None
        assert store.list().total == 2


def test_a_portion_waits_for_calls_to_be_answered(root: Path) -> None:
    """And is begun when the last of them is."""
    store, workspace = filled(root, 1)
    embedder = watched(workspace)
    with store, Background(workspace) as background:
        with background.waiting(), background.waiting():
            background.look()
            assert not background.settled(0.3)
            assert embedder.calls == []
        assert background.settled(LONG)
        assert len(embedder.calls) == 1


def test_one_process_of_several_does_it(root: Path) -> None:
    """The others leave it alone, and end at once when they are told to."""
    store, workspace = filled(root, 1)
    embedder = watched(workspace)
    with store, ExitStack() as held:
        desk = workspace.repository.layout.desk
        held.enter_context(locked(desk / LOCK, wait=0, command="another"))
        with Background(workspace) as background:
            background.look()
            assert not background.settled(0.3)
        assert not background._thread.is_alive()
        assert embedder.calls == []
        held.close()
        with Background(workspace) as background:
            background.look()
            assert background.settled(LONG)
        assert len(embedder.calls) == 1


def refusing(_: Sequence[str]) -> None:
    """A model whose package is not there."""
    raise ImportError("numpy")


def wild(texts: Sequence[str]) -> None:
    """A model with a fault of its own."""
    raise ZeroDivisionError(len(texts))


@pytest.mark.parametrize(("fault", "trouble"), [(refusing, "ImportError: numpy"), (wild, "ZeroDivisionError: 1")])
def test_a_model_that_fails_is_silence(
    root: Path, capfd: pytest.CaptureFixture[str], fault: Callable[[Sequence[str]], None], trouble: str
) -> None:
    """Writes and searches by words go on; after three attempts it is left alone."""
    store, workspace = filled(root, 1)
    embedder = watched(workspace, fault)
    with store, Background(workspace) as background:
        for _ in range(5):
            background.look()
            assert background.settled(LONG)
        assert background.trouble == trouble
        assert len(embedder.calls) == 3
        assert store.list().total == 1
    assert capfd.readouterr() == ("", "")


def test_a_failing_embedder_is_told_and_nothing_is_lost(root: Path) -> None:
    """What it says stands where one looks for it."""
    store, workspace = filled(root, 2, "fake-failing@32")
    with store, Background(workspace) as background:
        background.look()
        assert background.settled(LONG)
        assert background.trouble == "this embedder always fails; 2 texts have no vector"
        assert workspace.index.missing_vectors() == 2


def test_a_missing_store_is_silence_too(root: Path) -> None:
    """Until there is one."""
    with Store.init(root, embed="fake-words@32") as store:
        store.write("Racks stand in rooms.")
        workspace = store._workspace
        hidden = root.rename(root.parent / "hidden")
        workspace.close()
        with Background(workspace) as background:
            background.look()
            assert background.settled(LONG)
            assert background.trouble is not None
            hidden.rename(root)
            background.look()
            assert background.settled(LONG)
            assert background.trouble is None
        assert workspace.index.missing_vectors() == 0


def test_the_end_comes_after_the_portion_that_is_being_made(root: Path) -> None:
    """What it has made is kept; the next one is not begun."""
    store, workspace = filled(root, PORTION + 1)
    begun, go_on = threading.Event(), threading.Event()

    def held(_: Sequence[str]) -> None:
        begun.set()
        assert go_on.wait(LONG)

    embedder = watched(workspace, held)
    with store:
        with Background(workspace) as background:
            background.look()
            assert begun.wait(LONG)
            background._ended.set()
            go_on.set()
        assert not background._thread.is_alive()
        assert len(embedder.calls) == 1
        assert workspace.index.missing_vectors() == 1
