"""The content hash: the golden digests, and what does and does not move it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidMemoryError
from memhtml.page.canonical import canonical_text, content_hash
from memhtml.page.fragment import article_nodes
from memhtml.page.markup import article_markup
from memhtml.page.nodes import walk

GOLDEN = json.loads(Path(__file__).with_name("hash-golden.json").read_text(encoding="utf-8"))


def canonical(markup: str) -> str:
    """The canonical text of an article's inner markup."""
    return canonical_text(walk(article_nodes(markup)))


def test_the_golden_file_is_whole() -> None:
    """Twenty-eight entries, each with another digest."""
    assert len(GOLDEN) == len({entry["content_hash"] for entry in GOLDEN}) == 28


@pytest.mark.parametrize("entry", GOLDEN, ids=range(len(GOLDEN)))
def test_every_golden_digest_holds(entry: dict[str, str]) -> None:
    """Other programs wrote stores with these hashes; ours reads them as the same content."""
    assert content_hash(entry["article_html"]) == entry["content_hash"]


@pytest.mark.parametrize("entry", GOLDEN, ids=range(len(GOLDEN)))
def test_every_golden_markup_holds(entry: dict[str, str]) -> None:
    """Markup is brought to one spelling, which has the same hash and is its own spelling."""
    rendered = article_markup(article_nodes(entry["article_html"]))
    assert rendered == entry["rendered_article"]
    assert content_hash(rendered) == entry["content_hash"]
    assert article_markup(article_nodes(rendered)) == rendered


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("", ""),
        (" \n\t\f ", ""),
        ("a", "a"),
        ("a  b", "a b"),
        (" X a X ", "X a X"),
        ("<p>a</p>", "a"),
        ("<p>a</p><p>b</p>", "a b"),
        ("<p>a<em>b</em>c</p>", "abc"),
        ("<p>a<b>b</b>c</p>", "a b c"),
        ("<p>a<br>b</p>", "a b"),
        ("<p>a<!-- x -->b</p>", "ab"),
        ("<p>\u00a0a\u00a0</p>", "\u00a0a\u00a0"),
        ("<p>a\u2003 b</p>", "a\u2003 b"),
        ("<p>a&#13;b</p>", "a b"),
        ("<p>a\x0bb</p>", "a\x0bb"),
        ("<pre> a\n  b </pre>", " a\n  b "),
        ("<pre>\n\na</pre>", "\na"),
        ("<pre>a&#13;</pre>", "a\r"),
        ("<pre>a</pre>b", "a b"),
        ("a<pre> b</pre>", "a  b"),
        ("<pre>a<b>b</b></pre>", "a b"),
        ("<pre>a<code>b</code></pre>", "ab"),
        ("<pre></pre>", ""),
        ("<pre> </pre>", " "),
        ("a<svg><pre></pre></svg>", None),
    ],
)
def test_canonical_text_by_example(markup: str, text: str | None) -> None:
    """Collapsing, edges, preformatted text; `None` where the markup itself is refused."""
    if text is None:
        with pytest.raises(InvalidMemoryError):
            canonical(markup)
    else:
        assert canonical(markup) == text


@given(st.lists(st.sampled_from(["a", "b", " ", "\n", "\t", "<em>", "</em>"])))
def test_white_space_between_words_never_counts_twice(parts: list[str]) -> None:
    """Outside preformatted text, one space is as good as ten."""
    plain = "".join(part for part in parts if not part.startswith("<"))
    spread = "".join(part * 3 if part.isspace() else part for part in plain)
    assert content_hash(f"<p>{plain}</p>") == content_hash(f"<p>{spread}</p>")
    assert content_hash(f"<p>{plain}</p>") == content_hash(f"\n<p>{plain}</p>\n")


def test_every_word_counts() -> None:
    """And the space between two words does."""
    digests = {content_hash(f"<p>{text}</p>") for text in ("a b", "ab", "a c", "a b c", "A b", "a\u00a0b")}
    assert len(digests) == 6


def test_attributes_do_not_count() -> None:
    """The hash is over what an article says."""
    assert content_hash('<p title="x">a</p>') == content_hash("<p>a</p>")
