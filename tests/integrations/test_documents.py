"""Parts of every form, in one file each."""

from __future__ import annotations

import pytest

from memhtml.integrations.documents import LONGEST, add, is_hollow, take_out, text_of
from memhtml.integrations.parts import Block, Disputed, Entry, Item, Part, Table, Unreadable, Whole

PARTS: list[Part] = [
    Entry(("a", "b"), {"c": 1}),
    Item(("a",), {"c": 1}, mark='"c"'),
    Table(("a", "b"), {"c": "d"}),
    Block("text"),
    Whole("text\n"),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_every_part_comes_and_goes(part: Part) -> None:
    """From nothing to itself to nothing that says anything; a second time it is there already."""
    added = add("", part, "note")
    assert added.splices
    assert add(added.text, part, "note").splices == ()
    assert not is_hollow(added.text, part)
    rest = take_out(added.text, part, "note")
    assert is_hollow(rest, part) or isinstance(part, Entry | Item)
    assert take_out(rest, part, "note") == rest


def test_a_whole_file_is_put_where_none_is() -> None:
    """And taken out only as it was put there."""
    whole = Whole("text\n")
    with pytest.raises(Disputed):
        add("mine\n", whole, "note")
    with pytest.raises(Disputed):
        take_out("text\nmore\n", whole, "note")


@pytest.mark.parametrize(
    "data", [b"\xff\xfe{\x00}\x00", b"\xe9", b" " * (LONGEST + 1)], ids=["utf-16", "latin-1", "long"]
)
def test_a_file_is_utf_8_and_of_a_size(data: bytes) -> None:
    """Nothing is guessed of other bytes."""
    with pytest.raises(Unreadable):
        text_of(data)
    assert text_of(b"\xef\xbb\xbfa\r\n") == "\ufeffa\r\n"
