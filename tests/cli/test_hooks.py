"""Hooks as a host runs them: a process that ends well and in time, and says what the host understands, or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memhtml.config.settings import load
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.init import init
from memhtml.ops.write import write
from memhtml.store.lock import locked
from memhtml.workspace.workspace import Workspace

CLAIM = "Checkout drains its queue before every deploy."
PROMPT = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "what does checkout do before a deploy?"})


@pytest.fixture
def store(root: Path) -> Path:
    """A store with one memory."""
    variables = dict(os.environ)  # noqa: TID251 - handed on to git
    settings = load({"root": str(root), "embed": "off"}, variables, root.parent / "user.toml", root.parent)
    with Workspace(settings, variables=variables) as workspace:
        init(workspace)
        write(workspace, Draft(MemoryType.SEMANTIC, claim=CLAIM))
    return root


def ran(root: Path, *words: str, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """What a host sees of ``memhtml hook``."""
    variables = {**os.environ, "MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off"}  # noqa: TID251 - handed on
    command = [sys.executable, "-m", "memhtml", "hook", *words]
    return subprocess.run(command, input=given, capture_output=True, env=variables, timeout=60, check=False)


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether it ended well and said nothing, on neither stream."""
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_prompt_is_answered_on_standard_output_alone(store: Path) -> None:
    """Plain text for one host, a JSON object for another; no envelope."""
    plain = ran(store, "user-prompt-submit", given=PROMPT.encode())
    assert (plain.returncode, plain.stderr) == (0, b"")
    assert CLAIM in plain.stdout.decode()
    told = json.loads(ran(store, "user-prompt-submit", "--host", "codex", given=PROMPT.encode()).stdout)
    assert CLAIM in told["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize(
    "given", [b"", b"{", b"\xff\xfe\x00garbage", b"[1]", b"null", b"{}" * 10_000, b'{"prompt": 1}']
)
def test_garbage_is_met_with_silence(store: Path, given: bytes) -> None:
    """Whatever stands on standard input."""
    assert silent(ran(store, "user-prompt-submit", given=given))


@pytest.mark.parametrize(
    "words",
    [
        ("no-such-event",), ("session-start", "--host", "no-such-host"), ("session-start", "--no-such-flag"),
        ("user-prompt-submit", "more"), ("user-prompt-submit", "--root"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_met_with_silence(store: Path, words: tuple[str, ...]) -> None:
    """A host would show it to a person who can do nothing about it."""
    assert silent(ran(store, *words, given=PROMPT.encode()))


@pytest.mark.parametrize("event", ["session-start", "user-prompt-submit", "pre-compact", "session-end"])
def test_a_store_that_is_not_there_is_met_with_silence(tmp_path: Path, event: str) -> None:
    """Neither a folder that is missing, nor one that is no store; and none is made."""
    assert silent(ran(tmp_path / "nowhere", event, given=PROMPT.encode()))
    (tmp_path / "empty").mkdir()
    assert silent(ran(tmp_path / "empty", event, given=PROMPT.encode()))
    assert not (tmp_path / "nowhere").exists()
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_writer_at_work_is_not_waited_for(store: Path) -> None:
    """Nothing that a hook answers with needs the lock."""
    desk = next(path for path in (store / ".git").rglob("lock") if path.name == "lock")
    with locked(desk, wait=1, command="a long write"):
        assert CLAIM in ran(store, "user-prompt-submit", given=PROMPT.encode()).stdout.decode()


def test_an_answer_that_takes_too_long_is_given_up(store: Path) -> None:
    """A host that never ends its input waits a second after a session, and no longer."""
    variables = {**os.environ, "MEMHTML_ROOT": str(store)}  # noqa: TID251 - handed on
    reading, writing = os.pipe()
    try:
        command = [sys.executable, "-m", "memhtml", "hook", "session-end"]
        done = subprocess.run(command, stdin=reading, capture_output=True, env=variables, timeout=60, check=False)
    finally:
        os.close(reading)
        os.close(writing)
    assert silent(done)


def test_a_person_who_asks_for_help_gets_it(store: Path) -> None:
    """And the ends of what may be said."""
    done = ran(store, "--help")
    assert done.returncode == 0
    assert b"session-start" in done.stdout
