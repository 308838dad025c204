"""Markup as values: what both readers make, and what everything else looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """Where an element stands in the text that was parsed, as offsets; ``line`` is counted from 1.

    Attributes:
        start: of the start tag's ``<``.
        inner: just past the start tag.
        close: of the end tag's ``<``, or ``None`` when the source never wrote one.
        end: just past the end tag; just past the start tag when there is none.
        attributes: each attribute's whole ``name="value"``.
    """

    line: int
    start: int
    inner: int
    close: int | None
    end: int
    attributes: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])


@dataclass(frozen=True, slots=True)
class Text:
    """A run of characters, references resolved."""

    data: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, without its delimiters."""

    data: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element; ``span`` is ``None`` when the source does not write its start tag.

    ``foreign`` says that it belongs to SVG or MathML, so that none of HTML's meanings apply to its name.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    children: tuple[Node, ...] = ()
    span: Span | None = None
    foreign: bool = False

    @property
    def line(self) -> int | None:
        """The line of the start tag, counted from 1, if it stands in the source."""
        return None if self.span is None else self.span.line


Node: TypeAlias = Element | Text | Comment


@dataclass(frozen=True, slots=True)
class Enter:
    """The walk comes to an element, before its children."""

    element: Element
    depth: int


@dataclass(frozen=True, slots=True)
class Leave:
    """The walk is done with an element's children."""

    element: Element


Step: TypeAlias = Enter | Leave | Text | Comment


def walk(roots: tuple[Node, ...]) -> Iterator[Step]:
    """Every node below and including ``roots``, in document order, elements twice. Never recurses."""
    stack: list[Iterator[Node]] = [iter(roots)]
    open_elements: list[Element] = []
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            if open_elements:
                yield Leave(open_elements.pop())
        elif isinstance(node, Element):
            yield Enter(node, len(open_elements))
            open_elements.append(node)
            stack.append(iter(node.children))
        else:
            yield node


def elements(roots: tuple[Node, ...]) -> Iterator[Element]:
    """Every element below and including ``roots``, in document order."""
    return (step.element for step in walk(roots) if isinstance(step, Enter))


def text(roots: tuple[Node, ...]) -> str:
    """All characters below ``roots``, as they stand."""
    return "".join(step.data for step in walk(roots) if isinstance(step, Text))


def names(words: str) -> frozenset[str]:
    """The names in ``words``, parted by spaces.

    >>> sorted(names("td th"))
    ['td', 'th']
    """
    return frozenset(words.split())
