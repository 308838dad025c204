"""Where the process begins and ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

END = """
import sys
from memhtml.cli.main import main
{before}
sys.argv = ["memhtml", {word!r}]
status = main()
print("came back with", status)
sys.exit(status)
"""


def ended(word: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """A process that does one command, and would then say that it is still there."""
    script = END.format(before=before, word=word)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(("word", "status"), [("--version", 0), ("no-such-command", 2)])
def test_a_command_that_is_done_ends_its_process(word: str, status: int) -> None:
    """With its answer written and its status, and without a word after it."""
    done = ended(word)
    assert done.returncode == status
    assert "came back" not in done.stdout
    assert done.stdout.startswith("memhtml ") if status == 0 else "no-such-command" in done.stdout


@pytest.mark.parametrize(
    "before",
    [
        "import atexit; atexit.register(print, 'told')",
        "import threading as t; t.Thread(target=lambda: (t.main_thread().join(), print('told'))).start()",
        "sys.setprofile(lambda *_: None)",
    ],
    ids=["told of the end", "another thread", "watched"],
)
def test_what_has_something_to_do_at_the_end_still_does_it(before: str) -> None:
    """The process then ends as Python ends it."""
    done = ended("--version", before)
    assert "came back with 0\n" in done.stdout
    assert "told" in done.stdout or "setprofile" in before
    assert done.returncode == 0


def test_a_standard_output_that_is_gone_is_no_trouble() -> None:
    """Closed before the start, the command says so, with the status that it always had."""
    script = END.format(before="sys.stdout.close(); sys.stdout = None", word="status")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "standard output is closed" in done.stderr
