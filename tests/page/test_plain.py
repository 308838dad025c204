"""The plain reader gives what the parser gives, or nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhtml.page.parse import parse, parse_html
from memhtml.page.plain import DEEPEST_PLAIN, read_plain

INLINE = ["mark", "time", "em", "strong", "a", "code", "q", "cite", "dfn", "abbr", "kbd", "samp", "var", "span", "data"]
BLOCKS = ["p", "ul", "ol", "dl", "pre", "section", "aside", "figure", "details", "address", "div", "li", "dt", "dd"]
BLOCKS += ["summary", "figcaption", "article", "body", "head", "html", "title", "table", "br", "b", "noscript"]
TEXT = st.text(st.sampled_from('ab \n\té😀&<>"\xa0\r\ufeff\x01'), max_size=6).map(
    lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace("\xa0", "&nbsp;").replace("\r", "&#13;")
)
ATTRIBUTES = st.lists(
    st.sampled_from([' title="x"', ' href="/a&amp;b"', ' data-lang="é"', ' cite=""', ' a="&quot;<"']), max_size=2
)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def spell(tag: str, attributes: list[str], inner: list[str]) -> str:
        return f"<{tag}{''.join(dict.fromkeys(attributes))}>{''.join(inner)}</{tag}>"

    return st.builds(spell, st.sampled_from(INLINE * 2 + BLOCKS), ATTRIBUTES, st.lists(children, max_size=3))


ARTICLES = st.lists(st.recursive(TEXT, _element, max_leaves=12), max_size=4).map("".join)
SPACE = st.sampled_from(["", "\n", " \n\t", "\f"])
FILE = ["<!doctype html>", "<html>", "<head>", '<meta charset="utf-8">', "<title>t &amp; u</title>", '<link rel="x">']
FILE += ["</head>", "<body>", "<article>", "<p>a</p>", "</article>", "</body>", "</html>"]
SOUP = st.sampled_from(
    [*FILE, "<p>", "</p>", "<li>", "a", "\n", "&amp;", "&", "&gt", "<pre>", "</pre>", '<p a="b">', "<P>", "<p/>"]
)


def same(text: str) -> bool:
    """Whether the plain reader takes ``text``; if so, it gives the parser's own tree, which has no problem."""
    nodes = read_plain(text)
    if nodes is None:
        return False
    parsed = parse_html(text)
    assert nodes == parsed.roots
    assert (parsed.folded, parsed.problems) == ((), ())
    assert parse(text) == parsed
    return True


@settings(max_examples=500)
@given(ARTICLES, st.lists(SPACE, min_size=8, max_size=8))
def test_both_readers_give_one_tree_for_articles(article: str, space: list[str]) -> None:
    """Spans, lines and white space of the skeleton included."""
    a, b, c, d, e, f, g, h = space
    same(
        f'<!doctype html>{a}<html lang="en">{b}<head>{c}<title> t</title></head>{d}<body class="x">{e}'
        f"<article>{article}</article>{f}</body>{g}</html>{h}"
    )


@settings(max_examples=500)
@given(st.lists(SOUP, max_size=5), st.integers(0, len(FILE)), st.lists(SOUP, max_size=5), st.integers(0, len(FILE)))
def test_both_readers_give_one_tree_for_files(one: list[str], first: int, other: list[str], second: int) -> None:
    """Files with tags and text put in, left out and repeated."""
    same("".join([*FILE[:first], *one, *FILE[first:]]))
    same("".join([*FILE[:second], *other, *FILE[max(first, second) :]]))


@given(st.lists(SOUP, max_size=20).map("".join))
def test_both_readers_give_one_tree_for_soup(text: str) -> None:
    """Anything at all behind a doctype."""
    same("<!doctype html>" + text)


@pytest.mark.parametrize(
    "article",
    [
        "",
        "a",
        "<p>a <em>b</em></p>\n",
        "<pre>\n\n a</pre><pre>\n</pre><pre></pre><pre><code>\na</code></pre>",
        "<ul>\n<li>a<ol><li>b</li></ol></li></ul>",
        "<dl><dt>a</dt><dd><p>b</p></dd></dl>",
        '<p title="a > b &quot;\n&amp;&lt;">&lt;&amp;&gt;&nbsp;&quot;&#13;</p>',
        "<details><summary>s</summary><div>d</div></details><figure><figcaption>c</figcaption></figure>",
        "<em>a</em><em>b</em>",
        "<span>" * (DEEPEST_PLAIN - 3) + "</span>" * (DEEPEST_PLAIN - 3),
    ],
)
def test_what_we_write_is_plain(article: str) -> None:
    """And read as the parser reads it."""
    assert same(f"<!doctype html><html><head><title>t</title></head><body><article>{article}</article></body></html>\n")


@pytest.mark.parametrize(
    "article",
    [
        "<p>a",
        "<p><p>a</p></p>",
        "<p><ul></ul></p>",
        "<em><p>a</p></em>",
        "<a><a>x</a></a>",
        "<em><strong><em>x</em></strong></em>",
        "<p><em>a<em>b</em>c</p>",
        "<li>a</li>",
        "<ul>a</ul>",
        "<ul><p>a</p></ul>",
        "<dl><div></div></dl>",
        "<b>a</b>",
        "<br>",
        "<!-- a -->",
        "<P>a</P>",
        "<p a=b>a</p>",
        "<p a='b'>a</p>",
        "<p a>a</p>",
        '<p  a="b">a</p>',
        '<p a="b" a="c">a</p>',
        "<ul>\u2003<li>a</li></ul>",
        "<ul>\x0b<li>a</li></ul>",
        '<p a="b&c">a</p>',
        "a & b",
        "&copy;",
        "&#65;",
        "a < b",
        "<p />",
        "</p>",
        "<article></article>",
        "<title>a</title>",
        "<span>" * (DEEPEST_PLAIN - 2) + "</span>" * (DEEPEST_PLAIN - 2),
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(article: str) -> None:
    """Whatever could be mended, or is spelled in another way."""
    text = f"<!doctype html><html><head><title>t</title></head><body><article>{article}</article></body></html>\n"
    assert read_plain(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<!doctype html>",
        "<!DOCTYPE html><html><head></head><body></body></html>",
        "<!doctype html><html><head></head></html>",
        "<!doctype html><html><body></body></html>",
        "<!doctype html><html><head></head><body></body>",
        "<!doctype html><html><head></head><body></body></html>a",
        "<!doctype html><html><head></head><body></body></html><html></html>",
        "<!doctype html><html><body></body><head></head></html>",
        "<!doctype html><html><head></head><head></head><body></body></html>",
        "<!doctype html><html><head><title>a<b></title></head><body></body></html>",
        '<!doctype html><html><head><meta name="a" name="b"></head><body></body></html>',
        "<!doctype html><html><head>\u00a0</head><body></body></html>",
        "<!doctype html><html><head></head><body></body></html>\u00a0",
    ],
)
def test_half_a_file_is_not_plain(text: str) -> None:
    """Everything that HTML would add is left to the parser."""
    assert read_plain(text) is None


@pytest.mark.parametrize("body", ["", "\n", "a", "<article></article>"])
def test_white_space_behind_the_body_is_its_last_text(body: str) -> None:
    """Also when nothing else is in it."""
    assert same(f"<!doctype html>\n<html>\n<head>\n</head>\n<body>{body}</body>\n</html>\n") == (body != "a")


SCRIPT = """
import sys
from memhtml.domain.memory import Citation, Draft, Facet, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.canonical import content_hash
from memhtml.page.compose import compose
from memhtml.page.read import read
from memhtml.page.render import render
from memhtml.page.splice import set_meta
draft = Draft(MemoryType.SEMANTIC, claim="a < b & c", body="d\\n\\n```sh\\ne\\n```", event_at="2026-07-28",
              facets=(Facet("f", "g", 1.0),), citations=(Citation("h", "/i"), Citation("j")))
memory = compose(draft, now=Instant("2026-07-28"))
data = set_meta(render(memory), "memhtml-importance", "3")
assert read(data).facts.content_hash == content_hash(memory.article)
print("turbohtml" in sys.modules)
"""


def test_prose_is_written_read_and_edited_without_the_parser() -> None:
    """It costs more to load than all of that."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
