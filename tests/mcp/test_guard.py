"""Who is let in over HTTP, header by header."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.mcp.guard import Guard, Receive, Scope, Send
from memhtml.ops.serving import Place

TOKEN = "0123456789abcdef"  # noqa: S105 - nothing is behind it
HOST = (b"host", b"127.0.0.1:8725")
KNOWN = (b"authorization", b"Bearer 0123456789abcdef")
Headers = list[tuple[bytes, bytes]]


async def inside(scope: Scope, receive: Receive, send: Send) -> None:
    """What is guarded."""
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": []})


GUARD = Guard(inside, Place("127.0.0.1", 8725), TOKEN)


def status(headers: Headers, path: str = "/mcp") -> int:
    """What is answered; 200 for what is let in."""
    sent: list[int] = []

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            sent.append(int(str(message["status"])))

    async def run() -> None:
        await GUARD({"type": "http", "path": path, "headers": headers}, None, send)  # type: ignore[arg-type]  # none is read

    anyio.run(run)
    return sent[0]


def test_a_program_of_this_machine_that_knows_the_token_is_let_in() -> None:
    """By each name that this machine has for itself; a page of the server's own may ask too."""
    assert status([HOST, KNOWN]) == 200
    for name in (b"localhost:8725", b"LocalHost:8725", b"[::1]:8725"):
        assert status([(b"host", name), KNOWN]) == 200
    assert status([HOST, KNOWN, (b"origin", b"http://localhost:8725")]) == 200
    assert status([HOST, (b"authorization", b"bearer  0123456789abcdef")]) == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([KNOWN], 421),
        ([KNOWN, (b"host", b"")], 421),
        ([KNOWN, (b"host", b"memhtml.example:8725")], 421),
        ([KNOWN, (b"host", b"127.0.0.1")], 421),
        ([KNOWN, (b"host", b"127.0.0.1:8726")], 421),
        ([KNOWN, (b"host", b"127.0.0.1:8725.example")], 421),
        ([KNOWN, HOST, HOST], 421),
        ([KNOWN, HOST, (b"origin", b"https://example.org")], 403),
        ([KNOWN, HOST, (b"origin", b"http://127.0.0.1:3000")], 403),
        ([KNOWN, HOST, (b"origin", b"https://127.0.0.1:8725")], 403),
        ([KNOWN, HOST, (b"origin", b"null")], 403),
        ([KNOWN, HOST, (b"origin", b"")], 403),
        ([KNOWN, HOST, (b"origin", b"http://localhost:8725"), (b"origin", b"https://example.org")], 403),
        ([HOST], 401),
        ([HOST, (b"authorization", b"")], 401),
        ([HOST, (b"authorization", b"0123456789abcdef")], 401),
        ([HOST, (b"authorization", b"Basic 0123456789abcdef")], 401),
        ([HOST, (b"authorization", b"Bearer 0123456789abcde")], 401),
        ([HOST, (b"authorization", b"Bearer 0123456789abcdef0")], 401),
        ([HOST, (b"authorization", b"Bearer \xff")], 401),
        ([HOST, KNOWN, (b"authorization", b"Bearer wrong")], 401),
    ],
)
def test_everybody_else_is_refused(headers: Headers, expected: int) -> None:
    """By name first, then by page, then by token, so that a web page learns nothing of the token's check."""
    assert status(headers) == expected
    assert status(headers, "/anything") == expected


def test_another_address_is_not_there() -> None:
    """Which only who knows the token is told."""
    assert status([HOST, KNOWN], "/") == 404
    assert status([HOST, KNOWN], "/mcp/") == 404


def test_who_is_asked_for_the_token_is_told_how_to_send_it() -> None:
    """As HTTP has it; and what is no request at all gets nothing."""
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def run(kind: str) -> None:
        await GUARD({"type": kind, "path": "/mcp", "headers": [HOST]}, None, send)  # type: ignore[arg-type]  # none is read

    anyio.run(run, "websocket")
    assert sent == []
    anyio.run(run, "http")
    assert (b"www-authenticate", b'Bearer realm="memhtml"') in sent[0]["headers"]  # type: ignore[operator]  # a list


@given(st.binary(max_size=40))
def test_no_other_token_is_known(token: bytes) -> None:
    """Whatever bytes it has."""
    known = GUARD.refused("/mcp", [HOST, (b"authorization", b"Bearer " + token)]) is None
    assert known is (token.strip() == TOKEN.encode())
