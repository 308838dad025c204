"""How the server is started from a command line, and when it is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_THE_PACKAGE = (
    "import sys, importlib.util as u; real = u.find_spec; "
    "u.find_spec = lambda name, *more: None if name == sys.argv[1] else real(name, *more); "
    "from memhtml.cli.main import main; sys.exit(main(['serve', 'mcp', '--exec']))"
)
ONE_WORD = (
    "import sys; sys.argv[1:] = ['--embed', 'off']; from memhtml.cli.main import serve_mcp; sys.exit(serve_mcp())"
)


def ran(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Python, with an input that has ended."""
    known = {**os.environ, "MEMHTML_ROOT": str(root)}  # noqa: TID251 - handed on to the process
    return subprocess.run([sys.executable, *words], input=b"", capture_output=True, env=known, timeout=100, check=False)


def test_a_wrong_call_is_refused_as_every_other(root: Path) -> None:
    """Nothing is served then, so the answer is an envelope."""
    done = ran(root, "-m", "memhtml", "serve", "mcp", "--lock-wait", "many")
    assert done.returncode == 2
    assert json.loads(done.stdout)["code"] == "ERR_INVALID_FLAG"


def test_with_json_it_says_what_it_would_serve(root: Path) -> None:
    """And ends."""
    done = ran(root, "-m", "memhtml", "serve", "mcp", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["data"] == {
        "root": str(root),
        "ready": False,
        "transport": "stdio",
        "address": None,
        "scripts": False,
    }
    done = ran(root, "-m", "memhtml", "serve", "mcp", "--http", "--host", "::1", "--exec", "--json")
    assert json.loads(done.stdout)["data"]["scripts"] is True
    assert json.loads(done.stdout)["data"]["address"] == "http://[::1]:8725/mcp"


@pytest.mark.parametrize(("package", "extra"), [("mcp", "mcp"), ("pydantic_monty", "exec")])
def test_without_its_package_it_says_how_to_get_it(root: Path, package: str, extra: str) -> None:
    """With a code of its own, before anything is served."""
    done = ran(root, "-c", WITHOUT_THE_PACKAGE, package)
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["code"] == "ERR_PACKAGE_MISSING"
    assert answer["suggestions"] == [f"pip install 'memhtml[{extra}]'"]


def test_the_one_word_takes_the_same_flags(root: Path) -> None:
    """It serves until its input ends."""
    done = ran(root, "-c", ONE_WORD)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
