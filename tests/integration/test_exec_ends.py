"""A script that is at work when its command ends does not stay."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memhtml import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux lists them")

ENDLESS = "while True:\n    pass\n"
LONG, SHORT = 60, 5
"""Seconds that a script may take."""
SOON = 30.0


def interpreter(of: int) -> int | None:
    """The process in which the script of a command runs, once it has begun to work."""
    for listed in Path(f"/proc/{of}/task").glob("*/children"):
        try:
            for child in map(int, listed.read_text().split()):
                name, _, rest = Path(f"/proc/{child}/stat").read_text().partition(") ")
                if name.endswith("(monty") and int(rest.split()[11]) >= 20:  # hundredths of a second that it has worked
                    return child
        except OSError:  # it ended while it was looked at
            continue
    return None


def is_there(process: int) -> bool:
    """Whether it still runs; one that is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().partition(") ")[2][0] != "Z"
    except OSError:
        return False


def at_work(root: Path, environment: dict[str, str], seconds: int) -> tuple[subprocess.Popen[bytes], int]:
    """A command whose script has no end, and the process in which that runs."""
    Store.init(root, embed="off", variables=environment).close()
    command = subprocess.Popen(
        [sys.executable, "-m", "memhtml", "exec", "-", "--limit-seconds", f"{seconds}"],
        env={**environment, "MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert command.stdin is not None
    command.stdin.write(ENDLESS.encode())
    command.stdin.close()
    command.stdin = None
    worker = None
    while worker is None:
        assert command.poll() is None
        worker = interpreter(command.pid)
    return command, worker


def gone(worker: int) -> bool:
    """Whether it ends soon."""
    begun = time.monotonic()
    while is_there(worker):
        if time.monotonic() - begun > SOON:
            return False
    return True


def test_an_interrupt_ends_both(root: Path, environment: dict[str, str]) -> None:
    """A terminal tells all that it has started, so that nobody waits for the limit."""
    command, worker = at_work(root, environment, LONG)
    os.killpg(command.pid, signal.SIGINT)
    out, err = command.communicate(timeout=SOON)
    assert gone(worker)
    assert (command.returncode, err) == (130, b"")
    assert json.loads(out)["code"] == "ERR_INTERRUPTED"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_script_whose_command_is_killed_ends_at_its_limit(
    root: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    """Its own clock goes on: nobody is left who could end it, and it can do nothing but count."""
    command, worker = at_work(root, environment, SHORT)
    command.send_signal(number)
    out, _ = command.communicate(timeout=SOON)
    assert gone(worker)
    assert (command.returncode, out) == (-number, b"")
