"""Whether a tree is what its source spells, on trees and sources made by hand."""

from __future__ import annotations

import pytest

from memhtml.page.nodes import Element, Span, Text, walk
from memhtml.page.structure import SourcePiece, SourceTag, check
from memhtml.page.violation import Violation

SOURCE = "<p>\na <b>\nc</b></p>"
"""The offsets below are those of this text."""

P_START, B_START, B_END, P_END = 0, 6, 11, 15
PIECES: list[SourcePiece] = [
    SourceTag("p", P_START, 1, closing=False),
    "\na ",
    SourceTag("b", B_START, 2, closing=False),
    "\nc",
    SourceTag("b", B_END, 3, closing=True),
    SourceTag("p", P_END, 3, closing=True),
]


def b(close: int | None = B_END, text: str = "\nc") -> Element:
    """The inner element."""
    return Element("b", {}, (Text(text),), Span(2, B_START, 9, close, 15 if close else 9))


def p(*children: Element | Text) -> Element:
    """The outer element."""
    return Element("p", {}, children, Span(1, P_START, 3, P_END, 19))


def found(root: Element, pieces: list[SourcePiece] = PIECES) -> list[Violation]:
    """What the check says of this tree."""
    return check(SOURCE, walk((root,)), pieces)


def test_a_tree_that_is_its_source_has_nothing_to_say() -> None:
    """Also when white space differs, and when text comes in pieces."""
    assert found(p(Text("\na "), b())) == []
    assert found(p(Text("a"), b(text=" c "))) == []
    assert found(p(Text("\n"), Text("a "), b())) == []
    assert check("", [], []) == []


def test_each_kind_of_difference_has_its_name_and_line() -> None:
    """Of the tag concerned; of the last tag before the difference where text is concerned."""
    unclosed = Violation("unclosed", "<b> is never closed where it should be; write </b>", 2)
    stray = Violation("stray-end-tag", "</b> closes nothing; take it out or open <b>", 3)
    lost = Violation("lost-tag", "<b> may not stand here and is dropped; take it out", 2)
    message = "a parser moves or drops what stands here or behind; put it where it may stand"
    assert found(p(Text("a"), b(close=None))) == [unclosed, stray]
    assert found(p(Text("ac"))) == [lost, stray]
    assert found(p(b(), Text("a"))) == [Violation("misplaced", message, 1)]
    assert found(p(Text("a"), b(text="c d"))) == [Violation("misplaced", message, 2)]
    assert found(p(Text("a"), b(), Text("x"))) == [Violation("misplaced", message, 3)]
    assert found(p(Text("a"), b()), [*PIECES, "behind"]) == [Violation("misplaced", message, 3)]
    assert found(p(Text("x"), b()), ["x", *PIECES]) == [Violation("misplaced", message, 1)]
    assert check("\nx", [], ["\nx"]) == [Violation("misplaced", message, 1)]
    assert check("\n<hr>x", walk((Element("hr", {}, (), Span(2, 1, 5, None, 5)),)), [
        SourceTag("hr", 1, 2, closing=False), "x"
    ]) == [Violation("misplaced", message, 2)]  # fmt: skip


def test_an_implied_element_is_nothing_to_say() -> None:
    """The source does not write it, and nothing is moved by it."""
    assert found(p(Text("a"), Element("tbody", {}, (b(),)))) == []


def test_an_element_that_a_parser_makes_twice_is_named() -> None:
    """Also when the copy comes last, so that nothing behind it differs."""
    item = Element("li", {}, (Text("c"),), Span(2, B_START, 9, None, 9))
    copy = Element("li", {}, (), Span(2, B_START, 9, None, 9))
    pieces = [SourceTag("li", B_START, 2, closing=False), "c"]
    assert found(item, pieces) == []
    assert [violation.code for violation in check(SOURCE, walk((item, copy)), pieces)] == ["misplaced"]


@pytest.mark.parametrize(("tag", "foreign", "self_closing", "codes"), [
    ("section", False, False, ["unclosed"]),
    ("section", False, True, ["unclosed"]),
    ("li", False, False, []),
    ("br", False, False, []),
    ("br", True, False, ["unclosed"]),
    ("g", True, True, []),
    ("g", True, False, ["unclosed"]),
])  # fmt: skip
def test_what_may_stay_open(tag: str, foreign: bool, self_closing: bool, codes: list[str]) -> None:  # noqa: FBT001 - columns
    """Void elements, those whose end HTML implies, and foreign ones that close themselves."""
    element = Element(tag, {}, (), Span(1, 0, 5, None, 5), foreign)
    piece = SourceTag(tag, 0, 1, closing=False, self_closing=self_closing)
    assert [violation.code for violation in check("<xxx>", walk((element,)), [piece])] == codes


def test_noscript_is_compared_as_raw_text() -> None:
    """As a tokenizer sees it; its end counts too."""
    source = "<noscript><p>a</p></noscript>"
    element = Element("noscript", {}, (Text("&lt;p&gt;a"),), Span(1, 0, 10, 18, 29))
    start, end = SourceTag("noscript", 0, 1, closing=False), SourceTag("noscript", 18, 1, closing=True)
    assert check(source, walk((element,)), [start, "<p>a</p>", end]) == []
    assert [v.code for v in check(source, walk((element, Text("x"))), [start, "<p>a</p>", end])] == ["misplaced"]
    assert [v.code for v in check(source, walk((element,)), [start, "<p>", end])] == ["misplaced"]


def deep(depth: int, *children: Element) -> Element:
    """An element in ``depth`` others."""
    (node,) = children or (Element("p"),)
    for _ in range(depth):
        node = Element("p", children=(Element("p"), node))
    return node


@pytest.mark.parametrize(("root", "codes"), [
    (Element("p", children=tuple(Element("p") for _ in range(500))), []),
    (deep(199), []),
    (deep(200), ["nesting"]),
    (Element("p", children=(*(Element("p") for _ in range(500)), deep(199))), ["nesting"]),
], ids=["beside", "200", "201", "beside and 201"])  # fmt: skip
def test_depth_is_how_many_elements_are_open_at_once(root: Element, codes: list[str]) -> None:
    """However many stand beside one another on the way."""
    assert [violation.code for violation in check("", walk((root,)), [])] == codes
