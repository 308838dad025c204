"""The content hash: what two articles have in common when they say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memhtml.domain.digests import sha256
from memhtml.domain.memory import ContentHash
from memhtml.page.fragment import article_nodes
from memhtml.page.nodes import PHRASING, Comment, Element, Leave, Step, Text, walk

_RUN = re.compile(r"[ \t\n\f\r]+")


def content_hash(article_html: str) -> ContentHash:
    """The hash of an article, given as its inner markup.

    >>> content_hash("<p><mark>Plain claim.</mark></p>")
    'sha256:466eeaa45d936871133e87494a50ab756730a781b2d3762a7d2806ddc849943e'

    Raises:
        InvalidMemoryError: the markup is one of which a parser would move or lose something.
    """
    return hash_of(walk(article_nodes(article_html)))


def hash_of(article: Iterable[Step]) -> ContentHash:
    """The hash of an article, given as the walk through its children."""
    return ContentHash(f"sha256:{sha256(canonical_text(article).encode())}")


def canonical_text(article: Iterable[Step]) -> str:
    r"""The text that is hashed.

    Characters in document order; an element that is not phrasing adds a collapsible space at each edge; runs of
    collapsible white space become one space; text under ``<pre>`` stands as it is and never collapses with its
    neighbours; a collapsible space at either end goes.

    >>> canonical_text(walk((Element("p", children=(Text(" a\n b "),)), Element("pre", children=(Text(" c "),)))))
    'a b  c '
    """
    # Collapsible and verbatim runs take turns, beginning and ending with a collapsible one.
    runs: list[str] = []
    soft: list[str] = []
    preformatted = 0
    for step in article:
        match step:
            case Element() as element:
                soft.append(_edge(element))
                preformatted += _is_preformatted(element)
            case Leave(element):
                soft.append(_edge(element))
                preformatted -= _is_preformatted(element)
            case Text(data) if preformatted:
                runs += (_RUN.sub(" ", "".join(soft)), data)
                soft.clear()
            case Text(data):
                soft.append(data)
            case Comment():
                pass
    runs.append(_RUN.sub(" ", "".join(soft)))
    runs[0] = runs[0].lstrip(" ")
    runs[-1] = runs[-1].rstrip(" ")
    return "".join(runs)


def _edge(element: Element) -> str:
    return "" if element.tag in PHRASING else " "


def _is_preformatted(element: Element) -> bool:
    return element.tag == "pre" and not element.foreign
