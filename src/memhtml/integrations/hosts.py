"""What each host reads, and what is put there: the only place that knows hosts' files."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from memhtml.integrations.parts import Block, Entry, Item, Part, Table, Value, Whole
from memhtml.integrations.texts import INSTRUCTIONS, RULE, SKILL

NAME = "memhtml"


class HostName(StrEnum):
    """A program that agents work in."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI_CLI = "gemini-cli"
    VSCODE = "vscode"


class Reach(StrEnum):
    """For whom: a person, in all projects, or one project."""

    USER = "user"
    PROJECT = "project"


class Places(Struct, frozen=True):
    """Where files lie.

    Attributes:
        home: of the person.
        variables: the environment; two hosts can be told there to keep their files elsewhere.
        project: the folder of the project.
    """

    home: Path
    variables: Mapping[str, str]
    project: Path


class Target(Struct, frozen=True):
    """A file, and what is put into it; all parts of one are of one form."""

    path: Path
    parts: tuple[Part, ...]


Targets = Callable[[Places, tuple[str, ...], tuple[str, ...]], tuple[Target, ...]]

# How long Claude Code waits, in seconds: more than a hook takes at most. All four know by themselves when to stop.
_EVENTS = {
    "SessionStart": ("session-start", 10),
    "UserPromptSubmit": ("user-prompt-submit", 10),
    "PreCompact": ("pre-compact", 30),
    "SessionEnd": ("session-end", 5),
}


def scopes(host: HostName) -> tuple[Reach, ...]:
    """For whom memhtml can be made known to ``host``, the usual one first."""
    return tuple(reach for name, reach in _TARGETS if name is host)


def targets(host: HostName, reach: Reach, places: Places, launcher: tuple[str, ...], root: Path) -> tuple[Target, ...]:
    """The files of ``host`` and what is put into each, in the order in which they are written.

    Args:
        host: one whose `scopes` include ``reach``.
        reach: for whom.
        places: where files lie.
        launcher: the words that start memhtml, absolute, before its own arguments.
        root: the store's folder. It is always named: hosts start programs in environments of their own.
    """
    return _TARGETS[host, reach](places, launcher, ("--root", str(root)))


def claude_folder(places: Places) -> Path:
    """Where Claude Code keeps what is a person's."""
    named = places.variables.get("CLAUDE_CONFIG_DIR", "")
    return Path(named).absolute() if named else places.home / ".claude"


def codex_folder(places: Places) -> Path:
    """Where Codex keeps what is a person's."""
    named = places.variables.get("CODEX_HOME", "")
    return Path(named).absolute() if named else places.home / ".codex"


def _claude_user(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    folder = claude_folder(places)
    own = folder if places.variables.get("CLAUDE_CONFIG_DIR") else places.home
    return (
        _servers(own / ".claude.json", _typed(launcher, store)),
        Target(folder / "settings.json", _hooks(launcher, store)),
        Target(folder / "CLAUDE.md", (Block(INSTRUCTIONS),)),
        Target(folder / "skills" / NAME / "SKILL.md", (Whole(SKILL),)),
    )


def _claude_project(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    folder = places.project / ".claude"
    return (
        _servers(places.project / ".mcp.json", _typed(launcher, store)),
        # Not settings.json, which a project shares: hooks are commands of this machine.
        Target(folder / "settings.local.json", _hooks(launcher, store)),
        Target(places.project / "CLAUDE.md", (Block(INSTRUCTIONS),)),
        Target(folder / "skills" / NAME / "SKILL.md", (Whole(SKILL),)),
    )


def _codex_user(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    folder = codex_folder(places)
    return (
        Target(folder / "config.toml", (Table(("mcp_servers", NAME), _server(launcher, store)),)),
        Target(folder / "AGENTS.md", (Block(INSTRUCTIONS),)),
    )


def _cursor_user(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    return (_servers(places.home / ".cursor" / "mcp.json", _server(launcher, store)),)


def _cursor_project(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    folder = places.project / ".cursor"
    return (
        _servers(folder / "mcp.json", _server(launcher, store)),
        Target(folder / "rules" / f"{NAME}.mdc", (Whole(RULE),)),
    )


def _vscode_project(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    entry = Entry(("servers", NAME), _typed(launcher, store))
    return (Target(places.project / ".vscode" / "mcp.json", (entry,)),)


def _gemini_user(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    folder = places.home / ".gemini"
    return (
        _servers(folder / "settings.json", _server(launcher, store)),
        Target(folder / "GEMINI.md", (Block(INSTRUCTIONS),)),
    )


def _gemini_project(places: Places, launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Target, ...]:
    return (
        _servers(places.project / ".gemini" / "settings.json", _server(launcher, store)),
        Target(places.project / "GEMINI.md", (Block(INSTRUCTIONS),)),
    )


def _servers(path: Path, server: dict[str, Value]) -> Target:
    return Target(path, (Entry(("mcpServers", NAME), server),))


def _server(launcher: tuple[str, ...], store: tuple[str, ...]) -> dict[str, Value]:
    return {"command": launcher[0], "args": [*launcher[1:], "serve", "mcp", *store]}


def _typed(launcher: tuple[str, ...], store: tuple[str, ...]) -> dict[str, Value]:
    return {"type": "stdio", **_server(launcher, store)}


def _hooks(launcher: tuple[str, ...], store: tuple[str, ...]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for event, (word, seconds) in _EVENTS.items():
        words = ("hook", word, "--host", HostName.CLAUDE_CODE.value)
        hook: Value = {"type": "command", "command": _line((*launcher, *words, *store)), "timeout": seconds}
        parts.append(Item(("hooks", event), {"hooks": [hook]}, mark=" ".join(words)))
    return tuple(parts)


def _line(words: tuple[str, ...]) -> str:
    """A command as one line for the shell that a host starts: on Windows too, one that reads quotes as POSIX does."""
    return shlex.join(words)


_TARGETS: dict[tuple[HostName, Reach], Targets] = {
    (HostName.CLAUDE_CODE, Reach.USER): _claude_user,
    (HostName.CLAUDE_CODE, Reach.PROJECT): _claude_project,
    (HostName.CODEX, Reach.USER): _codex_user,
    (HostName.CURSOR, Reach.USER): _cursor_user,
    (HostName.CURSOR, Reach.PROJECT): _cursor_project,
    (HostName.GEMINI_CLI, Reach.USER): _gemini_user,
    (HostName.GEMINI_CLI, Reach.PROJECT): _gemini_project,
    (HostName.VSCODE, Reach.PROJECT): _vscode_project,
}
