"""What the index takes from an article: gist, body, disclosure, facets, citations, entities.

``article`` is everywhere the walk through the children of ``<article>``, ``inside`` the elements that it meets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from memhtml.domain.instants import normalised
from memhtml.domain.memory import Citation, Entity, Facet, Instant
from memhtml.page.blocks import blocks, one_line
from memhtml.page.nodes import Element, Leave, Step, elements, is_html, walk

LANGUAGE = r"[A-Za-z0-9][A-Za-z0-9_+#.-]*"

_UNQUOTED = frozenset({"aside", "details"})
_UNSAID = frozenset({"pre", "code"})
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"  # compiled at first use, by a facet


def gist(mark: Element) -> str:
    """The claim as one line, code left out; empty when nothing else is in it."""
    return one_line(" ".join(blocks(walk(mark.children), _UNSAID)))


def body(article: Iterable[Step]) -> str:
    """All text of the article, a line a block. Nothing is left out."""
    return "\n".join(blocks(article))


def disclosure(article: Iterable[Step]) -> str:
    """What may be quoted: the body without asides and without folds, of which only the summary stays."""
    return "\n".join(blocks(article, _UNQUOTED))


def folds(inside: Iterable[Element]) -> bool:
    """Whether anything may be left out of the disclosure."""
    return any(element.tag in _UNQUOTED for element in inside)


def event_at(inside: Iterable[Element]) -> Instant | None:
    """When it happened: the first ``<time>``, normalised."""
    first = next((element for element in inside if is_html(element, "time")), None)
    return None if first is None else normalised(first.attributes.get("datetime", ""))


def facets(inside: Iterable[Element]) -> tuple[Facet, ...]:
    """Each ``<dd>`` under the ``<dt>`` before it, in document order; left out where either is blank."""
    return tuple(row for element in inside if is_html(element, "dl") for row in _facets_of(element))


def citations(article: Iterable[Step]) -> tuple[Citation, ...]:
    """Every ``<cite>``, and every ``<q>`` with a ``cite``, in document order, without repeats.

    The address of a ``<cite>`` is that of the link inside it or around it.
    """
    rows: list[Citation] = []
    links: list[str | None] = []
    for step in article:
        match step:
            case Element(tag="a"):
                links.append(step.attributes.get("href"))
            case Leave(Element(tag="a")):
                links.pop()
            case Element(tag="cite"):
                around = links[-1] if links else None
                rows.append(Citation(_said(step), _address_inside(step) or around))
            case Element(tag="q") if "cite" in step.attributes:
                rows.append(Citation(_said(step), step.attributes["cite"]))
            case _:
                pass
    return tuple(dict.fromkeys(row for row in rows if row.text or row.uri))


def entities(named: Iterable[Entity], inside: Sequence[Element]) -> tuple[Entity, ...]:
    """Those ``named`` in the head, then the terms that the article defines, then its languages; no repeats."""
    terms = [Entity("concept", term) for element in inside if is_html(element, "dfn") and (term := _said(element))]
    snippets = (language(element) for element in inside if is_html(element, "code"))
    languages = [Entity("lang", name) for name in snippets if name is not None]
    return tuple(dict.fromkeys((*named, *terms, *languages)))


def language(code: Element) -> str | None:
    """The language that ``code`` declares, lower case; ``None`` without one, or with one outside the grammar."""
    declared = code.attributes.get("data-lang", "")
    return declared.lower() if re.fullmatch(LANGUAGE, declared) else None


def number(text: str) -> float | None:
    """The finite number that ``text`` writes in ASCII, or ``None``.

    >>> number("120"), number("-1.5e3"), number("1e999"), number("nan"), number("1_000")
    (120.0, -1500.0, None, None, None)
    """
    if re.fullmatch(_NUMBER, text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _facets_of(dl: Element) -> Iterator[Facet]:
    name = ""
    for part in _parts(dl):
        if part.tag == "dt":
            name = _said(part)
        elif name and (value := _said(part)):
            yield Facet(name, value, _machine_value(part))


def _parts(dl: Element) -> Iterator[Element]:
    """The ``<dt>`` and ``<dd>`` of ``dl`` itself, also where a ``<div>`` groups them."""
    for child in dl.children:
        if not isinstance(child, Element):
            continue
        group = child.children if child.tag == "div" else (child,)
        yield from (part for part in group if isinstance(part, Element) and part.tag in {"dt", "dd"})


def _machine_value(dd: Element) -> float | None:
    inside = (element for element in elements(walk(dd.children)) if is_html(element, "data"))
    values = (number(data.attributes.get("value", "").strip()) for data in inside)
    return next((value for value in values if value is not None), None)


def _address_inside(cite: Element) -> str | None:
    inside = (element for element in elements(walk(cite.children)) if is_html(element, "a"))
    return next((address for link in inside if (address := link.attributes.get("href"))), None)


def _said(element: Element) -> str:
    return one_line(" ".join(blocks(walk(element.children))))
