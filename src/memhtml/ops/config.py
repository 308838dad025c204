"""Operations `config`: look at settings, and set them in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.config.edit import with_value
from memhtml.config.environment import user_file
from memhtml.config.settings import STORE_FILE, Source, Value, check, load, setting
from memhtml.domain.errors import DirtyTreeError, InvalidSettingError
from memhtml.domain.memory import CommitId
from memhtml.ops.changing import Desk, Staged, Told, change

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


_STORE_PARTS = tuple(STORE_FILE.split("/"))


class SettingValue(Struct, frozen=True):
    """One setting as it is now.

    Attributes:
        value: its text; a secret says only that it is set.
        source: which kind of place it came from.
        origin: the flag, variable or file; empty for a default.
        variable: its environment variable.
    """

    name: str
    value: str
    source: Source
    origin: str
    variable: str
    help: str


class SettingValues(Struct, frozen=True):
    """All settings in table order, and names in files that nothing reads, as ``FILE: NAME``."""

    settings: tuple[SettingValue, ...]
    ignored: tuple[str, ...]


def run_list(workspace: Workspace, arguments: Arguments) -> SettingValues:
    """The `config list` operation."""
    del arguments
    settings = workspace.settings
    return SettingValues(
        tuple(_value(value) for value in settings.values),
        tuple(f"{file}: {name}" for file, name in settings.ignored),
    )


def run_get(workspace: Workspace, arguments: Arguments) -> SettingValue:
    """The `config get` operation."""
    row = setting(arguments.needed("name"))
    return next(_value(value) for value in workspace.settings.values if value.name == row.name)


class SettingChanged(Struct, frozen=True):
    """A setting as a file says it now.

    Attributes:
        value: what was written; ``None`` when it was taken out.
        file: where.
        changed: the file said something else before.
        effective: what holds for this store; another source may be stronger.
        source: where that comes from.
        commit: the commit, where the store's own file was changed.
    """

    name: str
    value: str | None
    file: str
    changed: bool
    effective: str
    source: Source
    commit: CommitId | None


def run_set(workspace: Workspace, arguments: Arguments) -> SettingChanged:
    """The `config set` operation."""
    return set_setting(workspace, arguments.needed("name"), arguments.needed("value"), user=arguments.flag("user"))


def run_unset(workspace: Workspace, arguments: Arguments) -> SettingChanged:
    """The `config unset` operation."""
    return set_setting(workspace, arguments.needed("name"), None, user=arguments.flag("user"))


def set_setting(workspace: Workspace, name: str, value: str | None, *, user: bool) -> SettingChanged:
    """Write a setting into the store's file, as a commit, or into the user's; ``None`` takes it out.

    Raises:
        InvalidSettingError: the name or the value cannot be, or the store's file may not say it.
    """
    row = setting(name)
    if value is not None:
        check(row, value)
    if not user and not row.in_store:
        raise InvalidSettingError(
            f"{row.name} is not set in a store, which others may clone; set it for yourself",
            suggestions=(f"memhtml config set {row.name} VALUE --user", f"{row.variable}=VALUE"),
        )
    file, changed, commit = (
        (*_set_for_user(workspace, row.name, value), None) if user else _set_in_store(workspace, row.name, value)
    )
    user_own, flags = user_file(workspace.variables), {"root": str(workspace.settings.root)}
    now = load(flags, workspace.variables, user_own, Path(), forgiving=True)  # the change is done: nothing refuses now
    effective = next(each for each in now.values if each.name == row.name)
    shown = "(set)" if row.secret and value is not None else value
    return SettingChanged(row.name, shown, file, changed, effective.value, effective.source, commit)


def _set_in_store(workspace: Workspace, name: str, value: str | None) -> tuple[str, bool, CommitId | None]:
    def stage(desk: Desk) -> Staged[None]:
        before = desk.transaction.read(STORE_FILE) or b""
        after = with_value(before, name, value, STORE_FILE)
        if after != before:
            desk.transaction.put(STORE_FILE, after)
        else:
            _refuse_other_file(desk, before)
        return Staged(None, Told(f"memory(config): {'unset' if value is None else 'set'} {name}"))

    try:
        done = change(workspace, stage)
    except DirtyTreeError as error:  # a file that is broken as well should not be committed before it is mended
        broken = tuple(fault for fault in workspace.settings.faults if Path(fault.file).parts[-2:] == _STORE_PARTS)
        if not broken:
            raise
        raise DirtyTreeError(
            f"{error.message}; {broken[0].message}",
            paths=error.paths,
            suggestions=(f"edit {broken[0].file}", *error.suggestions),
        ) from error
    return STORE_FILE, done.commit is not None, done.commit


def _refuse_other_file(desk: Desk, committed: bytes) -> None:
    """See that a file which needs no change is the one that is read: the branch may hold another."""
    found = desk.transaction.work(STORE_FILE) or b""
    if found.replace(b"\r\n", b"\n") != committed.replace(b"\r\n", b"\n"):
        raise DirtyTreeError(
            f"{STORE_FILE} has uncommitted changes, which this command leaves to you",
            paths=(STORE_FILE,),
            suggestions=(f"edit {STORE_FILE}, or commit it first",),
        )


def _set_for_user(workspace: Workspace, name: str, value: str | None) -> tuple[str, bool]:
    file = user_file(workspace.variables)
    try:
        before = file.read_bytes()
    except FileNotFoundError:
        before = b""
    after = with_value(before, name, value, str(file))
    if after != before:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.new")
        beside.touch(mode=0o600)  # a key may be in it
        beside.write_bytes(after)
        beside.replace(file)
    return str(file), after != before


def _value(value: Value) -> SettingValue:
    row = setting(value.name)
    return SettingValue(value.name, value.value, value.source, value.origin, row.variable, row.help)
