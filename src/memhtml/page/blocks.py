"""The text of an article as a reader meets it: a string a block."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memhtml.page.nodes import PHRASING, Element, Leave, Step, Text, names

# Inline by what browsers show, though the hash counts their edges: H<sub>2</sub>O is one word to a search.
_INLINE = PHRASING | names("b bdi bdo big del font i ins label s small strike sub sup tt u wbr")
_CELLS = frozenset({"dd", "td", "th"})
_SOFT = re.compile(r"[ \t\n\f\r]+")


def blocks(steps: Iterable[Step], skip: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The text of a walk, a string a block, never blank; white space collapsed, but for text under ``<pre>``.

    Cells share a block: a table's row is one, and ``<dt>`` with its ``<dd>`` is one, as ``name: value; value``.

    Args:
        steps: what is read.
        skip: elements that are left out, but for the ``<summary>`` of ``<details>``.
    """
    flow = _Flow(skip)
    for step in steps:
        match step:
            case Element() as element:
                flow.enter(element)
            case Leave(element):
                flow.leave(element)
            case Text(data):
                flow.text(data)
            case _:
                pass
    flow.end_block()
    return tuple(flow.done)


def one_line(text: str) -> str:
    r"""``text`` with every run of white space as one space, and none at its ends.

    >>> one_line(" a\n b\u00a0 c ")
    'a b c'
    """
    return " ".join(text.split())


class _Flow:
    """Blocks in the making: text is held until the edge of a block comes."""

    __slots__ = ("_held", "_last", "_open", "_skip", "_verbatim", "done")

    def __init__(self, skip: frozenset[str]) -> None:
        self.done: list[str] = []
        self._skip = skip
        self._held: list[str] = []
        # The last character of the block that is not white space; empty before the first.
        self._last = ""
        # Each open element with whether its text is taken; the first stands for what is around the walk.
        self._open: list[tuple[str, bool]] = [("", True)]
        self._verbatim = 0

    def enter(self, element: Element) -> None:
        if element.tag == "dd":
            self._say(" " if self._last in {"", ":"} else "; ")
        else:
            self._edge(element)
        self._verbatim += element.tag == "pre"
        parent, taken = self._open[-1]
        if element.tag == "summary" and parent == "details":
            self._open.append((element.tag, self._open[-2][1]))
        else:
            self._open.append((element.tag, taken and element.tag not in self._skip))

    def leave(self, element: Element) -> None:
        if element.tag == "dt":
            self._say("" if self._last in {"", ":"} else ":")
        elif element.tag != "dd":
            self._edge(element)
        self._verbatim -= element.tag == "pre"
        self._open.pop()

    def text(self, data: str) -> None:
        if self._open[-1][1]:
            self._say(data)

    def end_block(self) -> None:
        held = "".join(self._held)
        self._held.clear()
        self._last = ""
        block = held.strip("\n").rstrip() if self._verbatim else _SOFT.sub(" ", held).strip(" ")
        if block.strip():
            self.done.append(block)

    def _edge(self, element: Element) -> None:
        if element.tag in _CELLS:
            self._say(" ")
        elif element.tag not in _INLINE:
            self.end_block()

    def _say(self, data: str) -> None:
        self._held.append(data)
        self._last = data.rstrip()[-1:] or self._last
