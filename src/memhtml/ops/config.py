"""Operations `config`: look at settings, and set them in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memhtml.config.settings import Source, Value, setting

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SettingValue:
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


@dataclass(frozen=True, slots=True)
class SettingValues:
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


def _value(value: Value) -> SettingValue:
    row = setting(value.name)
    return SettingValue(value.name, value.value, value.source, value.origin, row.variable, row.help)
