"""The rules of the article and of the whole file. Each gives every violation that it finds, in document order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from memhtml.domain.instants import GRAMMAR_HELP, normalised
from memhtml.page.addresses import ALLOWED, EXECUTED, is_allowed, is_elsewhere, scheme
from memhtml.page.facts import gist, language
from memhtml.page.nodes import Element, Leave, Step, elements, is_html, names
from memhtml.page.violation import Violation, shown, shown_name

VOCABULARY = names(
    "mark time dl dt dd data cite q dfn code details summary aside figure figcaption pre kbd samp var section table "
    "caption thead tbody tr th td p ul ol li a strong em abbr address div span",
)
_ONLY_IN_FIGURES = frozenset({"div", "span"})
_HIDING = frozenset({"template", "noscript"})
_FOLDING = frozenset({"aside", "details"})
_SOURCES = names("action background by data formaction from longdesc manifest ping poster src to values xlink:href")
_LISTS_OF_SOURCES = frozenset({"srcset", "imagesrcset"})
_FRAMES = frozenset({"iframe", "frame", "object", "embed"})
# What loads a page, leads to one or changes what addresses mean, by itself or on a click that a page may ask for.
_MOVING = _FRAMES | names("frameset applet portal fencedframe base form")
_LINKS = frozenset({"a", "area"})


def safety(found: Iterable[Element]) -> Iterator[Violation]:
    """Nothing that styles or runs, and no address that does: anywhere in the file, in whatever element."""
    for element in found:
        if element.tag in {"script", "style"}:
            yield Violation(element.tag, f"<{element.tag}> may not stand in a memory; take it out", element.line)
        for name, value in element.attributes.items():
            yield from _attribute(element, name.lower(), value)


def stillness(found: Iterable[Element]) -> Iterator[Violation]:
    """Nothing that fetches when the page is opened, or leads a reader away: of what is written anew.

    A file that says so already stays readable: the format knows these elements as ones outside the vocabulary.
    """
    for element in found:
        if _moves(element):
            message = f"<{element.tag}> may not stand in a new memory, since it loads or leads elsewhere; take it out"
            yield Violation("element-moving", message, element.line)
        for name, value in element.attributes.items():
            if _fetches(element, name.lower(), value):
                message = f"{shown_name(name)}={shown(value)} is fetched when the memory is opened; link to it instead"
                yield Violation("address-fetched", message, element.line)


def articles(steps: Iterable[Step]) -> Iterator[Violation]:
    """Exactly one ``<article>``, where a reader sees it.

    Args:
        steps: the walk through the whole file.
    """
    found = list(_with_ancestors(steps, frozenset({"article"})))
    if not found:
        yield Violation("article-missing", "there is no <article>; write the memory into one")
    for position, (element, above) in enumerate(found):
        hider = _hider(above)
        if hider is not None:
            yield Violation(
                "article-hidden", f"<article> stands in <{shown_name(hider)}>; put it into <body>", element.line
            )
        if position:
            message = "there is more than one <article>; keep one memory a file"
            yield Violation("article-repeated", message, element.line)


def claim(article: Element, steps: Sequence[Step]) -> Iterator[Violation]:
    """Exactly one claim, with words in it, in the first paragraph or item, not folded away.

    Args:
        article: whose claim it is.
        steps: the walk through the children of ``article``.
    """
    marks = list(_with_ancestors(steps, frozenset({"mark"})))
    if not marks:
        yield Violation("claim-missing", "there is no <mark>; mark the claim in the first <p> or <li>", article.line)
        return
    first_text = next((one for one in elements(steps) if is_html(one, "p") or is_html(one, "li")), None)
    for mark, above in marks:
        if mark is not marks[0][0]:
            yield Violation("claim-repeated", "there is more than one <mark>; mark the claim only", mark.line)
        if not is_visible(gist(mark)):
            yield Violation("claim-empty", "the <mark> has no words beside code; write the claim in words", mark.line)
        if not any(element is first_text for element in above):
            message = "the <mark> is not in the first <p> or <li>; move the claim there"
            yield Violation("claim-place", message, mark.line)
        for folding in (element for element in above if element.tag in _FOLDING | _HIDING):
            message = f"the <mark> stands in <{folding.tag}>; move the claim out"
            yield Violation("claim-folded", message, mark.line)


def times(found: Iterable[Element]) -> Iterator[Violation]:
    """Every ``<time>`` says when in its ``datetime``."""
    for element in found:
        if is_html(element, "time"):
            value = element.attributes.get("datetime")
            if value is None:
                message = f"<time> has no datetime attribute; {GRAMMAR_HELP} in it"
                yield Violation("time-datetime", message, element.line)
            elif normalised(value) is None:
                message = f"<time datetime={shown(value)}> is no date or instant; {GRAMMAR_HELP}"
                yield Violation("time-datetime", message, element.line)


def vocabulary(steps: Sequence[Step], found: Sequence[Element]) -> Iterator[Violation]:
    """Warnings: each element outside the vocabulary once by name, each ``data-lang`` outside the grammar.

    Args:
        steps: the walk through the children of the article.
        found: the elements that it meets.
    """
    named: set[str] = set()
    for element in found:
        if (element.tag not in VOCABULARY or element.foreign) and element.tag not in named:
            named.add(element.tag)
            yield Violation(
                "element", f"<{shown_name(element.tag)}> is not in the vocabulary of memories", element.line
            )
        if "data-lang" in element.attributes and language(element) is None:
            message = f"data-lang={shown(element.attributes['data-lang'])} names no language and is dropped"
            yield Violation("data-lang", message, element.line)
    for element, above in _with_ancestors(steps, _ONLY_IN_FIGURES):
        if element.tag not in named and not any(is_html(one, "figure") for one in above):
            named.add(element.tag)
            yield Violation("element", f"<{element.tag}> belongs inside a <figure> only", element.line)


def is_visible(text: str) -> bool:
    r"""Whether anything of ``text`` can be seen: spaces, controls and format characters cannot.

    >>> is_visible("x"), is_visible(" \u00a0\u200b\u202e"), is_visible("")
    (True, False, False)
    """
    return any(unicodedata.category(character) not in {"Cc", "Cf", "Zs", "Zl", "Zp"} for character in text)


def _attribute(element: Element, name: str, value: str) -> Iterator[Violation]:
    if name in {"class", "style", "srcdoc"}:
        yield Violation(
            name, f"<{shown_name(element.tag)} {name}> may not stand in a memory; take it out", element.line
        )
    elif name.startswith("on"):
        message = f"<{shown_name(element.tag)} {shown_name(name)}> may not run anything; take it out"
        yield Violation("event-handler", message, element.line)
    elif name in {"href", "cite"} and not is_allowed(value):
        message = (
            f"{name}={shown(value)} has a scheme other than {', '.join(sorted(ALLOWED))}; use one of these, or none"
        )
        yield Violation("address", message, element.line)
    elif name in _SOURCES and _runs(element, value):
        yield Violation("address", f"{name}={shown(value)} runs code; take it out", element.line)


def _runs(element: Element, address: str) -> bool:
    found = scheme(address)
    return found in EXECUTED or (found == "data" and element.tag in _FRAMES)


def _moves(element: Element) -> bool:
    known = element.attributes
    if element.tag == "link":
        return not known.get("rel", "").lower().startswith("memhtml-")  # those are refused by their place
    return element.tag in _MOVING or (element.tag == "meta" and "http-equiv" in known)


def _fetches(element: Element, name: str, value: str) -> bool:
    if name in _LISTS_OF_SOURCES:
        return any(is_elsewhere(part) for part in value.replace(",", " ").split())
    loads = name in _SOURCES or (name == "href" and element.tag not in _LINKS)
    return loads and is_elsewhere(value)


def _with_ancestors(steps: Iterable[Step], tags: frozenset[str]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Every HTML element called one of ``tags`` with those of the walk around it, outermost first."""
    above: list[Element] = []
    for step in steps:
        if isinstance(step, Element):
            if step.tag in tags and not step.foreign:
                yield step, tuple(above)
            above.append(step)
        elif isinstance(step, Leave):
            above.pop()


def _hider(above: tuple[Element, ...]) -> str | None:
    return next((element.tag for element in above if element.tag in _HIDING or element.foreign), None)
