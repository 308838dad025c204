"""Nodes to markup: escapes, end tags, raw text, newlines that a parser would eat."""

from __future__ import annotations

import pytest

from memhtml.page.markup import VOID, article_markup, escape_attribute, escape_text, serialise
from memhtml.page.nodes import Comment, Element, Node, Text


@pytest.mark.parametrize(
    ("node", "markup"),
    [
        (Text("a & b < c > d \" e ' \u00a0 \r \n é"), "a &amp; b &lt; c &gt; d \" e ' &nbsp; &#13; \n é"),
        (Comment(" a & b "), "<!-- a & b -->"),
        (
            Element("p", {"title": "a & \"b\" <c> \u00a0 \r 'd'"}),
            "<p title=\"a &amp; &quot;b&quot; <c> &nbsp; &#13; 'd'\"></p>",
        ),
        (Element("p", {"a": "1", "b": ""}, (Text("x"),)), '<p a="1" b="">x</p>'),
        (Element("br"), "<br>"),
        (Element("img", {"src": "/a"}), '<img src="/a">'),
        (Element("br", foreign=True), "<br></br>"),
        (Element("path", foreign=True), "<path></path>"),
        (Element("pre", children=(Text("\na"),)), "<pre>\n\na</pre>"),
        (Element("pre", children=(Text("a\n"),)), "<pre>a\n</pre>"),
        (Element("pre", children=(Element("b"), Text("\n"))), "<pre><b></b>\n</pre>"),
        (Element("pre", children=(Comment("\n"),)), "<pre><!--\n--></pre>"),
        (Element("pre", foreign=True, children=(Text("\na"),)), "<pre>\na</pre>"),
        (Element("textarea", children=(Text("\n<"),)), "<textarea>\n\n&lt;</textarea>"),
        (Element("listing", children=(Text("\n"),)), "<listing>\n\n</listing>"),
        (Element("p", children=(Text("\na"),)), "<p>\na</p>"),
        (Element("xmp", children=(Text("a < b & c"),)), "<xmp>a < b & c</xmp>"),
        (Element("style", children=(Text("a > b"),)), "<style>a > b</style>"),
        (Element("style", foreign=True, children=(Text("a > b"),)), "<style>a &gt; b</style>"),
        (Element("noscript", children=(Text("&lt;"),)), "<noscript>&amp;lt;</noscript>"),
        (Element("b", children=(Element("xmp", children=(Text("<"),)), Text("<"))), "<b><xmp><</xmp>&lt;</b>"),
    ],
)
def test_markup_by_example(node: Node, markup: str) -> None:
    """What is text stays text, and what is raw stays raw."""
    assert serialise((node,)) == markup


def test_only_collapsible_white_space_is_trimmed_from_an_article() -> None:
    """Other spaces are content."""
    assert article_markup((Text(" \t\n\f\u2003a\u2003\n"),)) == "\u2003a\u2003"
    assert article_markup(()) == ""


def test_nothing_to_escape_is_left_alone() -> None:
    """Most text is plain."""
    assert escape_text("plain 日本語 'x' \"y\"") == "plain 日本語 'x' \"y\""
    assert escape_attribute("plain 'x' <y>") == "plain 'x' <y>"


def test_the_void_elements_are_those_of_html() -> None:
    """With the obsolete ones, which parsers still know."""
    assert len(VOID) == 18
    assert {"br", "hr", "img", "input", "link", "meta", "wbr", "param"} <= VOID
