"""A draft to a memory: every field checked, everything that is wrong said at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import cast

from memhtml.domain.edges import href, href_target
from memhtml.domain.entities import parse_entity
from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.instants import GRAMMAR_HELP, is_empty_window, normalised
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Head, Instant, Link, Memory
from memhtml.domain.surrogates import has_surrogate
from memhtml.domain.vocabulary import HIGHEST_IMPORTANCE, LOWEST_IMPORTANCE, MemoryType, Status, TaskStatus
from memhtml.page.addresses import is_allowed
from memhtml.page.blocks import one_line
from memhtml.page.facts import event_at, gist
from memhtml.page.fragment import parse_article
from memhtml.page.head import head_elements
from memhtml.page.markup import article_markup
from memhtml.page.nodes import Node, elements, is_html, walk
from memhtml.page.prose import article_of, claim_and_rest, extras
from memhtml.page.read import by_line, check_body, first_article, read
from memhtml.page.render import render
from memhtml.page.rules import is_visible, stillness
from memhtml.page.violation import Violation, shown

LONGEST_TITLE = 120
"""Characters of a title that is made from a claim."""


def compose(draft: Draft, *, now: Instant) -> Memory:
    """The memory that ``draft`` describes, written at ``now``.

    What it renders to passes `memhtml.page.read.read`. A task without a status is ``todo``.

    Raises:
        InvalidMemoryError: with everything that is wrong with the draft.
    """
    violations = list(_text_violations(draft))
    if violations:
        # Nothing else can be said about text that no file can hold.
        raise _refused(violations)
    article, article_violations = _article(draft)
    violations = [*_fields(draft), *article_violations]
    if violations:
        raise _refused(violations)
    memory = Memory(_title(draft, article), _head(draft, now), draft.links, article_markup(article))
    if draft.article_html is not None:
        _check_again(memory)
    return memory


def _article(draft: Draft) -> tuple[tuple[Node, ...], list[Violation]]:
    prose = draft.claim is not None or draft.body is not None
    if draft.article_html is None and not prose:
        return (), [Violation("content-missing", "there is no content; give claim and body, or article_html")]
    if draft.article_html is None:
        return _prose_article(draft)
    if prose:
        return (), [Violation("content-twice", "claim or body, and article_html, are both given; give one of them")]
    return _markup_article(draft, draft.article_html)


def _prose_article(draft: Draft) -> tuple[tuple[Node, ...], list[Violation]]:
    claim, _ = claim_and_rest(draft)
    if is_visible(claim):
        return article_of(draft), []
    return (), [Violation("claim-empty", "the claim is empty; say in a sentence what the memory says")]


def _markup_article(draft: Draft, article_html: str) -> tuple[tuple[Node, ...], list[Violation]]:
    parsed = parse_article(article_html)
    article = first_article(parsed)
    violations = check_body(parsed, head_elements(parsed), article)
    violations += stillness((*parsed.elements, *elements(walk(parsed.folded))))
    if article is None:
        return (), violations
    written = next((element for element in article.elements if is_html(element, "time")), None)
    if written is not None and draft.event_at is not None and event_at((written,)) != normalised(draft.event_at):
        message = "event_at is given, and article_html has another <time> first; give one of them"
        violations.append(Violation("event-twice", message, written.line))
    return (*article.element.children, *extras(draft, event=written is None)), violations


def _title(draft: Draft, article: tuple[Node, ...]) -> str:
    if draft.title is not None:
        return one_line(draft.title)
    title = gist(next(element for element in elements(walk(article)) if is_html(element, "mark")))
    if len(title) <= LONGEST_TITLE:
        return title
    cut = title[: LONGEST_TITLE - 1]
    return (cut.rpartition(" ")[0] or cut) + "…"


def _head(draft: Draft, now: Instant) -> Head:
    status = draft.task_status
    if draft.type is MemoryType.TASK and status is None:
        status = TaskStatus.TODO
    return Head(
        type=draft.type,
        status=Status.ACTIVE,
        created=now,
        updated=now,
        confidence=draft.confidence,
        importance=draft.importance,
        author=_line(draft.author),
        session=_line(draft.session),
        prompt=_line(draft.prompt),
        turn=_line(draft.turn),
        valid_from=_instant(draft.valid_from),
        valid_until=_instant(draft.valid_until),
        task_status=status,
        due=_instant(draft.due),
        entities=tuple(dict.fromkeys(draft.entities)),
        tags=_lines(draft.tags),
        aliases=_lines(draft.aliases),
    )


def _fields(draft: Draft) -> Iterator[Violation]:
    """What is wrong with the fields beside the content, in the order of the fields."""
    yield from _names(draft)
    yield from _numbers(draft)
    yield from _sources(draft)
    for name in ("event_at", "valid_from", "valid_until", "due"):
        value = getattr(draft, name)
        if value is not None and normalised(value) is None:
            yield Violation("instant", f"{name} says {shown(value)}; {GRAMMAR_HELP}")
    if is_empty_window(_instant(draft.valid_from), _instant(draft.valid_until)):
        message = "valid_until is not after valid_from, so that it would never hold; correct one of them"
        yield Violation("validity", message)
    if draft.task_status is not None and draft.type is not MemoryType.TASK:
        yield Violation("task-status", "only a task may have a task status; take it out")
    for link in draft.links:
        if href_target(href(link.target)) != link.target:
            message = f"{shown(link.target)} is no path from the root; write it like areas/inbox/a.html"
            yield Violation("link-href", message)


def _names(draft: Draft) -> Iterator[Violation]:
    if draft.title is not None and not is_visible(one_line(draft.title)):
        yield Violation("title-empty", "the title is empty; write what the memory says, or leave it out")
    for name, values in (("tag", draft.tags), ("alias", draft.aliases)):
        if not all(map(one_line, values)):
            yield Violation(name, f"a blank {name} is given; leave it out")
    for entity in draft.entities:
        if parse_entity(str(entity)) != entity:
            yield Violation("entity", f"{shown(str(entity))} is no entity; write type:name, without edge spaces")


def _numbers(draft: Draft) -> Iterator[Violation]:
    importance, confidence = draft.importance, draft.confidence
    if importance is not None and not LOWEST_IMPORTANCE <= importance <= HIGHEST_IMPORTANCE:
        yield Violation("importance", f"importance is {importance}; write an integer from 1 to 10")
    if confidence is not None and not 0 <= confidence <= 1:
        yield Violation("confidence", f"confidence is {confidence}; write a number from 0 to 1")


def _sources(draft: Draft) -> Iterator[Violation]:
    for facet in draft.facets:
        if not (one_line(facet.name) and one_line(facet.value)):
            yield Violation("facet", "a facet has a blank name or value; give both")
        if facet.number is not None and not math.isfinite(facet.number):
            yield Violation("facet", f"the facet {shown(facet.name)} has the number {facet.number}; give a finite one")
    for citation in draft.citations:
        if not one_line(citation.text) and not (citation.uri or "").strip():
            yield Violation("citation", "a citation has neither text nor address; give one")
        if citation.uri is not None and not is_allowed(citation.uri):
            message = f"the address {shown(citation.uri)} of a citation is not http, https, mailto or relative"
            yield Violation("address", message)


def _text_violations(draft: Draft) -> Iterator[Violation]:
    """Characters that no file can hold, by the field that holds them."""
    for name in draft.__struct_fields__:
        for text in _texts(getattr(draft, name)):
            if "\x00" in text:
                yield Violation("nul", f"{name} holds a NUL character; take it out")
            if has_surrogate(text):
                yield Violation("surrogate", f"{name} holds a lone surrogate; give valid text")


def _texts(value: object) -> Iterator[str]:
    """Every text in a field: itself, in a tuple, or in the fields of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in cast("tuple[object, ...]", value):
            yield from _texts(one)
    elif isinstance(value, (Entity, Link, Facet, Citation)):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))


def _check_again(memory: Memory) -> None:
    """Markup that the caller owns is read once more as it will be written."""
    violations = read(render(memory)).violations
    if violations:
        raise _refused(violations)


def _refused(violations: Iterable[Violation]) -> InvalidMemoryError:
    return InvalidMemoryError(tuple(map(str, by_line(violations))))


def _line(text: str | None) -> str | None:
    return (one_line(text) or None) if text is not None else None


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(one_line, texts)))


def _instant(text: str | None) -> Instant | None:
    return None if text is None else normalised(text)
