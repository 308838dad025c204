"""What the index takes from an article: gist, body, disclosure, facets, citations, entities."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from memhtml.domain.instants import normalised
from memhtml.domain.memory import Citation, Entity, Facet, Instant
from memhtml.page.blocks import blocks, one_line
from memhtml.page.nodes import Element, Enter, Leave, Node, elements, walk

_UNQUOTED = frozenset({"aside", "details"})
_UNSAID = frozenset({"pre", "code"})
LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#.-]*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def gist(mark: Element) -> str:
    """The claim as one line, code left out; empty when nothing else is in it."""
    return one_line(" ".join(blocks(mark.children, _UNSAID)))


def body(article: tuple[Node, ...]) -> str:
    """All text of the article, a line a block. Nothing is left out."""
    return "\n".join(blocks(article))


def disclosure(article: tuple[Node, ...]) -> str:
    """What may be quoted: the body without asides and without folds, of which only the summary stays."""
    return "\n".join(blocks(article, _UNQUOTED))


def event_at(article: tuple[Node, ...]) -> Instant | None:
    """When it happened: the first ``<time>``, normalised."""
    first = next((element for element in _html(article) if element.tag == "time"), None)
    return None if first is None else normalised(first.attributes.get("datetime", ""))


def facets(article: tuple[Node, ...]) -> tuple[Facet, ...]:
    """Name and value of every ``<dd>``, once for each ``<dt>`` of its group, in document order; blank ones left out."""
    rows: list[Facet] = []
    for dl in _html(article):
        if dl.tag == "dl":
            rows += _facets_of(dl)
    return tuple(rows)


def citations(article: tuple[Node, ...]) -> tuple[Citation, ...]:
    """Every ``<cite>``, and every ``<q>`` with a ``cite``, in document order, without repeats.

    The address of a ``<cite>`` is that of the link inside it or around it.
    """
    rows: list[Citation] = []
    links: list[str | None] = []
    for step in walk(article):
        match step:
            case Enter(Element(tag="a") as link):
                links.append(link.attributes.get("href"))
            case Leave(Element(tag="a")):
                links.pop()
            case Enter(Element(tag="cite") as cite):
                inner = next((element for element in _html(cite.children) if "href" in element.attributes), None)
                around = links[-1] if links else None
                rows.append(Citation(_said(cite), around if inner is None else inner.attributes["href"]))
            case Enter(Element(tag="q") as quote) if "cite" in quote.attributes:
                rows.append(Citation(_said(quote), quote.attributes["cite"]))
            case _:
                pass
    return tuple(dict.fromkeys(row for row in rows if row.text or row.uri))


def entities(named: Iterable[Entity], article: tuple[Node, ...]) -> tuple[Entity, ...]:
    """Those ``named`` in the head, then the terms that the article defines, then its languages; no repeats."""
    terms = [Entity("concept", term) for term in map(_said, _tagged(article, "dfn")) if term]
    snippets = (language(code) for code in _tagged(article, "code"))
    languages = [Entity("lang", name) for name in snippets if name is not None]
    return tuple(dict.fromkeys((*named, *terms, *languages)))


def language(code: Element) -> str | None:
    """The language that ``code`` declares, lower case; ``None`` without one, or with one outside the grammar."""
    declared = code.attributes.get("data-lang", "")
    return declared.lower() if LANGUAGE.fullmatch(declared) else None


def number(text: str) -> float | None:
    """The finite number that ``text`` writes in ASCII, or ``None``.

    >>> number("120"), number("-1.5e3"), number("1e999"), number("nan"), number("1_000")
    (120.0, -1500.0, None, None, None)
    """
    if _NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _facets_of(dl: Element) -> Iterator[Facet]:
    names: list[str] = []
    previous = ""
    for part in _parts(dl):
        if part.tag == "dt":
            names = [*names, _said(part)] if previous == "dt" else [_said(part)]
        elif value := _said(part):
            yield from (Facet(name, value, _machine_value(part)) for name in names if name)
        previous = part.tag


def _parts(dl: Element) -> Iterator[Element]:
    """The ``<dt>`` and ``<dd>`` of ``dl`` itself, also where a ``<div>`` groups them."""
    for child in dl.children:
        if not isinstance(child, Element):
            continue
        group = child.children if child.tag == "div" else (child,)
        yield from (part for part in group if isinstance(part, Element) and part.tag in {"dt", "dd"})


def _machine_value(dd: Element) -> float | None:
    values = (number(data.attributes.get("value", "").strip()) for data in _tagged(dd.children, "data"))
    return next((value for value in values if value is not None), None)


def _said(element: Element) -> str:
    return one_line(" ".join(blocks(element.children)))


def _tagged(roots: tuple[Node, ...], tag: str) -> Iterator[Element]:
    return (element for element in _html(roots) if element.tag == tag)


def _html(roots: tuple[Node, ...]) -> Iterator[Element]:
    return (element for element in elements(roots) if not element.foreign)
