"""Hooks as a host runs them: a process that ends well and in time, and says what the host understands, or nothing."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memhtml.config.settings import load
from memhtml.domain.memory import Draft
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.hooking import WAITING
from memhtml.ops.init import init
from memhtml.ops.write import write
from memhtml.store.lock import locked
from memhtml.workspace.workspace import Workspace

CLAIM = "Checkout drains its queue before every deploy."
QUESTION = "what does checkout do before a deploy?"
PROMPT = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": QUESTION})
EVENTS = ("session-start", "user-prompt-submit", "pre-compact", "session-end")
HOSTS = sorted(Path(__file__).with_name("hosts").glob("*.json"))
GARBAGE = (b"{", b"\xff\xfe\x00garbage", b"[1]", b"null", b"{}" * 10_000, b"[" * 200_000, b'{"prompt": ' * 5_000)
MOST_MEMORY = 150 * (1 << 20 if sys.platform == "darwin" else 1 << 10)
"""150 MB, as the system counts."""
MEASURED = """
import os, subprocess, sys
command = [sys.executable, "-m", "memhtml", "hook", "user-prompt-submit", "--root", sys.argv[1]]
with open("/dev/zero", "rb") as endless:
    _, status, usage = os.wait4(subprocess.Popen(command, stdin=endless).pid, 0)
print(status, usage.ru_maxrss)
"""
posix = pytest.mark.skipif(os.name == "nt", reason="there is nothing like it on Windows")


@pytest.fixture
def store(root: Path) -> Path:
    """A store with one memory."""
    variables = dict(os.environ)  # noqa: TID251 - handed on to git
    settings = load({"root": str(root), "embed": "off"}, variables, root.parent / "user.toml", root.parent)
    with Workspace(settings, variables=variables) as workspace:
        init(workspace)
        write(workspace, Draft(MemoryType.SEMANTIC, claim=CLAIM, workspace="shop", event_at="2026-01-05"))
    return root


def ran(root: Path, *words: str, given: bytes | None = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:  # noqa: ANN401 - of subprocess.run
    """What a host sees of ``memhtml hook``."""
    own = {"MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off", "MEMHTML_TRACE_ROOT": str(root.parent / "traces")}
    variables = {**os.environ, **own, **options.pop("variables", {})}  # noqa: TID251 - handed on
    command = [sys.executable, "-m", "memhtml", "hook", *words]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if "stdin" not in streams:
        streams["input"] = given
    return subprocess.run(command, env=variables, timeout=60, check=False, **streams)


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


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.stem)
def test_each_host_gets_what_it_takes_byte_for_byte(store: Path, tmp_path: Path, host: Path, event: str) -> None:
    """What each of them says, and what it is told; in a folder of the project that the memory is of."""
    folder = tmp_path / "shop" / "src"
    folder.mkdir(parents=True)
    (tmp_path / "shop" / ".git").mkdir()
    turn = json.loads(host.read_bytes())[event]
    said = json.dumps(turn["said"]).replace('"@FOLDER@"', json.dumps(str(folder))).replace("@PROMPT@", QUESTION)
    done = ran(store, event, "--host", host.stem, given=said.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == turn["answer"]


@pytest.mark.parametrize("event", EVENTS[:2])
@pytest.mark.parametrize("given", GARBAGE, ids=lambda given: given[:8])
def test_garbage_is_met_with_silence(store: Path, event: str, given: bytes) -> None:
    """Whatever stands on standard input; of what happened, only these ever say something."""
    assert silent(ran(store, event, given=given))


@pytest.mark.parametrize("given", [b"", b"{}", b'{"prompt": 1}', b'{"prompt": "\\ud800 \\u0000"}', b'{"prompt": null}'])
def test_a_prompt_that_says_nothing_is_met_with_silence(store: Path, given: bytes) -> None:
    """It is JSON, and there is nothing in it to ask with."""
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


@pytest.mark.parametrize("event", ["user-prompt-submit", "session-end"])
def test_an_input_that_never_ends_is_not_waited_for(store: Path, event: str) -> None:
    """A host that keeps its end open waits for the limit, and no longer."""
    reading, writing = os.pipe()
    try:
        assert silent(ran(store, event, stdin=reading))
    finally:
        os.close(reading)
        os.close(writing)


@posix
def test_the_limit_holds_where_no_interrupt_is_heard(store: Path) -> None:
    """A host may have blocked the signal for all that it starts."""
    block = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]);"
    line = f"{block} os.execv(sys.executable, [sys.executable, '-m', 'memhtml', 'hook', 'session-end'])"
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", line], stdin=reading, capture_output=True, timeout=60, check=False, cwd=store
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert silent(done)


@posix
def test_an_input_without_measure_is_not_taken_in(store: Path) -> None:
    """No host says so much; it is no question, and does not fill the memory."""
    # By a process in between, since a child is also charged with what its parent held when it was made.
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(store)], capture_output=True, timeout=60, check=True, text=True
    )
    status, peak = map(int, done.stdout.split())
    assert (status, done.stderr) == (0, "")
    assert peak < MOST_MEMORY


@posix
def test_a_disk_that_stands_still_is_given_up_and_nothing_of_it_stays(store: Path, tmp_path: Path) -> None:
    """A git that never answers, where the index must follow the branch: silence in time, and no such git is left."""
    shelf = tmp_path / "bin"
    shelf.mkdir()
    (shelf / "git").write_text(f'#!/bin/sh\necho $$ >> "{tmp_path}/pids"\nexec tail -f /dev/null\n')
    (shelf / "git").chmod(0o755)
    git = ["git", "-C", str(store), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "something"], check=True)
    path = f"{shelf}{os.pathsep}{os.defpath}"
    assert silent(ran(store, "user-prompt-submit", given=PROMPT.encode(), variables={"PATH": path}))
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_database_that_another_process_keeps_is_given_up(store: Path) -> None:
    """Whoever holds the index so that nobody may read it is waited for until the limit, if at all."""
    with closing(sqlite3.connect(store / ".memhtml" / "index.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE held (x)")
        assert silent(ran(store, "user-prompt-submit", given=PROMPT.encode()))
        other.execute("ROLLBACK")


@pytest.mark.parametrize("damage", ["broken config", "broken index", "no commit", "a link for a mark", "no folder"])
def test_a_store_in_disorder_never_makes_a_hook_fail(store: Path, tmp_path: Path, damage: str) -> None:
    """An answer where one can be had, or silence; nothing outside the store is touched."""
    if damage == "a link for a mark" and os.name == "nt":
        pytest.skip("links need a privilege there")
    own = store / ".memhtml"
    outside = tmp_path / "outside"
    if damage == "broken config":
        (own / "config.toml").write_text("= [")
    elif damage == "broken index":
        (own / "index.db").write_bytes(b"no database at all" * 500)
    elif damage == "no commit":
        shutil.rmtree(store / ".git" / "refs")
    elif damage == "a link for a mark":
        (own / "traces.waiting").symlink_to(outside)
    else:
        shutil.rmtree(own)
    for event in reversed(EVENTS):
        done = ran(store, event, given=PROMPT.encode())
        assert (done.returncode, done.stderr) == (0, b"")
        assert not done.stdout or CLAIM in done.stdout.decode()
    assert not outside.exists()


@posix
def test_nobody_who_listens_is_no_failure(store: Path) -> None:
    """A reader that is gone, a full disk, closed streams; what is left in a buffer does not fail at the end."""
    buffered = {"PYTHONUNBUFFERED": ""}
    reading, writing = os.pipe()
    os.close(reading)
    done = ran(store, "user-prompt-submit", given=PROMPT.encode(), stdout=writing, variables=buffered)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            done = ran(store, "user-prompt-submit", given=PROMPT.encode(), stdout=full, variables=buffered)
        assert (done.returncode, done.stderr) == (0, b"")
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        line = f'exec "{sys.executable}" -m memhtml hook user-prompt-submit --root "{store}" {closed}'
        done = subprocess.run(["sh", "-c", line], input=PROMPT.encode(), capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


def test_a_session_is_told_before_transcripts_are_read(store: Path) -> None:
    """What another process holds up there costs the answer nothing, and is done at another start."""
    mark = store / WAITING
    assert silent(ran(store, "session-end", given=b"{}"))
    assert mark.exists()
    assert (
        subprocess.run(["git", "-C", str(store), "status", "--porcelain"], capture_output=True, check=True).stdout
        == b""
    )
    (store.parent / "traces").mkdir()
    with closing(sqlite3.connect(store / ".memhtml" / "traces.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE held (x)")
        assert CLAIM in ran(store, "session-start", given=b"{}").stdout.decode()
        assert mark.exists()
        other.execute("ROLLBACK")
    assert CLAIM in ran(store, "session-start", given=b"{}").stdout.decode()
    assert not mark.exists()


def test_a_person_who_asks_for_help_gets_it(store: Path) -> None:
    """And the ends of what may be said."""
    done = ran(store, "--help")
    assert done.returncode == 0
    assert b"session-start" in done.stdout
