"""A server started as its host would start it, and greeted: whether it answers, and what it offers."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import IO, Any, cast

from msgspec import Struct

PATIENCE = 20.0
"""Seconds that a server may take for all of it."""

_GRACE = 2.0  # seconds between the end of a server's input and its own

_REVISION = "2025-06-18"
_LONGEST_LINE = 4 * 1024 * 1024
_HELLO: dict[str, Any] = {
    "protocolVersion": _REVISION,
    "capabilities": {},
    "clientInfo": {"name": "memhtml integrations doctor", "version": "1"},
}


class Greeted(Struct, frozen=True):
    """What came of it.

    Attributes:
        fault: what went wrong, as the end of a sentence about the server; ``None`` when it answered.
        server: what it calls itself, with its version.
        tools: how many it offers.
        seconds: until it had said so.
    """

    fault: str | None
    server: str = ""
    tools: int = 0
    seconds: float = 0.0


class _Silent(Exception):  # noqa: N818 - no error, but the end of a talk
    """The server did not say what it should."""


def greet(command: tuple[str, ...], variables: Mapping[str, str], folder: Path, patience: float = PATIENCE) -> Greeted:
    """Start ``command`` in ``folder``, ask who it is and which tools it has, and end it.

    Nothing that it does is an error here. It is gone when this returns: asked to end by the end of its input, and
    killed when it does not.
    """
    begun = monotonic()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(variables),
            cwd=folder,
        )
    except (OSError, ValueError) as error:
        return Greeted(f"cannot be started: {getattr(error, 'strerror', None) or 'no such command is possible'}")
    killer = threading.Timer(patience, process.kill)
    killer.daemon = True
    killer.start()
    try:
        return _talk(process, begun)
    except (_Silent, OSError, ValueError):
        late = monotonic() - begun >= patience
        return Greeted(f"said nothing for {patience:g} seconds" if late else _ended(process))
    finally:
        killer.cancel()
        _end(process)


def _talk(process: subprocess.Popen[bytes], begun: float) -> Greeted:
    if process.stdin is None or process.stdout is None:  # both are pipes; checkers cannot know
        raise _Silent
    _say(process.stdin, {"id": 1, "method": "initialize", "params": _HELLO})
    hello = _answer(process.stdout, 1)
    _say(process.stdin, {"method": "notifications/initialized"})
    _say(process.stdin, {"id": 2, "method": "tools/list"})
    tools = _answer(process.stdout, 2).get("tools")
    about = hello.get("serverInfo")
    if not isinstance(tools, list) or not isinstance(about, dict):
        raise _Silent
    names = cast("dict[str, object]", about)
    server = f"{names.get('name', '')} {names.get('version', '')}".strip()
    return Greeted(None, server, len(cast("list[object]", tools)), round(monotonic() - begun, 2))


def _say(pipe: IO[bytes], message: dict[str, Any]) -> None:
    pipe.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    pipe.flush()


def _answer(pipe: IO[bytes], number: int) -> dict[str, Any]:
    """The result with that number; what a server says unasked is passed over."""
    while line := pipe.readline(_LONGEST_LINE):
        said: Any = json.loads(line)
        if isinstance(said, dict) and cast("dict[str, Any]", said).get("id") == number:
            result = cast("dict[str, Any]", said).get("result")
            if isinstance(result, dict):
                return cast("dict[str, Any]", result)
            break
    raise _Silent


def _ended(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "speaks no Model Context Protocol"
    return f"ended with {status} before it had answered"


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # it has closed its end first
                continue
    try:
        process.wait(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
