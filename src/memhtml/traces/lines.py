"""The lines of a transcript from an offset on, one at a time, in bounded memory."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from memhtml.store.plain import is_reparse_point

LONGEST_LINE = 8 * 1024 * 1024
"""Bytes of a line that is looked into; what is longer is counted and passed over."""

SEAM = 1024
"""Bytes before an offset by which it is known again."""

_PIECE = 256 * 1024

Opener = Callable[[Path], BinaryIO]
"""Opens a file for reading; a test counts its calls."""


class Line(Struct, frozen=True):
    """One line.

    Attributes:
        start: offset of its first byte.
        end: offset of the byte after its line feed.
        data: with its line feed; ``None`` when it is longer than what is looked into.
    """

    start: int
    end: int
    data: bytes | None


def open_plain(path: Path) -> BinaryIO:
    """Open an ordinary file without following a link and without waiting for anybody, as on a FIFO.

    Raises:
        OSError: it cannot be opened, or has become something else than a file.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    try:
        _require_file(descriptor)
        return os.fdopen(descriptor, "rb", buffering=_PIECE)
    except BaseException:
        os.close(descriptor)
        raise


def lines(stream: BinaryIO, start: int, stop: int, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """The lines that begin at ``start`` or later and end at ``stop`` or before; one that is not ended yet waits.

    ``start`` must be the beginning of a line. What is held at any time is one line of at most ``longest`` bytes.
    """
    stream.seek(start)
    while start < stop:
        data = stream.readline(min(longest, stop - start))
        end, ended = start + len(data), data.endswith(b"\n")
        overlong = len(data) == longest and not ended
        if overlong:
            end, ended = _rest(stream, end, stop)
        if not ended:
            return
        yield Line(start, end, None if overlong else data)
        start = end


def _rest(stream: BinaryIO, end: int, stop: int) -> tuple[int, bool]:
    """Where a line ends that has been read up to ``end``, and whether it ends at all."""
    while piece := stream.readline(min(_PIECE, stop - end)):
        end += len(piece)
        if piece.endswith(b"\n"):
            return end, True
    return end, False


def _require_file(descriptor: int) -> None:
    seen = os.fstat(descriptor)
    if not stat.S_ISREG(seen.st_mode) or is_reparse_point(seen):
        raise OSError(errno.EINVAL, "no ordinary file")


def seam(stream: BinaryIO, offset: int) -> bytes:
    """A digest of what stands right before ``offset``: it tells a file that grew from one that was written anew.

    Raises:
        OSError: it cannot be read.
    """
    begin = max(0, offset - SEAM)
    stream.seek(begin)
    return blake2b(stream.read(offset - begin), digest_size=16).digest()
