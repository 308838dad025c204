"""Parts put in and taken out, file by file, whatever comes between."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import IntegrationRefusedError, MemhtmlError
from memhtml.integrations import installing, receipt
from memhtml.integrations.hosts import HostName, Reach, Target
from memhtml.integrations.installing import Change, State
from memhtml.integrations.parts import Block, Entry, Whole
from memhtml.integrations.receipt import Receipt

ENTRY = Entry(("mcpServers", "memhtml"), {"command": "/m"})


@pytest.fixture
def receipt_file(tmp_path: Path) -> Path:
    """Where the receipt is."""
    return tmp_path / "state" / "r.json"


def targets(folder: Path) -> list[Target]:
    """Three files."""
    return [
        Target(folder / "a.json", (ENTRY,)),
        Target(folder / "b" / "page.md", (Block("text"),)),
        Target(folder / "c" / "d" / "whole.md", (Whole("whole\n"),)),
    ]


def kept(changes: tuple[Change, ...]) -> Receipt:
    """The receipt of changes."""
    written = tuple(change.written for change in changes if change.written is not None)
    return Receipt(receipt.FORM, HostName.CURSOR, Reach.USER, None, "note", written)


def names(folder: Path) -> list[str]:
    """All that is there."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed from inside, after a fork")
@pytest.mark.parametrize("do", ["install", "uninstall"])
def test_a_kill_at_any_instant_loses_nothing(tmp_path: Path, environment: dict[str, str], do: str) -> None:
    """Every file is the old or the new one, and from any of these states an uninstall finds the way back."""
    program = [sys.executable, "-m", "tests.integrations.killed", str(tmp_path), do]
    root = Path(__file__).parents[2]
    done = subprocess.run(program, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 40  # as many instants as there are files to write, and folders to make, many times over


def test_what_fails_half_way_is_undone(tmp_path: Path, receipt_file: Path) -> None:
    """No file holds a part, and no receipt says so."""
    folder = tmp_path / "home"
    folder.mkdir()
    changes = installing.putting_in(targets(folder), "note")
    (folder / "c").mkdir()
    (folder / "c" / "d").write_text("a file where a folder should be")
    before = names(folder)
    with pytest.raises(MemhtmlError):
        installing.put_in(changes, kept(changes), receipt_file)
    assert names(folder) == before
    assert not receipt_file.exists()


def test_a_file_that_changes_between_thought_and_deed_is_not_written_over(tmp_path: Path, receipt_file: Path) -> None:
    """The first files are as they were again."""
    folder = tmp_path / "home"
    folder.mkdir()
    changes = installing.putting_in(targets(folder), "note")
    (folder / "b").mkdir()
    (folder / "b" / "page.md").write_text("just now")
    with pytest.raises(IntegrationRefusedError, match="somebody else"):
        installing.put_in(changes, kept(changes), receipt_file)
    assert names(folder) == ["b", "b/page.md"]
    assert (folder / "b" / "page.md").read_text() == "just now"


class Interrupted(tuple[Change, ...]):
    """Changes of which only the first two come to be before somebody interrupts."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Change]:
        """The first two."""
        yield self[0]
        yield self[1]
        raise KeyboardInterrupt


def test_an_interrupt_half_way_is_undone(tmp_path: Path, receipt_file: Path) -> None:
    """As an error is."""
    folder = tmp_path / "home"
    folder.mkdir()
    changes = installing.putting_in(targets(folder), "note")
    with pytest.raises(KeyboardInterrupt):
        installing.put_in(Interrupted(changes), kept(changes), receipt_file)
    assert names(folder) == []
    assert not receipt_file.exists()


def test_what_stands_already_is_nobodys_to_take_out(tmp_path: Path, receipt_file: Path) -> None:
    """Only what was put in is in the receipt; where all stands there is nothing to do."""
    page = tmp_path / "page.md"
    page.write_text("whole\n")
    assert installing.putting_in([Target(page, (Whole("whole\n"),))], "note") == ()
    changes = installing.putting_in([Target(page, (Whole("whole\n"),)), Target(tmp_path / "a.json", (ENTRY,))], "note")
    installing.put_in(changes, kept(changes), receipt_file)
    found = receipt.load(receipt_file)
    assert found is not None
    installing.take_out(installing.taking_out(found), found, receipt_file)
    assert names(tmp_path) == ["page.md"]


def test_states_are_told_apart(tmp_path: Path, receipt_file: Path) -> None:
    """In place also where something else was changed."""
    path = tmp_path / "a.json"
    changes = installing.putting_in([Target(path, (ENTRY,))], "note")
    installing.put_in(changes, kept(changes), receipt_file)
    (written,) = kept(changes).written
    whole = path.read_text()
    states = {
        whole: State.IN_PLACE,
        whole.replace("{\n", '{\n  "a": 1,\n', 1): State.IN_PLACE,
        whole.replace("/m", "/n"): State.CHANGED,
        whole.replace('"command"', '// mine\n"command"'): State.CHANGED,
        "{}": State.MISSING,
        "": State.MISSING,
        "{": State.UNREADABLE,
    }
    for text, state in states.items():
        path.write_text(text)
        assert installing.state(written, "note") is state, text
    path.unlink()
    assert installing.state(written, "note") is State.MISSING
    path.mkdir()
    assert installing.state(written, "note") is State.UNREADABLE


def test_all_refusals_are_told_at_once(tmp_path: Path) -> None:
    """So that a person mends them in one go."""
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{")
    with pytest.raises(IntegrationRefusedError) as caught:
        installing.putting_in([Target(tmp_path / name, (ENTRY,)) for name in ("a.json", "b.json")], "note")
    assert "nothing was changed" in caught.value.message
    assert all(str(tmp_path / name) in caught.value.message for name in ("a.json", "b.json"))


def test_an_empty_file_that_somebody_made_later_stays(tmp_path: Path, receipt_file: Path) -> None:
    """Where the part never came to be, whatever the receipt says."""
    path = tmp_path / "a.json"
    changes = installing.putting_in([Target(path, (ENTRY,))], "note")
    receipt.keep(receipt_file, kept(changes))
    path.write_text("{}")
    found = receipt.load(receipt_file)
    assert found is not None
    installing.take_out(installing.taking_out(found), found, receipt_file)
    assert path.read_text() == "{}"
