"""Parts of JSON files, put in and taken out by splices: what else a person wrote there stays, byte for byte."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

from msgspec import Struct

from memhtml.integrations.jsonc import Node, read, skip_trivia, value_of
from memhtml.integrations.parts import Added, Disputed, Entry, Item, Splice, Value, spliced

Path: TypeAlias = tuple[str, ...]

EMPTY = "{}\n"
"""What a file is taken to hold that holds nothing."""

_REST_OF_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/))*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT = re.compile(r"/[/*]")
_INDENT = re.compile(r"[ \t]*")


class _Hand(Struct, frozen=True):
    """How the author of a file writes: line ends, and one step of indentation."""

    line_end: str
    step: str


def add(text: str, part: Entry | Item) -> Added:
    r"""Put ``part`` in, as the author of ``text`` would have written it.

    >>> add('{"a": 1}', Entry(("b", "c"), 2)).text
    '{"a": 1, "b": {"c": 2}}'
    >>> add('{\n\t"a": 1 // one\n}', Entry(("b",), 2)).text
    '{\n\t"a": 1, // one\n\t"b": 2\n}'

    Raises:
        Unreadable: the text is no JSON, or says something twice that matters here.
        Disputed: something else is where the part belongs.
    """
    started = () if _blank(text) is False else (Splice(len(text), EMPTY),)
    for splice in started:
        text = spliced(text, splice)
    root = read(text)
    node, depth = _found(root, part.path if isinstance(part, Item) else part.path[:-1])
    if isinstance(part, Item) and depth == len(part.path):
        if _place_of(node, part) is not None:
            return Added(text)
        splices = _inserted(text, root, node, "", part.value)
        made: tuple[Path, ...] = ()
    else:
        if node.members is None:
            raise Disputed(f"{_named(part.path[:depth])} is no object")
        key, value, made = _missing(part, depth)
        if (there := node.member(key)) is not None:
            _require_equal(there.node, part)
            return Added(text)
        splices = _inserted(text, root, node, json.dumps(key, ensure_ascii=False) + ": ", value)
    for splice in splices:
        text = spliced(text, splice)
    return Added(text, (*started, *splices), made)


def take_out(text: str, part: Entry | Item) -> str:
    r"""``text`` without the part; the same text when it is not there any more.

    >>> take_out('{\n  "a": 1, // one\n  "b": 2\n}', Entry(("b",), 2))
    '{\n  "a": 1 // one\n}'

    Raises:
        Unreadable: the text is no JSON, or says something twice that matters here.
        Disputed: what is there is not what was put there.
    """
    if _blank(text):
        return text
    above = part.path if isinstance(part, Item) else part.path[:-1]
    try:
        node, depth = _found(read(text), above)
    except Disputed:  # something else stands on the way to it
        return text
    spot = _spot(node, part) if depth == len(above) else None
    if spot is None:
        return text
    _require_no_comment(text, spot[1], part)
    return _without(text, node, spot[0])


def prune(text: str, path: Path) -> str:
    """``text`` without the object or list at ``path``, if nothing is in it, not even a comment.

    >>> prune('{"a": {"b": []}}', ("a", "b"))
    '{"a": {}}'

    Raises:
        Unreadable: the text is no JSON, or says something twice that matters here.
    """
    if _blank(text):
        return text
    node, depth = _found(read(text), path[:-1])
    there = node.member(path[-1]) if depth == len(path) - 1 else None
    if there is None or node.members is None or not _hollow(text, there.node):
        return text
    return _without(text, node, node.members.index(there))


def is_hollow(text: str) -> bool:
    """Whether ``text`` says nothing: no value and no comment, or an empty object.

    Raises:
        Unreadable: the text is no JSON.
    """
    if _blank(text):
        return True
    root = read(text)
    return _hollow(text, root) and not text[: root.start].strip("\ufeff \t\r\n") and not text[root.end :].strip()


def _blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _found(root: Node, path: Path) -> tuple[Node, int]:
    """The innermost value on the way that ``path`` goes, and how many steps lead to it.

    Raises:
        Disputed: a step leads into something that has no entries.
    """
    node = root
    for depth, key in enumerate(path):
        if node.members is None:
            raise Disputed(f"{_named(path[:depth])} is no object")
        there = node.member(key)
        if there is None:
            return node, depth
        node = there.node
    return node, len(path)


def _named(path: Path) -> str:
    return ".".join(path) or "the outermost value"


def _missing(part: Entry | Item, depth: int) -> tuple[str, Value, tuple[Path, ...]]:
    """What is put in at ``depth``: its key, and its value with all that must be made around the part."""
    value: Value = [part.value] if isinstance(part, Item) else part.value
    for key in reversed(part.path[depth + 1 :]):
        value = {key: value}
    made = range(depth + 1, len(part.path) + isinstance(part, Item))
    return part.path[depth], value, tuple(part.path[:length] for length in made)


def _require_equal(node: Node, part: Entry | Item) -> None:
    if value_of(node) != part.value:
        raise Disputed(f"{_named(part.path)} says something else")


def _spot(node: Node, part: Entry | Item) -> tuple[int, Node] | None:
    """Which thing of its object or list the part is.

    Raises:
        Disputed: it is there in another form.
    """
    if isinstance(part, Item):
        place = _place_of(node, part)
        return None if place is None else (place, (node.items or ())[place])
    there = node.member(part.path[-1])
    if there is None:
        return None
    _require_equal(there.node, part)
    return (node.members or ()).index(there), there.node


def _require_no_comment(text: str, node: Node, part: Entry | Item) -> None:
    """None was written into it, so that any would be somebody's."""
    if _COMMENT.search(_STRING.sub("", text[node.start : node.end])):
        raise Disputed(f"{_named(part.path)} holds a comment")


def _place_of(node: Node, part: Item) -> int | None:
    """Where the part is in its list.

    Raises:
        Disputed: it is no list, or the part is there in another form.
    """
    if node.items is None:
        raise Disputed(f"{_named(part.path)} is no list")
    values = [value_of(item) for item in node.items]
    if part.value in values:
        return values.index(part.value)
    if any(part.mark in json.dumps(value, ensure_ascii=False) for value in values):
        raise Disputed(f"{_named(part.path)} holds it in another form")
    return None


def _children(node: Node) -> list[tuple[int, int]]:
    if node.members is not None:
        return [(member.start, member.node.end) for member in node.members]
    return [(item.start, item.end) for item in node.items or ()]


def _inserted(text: str, root: Node, node: Node, label: str, value: Value) -> tuple[Splice, ...]:
    """What puts a value at the end of an object or a list."""
    children, hand = _children(node), _hand(text, root)
    if not children:
        return (_into_nothing(text, node, hand, label, value),)
    end = children[-1][1]
    comma = skip_trivia(text, end)
    trailing = text.startswith(",", comma)
    after = comma + 1 if trailing else end
    if not _LINE_END.search(text, node.start, children[0][0]):
        written = label + json.dumps(value, ensure_ascii=False)
        return (Splice(after, f" {written}," if trailing else f", {written}"),)
    indent = hand.line_end + _indent(text, children[-1][0])
    written = indent + label + _written(value, hand, indent)
    if trailing:
        return (Splice(_end_of_line(text, after), written + ","),)
    return Splice(end, ","), Splice(_end_of_line(text, after) + 1, written)


def _into_nothing(text: str, node: Node, hand: _Hand, label: str, value: Value) -> Splice:
    outside = hand.line_end + _indent(text, node.start)
    indent = outside + hand.step
    written = indent + label + _written(value, hand, indent)
    inside = text[node.start + 1 : node.end - 1]
    if _LINE_END.search(inside):
        return Splice(node.start + 1 + len(inside.rstrip(" \t\r\n")), written)
    return Splice(node.end - 1, written + outside)


def _end_of_line(text: str, place: int) -> int:
    """After the comments that follow on the same line."""
    found = _REST_OF_LINE.match(text, place)
    return place if found is None else found.end()


def _written(value: Value, hand: _Hand, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=hand.step).replace("\n", indent)


def _hand(text: str, root: Node) -> _Hand:
    line_end = _LINE_END.search(text)
    children = _children(root)
    own_line = children and _LINE_END.search(text, root.start, children[0][0])
    return _Hand(line_end[0] if line_end else "\n", _indent(text, children[0][0]) if own_line else "  ")


def _indent(text: str, place: int) -> str:
    """The white space with which the line of ``place`` begins."""
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    found = _INDENT.match(text, start, place)
    return "" if found is None else found[0]


def _hollow(text: str, node: Node) -> bool:
    return (node.members == () or node.items == ()) and not text[node.start + 1 : node.end - 1].strip()


def _without(text: str, node: Node, place: int) -> str:
    """``text`` without one thing of an object or a list, and without the comma that it needed."""
    children = _children(node)
    start, end = children[place]
    comma = skip_trivia(text, end)
    left = _line_start(text, start)
    cut = [(left, end)]
    if text.startswith(",", comma):
        cut.append((comma, comma + 1))
        if place == 0 and left == start:  # on one line with what follows, and with the bracket before it
            cut[1] = (comma, comma + 1 + len(_INDENT.match(text, comma + 1)[0]))  # type: ignore[index] # it matches ""
    elif place > 0:
        before = skip_trivia(text, children[place - 1][1])
        cut.insert(0, (before, before + 1))
    for first, last in reversed(cut):
        text = text[:first] + text[last:]
    closing = node.end - 1 - sum(last - first for first, last in cut)
    if len(children) == 1 and not text[node.start + 1 : closing].strip():
        return text[: node.start + 1] + text[closing:]
    return text


def _line_start(text: str, place: int) -> int:
    """Where the white space before ``place`` begins, with one line end if it is the first thing on its line."""
    left = len(text[:place].rstrip(" \t"))
    if text.startswith("\n", left - 1):
        return left - 2 if text.startswith("\r\n", left - 2) and left > 1 else left - 1
    if text.startswith("\r", left - 1):
        return left - 1
    return left if text.startswith(",", left - 1) else place
