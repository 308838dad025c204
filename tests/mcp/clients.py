"""Servers as processes of their own, and the SDK's own client to talk to them, over both ways in."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import anyio
import httpx2
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from msgspec import Struct

TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105 - nothing is behind it
OVER_HTTP = ("serve", "mcp", "--http", "--port", "0")

Work = Callable[[ClientSession], Awaitable[None]]


def variables(root: Path, **more: str) -> dict[str, str]:
    """What a server's process gets."""
    own = {"MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off", "MEMHTML_TRACE_ROOT": str(root / "none")}
    return {**os.environ, **own, **more}  # noqa: TID251 - handed on to the process


def over_pipes(root: Path, work: Work, *words: str, **more: str) -> None:
    """Do ``work`` with a client on a server of its own, which ``words`` start."""
    command = words or ("-m", "memhtml", "serve", "mcp")

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=list(command), env=variables(root, **more))
        with Path(os.devnull).open("w") as silence:  # noqa: ASYNC230 - opened before anything runs
            async with stdio_client(server, errlog=silence) as streams, ClientSession(*streams) as client:
                await client.initialize()
                await work(client)

    anyio.run(run)


def over_http(root: Path, work: Work) -> None:
    """Do ``work`` with a client on a server that listens."""
    with listening(root) as hosted:
        anyio.run(hosted.asked, work)


class Hosted(Struct):
    """A server that listens, and what it has printed when it has ended."""

    url: str
    process: subprocess.Popen[bytes]
    said: list[bytes]
    status: int | None = None

    async def asked(self, work: Work) -> None:
        """Do ``work`` with a client of it."""
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as carrier,
            streamable_http_client(self.url, http_client=carrier) as streams,
            ClientSession(*streams[:2]) as client,
        ):
            await client.initialize()
            await work(client)

    def wait(self) -> int:
        """The exit status, once it has ended."""
        return self.process.wait(timeout=60)


@contextmanager
def listening(root: Path, *words: str, **more: str) -> Generator[Hosted]:
    """A server over HTTP, which ``words`` start; it is ended with the context, and wrote nothing on standard output."""
    env = {"MEMHTML_TOKEN": TOKEN, **variables(root, **more)}
    command = [sys.executable, *(words or ("-m", "memhtml")), *OVER_HTTP]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdout is not None
    assert process.stderr is not None
    first = process.stderr.readline()
    said = [first]
    rest = Thread(target=lambda: said.append(process.stderr.read() if process.stderr else b""))
    rest.start()
    try:
        found = re.search(rb"http://\S+/mcp", first)
        assert found is not None, (first, process.poll())
        yield Hosted(found.group().decode(), process, said)
    finally:
        process.terminate()
        process.wait(timeout=60)
        rest.join()
        printed = process.stdout.read()
        process.stdout.close()
        process.stderr.close()
    assert printed == b""
