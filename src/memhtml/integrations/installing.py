"""Parts put into a host's files, and taken out: first all of it in thought, then file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from memhtml.domain.errors import IntegrationRefusedError, MemhtmlError
from memhtml.integrations import documents, entries, files
from memhtml.integrations import receipt as receipts
from memhtml.integrations.hosts import Target
from memhtml.integrations.parts import Disputed, Part, Splice, Unreadable, unspliced
from memhtml.integrations.receipt import Receipt, Written, digest

Read = Callable[[Path], bytes | None]
Thing = TypeVar("Thing")


class State(StrEnum):
    """How what was put into a file stands there now."""

    IN_PLACE = "in-place"
    MISSING = "missing"
    CHANGED = "changed"
    UNREADABLE = "unreadable"


class Change(Struct, frozen=True):
    """What becomes of one file.

    Attributes:
        path: the file.
        before: what it holds; ``None`` for no file.
        after: what it will hold; ``None`` for no file.
        written: for the receipt, where something is put in.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    written: Written | None = None


def putting_in(
    targets: Iterable[Target], note: str, read: Read = files.read, within: Path | None = None
) -> tuple[Change, ...]:
    """What has to be done so that every file holds its parts; files that do are left out.

    Args:
        targets: the files and their parts.
        note: what marks in the files say.
        read: how a file is read.
        within: the folder that no file may lie outside of, by way of a link: a project that came from elsewhere may
            hold some.

    Raises:
        IntegrationRefusedError: one of them cannot take its parts; all such files are named.
    """
    changes, refused = _each(targets, lambda target: _put_in(_inside(target, within), note, read))
    _refuse(refused)
    return changes


def taking_out(receipt: Receipt, read: Read = files.read) -> tuple[Change, ...]:
    """What has to be done so that no file holds what ``receipt`` says was put there; files that do not are left out.

    A file that is as it was left becomes, byte for byte, what it was before. From one that was changed since, exactly
    the parts are taken out.

    Raises:
        IntegrationRefusedError: somebody changed a part itself; all such files are named.
    """
    changes, refused = _each(receipt.written, lambda written: _take_out(written, receipt.note, read))
    _refuse(refused, "take out what is named by hand, then repeat the command")
    return changes


def after(changes: Iterable[Change]) -> Read:
    """How files will be read once the changes are made."""
    known = {change.path: change.after for change in changes}
    return lambda path: known[path] if path in known else files.read(path)


def put_in(changes: tuple[Change, ...], receipt: Receipt, file: Path) -> None:
    """Keep the receipt, then change the files. What fails half way is undone.

    Raises:
        IntegrationRefusedError: somebody changed a file just now, or put the same in.
        StorageError: something cannot be written.
    """
    receipts.keep(file, receipt)
    try:
        for change in changes:
            if change.written is not None and change.after is not None:
                files.make_folders(Path(folder) for folder in change.written.folders)
                files.replace(change.path, change.before, change.after)
    except (MemhtmlError, KeyboardInterrupt):
        with suppress(MemhtmlError):  # what cannot be undone now, the receipt knows, and `integrations uninstall`
            take_out(taking_out(receipt), receipt, file)
        raise


def take_out(changes: tuple[Change, ...], receipt: Receipt, file: Path) -> None:
    """Change the files back, remove what was made for them, and then the receipt.

    Raises:
        IntegrationRefusedError: somebody changed a file just now.
        StorageError: something cannot be written.
    """
    for change in changes:
        if change.before is not None and change.after is None:
            files.remove(change.path, change.before)
        elif change.after is not None:
            files.replace(change.path, change.before, change.after)
    for written in receipt.written:
        files.tidy(Path(written.path))
    files.remove_empty(Path(folder) for written in receipt.written for folder in written.folders)
    receipts.drop(file)


def state(written: Written, note: str) -> State:
    """How what was put into one file stands there now.

    Raises:
        StorageError: the file cannot be read.
    """
    try:
        data = files.read(Path(written.path))
        if digest(data) == written.after:
            return State.IN_PLACE
        text = documents.text_of(data or b"")
        missing = [part for part in written.parts if documents.take_out(text, part, note) == text]
    except Disputed:
        return State.CHANGED
    except (Unreadable, IntegrationRefusedError):
        return State.UNREADABLE
    return State.MISSING if missing else State.IN_PLACE


def _each(things: Iterable[Thing], do: Callable[[Thing], Change | None]) -> tuple[tuple[Change, ...], list[str]]:
    """What ``do`` makes of each thing that it makes something of, and why it refused others."""
    changes: list[Change] = []
    refused: list[str] = []
    for thing in things:
        try:
            change = do(thing)
        except IntegrationRefusedError as error:
            refused.append(error.message)
            continue
        if change is not None:
            changes.append(change)
    return tuple(changes), refused


def _refuse(refused: list[str], *advice: str) -> None:
    if refused:
        raise IntegrationRefusedError(f"nothing was changed: {'; '.join(refused)}", suggestions=advice)


def _inside(target: Target, within: Path | None) -> Target:
    if within is not None and not target.path.parent.resolve().is_relative_to(within):
        raise IntegrationRefusedError(f"{target.path} lies outside the project, by way of a link")
    return target


def _put_in(target: Target, note: str, read: Read) -> Change | None:
    before = read(target.path)
    parts: list[Part] = []
    splices: list[Splice] = []
    made: list[tuple[str, ...]] = []
    try:
        text = documents.text_of(before or b"")
        for part in target.parts:
            added = documents.add(text, part, note)
            if added.splices:
                text = added.text
                parts.append(part)
                splices += added.splices
                made += added.made
    except (Unreadable, Disputed) as error:
        raise IntegrationRefusedError(f"{target.path}: {error}") from error
    if not parts:
        return None
    if not files.writable(target.path):
        raise IntegrationRefusedError(f"{target.path}: it, or the folder above it, is not to be written")
    data = text.encode()
    folders = tuple(str(folder) for folder in files.missing_folders(target.path))
    written = Written(
        str(target.path), digest(before), digest(data), tuple(parts), tuple(splices), tuple(made), folders
    )
    return Change(target.path, before, data, written)


def _take_out(written: Written, note: str, read: Read) -> Change | None:
    path = Path(written.path)
    now = read(path)
    if now is None:
        return None
    try:
        text = documents.text_of(now)
        rest = unspliced(text, written.splices) if digest(now) == written.after else _without(text, written, note)
        gone = not written.before and documents.is_hollow(rest, written.parts[0])
    except (Unreadable, Disputed) as error:
        raise IntegrationRefusedError(f"{path}: {error}") from error
    if rest == text:  # nothing of it is there: the file is somebody else's, were it ever so empty
        return None
    return Change(path, now, None if gone else rest.encode())


def _without(text: str, written: Written, note: str) -> str:
    """``text`` without the parts, and without what was made around them and is empty now."""
    rest = text
    for part in reversed(written.parts):
        rest = documents.take_out(rest, part, note)
    for path in sorted(written.made, key=len, reverse=True):
        rest = entries.prune(rest, path)
    return rest
