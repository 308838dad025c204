"""The parser, held against another one, and the check that a tree is what its source spells."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from justhtml import JustHTML

from memhtml.page.nodes import Comment, Element, Node, Text
from memhtml.page.parse import Parsed, parse

PIECES = [
    *("<p>", "</p>", "<ul>", "</ul>", "<li>", "</li>", "<dl>", "</dl>", "<dt>", "<dd>", "</dd>"),
    *("<em>", "</em>", "<a href='x'>", "</a>", "<mark>", "</mark>", "<section>", "</section>", "<br>", "<hr/>"),
    *("<table>", "</table>", "<tr>", "<td>", "</td>", "<caption>", "<pre>\n", "</pre>", "<code>", "</code>"),
    *("<article>", "</article>", "<body>", "</body>", "<head>", "</head>", "<html>", "<title>", "</title>"),
    *("<svg>", "</svg>", "<math>", "</math>", "<template>", "</template>", "<textarea>", "</textarea>"),
    *("<select>", "<option>", "</select>", "<form>", "</form>", "<button>", "</button>", "<h1>", "</h1>", "<!-- c -->"),
    *("<meta name=a>", "<link rel=b>", "<p a=1 a=2>", "text", " ", "\n", "&amp;", "&lt;b", "&nbsp;", "<", ">", "é😀"),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def plain(nodes: tuple[Node, ...]) -> list[Any]:
    """Our tree as lists: tag, attributes, children; text and comments as pairs; neighbouring texts joined."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, Element):
            attributes = {name.lower(): value for name, value in node.attributes.items()}
            found.append([node.tag.lower(), attributes, plain(node.children)])
        elif isinstance(node, Text) and found and found[-1][0] == "#text":
            found[-1] = ("#text", found[-1][1] + node.data)
        else:
            found.append(("#text" if isinstance(node, Text) else "#comment", node.data))
    return found


def oracle(children: list[Any]) -> list[Any]:
    """The other parser's tree, in the same form."""
    found: list[Any] = []
    for node in children:
        if node.name in {"#text", "#comment"}:
            if found and node.name == "#text" == found[-1][0]:
                found[-1] = ("#text", found[-1][1] + node.data)
            else:
                found.append((node.name, node.data))
        elif node.name != "!doctype":
            content = getattr(node, "template_content", None)
            inner = node.children if content is None else content.children
            attributes = {name.lower(): value or "" for name, value in node.attrs.items()}
            found.append([node.name.lower(), attributes, oracle(inner or [])])
    return found


def codes(text: str) -> list[str]:
    """The codes of what is wrong with the structure of ``text`` inside an article."""
    return [problem.code for problem in wrapped(text).problems]


def wrapped(inner: str) -> Parsed:
    """A file with ``inner`` in its article."""
    return parse(f"<!doctype html><html><head><title>t</title></head><body><article>{inner}</article></body></html>")


@settings(max_examples=400)
@given(MARKUP)
def test_two_parsers_agree_on_whatever_is_accepted(inner: str) -> None:
    """What has no problem in structure is one tree for the parser in use and for its oracle."""
    parsed = wrapped(inner)
    if not parsed.problems:
        text = f"<!doctype html><html><head><title>t</title></head><body><article>{inner}</article></body></html>"
        other = JustHTML(text, sanitize=False, scripting_enabled=False)
        assert plain(parsed.roots) == oracle(other.root.children)


@settings(max_examples=400)
@given(MARKUP)
def test_spans_lead_to_the_tags_they_name(text: str) -> None:
    """Each start tag begins with its name, each end tag with its own, each attribute with its name."""
    for element in parse(text).elements:
        if element.span is not None:
            tag = element.tag.lower()
            assert text[element.span.start : element.span.inner].lower().startswith(f"<{tag}")
            assert text[element.span.inner - 1] == ">"
            assert element.line == text.count("\n", 0, element.span.start) + 1
            if element.span.close is not None:
                assert text[element.span.close : element.span.end].lower().startswith(f"</{tag}")
            for name, (start, end) in element.span.attributes.items():
                assert text[start:end].lower().startswith(name)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<p>a</p>", []),
        ("<p>a<p>b", []),
        ("<ul><li>a<li>b</ul>", []),
        ("<dl><dt>a<dd>b</dl>", []),
        ("<table><tr><td>a<td>b<tr><td>c</table>", []),
        ("<table><caption>c</caption><thead><tr><th>a</thead><tbody></table>", []),
        ("a<br>b<hr><img src=x>", []),
        ("<p/>a", []),
        ("a &amp b < c > d", []),
        ("<svg><path d=''/><g></g></svg>", []),
        ("<template><p>a</p></template>", []),
        ("<noscript><p>a</p></noscript>", []),
        ("<textarea><b></textarea>", []),
        ("<select><option>a<option>b</select>", []),
        ("<P>a</P><EM>b</eM>", []),
        ("<p>a", []),
        ("<section>a", ["unclosed"]),
        ("<p><mark>a</p>", ["unclosed"]),
        ("<p><em>a</p><p>b</em></p>", ["unclosed", "stray-end-tag"]),
        ("<section/>a", ["unclosed"]),
        ("<div><span>a</div>", ["unclosed"]),
        ("<em><p>a</em>b</p>", ["unclosed", "stray-end-tag"]),
        ("a</section>", ["stray-end-tag"]),
        ("<p>a<ul></ul></p>", ["stray-end-tag"]),
        ("a</p>", ["stray-end-tag"]),
        ("a</br>b", ["stray-end-tag"]),
        ("<table>a</table>", ["misplaced"]),
        ("<table><tr>a</tr></table>", ["misplaced"]),
        ("<table><p>a</p></table>", ["misplaced"]),
        ("<td>a</td>", ["lost-tag", "stray-end-tag"]),
        ("<body><p>a</p>", ["lost-tag"]),
        ("<head></head>", ["lost-tag", "stray-end-tag"]),
        ("<html lang=de>", ["lost-tag"]),
        ("<form><form>a</form></form>", ["lost-tag", "stray-end-tag"]),
        ("<a href=x>a<a href=y>b</a></a>", ["unclosed", "stray-end-tag"]),
        ("<button>a<button>b</button></button>", ["unclosed", "stray-end-tag"]),
        ("<svg><p>a</p></svg>", ["unclosed", "stray-end-tag"]),
        ("<svg><g></svg>", ["unclosed"]),
        ("<svg><title>a<b>c</b></title></svg>", ["misplaced"]),
        ("<p a=1 A=2>a</p>", ["duplicate-attribute"]),
        ("<![CDATA[a]]>", ["cdata-in-html-content"]),
        ("<plaintext>a", ["unclosed", "unclosed"]),
        ('<noscript><p title="</noscript>">a</p></noscript>', None),
        ("<frameset><frame></frameset>", ["lost-tag", "lost-tag", "stray-end-tag"]),
    ],
)
def test_what_a_parser_would_mend_is_named(inner: str, expected: list[str] | None) -> None:
    """Only what HTML lets an author leave out passes; `None` stands for a refusal of any kind."""
    found = codes(inner)
    if expected is None:
        assert found
    else:
        assert [code for code in found if code != "misplaced" or "misplaced" in expected] == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<article>a", "unclosed"),
        ("<article>a</article", "eof-in-tag"),
        ("<article>a</article><!-- b", "eof-in-comment"),
        ("<body>a</body>b", "misplaced"),
        ("<html><body><p>a</p></body></html><p>b</p>", "misplaced"),
        ("<head></head><meta name=a><body>", "misplaced"),
        ("<body><body title=a>", "lost-tag"),
    ],
)
def test_the_skeleton_is_held_to_the_same(text: str, code: str) -> None:
    """What stands outside its place in a file is named too."""
    assert code in [problem.code for problem in parse(text).problems]


def test_the_skeleton_may_be_left_out() -> None:
    """HTML lets an author write no html, head and body tags at all."""
    parsed = parse("<!doctype html>\n<title>t</title>\n<meta name=a>\n<article>\n<p>a\n</article>\n")
    assert parsed.problems == ()
    assert [element.tag for element in parsed.elements] == ["html", "head", "title", "meta", "body", "article", "p"]


@pytest.mark.parametrize("depth", [197, 198, 600, 20_000])
def test_deep_nesting_is_refused_and_breaks_nothing(depth: int) -> None:
    """Two hundred deep is far more than a memory needs; below html and body and article remain 197."""
    inner = "<div>" * depth + "a" + "</div>" * depth
    assert ("nesting" in codes(inner)) == (depth > 197)


def test_lines_are_those_of_the_source() -> None:
    """Counted from one, of the tag concerned."""
    problems = parse("<!doctype html>\n<article>\n<section>\n<p>a</p>\n</b>\n</article>").problems
    assert [(problem.code, problem.line) for problem in problems] == [("unclosed", 3), ("stray-end-tag", 5)]


def test_what_noscript_holds_is_text_for_one_reader_and_markup_for_the_rules() -> None:
    """A browser with scripts shows the text; the elements are kept aside, so that nothing hides in them."""
    parsed = wrapped("<noscript><p>n &amp; m</p></noscript>")
    noscript = next(element for element in parsed.elements if element.tag == "noscript")
    assert noscript.children == (Text("&lt;p&gt;n &amp;amp; m&lt;/p&gt;"),)
    assert [node.tag for node in parsed.folded if isinstance(node, Element)] == ["p"]


def test_a_processing_instruction_is_a_comment() -> None:
    """As it is for every browser."""
    comments = [step for step in wrapped("<?php a ?>").steps if isinstance(step, Comment)]
    assert [comment.data[:4] for comment in comments] == ["?php"]


def test_a_template_hides_nothing_in_a_shadow() -> None:
    """A browser would show what it holds in place of the element's own children; it is read like anything else."""
    parsed = wrapped('<div><template shadowrootmode="open"><p>a</p></template></div>')
    assert [element.tag for element in parsed.elements[-3:]] == ["div", "template", "p"]
    assert parsed.problems == ()


def test_a_plain_file_and_the_same_file_spelled_otherwise_are_one_tree() -> None:
    """Whichever reader takes it."""
    plain = "<!doctype html><html><head><title>t</title></head><body><article><p>a</p></article></body></html>"
    shouted = plain.replace("<p>", "<P>")
    assert parse(shouted).roots == parse(plain).roots
    assert parse(plain).problems == parse(shouted).problems == ()
