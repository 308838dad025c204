"""What is put into a host's files, part by part, and what can be said of a part that is not as it was put there."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = object
"""What JSON and TOML can say; the reader of receipts takes no type that holds itself."""


class Entry(Struct, frozen=True, tag="entry"):
    """A key of an object of a JSON file: ``path`` leads to it from the outermost object."""

    path: tuple[str, ...]
    value: Value


class Item(Struct, frozen=True, tag="item"):
    """One more thing in a list of a JSON file; ``path`` leads to the list.

    Attributes:
        mark: a text by which this thing is known when somebody has changed it.
    """

    path: tuple[str, ...]
    value: Value
    mark: str


class Table(Struct, frozen=True, tag="table"):
    """A table of a TOML file, with texts and lists of texts in it."""

    path: tuple[str, ...]
    value: dict[str, Value]


class Block(Struct, frozen=True, tag="block"):
    """Lines of Markdown, which are put between two marks, at the end of a file; without a final line end."""

    text: str


class Whole(Struct, frozen=True, tag="whole"):
    """A whole file."""

    text: str


Part: TypeAlias = Entry | Item | Table | Block | Whole


class Added(Struct, frozen=True):
    """A text that a part was put into.

    Attributes:
        splices: what was put in, one after the other; none where the part stood there already.
        made: paths of the objects and lists that had to be made around it, the outermost first.
    """

    text: str
    splices: tuple[Splice, ...] = ()
    made: tuple[tuple[str, ...], ...] = ()


class Splice(Struct, frozen=True):
    """A text that was put in at a place, counted in characters of what was there just before."""

    place: int
    text: str


class Unreadable(Exception):  # noqa: N818 - it is told as a part of an error, and is none of its own
    """A file is not of the form that its host reads."""


class Disputed(Exception):  # noqa: N818 - it is told as a part of an error, and is none of its own
    """What stands where a part belongs is not what was put there, or would be."""


def spliced(text: str, splice: Splice) -> str:
    """``text`` with the splice put in.

    >>> spliced("ad", Splice(1, "bc"))
    'abcd'
    """
    return text[: splice.place] + splice.text + text[splice.place :]


def unspliced(text: str, splices: tuple[Splice, ...]) -> str:
    """``text`` as it was before the splices were put in, one after the other.

    >>> unspliced("abcd", (Splice(1, "c"), Splice(1, "b")))
    'ad'

    Raises:
        Disputed: one of them is not where it was put.
    """
    for splice in reversed(splices):
        end = splice.place + len(splice.text)
        if text[splice.place : end] != splice.text:
            raise Disputed("it is not what was written")
        text = text[: splice.place] + text[end:]
    return text
