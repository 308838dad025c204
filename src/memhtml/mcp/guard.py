"""Who may ask over HTTP: checked before anything of a request is read.

A web page can make its visitor's browser send requests to this machine, also under a name of its own that it has let
point here. Neither knows the token; still, such requests are refused by what a browser says of them: the name that it
asked for, and the page that it asks for.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from memhtml.ops.serving import FOLDER, LOCALHOST, Place

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Iterable[tuple[bytes, bytes]]

_ASKED_FOR = (b"www-authenticate", b'Bearer realm="memhtml"')


class Guard:
    """An application of ASGI before another one, which gets what is allowed."""

    def __init__(self, app: App, place: Place, token: str) -> None:
        self._app = app
        self._token = token.encode("ascii")
        names = ("127.0.0.1", "::1", LOCALHOST, place.host)
        self._hosts = {Place(name, place.port).authority.encode("ascii") for name in names}
        self._pages = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            return
        refused = self.refused(str(scope["path"]), scope["headers"])
        if refused is None:
            await self._app(scope, receive, send)
            return
        status, why = refused
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
        headers.append((b"connection", b"close"))  # whatever else was to come on it
        headers += [_ASKED_FOR] if status == 401 else []  # noqa: PLR2004 - HTTP's number
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": why.encode()})

    def refused(self, path: str, headers: Headers) -> tuple[int, str] | None:
        """The status and the reason to refuse a request with; ``None`` lets it in. Names of headers are lower case."""
        given = list(headers)
        if not _one_of(self._hosts, _values(given, b"host")):
            return 421, "this server is asked for by another name than its own\n"
        pages = _values(given, b"origin")
        if pages and not _one_of(self._pages, pages):
            return 403, "requests of other web pages are refused\n"
        if not self._known(_values(given, b"authorization")):
            return 401, "send the token: Authorization: Bearer TOKEN\n"
        return None if path == FOLDER else (404, f"the protocol is spoken at {FOLDER}\n")

    def _known(self, values: list[bytes]) -> bool:
        if len(values) != 1:
            return False
        scheme, _, token = values[0].partition(b" ")
        # The comparison takes as long for any token, so that nobody finds it letter by letter.
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _values(headers: list[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def _one_of(known: set[bytes], values: list[bytes]) -> bool:
    """Whether there is one value, and a known one: where there are two, each reader may believe another."""
    return len(values) == 1 and values[0].lower() in known
