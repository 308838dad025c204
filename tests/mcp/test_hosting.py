"""The server over HTTP: real processes, real sockets, the SDK's client and bare requests."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from tests.mcp.clients import TOKEN, Hosted, listening, variables

from memhtml import Store
from memhtml.mcp.wire import LONGEST_LINE

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
FORM = {"Accept": "application/json, text/event-stream"}
KNOWN = {**FORM, "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def store(root: Path) -> Path:
    """An empty store."""
    with Store.init(root, embed="off"):
        return root


def test_only_who_knows_the_token_and_comes_by_its_name_is_heard(store: Path) -> None:
    """Seen from outside; each header by itself is tested beside the guard."""
    with listening(store) as hosted, httpx2.Client(timeout=60) as web:

        def post(headers: dict[str, str], content: bytes = json.dumps(INITIALIZE).encode()) -> int:
            return web.post(
                hosted.url, content=content, headers={"Content-Type": "application/json", **headers}
            ).status_code

        assert post(KNOWN) == 200
        asked = web.post(hosted.url, json=INITIALIZE, headers=FORM)
        assert (asked.status_code, asked.headers["www-authenticate"]) == (401, 'Bearer realm="memhtml"')
        assert "server" not in asked.headers
        assert post({**KNOWN, "Authorization": f"Bearer {TOKEN}x"}) == 401
        assert post({**KNOWN, "Host": "rebound.example"}) == 421
        assert post({**KNOWN, "Origin": "https://example.org"}) == 403
        assert post(KNOWN, b" " * (LONGEST_LINE + 1)) == 413
        assert post(KNOWN, b"garbage") == 400
        assert post({**KNOWN, "Mcp-Session-Id": "none"}) == 404
        half = json.dumps({**INITIALIZE, "id": "\ud83d"}).encode()  # a client that cut an emoji in two
        read = web.post(hosted.url, content=half, headers={"Content-Type": "application/json", **KNOWN})
        assert (read.status_code, read.json()["id"]) == (200, "\ufffd")
        assert web.get(hosted.url.removesuffix("/mcp"), headers=KNOWN).status_code == 404
        assert post(KNOWN) == 200  # it lives on


def test_several_clients_each_have_a_session_and_one_store(store: Path) -> None:
    """What one writes, another finds; all of them at the same time."""

    async def work(hosted: Hosted) -> None:
        found: list[str] = []

        async def write(client: ClientSession, number: int) -> None:
            answer = await client.call_tool("memory_write", {"claim": f"Rack {number} stands in room {number}00."})
            found.append(answer.structured_content["path"])

        async def look(client: ClientSession) -> None:
            answer = await client.call_tool("memory_list", {"limit": 50})
            assert {row["path"] for row in answer.structured_content["memories"]} == set(found)

        async with anyio.create_task_group() as tasks:
            for number in range(6):
                tasks.start_soon(hosted.asked, lambda client, number=number: write(client, number))
        assert len(set(found)) == 6
        await hosted.asked(look)

    with listening(store) as hosted:
        anyio.run(work, hosted)


@POSIX
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_it_though_a_client_is_there(store: Path, number: signal.Signals, status: int) -> None:
    """Soon, without a word, and what was written stays."""

    async def work(client: ClientSession) -> None:
        await client.call_tool("memory_write", {"claim": "Rack 4 stands in room 400."})
        hosted.process.send_signal(number)
        with anyio.fail_after(30):
            await anyio.to_thread.run_sync(hosted.wait)

    with listening(store) as hosted:
        anyio.run(hosted.asked, work)
        assert hosted.wait() == status
    assert [line for line in hosted.said[1:] if line] == []
    with Store.open(store, embed="off") as opened:
        assert opened.list().total == 1


SIGNALLED = """
import os, signal, sys
import memhtml.ops.search as search
real = search.search
def found(*given, **named):
    os.kill(os.getpid(), signal.SIGTERM)
    return real(*given, **named)
search.search = found
from memhtml.cli.main import main
sys.exit(main())
"""


@POSIX
def test_what_was_asked_before_a_signal_is_answered(store: Path) -> None:
    """A request that is being worked on is finished, and its client told."""

    async def work(client: ClientSession) -> None:
        await client.list_tools()  # a client that has seen them asks nothing more after an answer
        answer = await client.call_tool("memory_search", {"query": "racks"})
        assert answer.structured_content["hits"] == []

    with listening(store, "-c", SIGNALLED) as hosted:
        anyio.run(hosted.asked, work)
        assert hosted.wait() == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "example.org"])  # noqa: S104 - refused
def test_no_other_machine_can_reach_it(store: Path, host: str) -> None:
    """A host that could be is refused before anything listens."""
    done = refused(store, "--host", host)
    assert (done.returncode, json.loads(done.stdout)["code"]) == (2, "ERR_INVALID_FLAG")


def test_a_port_that_is_taken_is_told(store: Path) -> None:
    """With one that is not."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = refused(store, "--port", str(taken.getsockname()[1]))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["code"]) == (2, "ERR_INVALID_FLAG")
    assert answer["suggestions"] == ["--port 0 takes any port that is free"]


def refused(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A server that does not start."""
    command = [sys.executable, "-m", "memhtml", "serve", "mcp", "--http", *words]
    return subprocess.run(command, capture_output=True, env=variables(root), timeout=100, check=False)


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_clients_of_every_age_are_understood(store: Path, mode: str) -> None:
    """Those that shake hands, those that ask first, and those that send all of it with each request; over both ways."""

    async def work(client: Client) -> None:
        if mode in {"legacy", "auto"}:  # the others have not asked who this is
            assert client.server_info.name == "memhtml"
            assert "memhtml is your long-term memory" in (client.instructions or "")
        claim = f"Rack {len((await client.list_tools()).tools)} speaks {mode}."
        written = await client.call_tool("memory_write", {"claim": claim})
        assert not written.is_error, written.content
        found = await client.call_tool("memory_search", {"query": claim})
        assert found.structured_content["hits"][0]["gist"] == claim
        refused = await client.call_tool("memory_read", {"path": ["areas/inbox/none.html"]})
        assert refused.is_error
        with pytest.raises(MCPError, match="ERR_PATH_NOT_FOUND"):
            await client.read_resource("memhtml://file/areas/inbox/none.html")

    async def over_http(hosted: Hosted) -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as carrier,
            Client(streamable_http_client(hosted.url, http_client=carrier), mode=mode) as client,
        ):
            await work(client)

    async def over_pipes() -> None:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "memhtml", "serve", "mcp"], env=variables(store)
        )
        async with Client(stdio_client(server), mode=mode) as client:
            await work(client)

    with listening(store) as hosted:
        anyio.run(over_http, hosted)
    anyio.run(over_pipes)


def connected(hosted: Hosted, sent: bytes = b"") -> socket.socket:
    """A bare connection, on which ``sent`` was sent."""
    found = socket.create_connection(("127.0.0.1", port(hosted)), timeout=60)
    found.sendall(sent)
    return found


def heard(connection: socket.socket) -> bytes:
    """What comes on it until it is closed, or after what was sent was not read."""
    try:
        return connection.recv(1)
    except ConnectionResetError:
        return b""


def port(hosted: Hosted) -> int:
    """Where it listens."""
    return int(hosted.url.rpartition(":")[2].removesuffix("/mcp"))


def test_who_asks_nothing_keeps_nobody_out(store: Path) -> None:
    """Of connections on which nothing, or half a head, has come, the oldest are closed; others go on."""
    with listening(store) as hosted, ExitStack() as held:
        strangers = [held.enter_context(connected(hosted, b"POST /mcp HT" * (number % 2))) for number in range(350)]
        with httpx2.Client(timeout=60) as web:
            for _ in range(3):
                assert web.post(hosted.url, json=INITIALIZE, headers=KNOWN).status_code == 200
        assert [heard(each) for each in strangers[:50]] == [b""] * 50


def test_who_is_refused_is_not_waited_for(store: Path) -> None:
    """Neither for the rest of what it began to send, nor for more; a client that goes away leaves no word behind."""
    head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
    half = "\r\n[1,"
    with listening(store) as hosted:
        text = head.replace("PORT", str(port(hosted)))
        with connected(hosted, (text + half).encode()) as refused:
            answer = b"".join(iter(lambda: refused.recv(4096), b""))
        assert answer.startswith(b"HTTP/1.1 401")
        assert b"connection: close" in answer.lower()
        lines = "".join(f"{name}: {value}\r\n" for name, value in KNOWN.items())
        for _ in range(5):
            connected(hosted, (text + lines + half).encode()).close()
        assert httpx2.post(hosted.url, json=INITIALIZE, headers=KNOWN, timeout=60).status_code == 200
    assert [line for line in hosted.said[1:] if line] == []


@POSIX
def test_a_signal_that_comes_at_once_ends_it_too(store: Path) -> None:
    """As soon as it has said where it is."""
    for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        with listening(store) as hosted:
            hosted.process.send_signal(number)
            assert hosted.wait() == status
