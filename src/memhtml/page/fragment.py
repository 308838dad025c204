"""The inner markup of an article, on its own."""

from __future__ import annotations

from functools import lru_cache

from memhtml.domain.errors import InvalidMemoryError
from memhtml.page.nodes import Node, is_html
from memhtml.page.parse import Parsed, parse
from memhtml.page.source import UndecodableError, decode
from memhtml.page.violation import Violation

# On one line, so that lines of the whole are lines of the article's markup.
_BEFORE = "<!doctype html><html><head><title>t</title></head><body><article>"
_AFTER = "</article></body></html>"


def parse_article(article_html: str) -> Parsed:
    """A file with nothing in it but an ``<article>`` that holds ``article_html``; lines count from its own first.

    Raises:
        InvalidMemoryError: it is no text that a file may hold.
    """
    try:
        source = decode((_BEFORE + article_html + _AFTER).encode())
    except UnicodeEncodeError as error:
        raise InvalidMemoryError((str(surrogate("article_html")),)) from error
    except UndecodableError as error:
        raise InvalidMemoryError((str(Violation(error.code, error.message, error.line)),)) from error
    return parse(source.text)


@lru_cache(maxsize=8)
def article_nodes(article_html: str) -> tuple[Node, ...]:
    """The children of an ``<article>`` that holds ``article_html``; the last few are kept, since a write asks twice.

    Raises:
        InvalidMemoryError: a parser would move or lose something of it, or it leaves the article.
    """
    parsed = parse_article(article_html)
    problems = list(parsed.problems)
    articles = [element for element in parsed.elements if is_html(element, "article")]
    if len(articles) != 1:
        message = "article_html is what stands inside <article>; leave its own tags out"
        problems.append(Violation("article-repeated", message))
    if problems:
        raise InvalidMemoryError(tuple(map(str, problems)))
    return articles[0].children


def surrogate(field: str) -> Violation:
    """What to say of a text that UTF-8 cannot write."""
    return Violation("surrogate", f"{field} holds a lone surrogate, which UTF-8 cannot write; give valid text")
