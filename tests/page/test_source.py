"""Bytes, text, and the way back, for every kind of newline and mark."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.page.source import BYTE_ORDER_MARK, UndecodableError, decode

ALPHABET = ("\r", "\n", "a", "é", "日", "😀", "\ufeff")


def check(data: bytes) -> None:
    """Every offset of the text leads to the byte where its character begins; the end leads to the end."""
    source = decode(data)
    start = 3 if data.startswith(BYTE_ORDER_MARK) else 0
    expected: list[int] = []
    text = ""
    position = start
    while position < len(data):
        expected.append(position)
        rest = data[position:]
        if rest.startswith(b"\r\n"):
            text, position = text + "\n", position + 2
        elif rest.startswith(b"\r"):
            text, position = text + "\n", position + 1
        else:
            character = rest.decode()[0]
            text, position = text + character, position + len(character.encode())
    assert source.text == text
    assert source.data == data
    assert [source.byte_offset(offset) for offset in range(len(text) + 1)] == [*expected, len(data)]


@pytest.mark.parametrize("length", range(5))
def test_every_short_text_maps_back(length: int) -> None:
    """Exhaustively: all texts up to four characters of the kinds that matter, with and without a mark in front."""
    for characters in product(ALPHABET, repeat=length):
        data = "".join(characters).encode()
        check(data)
        check(BYTE_ORDER_MARK + data)


def test_every_newline_of_two_bytes_counts() -> None:
    """Also the third and the fourth."""
    check(b"a\r\n\r\nb\nc\r\nd\re\r\n")
    assert decode(b"\r\n\r\na\r\nb\r\n").pairs == (0, 1, 3, 5)


@given(st.text(st.one_of(st.sampled_from("\r\n\ufeff"), st.characters(codec="utf-8", exclude_characters="\x00"))))
def test_every_text_maps_back(text: str) -> None:
    """Long ones too."""
    check(text.encode())


@given(st.binary())
def test_bytes_are_text_or_refused(data: bytes) -> None:
    """Nothing else is ever raised, and what is accepted holds no NUL and no carriage return."""
    refusal = None
    text = ""
    try:
        text = decode(data).text
    except UndecodableError as error:
        refusal = error
    assert refusal is None or refusal.code in {"encoding", "nul"}
    assert refusal is None or 1 <= refusal.line <= 1 + data.count(b"\n") + data.count(b"\r")
    assert not set("\x00\r") & set(text)


@pytest.mark.parametrize(
    ("data", "code", "line", "words"),
    [
        (b"a\x00", "nul", 1, "NUL"),
        (b"a\r\nb\rc\nd\x00", "nul", 4, "NUL"),
        (b"a\x00\n\x00", "nul", 1, "NUL"),
        (b"a\r\nb\rc\nd\xff", "encoding", 4, "byte 8 is not UTF-8"),
        (BYTE_ORDER_MARK + b"\n\xe9", "encoding", 2, "byte 4 is not UTF-8"),
        (b"\xed\xa0\x80", "encoding", 1, "byte 0"),
        (b"\xc0\x80", "encoding", 1, "byte 0"),
        ("<p>".encode("utf-16-le"), "nul", 1, "NUL"),
        (b"\xff\xfe<\x00", "encoding", 1, "UTF-16"),
        (b"\xfe\xff\x00<", "encoding", 1, "UTF-16"),
        (b"\x00\xff", "encoding", 1, "byte 1"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes, code: str, line: int, words: str) -> None:
    """UTF-16, Latin-1, encoded surrogates, overlong forms, NUL."""
    with pytest.raises(UndecodableError, match=words) as refusal:
        decode(data)
    assert (refusal.value.code, refusal.value.line) == (code, line)


def test_an_empty_file_is_an_empty_text() -> None:
    """With a mark or without."""
    assert decode(b"").text == ""
    assert decode(BYTE_ORDER_MARK).byte_offset(0) == 3
