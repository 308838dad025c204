"""Interrupts that come early, and a second one."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import threading

import pytest

from memhtml.cli import main as entry
from memhtml.cli.interruption import NOTHING_DONE, told_early, undisturbed
from memhtml.domain.errors import InterruptedCommandError
from memhtml.ops.encoding import dumps
from memhtml.ops.failure import failure
from memhtml.ops.kept import cut_short


@pytest.mark.parametrize("words", [["status"], ["status", "--json"], ["status", "--dense"]])
def test_an_early_interrupt_is_answered_as_the_door_answers(
    capsysbinary: pytest.CaptureFixture[bytes], words: list[str]
) -> None:
    """The same envelope to the byte."""
    assert told_early(words) == 130
    said = failure(cut_short(InterruptedCommandError("interrupted"), None, None))
    assert said == NOTHING_DONE
    assert capsysbinary.readouterr().out.decode() == dumps(said, dense="--dense" in words) + "\n"


def test_a_person_is_told_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """In one line, unless JSON was asked for."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert told_early(["status"]) == 130
    captured = capsysbinary.readouterr()
    assert captured.out == b""
    assert captured.err == b"memhtml: interrupted: nothing was changed (ERR_INTERRUPTED)\n"
    told_early(["status", "--json"])
    assert json.loads(capsysbinary.readouterr().out)["code"] == "ERR_INTERRUPTED"


def test_an_interrupt_while_the_program_is_imported_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """As one that comes as soon as the door opens."""

    def interrupted(words: object) -> int:
        del words
        raise KeyboardInterrupt

    monkeypatch.setattr("memhtml.cli.door.run", interrupted)
    assert entry.main(["status"]) == 130
    assert json.loads(capsysbinary.readouterr().out) == NOTHING_DONE


def test_streams_that_are_closed_or_gone_are_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """130 all the same."""
    gone = io.StringIO()
    gone.close()
    for stream in (None, gone):
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", stream)
        assert told_early([]) == 130


def test_a_second_interrupt_does_not_disturb_the_first() -> None:
    """And afterwards they interrupt as before."""
    with undisturbed():
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    inside: list[bool] = []

    def elsewhere() -> None:
        with undisturbed():
            inside.append(True)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert inside == [True]


def test_next_to_nothing_is_imported_before_interrupts_are_answered() -> None:
    """What stands before `main` cannot be answered by it: only what Python itself has loaded, and three modules."""
    script = "import sys; before = set(sys.modules); import memhtml.cli.main; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"__future__", "gc", "memhtml", "memhtml.cli", "memhtml.cli.main"}
