"""A command interrupted at any instant says truly what is done, and leaves nothing half done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")

# Interrupts itself at the n-th look at the disk, start of a process or import: a person's Ctrl-C, at a known place.
CTRL_C = """
import signal, sys

class CtrlC:
    def __init__(self, instant):
        self.instant = instant
        self.seen = 0

    def __call__(self, event, _):
        if event in {"open", "import", "os.rename", "os.remove", "subprocess.Popen", "fcntl.flock", "sqlite3.connect"}:
            self.seen += 1
            if self.seen == self.instant:
                signal.raise_signal(signal.SIGINT)

ctrl_c = CtrlC(int(sys.argv.pop(1)))
from memhtml.cli.main import main
sys.addaudithook(ctrl_c)
status = main(sys.argv[1:])
if not ctrl_c.instant:
    print(ctrl_c.seen, file=sys.stderr)
sys.exit(status)
"""
LIVED = "answered"


class Field:
    """A store, and commands on it that are interrupted."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root = root
        self.variables = {**environment, "MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off"}
        self.run("init")
        self.run("write", "Nodes reboot on Sundays.")

    def run(self, *words: str, instant: int = 0) -> subprocess.CompletedProcess[bytes]:
        """A command, interrupted at an instant; at none when that is 0."""
        return subprocess.run(
            [sys.executable, "-c", CTRL_C, str(instant), *words],
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )

    def git(self, *words: str) -> str:
        """What git prints."""
        return subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=True).stdout

    def judged(self, instant: int, *words: str) -> str:
        """What the command said that it had done, which must be so."""
        before = self.git("rev-parse", "HEAD")
        done = self.run(*words, instant=instant)
        after = self.git("rev-parse", "HEAD").strip()
        assert b"Traceback" not in done.stderr
        told = json.loads(done.stdout) if done.stdout else {}
        if done.returncode == 0:  # a library that is written in C may swallow an interrupt; then all is done
            assert after != before.strip()
            return LIVED
        assert done.returncode == 130, (done.stdout, done.stderr)
        text = told.get("error", done.stderr.decode())
        committed = f"is committed as {after}" in text
        assert committed is (after != before.strip()), text
        assert committed or "was changed" in text
        if committed and told:
            assert told["details"]["commit"] == after
        if self.git("status", "--porcelain"):  # any command brings files and git's index to the branch
            assert self.run("status").returncode == 0
            assert self.git("status", "--porcelain") == ""
        return "committed" if committed else "unchanged"


def interrupted(field: Field, step: int) -> Counter[str]:
    """How often each was said, over every ``step``-th instant of a write."""
    instants = int(field.run("write", "Builds take ten minutes.").stderr)
    return Counter(field.judged(n, "write", f"Fact {n} is here.") for n in range(1, instants, step))


@pytest.mark.timeout(300)
def test_a_write_interrupted_here_and_there_says_what_is_done(root: Path, environment: dict[str, str]) -> None:
    """Nothing was changed, or the commit that was made, by its id; nothing is left over."""
    said = interrupted(Field(root, environment), 23)
    assert said["unchanged"] > 3
    assert said[LIVED] <= 2


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_write_interrupted_at_every_instant_says_what_is_done(root: Path, environment: dict[str, str]) -> None:
    """Before the commit, in it, and after it."""
    said = interrupted(Field(root, environment), 1)
    assert said["unchanged"] > 50
    assert said[LIVED] < 10
    assert said["committed"] > 3
