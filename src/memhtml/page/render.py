"""A memory to the bytes of its file."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from memhtml.domain.edges import href, rel_spelling
from memhtml.domain.memory import Memory
from memhtml.page.canonical import hash_of
from memhtml.page.fragment import article_nodes
from memhtml.page.markup import article_markup, escape_text, start_tag
from memhtml.page.metas import contents
from memhtml.page.nodes import walk


def render(memory: Memory) -> bytes:
    """The whole file: machine plane in its fixed order, one element a line, then the article.

    The content hash is computed here, whatever the head says; the article's markup is brought to one spelling.

    Raises:
        InvalidMemoryError: the article's markup is one of which a parser would move or lose something.
    """
    article = article_nodes(memory.article)
    markup = article_markup(article)
    # Hashed as it will be read back: without the white space at its edges, which counts for nothing anyway.
    head = replace(memory.head, content_hash=hash_of(walk(article)))
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{escape_text(memory.title)}</title>",
        *(meta_markup(name, content) for name, content in contents(head)),
        *_links(memory),
        "</head>",
        "<body>",
        "<article>",
        markup,
        "</article>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines).encode()


def meta_markup(name: str, content: str) -> str:
    """One meta as it is written.

    >>> meta_markup("memhtml-tag", "aws")
    '<meta name="memhtml-tag" content="aws">'
    """
    return start_tag("meta", {"name": name, "content": content})


def link_markup(rel: str, address: str) -> str:
    """One link as it is written.

    >>> link_markup("memhtml-relates-to", "/areas/a.html")
    '<link rel="memhtml-relates-to" href="/areas/a.html">'
    """
    return start_tag("link", {"rel": rel, "href": address})


def _links(memory: Memory) -> Iterator[str]:
    return (link_markup(rel_spelling(link.rel), href(link.target)) for link in memory.links)
