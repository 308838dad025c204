"""Lines from an offset on, in bounded memory."""

from __future__ import annotations

import os
import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.traces.lines import SEAM, Line, lines, open_plain, seam

PIECES = st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"\x00", b"\xff" * 9]), max_size=30)


@given(PIECES, st.integers(1, 12))
def test_lines_are_what_ends_with_a_line_feed(pieces: list[bytes], longest: int) -> None:
    """Together they are the bytes up to the last line feed; a longer one has a place and no data."""
    whole = b"".join(pieces)
    found = list(lines(BytesIO(whole), 0, len(whole), longest))
    ended = [part + b"\n" for part in whole.split(b"\n")[:-1]]
    assert [(line.start, line.end - line.start) for line in found] == [
        (sum(map(len, ended[:number])), len(part)) for number, part in enumerate(ended)
    ]
    assert [line.data for line in found] == [part if len(part) <= longest else None for part in ended]


@given(PIECES, PIECES)
def test_reading_on_gives_what_was_added(before: list[bytes], after: list[bytes]) -> None:
    """In two goes the same lines as in one, each once."""
    first, whole = b"".join(before), b"".join((*before, *after))
    start = list(lines(BytesIO(first), 0, len(first)))
    rest = list(lines(BytesIO(whole), start[-1].end if start else 0, len(whole)))
    assert start + rest == list(lines(BytesIO(whole), 0, len(whole)))


def test_nothing_after_the_end_that_was_seen_is_read() -> None:
    """A line that somebody ends meanwhile is for the next time."""
    assert list(lines(BytesIO(b"one\ntwo\nthree\n"), 4, 10)) == [Line(4, 8, b"two\n")]
    assert list(lines(BytesIO(b"x" * 50 + b"\n"), 0, 40, longest=10)) == []
    assert list(lines(BytesIO(b"x" * 50 + b"\n"), 0, 51, longest=10)) == [Line(0, 51, None)]


def test_a_file_that_shrank_meanwhile_just_ends() -> None:
    """There is less than was seen."""
    assert list(lines(BytesIO(b"one\ntw"), 0, 100)) == [Line(0, 4, b"one\n")]


def test_a_line_without_end_takes_no_memory(tmp_path: Path) -> None:
    """Two hundred megabytes in one line, of which at most one of the size that is looked into is ever held."""
    path = tmp_path / "long.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"type":"mode"}\n')
        stream.truncate(200_000_000)
        stream.seek(200_000_000)
        stream.write(b'\n{"type":"mode"}\n{"ty')
    size = path.stat().st_size
    tracemalloc.start()
    with open_plain(path) as stream:
        found = [(line.start, line.end, line.data) for line in lines(stream, 0, size, longest=1_000_000)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [
        (0, 16, b'{"type":"mode"}\n'),
        (16, 200_000_001, None),
        (200_000_001, 200_000_017, b'{"type":"mode"}\n'),
    ]
    assert peak < 5_000_000


def test_a_seam_is_of_what_stands_right_before() -> None:
    """And of nothing else."""
    text = bytes(range(200))
    assert seam(BytesIO(text), 150) == seam(BytesIO(b"x" * (150 - SEAM) + text[150 - SEAM : 150] + b"more"), 150)
    assert seam(BytesIO(text), 150) != seam(BytesIO(text[:149] + b"\x00" + text[150:]), 150)
    assert seam(BytesIO(text), 0) == seam(BytesIO(b""), 0)


def test_only_a_plain_file_is_opened(tmp_path: Path) -> None:
    """No folder; nor what is not there."""
    with pytest.raises(OSError):  # noqa: PT011 - which one is up to the system
        open_plain(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_plain(tmp_path / "none.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="links and FIFOs of a POSIX system")
def test_no_link_is_followed_and_no_fifo_waited_for(tmp_path: Path) -> None:
    """Also where one took the place of a file after that was seen."""
    (tmp_path / "real.jsonl").write_bytes(b"\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    os.mkfifo(tmp_path / "fifo.jsonl")
    for name in ("link.jsonl", "fifo.jsonl"):
        with pytest.raises(OSError):  # noqa: PT011 - the number differs between systems
            open_plain(tmp_path / name)
