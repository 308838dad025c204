"""Standard input and output as the protocol's two streams.

The protocol gets descriptors of its own. What is left of standard output is standard error, so that nothing that
prints or warns, here or in a program that is started, can come between two messages; and nobody else reads the input.
A line that is no message is answered with an error, and the next one is read.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from msgspec import Struct
from pydantic_core import PydanticSerializationError, from_json

from memhtml.mcp.mending import mended, request_id

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of one message; a longer line is an error."""

PATIENCE = 10.0
"""Seconds that answers are waited for after the input has ended."""

_CHUNK = 65_536

Incoming = SessionMessage | Exception


class Wire(Struct, frozen=True):
    """The two descriptors that carry the protocol."""

    reading: int
    writing: int


@contextmanager
def taken_over() -> Generator[Wire]:
    """Take the process's input and output for the protocol; both are given back in the end."""
    sys.stdout.flush()
    wire = Wire(_second(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nowhere, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # standard error is closed
            os.dup2(nowhere, 1)
        yield wire
    finally:
        sys.stdout.flush()
        os.dup2(wire.reading, 0)
        os.dup2(wire.writing, 1)
        os.close(nowhere)  # the other two stay: a thread may still wait for input


def _second(descriptor: int) -> int:
    """Another descriptor of the same file; of one that is closed, of none: nothing comes from there."""
    try:
        return os.dup(descriptor)
    except OSError:
        return os.open(os.devnull, os.O_RDWR)


class Pending:
    """Requests that are not answered yet."""

    def __init__(self) -> None:
        self._open: set[int | str] = set()
        self.quiet = anyio.Event()
        self._ended = False

    def asked(self, request: int | str) -> None:
        """One more."""
        self._open.add(request)

    def answered(self, request: int | str | None) -> None:
        """One less; others than those that were asked do not count."""
        if request is not None:
            self._open.discard(request)
        self._look()

    def ended(self) -> None:
        """No more will come."""
        self._ended = True
        self._look()

    def _look(self) -> None:
        if self._ended and not self._open:
            self.quiet.set()


@asynccontextmanager
async def streams(
    wire: Wire,
) -> AsyncGenerator[tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]]:
    """What comes in and what goes out, as messages. The first one ends after the input does, and its answers."""
    put_in, incoming = anyio.create_memory_object_stream[Incoming](0)
    outgoing, take_out = anyio.create_memory_object_stream[SessionMessage](0)
    complaints = outgoing.clone()
    pending = Pending()

    async def reader() -> None:
        lines = _lines(wire.reading)
        async with put_in, complaints:
            async for line in lines:
                found = message(line)
                if isinstance(found, JSONRPCError):
                    await complaints.send(SessionMessage(found))
                    continue
                if isinstance(found.message, JSONRPCRequest):
                    pending.asked(found.message.id)
                await put_in.send(found)
                _note_cancelled(found, pending)
            pending.ended()
            with anyio.move_on_after(PATIENCE):
                await pending.quiet.wait()

    async def writer() -> None:
        async with take_out:
            async for each in take_out:
                await anyio.to_thread.run_sync(_write, wire.writing, _encoded(each))
                if isinstance(each.message, JSONRPCResponse | JSONRPCError):
                    pending.answered(each.message.id)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reader)
        tasks.start_soon(writer)
        yield incoming, outgoing
        tasks.cancel_scope.cancel()


def message(line: bytes) -> SessionMessage | JSONRPCError:
    """The message in a line, or the error with which the line is answered."""
    if len(line) > LONGEST_LINE:
        known = request_id(line[:_CHUNK].decode(errors="replace"))
        return _refused(known, PARSE_ERROR, f"a message has at most {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return _refused(None, PARSE_ERROR, "the line is not UTF-8")
    try:
        found = _parsed(text)
    except ValueError:  # what is wrong may quote the line
        return _told(text)
    if isinstance(found, JSONRPCNotification) and '"id"' in text and "id" in from_json(mended(text)):
        return _told(text)  # a request whose id is none: as a notification it would get no answer
    return SessionMessage(found)


def _parsed(text: str) -> JSONRPCMessage:
    try:
        return jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        better = mended(text)
        if better == text:
            raise
        return jsonrpc_message_adapter.validate_json(better, by_name=False)


def _told(text: str) -> JSONRPCError:
    try:
        value: Any = from_json(text)
    except ValueError:
        why = "the line is blank" if not text.strip() else "the line is no JSON that could be read"
        return _refused(request_id(text), PARSE_ERROR, why)
    request = value.get("id") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType] - JSON of any shape
    known = request if isinstance(request, int | str) and not isinstance(request, bool) else None
    return _refused(known, INVALID_REQUEST, "the line is no message of JSON-RPC 2.0")


def _refused(request: int | str | None, code: int, why: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=why))


def _note_cancelled(found: SessionMessage, pending: Pending) -> None:
    """A request that its client has cancelled gets no answer."""
    params = getattr(found.message, "params", None)
    if getattr(found.message, "method", "") == "notifications/cancelled" and isinstance(params, dict):
        request: Any = params.get("requestId")  # pyright: ignore[reportUnknownMemberType,reportUnknownVariableType] - JSON of any shape
        pending.answered(request if isinstance(request, int | str) else None)


def _encoded(each: SessionMessage) -> bytes:
    try:
        text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        request = getattr(each.message, "id", None)
        text = _refused(request, INTERNAL_ERROR, "the answer cannot be written as UTF-8").model_dump_json()
    return text.encode() + b"\n"


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


async def _lines(descriptor: int) -> AsyncIterator[bytes]:
    """The lines that come in, without their ends; of one that is too long, the beginning, a byte too long."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(1)

    def put(line: bytes | None) -> None:
        room.acquire()
        loop.call_soon_threadsafe(queue.put_nowait, line)

    def read() -> None:
        try:
            for line in _split(descriptor):
                put(line)
            put(None)
        except RuntimeError:  # the loop has ended: nobody waits for it
            return

    # A daemon, since it may wait for ever for a client that neither writes nor goes away.
    threading.Thread(target=read, name="memhtml-mcp-input", daemon=True).start()
    while (line := await queue.get()) is not None:
        room.release()
        yield line


def _split(descriptor: int) -> Iterator[bytes]:
    held = bytearray()
    while chunk := _read(descriptor):
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            yield bytes(held + part).removesuffix(b"\r")
            held.clear()
        if len(held) <= LONGEST_LINE:  # what a line has beyond that is not kept
            held += rest
    if held:
        yield bytes(held)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
