"""What was put where."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml.domain.errors import IntegrationRefusedError, StorageError
from memhtml.integrations.hosts import HostName, Reach
from memhtml.integrations.parts import Block, Entry, Item, Splice, Table, Whole
from memhtml.integrations.receipt import FORM, Receipt, Written, all_of, digest, drop, keep, load, place

PARTS = (
    Entry(("a", "b"), {"c": ["d", 1, None, True, {"e": 0.5}]}),
    Item(("a",), {"c": "d"}, mark="x"),
    Table(("a",), {"b": "c", "d": ["e"]}),
    Block("text\n"),
    Whole("ü\ud7ff"),
)
RECEIPT = Receipt(
    form=FORM,
    host=HostName.CODEX,
    scope=Reach.USER,
    project=None,
    note="why",
    written=(Written("/h/a", digest(None), digest(b"x"), PARTS, (Splice(3, "\r\n\t"),), (("a",),), ("/h",)),),
)


def test_a_receipt_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    """With every form of part; and nothing is left when it is dropped."""
    file = place(tmp_path / "x" / "state", HostName.CODEX, Reach.USER, None)
    assert load(file) is None
    assert list(all_of(tmp_path / "x" / "state")) == []
    keep(file, RECEIPT)
    found = load(file)
    assert found is not None
    assert found.written == RECEIPT.written
    assert found.folders == tuple(str(folder) for folder in (tmp_path / "x", file.parent.parent, file.parent))
    assert [each for each, _ in all_of(tmp_path / "x" / "state")] == [file]
    drop(file)
    drop(file)
    assert list(tmp_path.iterdir()) == []


def test_a_receipt_is_not_written_over(tmp_path: Path) -> None:
    """Of two installs at once one is refused, before it has changed a file."""
    file = tmp_path / "a.json"
    keep(file, RECEIPT)
    with pytest.raises(IntegrationRefusedError):
        keep(file, RECEIPT)


def test_every_project_has_a_receipt_of_its_own() -> None:
    """By its whole path."""
    files = {
        place(Path("s"), HostName.CURSOR, scope, project)
        for scope, project in ((Reach.USER, None), (Reach.PROJECT, Path("/a/x")), (Reach.PROJECT, Path("/b/x")))
    }
    assert len(files) == 3
    assert place(Path("s"), HostName.CURSOR, Reach.USER, None) == Path("s/integrations/cursor-user.json")


@pytest.mark.parametrize("data", [b"", b"{}", b"[", b'{"form": 1, "host": "emacs"}', b"\xff"])
def test_a_receipt_that_cannot_be_read_is_an_error(tmp_path: Path, data: bytes) -> None:
    """Nothing is taken out by guessing."""
    file = tmp_path / "a.json"
    file.write_bytes(data)
    with pytest.raises(StorageError) as caught:
        load(file)
    assert caught.value.suggestions


def test_a_receipt_of_a_later_version_is_left_to_it(tmp_path: Path) -> None:
    """It may say what this one does not know."""
    file = tmp_path / "a.json"
    keep(file, RECEIPT)
    file.write_bytes(file.read_bytes().replace(b'"form": 1', b'"form": 2'))
    with pytest.raises(StorageError, match="later"):
        load(file)
