"""JSON as people keep it, with comments and trailing commas, read with the place of everything in the text."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from msgspec import Struct

from memhtml.integrations.parts import Unreadable, Value

DEEPEST = 100
"""Values within values; a deeper file is no person's configuration."""

BYTE_ORDER_MARK = "\ufeff"

_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")


class Member(Struct, frozen=True):
    """One entry of an object: its key, where that begins, and what it holds."""

    key: str
    start: int
    node: Node


class Node(Struct, frozen=True):
    """A value and where it stands: ``text[start:end]``.

    Attributes:
        value: of a text, a number, a truth or a null; ``None`` of an object or an array.
        members: of an object, in their order, repeated ones included; ``None`` of anything else.
        items: of an array; ``None`` of anything else.
    """

    start: int
    end: int
    value: str | int | float | bool | None = None
    members: tuple[Member, ...] | None = None
    items: tuple[Node, ...] | None = None

    def member(self, key: str) -> Member | None:
        """The entry of that key, which `read` has seen to be the only one where it matters.

        Raises:
            Unreadable: the object has two of them, so that programs disagree on which one counts.
        """
        found = [member for member in self.members or () if member.key == key]
        if len(found) > 1:
            raise Unreadable(f"it says {json.dumps(key)} twice in one object")
        return found[0] if found else None


def read(text: str) -> Node:
    """The value that ``text`` holds. A byte order mark before it is passed over.

    >>> read('{"a": [1, 2,], /* why */ }').member("a").node.items[1].start
    10

    Raises:
        Unreadable: it holds none, or something beside it.
    """
    reader = _Reader(text)
    start = reader.skip(len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)
    node = reader.value(start, 0)
    after = reader.skip(node.end)
    if after != len(text):
        reader.refuse(after, "nothing more")
    return node


def value_of(node: Node) -> Value:
    """What ``node`` says, without its places; of a repeated key the last one, as most programs have it.

    >>> value_of(read('{"a": [1, {"b": null}]} // so be it'))
    {'a': [1, {'b': None}]}
    """
    if node.members is not None:
        return {member.key: value_of(member.node) for member in node.members}
    if node.items is not None:
        return [value_of(item) for item in node.items]
    return node.value


def skip_trivia(text: str, place: int) -> int:
    """Where white space and comments end that begin at ``place``."""
    found = _TRIVIA.match(text, place)
    return place if found is None else found.end()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, place: int) -> int:
        return skip_trivia(self._text, place)

    def refuse(self, place: int, wanted: str) -> NoReturn:
        line = self._text.count("\n", 0, place) + 1
        raise Unreadable(f"line {line} is no JSON: {wanted} should be there")

    def value(self, start: int, depth: int) -> Node:
        if depth > DEEPEST:
            self.refuse(start, f"no more than {DEEPEST} values within one another")
        first = self._text[start : start + 1]
        if first == "{":
            return self._object(start, depth)
        if first == "[":
            return self._array(start, depth)
        found = _STRING.match(self._text, start) or _WORD.match(self._text, start)
        if found is None:
            self.refuse(start, "a value")
        return Node(start, found.end(), self._decoded(found))

    def _decoded(self, found: re.Match[str]) -> str | int | float | bool | None:
        try:
            value: str | int | float | bool | None = json.loads(found[0])
        except ValueError:  # an escape that there is not, or more digits than Python takes
            self.refuse(found.start(), "a value")
        return value

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        place = self.skip(start + 1)
        while not self._text.startswith("}", place):
            key = _STRING.match(self._text, place)
            if key is None:
                self.refuse(place, "a key or }")
            colon = self.skip(key.end())
            if not self._text.startswith(":", colon):
                self.refuse(colon, ":")
            node = self.value(self.skip(colon + 1), depth + 1)
            members.append(Member(str(self._decoded(key)), place, node))
            place = self._next(node.end, "}")
        return Node(start, place + 1, members=tuple(members))

    def _array(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        place = self.skip(start + 1)
        while not self._text.startswith("]", place):
            node = self.value(place, depth + 1)
            items.append(node)
            place = self._next(node.end, "]")
        return Node(start, place + 1, items=tuple(items))

    def _next(self, end: int, closing: str) -> int:
        """Where the next thing of a list begins, or its end."""
        place = self.skip(end)
        if self._text.startswith(",", place):
            return self.skip(place + 1)
        if not self._text.startswith(closing, place):
            self.refuse(place, f", or {closing}")
        return place
