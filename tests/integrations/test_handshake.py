"""A server, greeted as a host greets it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memhtml.integrations.handshake import greet


def server(body: str) -> tuple[str, ...]:
    """A server of a few lines: ``said`` is what came, ``say`` answers."""
    head = (
        "import json, sys\n"
        "def hear(): return json.loads(sys.stdin.readline())\n"
        "def say(**message): print(json.dumps({'jsonrpc': '2.0', **message}), flush=True)\n"
    )
    return sys.executable, "-c", head + body


GOOD = (
    "said = hear(); assert said['method'] == 'initialize' and said['params']['protocolVersion']\n"
    "say(method='notifications/message', params={})\n"
    "say(id=said['id'], result={'serverInfo': {'name': 'x', 'version': '2'}})\n"
    "assert hear()['method'] == 'notifications/initialized'\n"
    "said = hear(); assert said['method'] == 'tools/list'\n"
    "say(id=said['id'], result={'tools': [{}, {}, {}]})\n"
    "assert sys.stdin.read() == ''\n"
)


def test_a_server_that_answers_is_told_with_its_tools(tmp_path: Path, environment: dict[str, str]) -> None:
    """What it says unasked is passed over; it is ended by the end of its input."""
    done = tmp_path / "done"
    greeted = greet(server(f"{GOOD}open({str(done)!r}, 'w')"), environment, tmp_path)
    assert (greeted.fault, greeted.server, greeted.tools) == (None, "x 2", 3)
    assert greeted.seconds > 0
    assert done.exists()


def test_it_starts_where_it_is_told_to_with_what_it_is_given(tmp_path: Path, environment: dict[str, str]) -> None:
    """A folder and variables."""
    told = "import os\nopen('here', 'w').write(os.environ['OWN'])\n"
    assert greet(server(told + GOOD), {**environment, "OWN": "x"}, tmp_path).fault is None
    assert (tmp_path / "here").read_text() == "x"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("sys.exit(3)", "ended with 3 before it had answered"),
        ("hear(); print('Welcome!', flush=True); sys.stdin.read()", "ended with 0 before it had answered"),
        ("hear(); print('[]', flush=True); sys.exit(4)", "ended with 4 before it had answered"),
        ("said = hear(); say(id=said['id'], error={'code': -1}); sys.exit(5)", "ended with 5 before it had answered"),
        ("said = hear(); say(id=said['id'], result={'serverInfo': 1}); hear(); hear(); say(id=2, result={})", "ended"),
    ],
)
def test_a_server_that_does_not_answer_is_told_with_what_it_did(
    tmp_path: Path, environment: dict[str, str], body: str, fault: str
) -> None:
    """Nothing that it does is an error here."""
    greeted = greet(server(body), environment, tmp_path)
    assert greeted.fault is not None
    assert fault in greeted.fault or "speaks no Model Context Protocol" in greeted.fault
    assert greeted.tools == 0


def test_a_server_that_says_nothing_is_not_waited_for(tmp_path: Path, environment: dict[str, str]) -> None:
    """Nor is one that goes on when its input has ended: it is gone afterwards."""
    greeted = greet(server("import time\nwhile True: time.sleep(1)"), environment, tmp_path, patience=0.5)
    assert greeted.fault == "said nothing for 0.5 seconds"


@pytest.mark.skipif(os.name != "posix", reason="whether a process is there is asked as POSIX does")
def test_a_server_that_goes_on_when_its_input_has_ended_is_killed(tmp_path: Path, environment: dict[str, str]) -> None:
    """It has answered, and so it is well; but no process is left behind."""
    number = tmp_path / "number"
    body = f"import os\nopen({str(number)!r}, 'w').write(str(os.getpid()))\n{GOOD}while True: pass"
    assert greet(server(body), environment, tmp_path).fault is None
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


@pytest.mark.parametrize("command", [("/nowhere/memhtml",), ("a\0b",)])
def test_a_command_that_is_not_there_is_told(tmp_path: Path, environment: dict[str, str], command: tuple[str]) -> None:
    """As whatever the system says."""
    assert str(greet(command, environment, tmp_path).fault).startswith("cannot be started: ")
