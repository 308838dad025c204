"""Nodes to markup: one spelling for everything that this program writes."""

from __future__ import annotations

from collections.abc import Mapping

from memhtml.page.nodes import Comment, Element, Leave, Node, Text, names, walk

WHITE_SPACE = " \t\n\f\r"
"""What HTML collapses. U+00A0 and the other spaces of Unicode are content."""

VOID = names("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
# The parser reads no references in these, so that escaping would change them. `noscript` is not among them: it holds
# text for one reader and markup for another, and only escaped text means the same to both.
_RAW = names("iframe noembed noframes plaintext script style xmp")
_EATS_NEWLINE = names("listing pre textarea")

# A carriage return in the tree came from a reference; written as such, it would come back as a newline.
_TEXT_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", 0xA0: "&nbsp;", ord("\r"): "&#13;"}
_ATTRIBUTE_ESCAPES = {ord("&"): "&amp;", ord('"'): "&quot;", 0xA0: "&nbsp;", ord("\r"): "&#13;"}


def escape_text(data: str) -> str:
    r"""``data`` as it stands between tags.

    >>> escape_text("a < b & c\u00a0d")
    'a &lt; b &amp; c&nbsp;d'
    """
    return data.translate(_TEXT_ESCAPES)


def escape_attribute(value: str) -> str:
    """``value`` as it stands between double quotes.

    >>> escape_attribute('a < "b" & c')
    'a < &quot;b&quot; &amp; c'
    """
    return value.translate(_ATTRIBUTE_ESCAPES)


def start_tag(tag: str, attributes: Mapping[str, str]) -> str:
    """A start tag, attributes in the order given.

    >>> start_tag("time", {"datetime": "2026-07-28"})
    '<time datetime="2026-07-28">'
    """
    return f"<{tag}" + "".join(f' {name}="{escape_attribute(value)}"' for name, value in attributes.items()) + ">"


def serialise(roots: tuple[Node, ...]) -> str:
    """``roots`` as markup that reads as the same nodes; every end tag written.

    >>> serialise((Element("p", children=(Text("a < b"),)),))
    '<p>a &lt; b</p>'
    """
    parts: list[str] = []
    raw = 0
    for step in walk(roots):
        match step:
            case Element() as element:
                parts.append(start_tag(element.tag, element.attributes))
                raw += _is_raw(element)
                if _starts_with_newline(element):
                    parts.append("\n")
            case Leave(element):
                raw -= _is_raw(element)
                if element.foreign or element.tag not in VOID:
                    parts.append(f"</{element.tag}>")
            case Text(data):
                parts.append(data if raw else escape_text(data))
            case Comment(data):
                parts.append(f"<!--{data}-->")
    return "".join(parts)


def article_markup(roots: tuple[Node, ...]) -> str:
    """``roots`` as the inner markup of an article: white space at its edges is trimmed.

    >>> article_markup((Text(" "), Element("p"), Text(" ")))
    '<p></p>'
    """
    return serialise(roots).strip(WHITE_SPACE)


def _is_raw(element: Element) -> bool:
    return element.tag in _RAW and not element.foreign


def _starts_with_newline(element: Element) -> bool:
    """Whether the parser would eat the first newline of ``element``, so that it has to be written twice."""
    if element.foreign or element.tag not in _EATS_NEWLINE or not element.children:
        return False
    first = element.children[0]
    return isinstance(first, Text) and first.data.startswith("\n")
