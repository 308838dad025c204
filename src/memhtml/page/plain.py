"""A reader for the plain spelling in which this program writes files, without the HTML parser.

It takes what is so well formed that HTML's rules of mending never come into play: every tag closed in order, names and
attributes in lower case, values in double quotes, the five references that we write, and only elements in places where
no parser closes, moves or drops anything. For such a text it gives exactly what the parser gives, spans included; for
any other it gives nothing, and the parser is asked. It exists because loading the parser costs more than most commands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from memhtml.page.markup import WHITE_SPACE
from memhtml.page.nodes import PHRASING, Element, Node, Span, Text, names

DEEPEST_PLAIN = 100
"""Open elements at once; deeper files are left to the parser and its limits."""

_DOCTYPE = "<!doctype html>"
_REFERENCE = r"&(?:amp|lt|gt|quot|nbsp|#13);"
_TOKEN = re.compile(
    rf"""<([a-z]+)((?:[ ][a-z]+(?:-[a-z]+)*="(?:[^"&]++|{_REFERENCE})*+")*)>"""
    rf"""|</([a-z]+)>"""
    rf"""|((?:[^<&]++|{_REFERENCE})++)""",
)
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_REFERENCES = re.compile(_REFERENCE)
_CHARACTERS = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&nbsp;": "\xa0", "&#13;": "\r"}

_FLOW = PHRASING | names("p ul ol dl pre section aside figure details address div")
_NOTHING: frozenset[str] = frozenset()
# What may stand right inside what. Where text may stand too, and where only white space, says _TEXTUAL.
_CHILDREN: Mapping[str, frozenset[str]] = {
    "": names("html"),
    "html": names("head body"),
    "head": names("meta link title"),
    "title": _NOTHING,
    "body": names("article"),
    "article": _FLOW,
    "section": _FLOW,
    "aside": _FLOW,
    "div": _FLOW,
    "address": _FLOW,
    "li": _FLOW,
    "dd": _FLOW,
    "details": _FLOW | names("summary"),
    "figure": _FLOW | names("figcaption"),
    "ul": names("li"),
    "ol": names("li"),
    "dl": names("dt dd"),
    **dict.fromkeys(PHRASING | names("p pre summary figcaption dt"), PHRASING),
}
_SPACED = names("html head body ul ol dl") | {""}
_VOID = names("meta link")
# The parser keeps a list of these, and reopens or splits them when one is inside itself.
_FORMATTING = names("a code em strong")
_ONCE = names("html head title body article")


class _Open(Struct):
    """An element whose end tag has not come; the document itself has a name alone, and an empty one."""

    tag: str
    line: int = 0
    start: int = 0
    inner: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    children: list[Node] = field(default_factory=list[Node])

    def closed(self, close: int | None, end: int) -> Element:
        """The element, with its end tag from ``close`` to ``end``."""
        span = Span(self.line, self.start, self.inner, close, end, self.spans)
        return Element(self.tag, self.attributes, tuple(self.children), span)


def read_plain(text: str) -> tuple[Node, ...] | None:
    r"""The children of the document that ``text`` spells, or ``None`` when it is not in the plain spelling.

    >>> read_plain("<!doctype html><html><head></head><body><article>a</article></body></html>") is None
    False
    >>> read_plain("<p>a") is None
    True
    """
    if not text.startswith(_DOCTYPE):
        return None
    reader = _Reader(text)
    position = len(_DOCTYPE)
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None or not reader.take(token):
            return None
        position = token.end()
    return reader.roots()


class _Reader:
    """The elements that are open, and what may come next."""

    __slots__ = ("_ends", "_formatting", "_line", "_line_offset", "_open", "_seen", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._open = [_Open("")]
        self._seen: dict[str, _Open] = {}
        # Where the end tags of html and body stand: these two are made last, since white space behind goes into body.
        self._ends: dict[str, tuple[int, int]] = {}
        self._formatting: set[str] = set()
        self._line = 1
        self._line_offset = 0

    def take(self, token: re.Match[str]) -> bool:
        """Whether ``token`` may stand here; if so it is taken in."""
        if token[1] is not None:
            return self._start(token)
        if token[3] is not None:
            return self._end(token)
        return self._characters(token)

    def roots(self) -> tuple[Node, ...] | None:
        """The children of the document, when all of it is there and closed."""
        if self._ends.keys() != {"html", "body"}:
            return None
        html, body = self._seen["html"], self._seen["body"]
        html.children.append(body.closed(*self._ends["body"]))
        return (html.closed(*self._ends["html"]),)

    def _start(self, token: re.Match[str]) -> bool:
        tag, parent = token[1], self._open[-1]
        if tag not in _CHILDREN[parent.tag] or len(self._open) > DEEPEST_PLAIN:
            return False
        if tag in self._seen or tag in self._formatting or (tag == "body" and "head" not in self._seen):
            return False
        spans: dict[str, tuple[int, int]] = {}
        attributes: dict[str, str] = {}
        for attribute in _ATTRIBUTE.finditer(self._text, token.start(2), token.end(2)):
            if attribute[1] in attributes:
                return False
            spans[attribute[1]] = attribute.span()
            attributes[attribute[1]] = _decoded(attribute[2])
        opened = _Open(tag, self._line_of(token.start()), token.start(), token.end(), attributes, spans)
        if tag in _VOID:
            parent.children.append(opened.closed(None, token.end()))
        else:
            self._enter(opened)
        return True

    def _enter(self, opened: _Open) -> None:
        self._open.append(opened)
        if opened.tag in _ONCE:
            self._seen[opened.tag] = opened
        elif opened.tag in _FORMATTING:
            self._formatting.add(opened.tag)

    def _end(self, token: re.Match[str]) -> bool:
        opened = self._open[-1]
        if opened.tag != token[3]:
            return False
        self._open.pop()
        self._formatting.discard(opened.tag)
        if opened.tag in {"html", "body"}:
            self._ends[opened.tag] = token.span()
        else:
            self._open[-1].children.append(opened.closed(*token.span()))
        return True

    def _characters(self, token: re.Match[str]) -> bool:
        parent = self._open[-1]
        data = token[4]
        if parent.tag in _SPACED:
            return not data.strip(WHITE_SPACE) and self._space(data, parent)
        if parent.tag == "pre" and token.start() == parent.inner:
            data = data.removeprefix("\n")
        if data:
            parent.children.append(Text(_decoded(data)))
        return True

    def _space(self, data: str, parent: _Open) -> bool:
        """White space of the skeleton: a parser drops it before the head, and moves it into the body after that."""
        if parent.tag not in {"", "html"}:
            parent.children.append(Text(data))
        elif "body" in self._seen:
            body = self._seen["body"].children
            last = body[-1] if body else None
            if isinstance(last, Text):
                body[-1] = Text(last.data + data)
            else:
                body.append(Text(data))
        elif "head" in self._seen:
            parent.children.append(Text(data))
        return True

    def _line_of(self, offset: int) -> int:
        self._line += self._text.count("\n", self._line_offset, offset)
        self._line_offset = offset
        return self._line


def _decoded(data: str) -> str:
    return _REFERENCES.sub(lambda reference: _CHARACTERS[reference[0]], data) if "&" in data else data
