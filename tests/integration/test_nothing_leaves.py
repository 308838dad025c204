"""What is remembered and asked stays on this machine, unless somebody configures a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WATCH = """
import io, json, sys
heard = []
def listen(event, arguments):
    if event.startswith("socket.") and event not in {"socket.__new__", "socket.gethostname"}:
        heard.append(event)
    if event in {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"}:
        heard.append([str(word) if isinstance(word, str) else bytes(word).decode() for word in arguments[1]])
sys.addaudithook(listen)
from memhtml.cli.main import main
lines, given = json.loads(sys.argv[1]), json.dumps({"prompt": "what does checkout do before a deploy?"})
for line in lines:
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    heard += [f"{line[0]} failed"] if main(line) else []
sys.stderr.write(json.dumps(heard))
"""
LINES = (
    ("init",),
    ("write", "Checkout drains its queue before every deploy."),
    ("write", "Ask http://127.0.0.1:9/ for the rota.", "--cite", "http://127.0.0.1:9/"),
    ("search", "what does checkout do before a deploy?"),
    ("recall", "checkout"),
    ("hook", "session-start"),
    ("hook", "user-prompt-submit"),
    ("hook", "session-end"),
    ("publish",),
    ("sleep", "run"),
    ("sleep", "review"),
    ("sleep", "merge"),
    ("doctor",),
    ("status",),
)
REMOTE = frozenset({"fetch", "pull", "push", "clone", "ls-remote", "remote", "send-pack", "fetch-pack", "submodule"})


@pytest.mark.parametrize("embed", ["on", "off"])
def test_no_command_opens_a_connection_or_has_git_do_it(tmp_path: Path, embed: str) -> None:
    """Python tells of every socket and every program that it starts; git is the only one, and stays at home."""
    variables = ["--root", str(tmp_path / "store"), "--embed", embed]
    lines = [[*line, *variables] for line in LINES if embed == "on" or line[0] != "sleep"]
    command = [sys.executable, "-c", WATCH, json.dumps(lines)]
    home = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"), str(tmp_path))
    env = {**os.environ, **home}  # noqa: TID251 - handed on to the process
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True, env=env)
    assert {path.name for path in tmp_path.iterdir()} <= {"store", "memhtml"}  # our own cache, and nobody else's
    heard = json.loads(done.stderr)
    programs = [each for each in heard if isinstance(each, list)]
    assert [each for each in heard if isinstance(each, str)] == []
    assert {words[0] for words in programs} == {"git"}
    assert len(programs) > len(lines)
    assert [words for words in programs if not REMOTE.isdisjoint(words)] == []
