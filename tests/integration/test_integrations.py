"""The command itself, in a home of its own: what hosts are told works as they use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memhtml.integrations.jsonc import read, value_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="hooks are lines for a POSIX shell")

SETTINGS = b'{\n  // how I like it\n  "model": "opus",\n}\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a store that knows one thing, and a settings file with a comment."""
    folder = tmp_path / "a home"
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_bytes(SETTINGS)
    memhtml(folder, "init")
    memhtml(folder, "write", "Deploys of the shop happen on Tuesdays.")
    return folder


def memhtml(home: Path, *words: str) -> object:
    """The data of an answer; the process has no search path and no other variables."""
    done = subprocess.run(
        [sys.executable, "-m", "memhtml", *words, "--json"], env=surroundings(home), capture_output=True, check=False
    )
    envelope = json.loads(done.stdout)
    assert done.returncode == 0, envelope
    return envelope["data"]


def surroundings(home: Path) -> dict[str, str]:
    """What a host may leave of an environment."""
    return {"HOME": str(home), "PATH": "", "MEMHTML_EMBED": "off", "GIT_CONFIG_NOSYSTEM": "1"}


def snapshot(home: Path) -> dict[str, bytes | None]:
    """Everything in the home but the store, which commands may look at."""
    paths = (path for path in home.rglob("*") if "memhtml" not in path.relative_to(home).parts[:1])
    return {str(path.relative_to(home)): path.read_bytes() if path.is_file() else None for path in paths}


def test_what_claude_code_is_told_works_as_it_would_use_it(home: Path) -> None:
    """The server answers and writes, each hook is silent or says what is known, and the home is as it was after."""
    before = snapshot(home)
    memhtml(home, "integrations", "install", "claude-code", "--yes")
    healthy = memhtml(home, "integrations", "doctor")
    assert isinstance(healthy, dict)
    assert healthy["healthy"] is True
    told = (home / ".claude" / "settings.json").read_text()
    assert "// how I like it" in told
    hooks = value_of(read(told))
    assert isinstance(hooks, dict)
    said = {}
    for event, (group,) in hooks["hooks"].items():
        payload = json.dumps({"hook_event_name": event, "cwd": str(home), "prompt": "When are deploys of the shop?"})
        line = group["hooks"][0]["command"]
        done = subprocess.run(  # noqa: S602 - as the host does
            line, shell=True, input=payload.encode(), env=surroundings(home), cwd=home, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), event
        said[event] = b"Tuesdays" in done.stdout
    assert said == {"SessionStart": True, "UserPromptSubmit": True, "PreCompact": False, "SessionEnd": False}
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["memhtml"]
    assert written_over(server, home)
    memhtml(home, "integrations", "uninstall", "claude-code", "--yes")
    assert snapshot(home) == before


def written_over(server: dict[str, object], home: Path) -> bool:
    """Whether the registered server takes a write, though it has no search path either."""
    words = [server["command"], *server["args"]]  # type: ignore[misc] # it is a list
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "memory_write", "arguments": {"claim": "Nodes reboot on Sundays."}}
    messages = (
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    )
    process = subprocess.Popen(
        words,
        env=surroundings(home),
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,  # type: ignore[arg-type] # all texts
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
    return answers[1]["id"] == 2 and not answers[1]["result"].get("isError", False)
