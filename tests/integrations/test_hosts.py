"""What each host is told, and where."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from memhtml.integrations.hosts import HostName, Places, Reach, scopes, targets
from memhtml.integrations.parts import Block, Entry, Item, Table, Whole
from memhtml.ops.rows_doors import HOSTS

LAUNCHER = ("/opt/my tools/memhtml",)
ROOT = Path("/home/ada/memhtml")
PLACES = Places(Path("/home/ada"), {}, Path("/work/shop"))
SERVER = {"command": "/opt/my tools/memhtml", "args": ["serve", "mcp", "--root", "/home/ada/memhtml"]}

# The documented paths, and no others.
FILES = {
    (HostName.CLAUDE_CODE, Reach.USER): [
        "/home/ada/.claude.json",
        "/home/ada/.claude/settings.json",
        "/home/ada/.claude/CLAUDE.md",
        "/home/ada/.claude/skills/memhtml/SKILL.md",
    ],
    (HostName.CLAUDE_CODE, Reach.PROJECT): [
        "/work/shop/.mcp.json",
        "/work/shop/.claude/settings.local.json",
        "/work/shop/CLAUDE.md",
        "/work/shop/.claude/skills/memhtml/SKILL.md",
    ],
    (HostName.CODEX, Reach.USER): ["/home/ada/.codex/config.toml", "/home/ada/.codex/AGENTS.md"],
    (HostName.CURSOR, Reach.USER): ["/home/ada/.cursor/mcp.json"],
    (HostName.CURSOR, Reach.PROJECT): ["/work/shop/.cursor/mcp.json", "/work/shop/.cursor/rules/memhtml.mdc"],
    (HostName.GEMINI_CLI, Reach.USER): ["/home/ada/.gemini/settings.json", "/home/ada/.gemini/GEMINI.md"],
    (HostName.GEMINI_CLI, Reach.PROJECT): ["/work/shop/.gemini/settings.json", "/work/shop/GEMINI.md"],
    (HostName.VSCODE, Reach.PROJECT): ["/work/shop/.vscode/mcp.json"],
}


def paths(host: HostName, reach: Reach, places: Places = PLACES) -> list[str]:
    """The files that are changed, in their order."""
    return [target.path.as_posix() for target in targets(host, reach, places, LAUNCHER, ROOT)]


@pytest.mark.parametrize(("host", "reach"), FILES)
def test_only_the_documented_files_are_named(host: HostName, reach: Reach) -> None:
    """In the order in which they are written."""
    assert paths(host, reach) == FILES[host, reach]


def test_every_host_has_a_scope_and_every_scope_its_files() -> None:
    """The hosts are those of the command line."""
    assert {(host, reach) for host in HostName for reach in scopes(host)} == set(FILES)
    assert sorted(HostName) == sorted(HOSTS)
    assert scopes(HostName.CLAUDE_CODE) == (Reach.USER, Reach.PROJECT)


@pytest.mark.parametrize(("host", "reach"), FILES)
def test_each_host_is_told_the_server_by_its_whole_path(host: HostName, reach: Reach) -> None:
    """And the store, since it starts programs in an environment of its own."""
    first = targets(host, reach, PLACES, LAUNCHER, ROOT)[0].parts
    assert len(first) == 1
    match first[0]:
        case Entry(path=path, value=value):
            typed = host in {HostName.CLAUDE_CODE, HostName.VSCODE}
            assert value == ({"type": "stdio", **SERVER} if typed else SERVER)
            assert path == ("servers" if host is HostName.VSCODE else "mcpServers", "memhtml")
        case Table(path=path, value=value):
            assert (path, value) == (("mcp_servers", "memhtml"), SERVER)
        case other:
            pytest.fail(f"{other}")


def test_claude_code_is_told_four_hooks_in_its_own_form() -> None:
    """Each a line for a shell, that waits longer than the hook itself does."""
    from memhtml.cli.hooks import LIMITS

    hooks = targets(HostName.CLAUDE_CODE, Reach.USER, PLACES, LAUNCHER, ROOT)[1].parts
    found = {}
    for part in hooks:
        assert isinstance(part, Item)
        assert part.path[0] == "hooks"
        value = part.value
        assert isinstance(value, dict)
        (hook,) = value["hooks"]
        assert hook["type"] == "command"
        words = shlex.split(hook["command"])
        assert words[0] == LAUNCHER[0]
        assert words[3:] == ["--host", "claude-code", "--root", str(ROOT)]
        assert words[1] == "hook"
        assert hook["timeout"] > LIMITS[words[2]]
        assert part.mark in hook["command"]
        found[part.path[1]] = words[2]
    assert found == {
        "SessionStart": "session-start",
        "UserPromptSubmit": "user-prompt-submit",
        "PreCompact": "pre-compact",
        "SessionEnd": "session-end",
    }


def test_two_hosts_can_be_told_to_keep_their_files_elsewhere() -> None:
    """By variables of their own."""
    places = Places(Path("/home/ada"), {"CLAUDE_CONFIG_DIR": "/cc", "CODEX_HOME": "/cx"}, Path("/work/shop"))
    assert paths(HostName.CLAUDE_CODE, Reach.USER, places) == [
        "/cc/.claude.json",
        "/cc/settings.json",
        "/cc/CLAUDE.md",
        "/cc/skills/memhtml/SKILL.md",
    ]
    assert paths(HostName.CODEX, Reach.USER, places) == ["/cx/config.toml", "/cx/AGENTS.md"]


def test_what_agents_read_is_whole() -> None:
    """A skill and a rule begin with their heads; a block holds no mark and no secret place of this machine."""
    for host, reach in FILES:
        for target in targets(host, reach, PLACES, LAUNCHER, ROOT):
            for part in target.parts:
                if isinstance(part, Whole):
                    assert part.text.startswith("---\n")
                    assert part.text.endswith("\n")
                    assert part.text.count("\n---\n") == 1
                if isinstance(part, Whole | Block):
                    assert "memory_search" in part.text
                    assert "memhtml:" not in part.text
                    assert "/home" not in part.text
                    assert part.text.isascii()
