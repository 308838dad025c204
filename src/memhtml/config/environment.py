"""The process's environment: the only module that reads it. Everything else gets it as an argument."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

PROGRAM = "memhtml"
PLATFORM: str = sys.platform  # a plain text, so that checkers see every branch


def environment() -> Mapping[str, str]:
    """A copy of the process's environment, as it is now."""
    return dict(os.environ)  # noqa: TID251 - its one home


def home(variables: Mapping[str, str]) -> Path:
    """The user's home folder, by ``HOME`` or ``USERPROFILE`` of ``variables``, else by the system's own records."""
    named = variables.get("USERPROFILE" if PLATFORM == "win32" else "HOME")
    return Path(named) if named else Path.home()


def user_file(variables: Mapping[str, str]) -> Path:
    """Where a user keeps settings for every store; the file need not exist.

    On Linux the rule is one line (XDG base directories) and is written here, because every command asks; elsewhere
    ``platformdirs`` knows. A test compares the two.
    """
    if PLATFORM == "linux":
        named = variables.get("XDG_CONFIG_HOME", "").strip()
        return (Path(named) if named else home(variables) / ".config") / PROGRAM / "config.toml"
    from platformdirs import user_config_path  # costs more than the rest of reading settings

    return user_config_path(PROGRAM, appauthor=False) / "config.toml"


def cache_folder(variables: Mapping[str, str]) -> Path:
    """Where a user keeps what can be made again; the folder need not exist."""
    if PLATFORM == "linux":
        named = variables.get("XDG_CACHE_HOME", "").strip()
        return (Path(named) if named else home(variables) / ".cache") / PROGRAM
    from platformdirs import user_cache_path  # costs more than the rest of reading settings

    return user_cache_path(PROGRAM, appauthor=False)


def state_folder(variables: Mapping[str, str]) -> Path:
    """Where a user keeps what one run leaves for the next, and is for nobody else; the folder need not exist."""
    if PLATFORM == "linux":
        named = variables.get("XDG_STATE_HOME", "").strip()
        return (Path(named) if named else home(variables) / ".local" / "state") / PROGRAM
    from platformdirs import user_state_path  # costs more than the rest of reading settings

    return user_state_path(PROGRAM, appauthor=False)
