"""Markup as values: what both readers make, and what everything else looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field


class Span(Struct, frozen=True):
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


class Text(Struct, frozen=True):
    """A run of characters, references resolved."""

    data: str


class Comment(Struct, frozen=True):
    """A comment, without its delimiters."""

    data: str


class Element(Struct, frozen=True):
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


class Leave(NamedTuple):
    """The end of an element in a walk, after its children."""

    element: Element


Step: TypeAlias = Element | Leave | Text | Comment
"""A walk's next node; an element comes before its children, and its `Leave` after them."""


def walk(roots: tuple[Node, ...]) -> list[Step]:
    """Every node below and including ``roots``, in document order. Never recurses: files nest as they like."""
    steps: list[Step] = []
    # What is still to come, the next on top.
    stack: list[Step] = list(reversed(roots))
    while stack:
        step = stack.pop()
        steps.append(step)
        if isinstance(step, Element):
            stack.append(Leave(step))
            stack.extend(reversed(step.children))
    return steps


def inside(steps: Sequence[Step], element: Element) -> Sequence[Step]:
    """The part of a walk between ``element`` and its `Leave`; empty when the walk does not meet it."""
    start = next((index for index, step in enumerate(steps) if step is element), None)
    if start is None:
        return ()
    depth = 0
    for index in range(start, len(steps)):
        step = steps[index]
        depth += 1 if isinstance(step, Element) else -1 if isinstance(step, Leave) else 0
        if not depth:
            return steps[start + 1 : index]
    return steps[start + 1 :]


def elements(steps: Iterable[Step]) -> list[Element]:
    """The elements of a walk."""
    return [step for step in steps if isinstance(step, Element)]


def text(steps: Iterable[Step]) -> str:
    """All characters of a walk, as they stand."""
    return "".join(step.data for step in steps if isinstance(step, Text))


def names(words: str) -> frozenset[str]:
    """The names in ``words``, parted by spaces.

    >>> sorted(names("td th"))
    ['td', 'th']
    """
    return frozenset(words.split())


def is_html(element: Element, tag: str) -> bool:
    """Whether ``element`` is HTML's ``tag``, not a namesake in SVG or MathML."""
    return element.tag == tag and not element.foreign


PHRASING = names("mark time data cite q dfn abbr code kbd samp var a strong em span")
"""Elements whose edges part no words, for the hash and for every reader."""
