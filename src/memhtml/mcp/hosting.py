"""The server over HTTP: one process, one store, as many clients as come; each has a session of its own."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Generator, MutableMapping
from contextlib import closing, contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import RequestBodyLimitMiddleware, StreamableHTTPSessionManager

from memhtml.domain.errors import InvalidFlagError
from memhtml.mcp.guard import App, Guard, Receive, Scope, Send
from memhtml.mcp.mending import mended
from memhtml.mcp.server import built
from memhtml.mcp.wire import LONGEST_LINE, PATIENCE
from memhtml.ops.background import Background
from memhtml.ops.serving import Place

if TYPE_CHECKING:
    from memhtml.workspace.workspace import Workspace

MOST_SESSIONS = 100
"""Sessions at once; one that is not used for half an hour ends."""

MOST_CONNECTIONS = 200
"""Connections at once; one more gets 503."""

Announce = Callable[[Place], None]


def serve(workspace: Workspace, place: Place, token: str, announce: Announce, *, scripts: bool) -> int:
    """Answer at ``place`` until a signal comes, and return its number; what was asked before is answered still.

    ``announce`` is told where, as soon as a client would be heard.

    Raises:
        InvalidFlagError: nobody can listen there.
    """
    with closing(_listener(place)) as listener, Background(workspace) as background:
        at = Place(place.host, int(listener.getsockname()[1]))
        announce(at)
        return anyio.run(partial(_serve, built(workspace, background, scripts=scripts), listener, at, token))


async def _serve(doors: Server[object], listener: socket.socket, at: Place, token: str) -> int:
    # One answer a request: nothing of ours comes in parts, and an answer that is whole needs no connection held open.
    manager = StreamableHTTPSessionManager(
        doors, json_response=True, max_request_body_size=LONGEST_LINE, max_sessions=MOST_SESSIONS
    )
    config = uvicorn.Config(
        Guard(_whole(RequestBodyLimitMiddleware(_readable(manager.handle_request), LONGEST_LINE)), at, token),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=int(PATIENCE),
    )
    server = _Uvicorn(config)
    async with manager.run():
        await server.serve(sockets=[listener])
    return server.ended_by


def _readable(app: App) -> App:
    """``app``, with halves of characters made readable in what it is asked. The whole of that comes as one message."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        async def read() -> MutableMapping[str, Any]:
            found = await receive()
            body = bytes(found.get("body", b""))
            return {**found, "body": _readable_bytes(body)} if b"\\u" in body else found

        await app(scope, read, send)

    return answered


def _readable_bytes(body: bytes) -> bytes:
    try:
        return mended(body.decode()).encode()
    except UnicodeDecodeError:  # which whoever reads it says
        return body


def _whole(app: App) -> App:
    """``app``, with an end to each answer: a stream that the server's end cuts short is no fault to complain of."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        unfinished = False

        async def watched(message: MutableMapping[str, Any]) -> None:
            nonlocal unfinished
            unfinished = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        await app(scope, receive, watched)
        if unfinished:
            await send({"type": "http.response.body", "body": b""})

    return answered


class _Uvicorn(uvicorn.Server):
    """A server that a signal ends, and that tells which: what the process then ends with is its door's to say."""

    ended_by = 0

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take the signals while it runs, and give them back, without raising them once more."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, after what is being answered; at the second interrupt, without waiting for it."""
        self.ended_by = self.ended_by or sig
        super().handle_exit(sig, frame)


def _listener(place: Place) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in place.host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # a server that has just ended still has the port, for a minute
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((place.host, place.port))
        found.listen()
    except OSError as error:
        found.close()
        raise InvalidFlagError(
            f"nobody can listen at {place.authority}: {error.strerror}",
            suggestions=("--port 0 takes any port that is free",),
        ) from error
    return found
