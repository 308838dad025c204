"""A file's bytes to everything that the index takes from it, or to everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from memhtml.domain.memory import Facts, Head, Link
from memhtml.page import facts, rules
from memhtml.page.canonical import hash_of
from memhtml.page.head import HeadElements, astray, head_elements, read_links, read_metas, read_title
from memhtml.page.nodes import Element, Step, elements, inside, is_html, walk
from memhtml.page.parse import Parsed, parse
from memhtml.page.source import UndecodableError, decode
from memhtml.page.violation import Reading, Violation


class Article(Struct, frozen=True):
    """The first article of a file, the walk through its children, and the elements that this meets."""

    element: Element
    steps: Sequence[Step]
    elements: Sequence[Element]


def read(data: bytes) -> Reading:
    """What ``data`` says.

    Never raises, whatever the bytes. Either there are facts and no violation, or there is no fact at all and every
    violation, by line; a file that is no text has that one violation.
    """
    try:
        source = decode(data)
    except UndecodableError as error:
        return Reading(None, (Violation(error.code, error.message, error.line),))
    parsed = parse(source.text)
    plane = head_elements(parsed)
    title, title_violations = read_title(plane)
    head, meta_violations, warnings = read_metas(plane)
    links, link_violations = read_links(plane)
    article = first_article(parsed)
    violations = [*title_violations, *meta_violations, *link_violations, *check_body(parsed, plane, article)]
    if article is not None:
        warnings += rules.vocabulary(article.steps, article.elements)
    if violations or head is None or article is None:
        return Reading(None, by_line(violations), by_line(warnings))
    return Reading(_facts(title, head, links, article), (), by_line(warnings))


def first_article(parsed: Parsed) -> Article | None:
    """The first ``<article>`` of a file, if it has one."""
    element = next((element for element in parsed.elements if is_html(element, "article")), None)
    if element is None:
        return None
    steps = inside(parsed.steps, element)
    return Article(element, steps, elements(steps))


def check_body(parsed: Parsed, plane: HeadElements, article: Article | None) -> list[Violation]:
    """What is wrong with a file apart from what its head says."""
    found = [*parsed.problems, *astray(plane), *rules.articles(parsed.steps)]
    found += (*rules.safety(parsed.elements), *rules.times(parsed.elements))
    # What a reader without scripts sees in <noscript> is held to the same rules.
    found += rules.safety(elements(walk(parsed.folded)))
    return found if article is None else [*found, *rules.claim(article.element, article.steps)]


def by_line(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """In document order; what has no line, because it is not there, comes last. Said twice counts once."""
    return tuple(sorted(dict.fromkeys(violations), key=lambda one: (one.line is None, one.line or 0)))


def _facts(title: str, head: Head, links: tuple[Link, ...], article: Article) -> Facts:
    mark = next(element for element in article.elements if is_html(element, "mark"))
    body = facts.body(article.steps)
    return Facts(
        title=title,
        head=head,
        links=links,
        gist=facts.gist(mark),
        body=body,
        # Most memories fold nothing away, and then all of the body may be quoted.
        disclosure=facts.disclosure(article.steps) if facts.folds(article.elements) else body,
        event_at=facts.event_at(article.elements),
        facets=facts.facets(article.elements),
        citations=facts.citations(article.steps),
        entities=facts.entities(head.entities, article.elements),
        content_hash=hash_of(article.steps),
    )
