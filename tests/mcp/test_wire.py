"""A line of input as a message, or as the error that it is answered with."""

from __future__ import annotations

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError

from memhtml.mcp.wire import LONGEST_LINE, Pending, _note_cancelled, message


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"", -32700, None),
        (b"{", -32700, None),
        (b'{"id": "\xff"}', -32700, None),
        (b'{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":' + b"9" * 5_000 + b"}}", -32700, 8),
        (b'{"jsonrpc":"2.0","id":"b","method":"ping","params":{"x":' + b"[" * 20_000 + b"}}", -32700, "b"),
        (b" " * (LONGEST_LINE + 1), -32700, None),
        (b'{"id":9,"params":"' + b"x" * LONGEST_LINE, -32700, 9),
        (b'{"jsonrpc":"2.0","id":1,"method":2}', -32600, 1),
        (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    ],
)
def test_what_is_no_message_gets_an_error(line: bytes, code: int, request_id: int | str | None) -> None:
    """With the number of the request where the line has one, and without a word of what stood in it."""
    found = message(line)
    assert isinstance(found, JSONRPCError)
    assert (found.error.code, found.id) == (code, request_id)


def test_a_message_is_one() -> None:
    """And stays as it came."""
    found = message(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert isinstance(found, SessionMessage)
    assert getattr(found.message, "method", "") == "ping"


def test_half_a_character_is_no_reason_to_refuse() -> None:
    """Programs that cut an emoji in two send one; it is read as the sign for what cannot be read."""
    found = message(rb'{"jsonrpc":"2.0","id":1,"method":"m","params":{"query":"cut \ud83d, whole \ud83c\udf89"}}')
    assert isinstance(found, SessionMessage)
    assert getattr(found.message, "params", None) == {"query": "cut \ufffd, whole \U0001f389"}
    found = message(rb'{"jsonrpc":"2.0","id":null,"method":"\ud83d"}')
    assert isinstance(found, JSONRPCError)


def test_what_is_cancelled_is_not_waited_for() -> None:
    """Whoever ended the input waits for the answers that are still to come, and for no other."""

    async def run() -> None:
        pending = Pending()
        for number in (1, 2):
            pending.asked(number)
        pending.answered(1)
        pending.ended()
        assert not pending.quiet.is_set()
        for params in (b"{}", b'{"requestId":3}', b'{"requestId":2}'):
            assert not pending.quiet.is_set()
            found = message(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":' + params + b"}")
            assert isinstance(found, SessionMessage)
            _note_cancelled(found, pending)
        assert pending.quiet.is_set()

    anyio.run(run)
