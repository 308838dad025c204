"""A file's bytes to everything that the index takes from it, or to everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memhtml.domain.memory import Facts, Head, Link
from memhtml.page import facts, rules
from memhtml.page.canonical import hash_of
from memhtml.page.head import astray, head_elements, read_links, read_metas, read_title
from memhtml.page.nodes import Element, Step, elements, inside, walk
from memhtml.page.parse import Parsed, parse
from memhtml.page.source import UndecodableError, decode
from memhtml.page.violation import Reading, Violation


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
    article, article_violations = check_article(parsed)
    violations = by_line([*title_violations, *meta_violations, *link_violations, *article_violations])
    inner = () if article is None else inside(parsed.steps, article)
    warnings += rules.vocabulary(inner)
    if violations or head is None or article is None:
        return Reading(None, violations, by_line(warnings))
    return Reading(_facts(title, head, links, inner), (), by_line(warnings))


def check_article(parsed: Parsed) -> tuple[Element | None, list[Violation]]:
    """The first article, and what is wrong with the file apart from what its head says."""
    articles, violations = rules.articles(parsed.steps)
    violations += (*parsed.problems, *astray(head_elements(parsed)))
    # What a reader without scripts sees in <noscript> is held to the same rules.
    violations += (*rules.safety(parsed.steps), *rules.safety(walk(parsed.folded)), *rules.times(parsed.steps))
    if not articles:
        return None, violations
    return articles[0], [*violations, *rules.claim(articles[0], inside(parsed.steps, articles[0]))]


def by_line(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """In document order; what has no line, because it is not there, comes last. Said twice counts once."""
    return tuple(sorted(dict.fromkeys(violations), key=lambda one: (one.line is None, one.line or 0)))


def _facts(title: str, head: Head, links: tuple[Link, ...], inner: Sequence[Step]) -> Facts:
    mark = next(element for element in elements(inner) if element.tag == "mark")
    return Facts(
        title=title,
        head=head,
        links=links,
        gist=facts.gist(mark),
        body=facts.body(inner),
        disclosure=facts.disclosure(inner),
        event_at=facts.event_at(inner),
        facets=facts.facets(inner),
        citations=facts.citations(inner),
        entities=facts.entities(head.entities, inner),
        content_hash=hash_of(inner),
    )
