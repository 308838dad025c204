"""What was put into a host's files: enough to take exactly that out again. It is written before any of them is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from memhtml.domain.errors import StorageError
from memhtml.integrations import files
from memhtml.integrations.hosts import HostName, Reach
from memhtml.integrations.parts import Part, Splice

FOLDER = "integrations"
"""Where receipts lie, in the folder where a person's programs keep what one run leaves for the next."""

FORM = 1


class Written(Struct, frozen=True):
    """What was put into one file.

    Attributes:
        path: the file, absolute.
        before: digest of what it held; empty for no file.
        after: digest of what it held then.
        parts: what was put in.
        splices: the same as texts in their places, one after the other.
        made: objects and lists of the file that were made for it.
        folders: folders that were made for it, the outermost first.
    """

    path: str
    before: str
    after: str
    parts: tuple[Part, ...]
    splices: tuple[Splice, ...]
    made: tuple[tuple[str, ...], ...]
    folders: tuple[str, ...]


class Receipt(Struct, frozen=True):
    """What was put into one host's files.

    Attributes:
        form: of the receipt itself.
        host: whose files.
        scope: for whom.
        project: the project's folder, in the scope of one.
        note: what the marks in the files say.
        written: by file, in the order of writing.
        folders: folders that were made for the receipt, the outermost first.
    """

    form: int
    host: HostName
    scope: Reach
    project: str | None
    note: str
    written: tuple[Written, ...]
    folders: tuple[str, ...] = ()


def digest(data: bytes | None) -> str:
    """What tells one content of a file from every other; empty for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def place(state: Path, host: HostName, scope: Reach, project: Path | None) -> Path:
    """The file of a receipt below ``state``."""
    whose = "" if project is None else f"-{hashlib.sha256(str(project).encode()).hexdigest()[:16]}"
    return state / FOLDER / f"{host.value}-{scope.value}{whose}.json"


def load(file: Path) -> Receipt | None:
    """The receipt in ``file``; ``None`` when there is none.

    Raises:
        StorageError: it cannot be read.
    """
    data = files.read(file)
    if data is None:
        return None
    try:
        receipt = msgspec.json.decode(data, type=Receipt)
    except msgspec.MsgspecError as error:
        raise StorageError(
            f"the receipt {file} cannot be read",
            suggestions=("take out by hand what memhtml put into the host's files, then remove the receipt",),
        ) from error
    if receipt.form > FORM:
        raise StorageError(f"a later memhtml wrote the receipt {file}", suggestions=("upgrade memhtml",))
    return receipt


def all_of(state: Path) -> Iterator[tuple[Path, Receipt]]:
    """Every receipt below ``state`` with its file, by the name of the file.

    Raises:
        StorageError: one cannot be read.
    """
    for file in sorted((state / FOLDER).glob("*.json")):
        receipt = load(file)
        if receipt is not None:
            yield file, receipt


def keep(file: Path, receipt: Receipt) -> None:
    """Write a receipt where none is.

    Raises:
        IntegrationRefusedError: one is there by now.
        StorageError: it cannot be written.
    """
    folders = files.missing_folders(file)
    files.make_folders(folders)
    whole = msgspec.structs.replace(receipt, folders=tuple(map(str, folders)))
    files.replace(file, None, msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")


def drop(file: Path) -> None:
    """Remove a receipt, and the folders that hold nothing more: that of receipts, and those that were made for it.

    Raises:
        StorageError: it cannot be removed.
    """
    receipt, data = load(file), files.read(file)
    if receipt is not None and data is not None:
        files.remove(file, data)
        files.tidy(file)
        files.remove_empty({file.parent, *map(Path, receipt.folders)})
