"""The inner markup of an article, on its own."""

from __future__ import annotations

import pytest

from memhtml.domain.errors import InvalidMemoryError
from memhtml.page.fragment import article_nodes, parse_article
from memhtml.page.nodes import Element, Text


def test_markup_becomes_the_children_of_an_article() -> None:
    """Whatever it leaves open at its end is closed there."""
    (paragraph,) = article_nodes("<p>a")
    assert isinstance(paragraph, Element)
    assert (paragraph.tag, paragraph.children) == ("p", (Text("a"),))
    assert article_nodes("") == ()


def test_lines_are_those_of_the_markup() -> None:
    """The file around it stands on the first line."""
    parsed = parse_article("a\n</b>\n")
    assert [(problem.code, problem.line) for problem in parsed.problems] == [("stray-end-tag", 2)]


@pytest.mark.parametrize(
    ("markup", "sentences"),
    [
        ("a\n\x00", ("line 2: the file holds a NUL character; take it out [nul]",)),
        ("\ud800", ("article_html holds a lone surrogate, which UTF-8 cannot write; give valid text [surrogate]",)),
        (
            "a\n<article></article>",
            ("article_html is what stands inside <article>; leave its own tags out [article-repeated]",),
        ),
        (
            "<section>\n</b>",
            (
                "line 1: <section> is never closed where it should be; write </section> [unclosed]",
                "line 2: </b> closes nothing; take it out or open <b> [stray-end-tag]",
            ),
        ),
    ],
)
def test_markup_that_is_no_article_is_refused(markup: str, sentences: tuple[str, ...]) -> None:
    """With every reason."""
    with pytest.raises(InvalidMemoryError) as refusal:
        article_nodes(markup)
    assert refusal.value.violations == sentences


def test_what_was_asked_for_just_now_is_not_parsed_again() -> None:
    """A write asks for the hash and for the file."""
    assert article_nodes("<p>asked twice</p>") is article_nodes("<p>asked twice</p>")
