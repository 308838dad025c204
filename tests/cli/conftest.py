"""The command line run in this process, or in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memhtml.cli.door import run


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command line left behind."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def envelope(self) -> dict[str, Any]:
        """Standard output as the one envelope that it must be."""
        return json.loads(self.stdout)

    @property
    def data(self) -> dict[str, Any]:
        """The data of an answer."""
        assert self.status == 0, self.stdout.decode()
        return self.envelope["data"]

    @property
    def code(self) -> str:
        """The code of an error; the command must have failed."""
        assert self.status != 0, self.stdout.decode()
        return self.envelope["code"]


Command = Callable[..., Outcome]


@pytest.fixture
def command(root: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Command:
    """Runs a command line on the test's own store, standard input being what is given."""
    monkeypatch.setenv("MEMHTML_ROOT", str(root))
    monkeypatch.setenv("MEMHTML_EMBED", "off")

    def call(*words: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        status = run(words)
        captured = capsysbinary.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call


@pytest.fixture
def process(root: Path, tmp_path: Path) -> Command:
    """Runs a command line in a process of its own: real streams, real arguments, real bytes."""

    def call(
        *words: str | bytes,
        stdin: bytes | None = b"",
        variables: dict[str, str] | None = None,
        **options: Any,  # noqa: ANN401 - of subprocess.run
    ) -> Outcome:
        defaults = {"MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off"}
        environment = {**os.environ, **defaults, **(variables or {})}  # noqa: TID251 - handed on to the process
        line: Sequence[str | bytes] = [sys.executable, "-m", "memhtml", *words]
        if stdin is not None:
            options["input"] = stdin
        done = subprocess.run(
            line,
            env=environment,
            cwd=options.pop("cwd", tmp_path),
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=options.pop("stderr", subprocess.PIPE),
            timeout=100,
            check=False,
            **options,
        )
        return Outcome(done.returncode, done.stdout or b"", done.stderr or b"")

    return call
