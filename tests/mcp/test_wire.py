"""A line of input as a message, or as the error that it is answered with."""

from __future__ import annotations

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError

from memhtml.mcp.wire import LONGEST_LINE, message


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"", -32700, None),
        (b"{", -32700, None),
        (b'{"id": "\xff"}', -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700, None),
        (b" " * (LONGEST_LINE + 1), -32700, None),
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
