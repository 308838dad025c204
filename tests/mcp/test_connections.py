"""Connections that ask nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import uvicorn

from memhtml.mcp.connections import connections

LONG = 60.0
ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def app(scope: dict[str, object], receive: object, send: Callable[[dict[str, object]], Awaitable[None]]) -> None:
    """Answers everything."""
    del scope, receive
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def served(work: Callable[[str, int], Awaitable[None]], patience: float, most: int) -> None:
    """Do ``work`` beside a server with such connections."""

    async def run() -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            config = uvicorn.Config(app, http=connections(patience, most), lifespan="off", log_config=None)
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            try:
                await asyncio.wait_for(work(*listener.getsockname()), LONG)
            finally:
                server.should_exit = True
                await serving

    asyncio.run(run())


def test_half_a_head_is_waited_for_so_long_and_no_longer() -> None:
    """Then the connection is closed, without an answer."""

    async def work(host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(ASKED[:-2])
        assert await reader.read() == b""
        writer.close()

    served(work, 0.2, 10)


def test_who_has_asked_is_no_stranger() -> None:
    """It is not closed by that time, nor to make room."""

    async def work(host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(ASKED)
        assert (await reader.readline()).startswith(b"HTTP/1.1 204")
        await reader.readuntil(b"\r\n\r\n")
        strangers = [await asyncio.open_connection(host, port) for _ in range(3)]
        assert await strangers[0][0].read() == b""  # two more came: it had waited the longest
        assert await strangers[1][0].read() == b""  # its time was over
        writer.write(ASKED)
        assert (await reader.readline()).startswith(b"HTTP/1.1 204")
        for _, each in [*strangers, (reader, writer)]:
            each.close()

    served(work, 0.3, 2)


def test_each_server_has_strangers_of_its_own() -> None:
    """Two classes, two lists."""
    one, other = connections(1.0, 1), connections(2.0, 2)
    assert one.strangers is not other.strangers
    assert (one.patience, one.most, other.patience, other.most) == (1.0, 1, 2.0, 2)
