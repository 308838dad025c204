"""Standard input and output as bytes: UTF-8 and bare newlines whatever the locale and the system."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from msgspec import Struct

from memhtml.domain.errors import InvalidInputError, StorageError
from memhtml.domain.surrogates import has_surrogate

if TYPE_CHECKING:
    from io import BufferedWriter


class Streams(Struct, frozen=True):
    """The three streams of a process; one that was closed before the start is ``None``, as Python has it."""

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None

    def at_terminal(self) -> bool:
        """Whether a person reads standard output."""
        return self.stdout is not None and self.stdout.isatty()

    def watched(self) -> bool:
        """Whether a person sees standard error, where progress goes."""
        return self.stderr is not None and self.stderr.isatty()

    def piped(self) -> bool:
        """Whether standard input comes from a file or another program."""
        return self.stdin is not None and not self.stdin.isatty()

    def read(self) -> str:
        """All of standard input: UTF-8, a byte order mark dropped, line ends made one.

        Raises:
            InvalidInputError: it is closed, or not UTF-8.
        """
        if self.stdin is None:
            raise InvalidInputError("standard input is closed", suggestions=("give the text as an argument",))
        return decoded(self.stdin.buffer.read(), "standard input")

    def write(self, text: str) -> None:
        """Write ``text`` and a newline to standard output, now. What UTF-8 cannot hold is written as an escape.

        Raises:
            BrokenPipeError: the reader went away.
            StorageError: standard output is closed.
        """
        if self.stdout is None:
            raise StorageError("standard output is closed", suggestions=("open it, or send it to a file",))
        _put(self.stdout.buffer, text)

    def settle(self) -> None:
        """Make standard output take any text, whatever the locale; a stream that cannot be told stays as it is."""
        stream: object = self.stdout
        if isinstance(stream, TextIOWrapper):
            wrapper = cast("TextIOWrapper[BufferedWriter]", stream)
            wrapper.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")

    def complain(self, text: str) -> None:
        """Write ``text`` and a newline to standard error, if that can be done."""
        if self.stderr is None:
            return
        try:
            _put(self.stderr.buffer, text)
        except (OSError, ValueError):
            return  # nobody is left to be told


def standard() -> Streams:
    """The streams of this process."""
    return Streams(sys.stdin, sys.stdout, sys.stderr)


def arguments_of_process() -> list[str]:
    """The words of this process's command line. Where the locale cannot read them, they are read as UTF-8.

    Bytes that are no UTF-8 either stay lone surrogates.
    """
    words = sys.argv[1:]
    return [os.fsencode(word).decode("utf-8", "surrogateescape") if has_surrogate(word) else word for word in words]


def decoded(data: bytes, name: str) -> str:
    """``data`` as text.

    Raises:
        InvalidInputError: it is not UTF-8; the first bad byte is named.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInputError(
            f"{name} is not UTF-8: byte 0x{data[error.start]:02x} in line {line}",
            suggestions=("save the text as UTF-8",),
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def discard(stream: TextIO | None) -> None:
    """Point ``stream`` nowhere, so that the interpreter's own last flush does not fail again."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        return
    finally:
        os.close(nowhere)


def _put(stream: BinaryIO, text: str) -> None:
    stream.write((text + "\n").encode("utf-8", "backslashreplace"))
    stream.flush()
