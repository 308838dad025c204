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
from memhtml.mcp.connections import connections
from memhtml.mcp.guard import App, Guard, Receive, Scope, Send
from memhtml.mcp.mending import mended
from memhtml.mcp.server import built
from memhtml.mcp.wire import LONGEST_LINE, PATIENCE
from memhtml.ops.background import Background
from memhtml.ops.serving import Place

if TYPE_CHECKING:
    from memhtml.workspace.workspace import Workspace

MOST_SESSIONS = 1_000
"""Sessions at once; one that is not used for half an hour ends."""

MOST_STRANGERS = 100
"""Connections that have asked nothing yet; with one more, the one that came first is closed."""

MOST_CONNECTIONS = MOST_STRANGERS + 200
"""Connections at once; a request on one more gets 503."""

HEAD = 10.0
"""Seconds that a connection has for the head of its first request."""

ENDING = (signal.SIGINT, signal.SIGTERM)

Announce = Callable[[Place], None]


def serve(workspace: Workspace, place: Place, token: str, announce: Announce, *, scripts: bool) -> int:
    """Answer at ``place`` until a signal comes, and return its number; what was asked before is answered still.

    ``announce`` is told where, as soon as a client would be heard.

    Raises:
        InvalidFlagError: nobody can listen there.
    """
    with closing(_listener(place)) as listener, Background(workspace) as background, _noted() as early:
        at = Place(place.host, int(listener.getsockname()[1]))
        announce(at)
        return anyio.run(partial(_serve, built(workspace, background, scripts=scripts), listener, at, token, early))


@contextmanager
def _noted() -> Generator[list[int]]:
    """Signals that come before the server could end by them."""
    early: list[int] = []
    before = {each: signal.signal(each, lambda number, _: early.append(number)) for each in ENDING}
    try:
        yield early
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


async def _serve(doors: Server[object], listener: socket.socket, at: Place, token: str, early: list[int]) -> int:
    # One answer a request: nothing of ours comes in parts, and an answer that is whole needs no connection held open.
    manager = StreamableHTTPSessionManager(
        doors, json_response=True, max_request_body_size=LONGEST_LINE, max_sessions=MOST_SESSIONS
    )
    config = uvicorn.Config(
        Guard(_whole(RequestBodyLimitMiddleware(_readable(manager.handle_request), LONGEST_LINE)), at, token),
        http=connections(HEAD, MOST_STRANGERS),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=int(PATIENCE),
    )
    server = _Uvicorn(config, early)
    async with manager.run():
        await server.serve(sockets=[listener])
    return server.ended_by


def _readable(app: App) -> App:
    """``app``, with halves of characters made readable in what it is asked. The whole of that comes as one message.

    Where it does not, the client has gone away in the middle of it, and nobody is asked.
    """

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        first = await receive()
        if first["type"] != "http.request" or first.get("more_body"):
            return
        body = bytes(first.get("body", b""))
        asked = [{**first, "body": _readable_bytes(body)} if b"\\u" in body else first]

        async def read() -> MutableMapping[str, Any]:
            return asked.pop() if asked else await receive()

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

    def __init__(self, config: uvicorn.Config, early: list[int]) -> None:
        super().__init__(config)
        self.ended_by = 0
        self._early = early

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take the signals while it runs, and give them back, without raising them once more."""
        before = {each: signal.signal(each, self.handle_exit) for each in ENDING}
        try:
            for number in self._early:
                self.handle_exit(number, None)
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
