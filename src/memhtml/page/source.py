"""The bytes of a file, the text that a parser sees, and the way back from one to the other.

Decided here, once, for every edit by offset: a file is UTF-8 with or without one byte order mark; ``CRLF`` and lone
``CR`` read as one newline; NUL is refused, since parsers drop or replace it and offsets would drift.
"""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Source(Struct, frozen=True):
    r"""A file as bytes and as text.

    Attributes:
        data: the file, untouched.
        text: what is parsed: no byte order mark, newlines as ``\n``.
        start: bytes in front of the text: 3 with a byte order mark, else 0.
        pairs: offsets in ``text`` of the newlines that are two bytes in ``data``, ascending.
    """

    data: bytes
    text: str
    start: int
    pairs: tuple[int, ...]

    def byte_offset(self, offset: int) -> int:
        r"""Where in ``data`` the character at ``offset`` of ``text`` begins; the end of the file for the end.

        >>> decode("é\r\n<p>".encode()).byte_offset(2)
        4
        """
        return self.start + len(self.text[:offset].encode()) + bisect_left(self.pairs, offset)


class UndecodableError(ValueError):
    """The bytes are no text that a memory file may be.

    Attributes:
        code: a violation's code.
        line: counted from 1.
    """

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line


def decode(data: bytes) -> Source:
    r"""The text of ``data``.

    >>> decode(b"\xef\xbb\xbfa\r\nb\rc").text
    'a\nb\nc'

    Raises:
        UndecodableError: the bytes are not UTF-8, or hold a NUL.
    """
    start = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    # UTF-16 and UTF-32 of any Western text hold NULs too: the message about the encoding helps more.
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UndecodableError("encoding", "the file is UTF-16; save it as UTF-8", 1)
    try:
        raw = data[start:].decode()
    except UnicodeDecodeError as error:
        line = _line(data[: start + error.start])
        raise UndecodableError(
            "encoding", f"byte {start + error.start} is not UTF-8; save the file as UTF-8", line
        ) from error
    if "\x00" in raw:
        line = _line(data[: data.index(b"\x00")])
        raise UndecodableError("nul", "the file holds a NUL character; take it out", line)
    return Source(data, raw.replace("\r\n", "\n").replace("\r", "\n"), start, _pairs(raw))


def _pairs(raw: str) -> tuple[int, ...]:
    """Where the two-byte newlines of ``raw`` are, in offsets of the text in which each is one character."""
    found: list[int] = []
    position = raw.find("\r\n")
    while position >= 0:
        found.append(position - len(found))
        position = raw.find("\r\n", position + 2)
    return tuple(found)


def _line(before: bytes) -> int:
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
