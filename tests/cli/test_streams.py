"""Standard streams as bytes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.cli.streams import Streams, decoded, discard
from memhtml.domain.errors import InvalidInputError, StorageError


def streams(stdin: bytes = b"") -> tuple[Streams, io.BytesIO, io.BytesIO]:
    """Streams in an encoding that can hold next to nothing, and what stands behind them."""
    out, err = io.BytesIO(), io.BytesIO()
    return (
        Streams(
            io.TextIOWrapper(io.BytesIO(stdin), encoding="ascii"),
            io.TextIOWrapper(out, encoding="ascii", newline="\r\n"),
            io.TextIOWrapper(err, encoding="ascii"),
        ),
        out,
        err,
    )


def test_output_is_utf8_with_bare_newlines_whatever_the_stream_says() -> None:
    """The locale, and Windows, have no say."""
    both, out, err = streams()
    both.write("日本\nPrivét")
    both.complain("é")
    assert out.getvalue() == "日本\nPrivét\n".encode()
    assert err.getvalue() == "é\n".encode()


def test_what_utf8_cannot_hold_comes_out_as_an_escape() -> None:
    """In JSON it is then the very escape that JSON has for it."""
    both, out, _ = streams()
    both.write('"a\udcff"')
    assert out.getvalue() == b'"a\\udcff"\n'


def test_input_is_utf8_without_mark_and_with_one_kind_of_newline() -> None:
    """As editors on Windows write it."""
    both, _, _ = streams(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert both.read() == "a\nb\nc\n"


def test_input_that_is_no_utf8_is_refused_with_its_line() -> None:
    """So that the byte can be found."""
    both, _, _ = streams(b"one\ntwo \xe9\n")
    with pytest.raises(InvalidInputError, match="standard input is not UTF-8: byte 0xe9 in line 2"):
        both.read()


def test_closed_streams_are_said_to_be_closed() -> None:
    """Python hands over `None` for each."""
    closed = Streams(None, None, None)
    with pytest.raises(InvalidInputError, match="standard input is closed"):
        closed.read()
    with pytest.raises(StorageError, match="standard output is closed"):
        closed.write("x")
    closed.complain("nobody hears")
    assert not closed.at_terminal()
    assert not closed.watched()
    assert not closed.piped()
    discard(None)


def test_complaining_to_a_broken_stream_is_quiet() -> None:
    """There is nobody left to tell."""
    both, _, err = streams()
    err.close()
    both.complain("x")


def test_a_discarded_stream_takes_everything(tmp_path: Path) -> None:
    """The interpreter's last flush finds no broken pipe; the file keeps what it had."""
    file = tmp_path / "out"
    with file.open("w") as stream:
        stream.write("kept")
        stream.flush()
        discard(stream)
        stream.write("lost")
    assert file.read_text() == "kept"


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\ufeff")))
def test_text_survives(text: str) -> None:
    """Out and in again."""
    both, out, _ = streams()
    both.write(text)
    assert decoded(out.getvalue(), "x") == text + "\n"
