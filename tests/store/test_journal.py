"""The intent journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml.domain.errors import StorageError
from memhtml.domain.memory import BlobId
from memhtml.store.journal import Intent, Journal

OLD, NEW = BlobId("0" * 40), BlobId("1" * 40)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """In order, with paths of any script, until it is dropped."""
    journal = Journal(tmp_path)
    assert not journal.pending()
    intents = (Intent("areas/日本.html", OLD, NEW, OLD), Intent("areas/b.html", None, NEW, None))
    journal.write(intents)
    assert journal.pending()
    assert Journal(tmp_path).read() == intents
    journal.drop()
    journal.drop()
    assert not journal.pending()
    assert journal.read() == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', '{"intents": [[1]]}', "\x00\xff"])
def test_a_damaged_journal_is_an_empty_one(tmp_path: Path, text: str) -> None:
    """It was renamed into place whole, so damage came from elsewhere; it must not keep every command from working."""
    (tmp_path / "journal").write_text(text, encoding="latin-1")
    assert Journal(tmp_path).read() == ()


def test_a_transaction_knows_its_own_contents() -> None:
    """What the branch held, what it will hold, and what lay in the work tree; anything else is a person's."""
    intent = Intent("areas/a.html", OLD, NEW, None)
    assert [intent.knows(one) for one in (OLD, NEW, None, BlobId("2" * 40))] == [True, True, True, False]
    assert not Intent("areas/a.html", OLD, NEW, OLD).knows(None)


def test_a_journal_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    """The error is of the tree, and nothing is pending."""
    journal = Journal(tmp_path / "none")
    with pytest.raises(StorageError):
        journal.write((Intent("areas/a.html", None, NEW, None),))
    assert not journal.pending()
