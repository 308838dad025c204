"""Rules on elements that are easily taken for something else."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Draft, Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.compose import compose
from memhtml.page.fragment import parse_article
from memhtml.page.read import read
from memhtml.page.render import render
from memhtml.page.rules import is_visible, safety, stillness


@pytest.mark.parametrize(
    "text", ["", " ", "\x07", "\u00ad", "\u00a0", "\u2003", "\u200b", "\u2028", "\u2029", "\ufeff"]
)
def test_what_takes_no_ink_is_not_visible(text: str) -> None:
    """Spaces, controls, format characters, and the separators of lines and paragraphs; one letter among them is."""
    assert not is_visible(text)
    assert is_visible(text + "\u6c34" + text)


@pytest.mark.parametrize(
    ("markup", "codes"),
    [
        ("<p title='javascript: a language'>a</p>", []),
        ("<img src='a.png' alt='onclick'>", []),
        ("<img src='data:image/png;base64,AAAA'>", []),
        ("<p data-on='a' data-class='b'>c</p>", []),
        ("<a href='mailto:a'>b</a><q cite='/c'>d</q>", []),
        ("<img src=' VBscript:a'>", ["address"]),
        ("<p one='a'>b</p>", ["event-handler"]),
        ("<iframe src='http://a.example/'></iframe><object data='a.html'></object>", []),
        ("<iframe src='data:text/html,a'></iframe><object data=' DATA:,a'></object>", ["address", "address"]),
    ],
)
def test_only_what_runs_or_styles_is_unsafe(markup: str, codes: list[str]) -> None:
    """Words in a title are words; a picture may be anywhere; every name that begins with on is a handler's."""
    assert [violation.code for violation in safety(parse_article(markup).elements)] == codes


@pytest.mark.parametrize(
    "markup",
    [
        "<p>a <a href='http://a.example/'>b</a> <cite><q cite='https://a.example'>c</q></cite></p>",
        "<img src='a.png' srcset='b.png 2x, c//d.png 3x' alt='http://a.example'>",
        "<img src='data:image/png;base64,AAAA'><video poster='/a.png'></video>",
        "<p data-src='http://a.example'>b</p><map><area href='http://a.example'></map>",
    ],
)
def test_what_waits_for_a_click_or_lies_in_the_store_is_still(markup: str) -> None:
    """Links, sources, and pictures beside the memory."""
    assert list(stillness(parse_article(markup).elements)) == []


@pytest.mark.parametrize(
    ("markup", "codes"),
    [
        ("<img src='http://a.example/?secret'>", ["address-fetched"]),
        ("<img SRC=' ht\ntps:a'><img src='//a'><img src='\\\\a'><img src='/\t/a'>", ["address-fetched"] * 4),
        ("<img srcset='a.png 1x,https://a.example/b 2x'>", ["address-fetched"]),
        ("<video poster='http://a'><source src='ftp://a'></video>", ["address-fetched"] * 2),
        ("<svg><image href='http://a'/><use xlink:href='http://a'/></svg>", ["address-fetched"] * 2),
        ("<a href='/b' ping='http://a'>c</a>", ["address-fetched"]),
        ("<table background='http://a'></table>", ["address-fetched"]),
        ("<iframe src='a.html'></iframe><object data='a'></object><embed src='a'>", ["element-moving"] * 3),
        ("<meta http-equiv='refresh' content='0;url=http://a'><base href='/a'>", ["element-moving"] * 2),
        ("<link rel='stylesheet' href='a.css'>", ["element-moving"]),
        ("<form action='http://a'><button formaction='http://a'>b</button></form>",
         ["element-moving", "address-fetched", "address-fetched"]),
    ],
)  # fmt: skip
def test_what_fetches_or_leads_away_is_not_still(markup: str, codes: list[str]) -> None:
    """Whatever a browser would make of the address."""
    assert [violation.code for violation in stillness(parse_article(markup).elements)] == codes


def test_what_is_not_still_is_refused_anew_and_read_where_it_is() -> None:
    """Also where only a reader without scripts sees it; a store of another program stays readable."""
    for markup in ("<img src='http://a.example/b'>", "<noscript><img src='http://a.example/b'></noscript>"):
        article = f"<p><mark>A picture hangs here.</mark></p>{markup}"
        with pytest.raises(InvalidMemoryError, match="is fetched when the memory is opened"):
            compose(Draft(MemoryType.SEMANTIC, article_html=article), now=Instant("2026-07-28T10:00:00Z"))
        still = article.replace("http://a.example/b", "b.png")
        page = render(compose(Draft(MemoryType.SEMANTIC, article_html=still), now=Instant("2026-07-28T10:00:00Z")))
        assert read(page.replace(b"b.png", b"http://a.example/b")).violations == ()
