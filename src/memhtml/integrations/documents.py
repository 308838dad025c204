"""A file's text and the parts that are put into it, whatever its form."""

from __future__ import annotations

from typing import assert_never

from memhtml.integrations import blocks, entries, tables
from memhtml.integrations.parts import (
    Added,
    Block,
    Disputed,
    Entry,
    Item,
    Part,
    Splice,
    Table,
    Unreadable,
    Whole,
)

LONGEST = 64 * 1024 * 1024
"""Bytes that a configuration may have."""


def text_of(data: bytes) -> str:
    """A file as text, its byte order mark and its line ends as they are.

    Raises:
        Unreadable: it is not UTF-8, or longer than any configuration.
    """
    if len(data) > LONGEST:
        raise Unreadable("it is longer than any configuration")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8") from None


def add(text: str, part: Part, note: str) -> Added:
    """Put ``part`` in; ``note`` says whose it is where a file can say so.

    Raises:
        Unreadable: the file is not of the form that its host reads.
        Disputed: something else stands where the part belongs.
    """
    match part:
        case Entry() | Item():
            return entries.add(text, part)
        case Table():
            return tables.add(text, part, note)
        case Block():
            return blocks.add(text, part, note)
        case Whole():
            if text == part.text:
                return Added(text)
            if text:
                raise Disputed("it is there already, and says something else")
            return Added(part.text, (Splice(0, part.text),))
        case _:
            assert_never(part)


def take_out(text: str, part: Part, note: str) -> str:
    """``text`` without the part; the same text when it is not there any more.

    Raises:
        Unreadable: the file is not of the form that its host reads.
        Disputed: what is there is not what was put there.
    """
    match part:
        case Entry() | Item():
            return entries.take_out(text, part)
        case Table():
            return tables.take_out(text, part, note)
        case Block():
            return blocks.take_out(text, part, note)
        case Whole():
            if text not in {"", part.text}:
                raise Disputed("it says something else")
            return ""
        case _:
            assert_never(part)


def is_hollow(text: str, part: Part) -> bool:
    """Whether ``text``, of the form that ``part`` belongs into, says nothing.

    Raises:
        Unreadable: the file is not of the form that its host reads.
    """
    if isinstance(part, Entry | Item):
        return entries.is_hollow(text)
    return not text.strip("\ufeff \t\r\n")
