"""From arguments to a draft: the texts that stand for structured values are read once, here."""

from __future__ import annotations

import math
from typing import TypeVar

from memhtml.domain.entities import parse_entity
from memhtml.domain.errors import InvalidFlagError, MissingArgumentError, UnexpectedArgumentError
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Link
from memhtml.domain.paths import memory_path
from memhtml.domain.vocabulary import MemoryType, Rel, TaskStatus
from memhtml.ops.arguments import Arguments, closest, plain, shown

Item = TypeVar("Item")
ADDRESSES = ("http://", "https://", "mailto:")


def draft(arguments: Arguments, kind: MemoryType | None = None) -> Draft:
    """The memory that the caller wants written; ``kind`` is its type, else the argument ``type``.

    Raises:
        MissingArgumentError: there is no content.
        UnexpectedArgumentError: prose and markup, or a task's state for something else.
        InvalidFlagError: an entity, facet, citation or link is not written as it should be.
        InvalidPathError: a link leads where no memory can be.
    """
    claim, body, markup = (_content(arguments, name) for name in ("claim", "body", "article_html"))
    if claim is None and body is None and markup is None:
        raise MissingArgumentError(
            "there is nothing to remember: give a claim, --body or --article-html",
            suggestions=('memhtml write "Checkout drains its queue before every deploy."',),
        )
    if markup is not None and (claim is not None or body is not None):
        raise UnexpectedArgumentError(
            "give prose (a claim, --body) or markup (--article-html), not both",
            suggestions=("write the claim into the markup, as <p><mark>…</mark></p>",),
        )
    type_of = kind or MemoryType(arguments.needed("type"))
    return Draft(
        type=type_of,
        title=arguments.text("title"),
        claim=claim,
        body=body,
        article_html=markup,
        path=arguments.text("path"),
        workspace=arguments.text("workspace"),
        tags=_distinct(arguments.texts("tag")),
        entities=_distinct(tuple(entity(text) for text in arguments.texts("entity"))),
        aliases=_distinct(arguments.texts("alias")),
        facets=tuple(facet(text) for text in arguments.texts("facet")),
        citations=tuple(citation(text) for text in arguments.texts("cite")),
        links=_distinct(tuple(link(text) for text in arguments.texts("link"))),
        event_at=arguments.text("event_at"),
        valid_from=arguments.text("valid_from"),
        valid_until=arguments.text("valid_until"),
        importance=arguments.integer("importance"),
        confidence=arguments.number("confidence"),
        task_status=_task_status(arguments, type_of),
        due=_due(arguments, type_of),
        author=arguments.text("author"),
        session=arguments.text("session_id"),
        prompt=arguments.text("prompt_id"),
        turn=arguments.text("turn_id"),
    )


def correction(arguments: Arguments) -> tuple[Draft, bool]:
    """The memory that takes another's place, and whether it keeps that one's type, since the caller names none.

    Raises:
        UsageError: as `draft` says.
    """
    keep_type = not arguments.given("type")
    return draft(arguments, MemoryType.SEMANTIC if keep_type else None), keep_type


def entity(text: str) -> Entity:
    """The entity that ``text`` writes as ``type:name``.

    Raises:
        InvalidFlagError: a half is missing.
    """
    found = parse_entity(text)
    if found is None:
        raise InvalidFlagError(
            f"an entity is written TYPE:NAME, not {shown(text)}", suggestions=("--entity service:checkout-api",)
        )
    return found


def facet(text: str) -> Facet:
    """The facet that ``text`` writes as ``name=value``; a value that is a plain number is one for machines too.

    >>> facet("retry limit=3"), facet("region=eu-west-1")
    (Facet(name='retry limit', value='3', number=3.0), Facet(name='region', value='eu-west-1', number=None))

    Raises:
        InvalidFlagError: a half is missing.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise InvalidFlagError(
            f"a facet is written NAME=VALUE, not {shown(text)}", suggestions=('--facet "retry limit=3"',)
        )
    return Facet(name, value, _number(value))


def facet_text(name: object, value: object) -> str:
    """``name=value``, as `facet` reads it.

    >>> facet_text("retry limit", 3), facet_text("retries", True)
    ('retry limit=3', 'retries=true')

    Raises:
        InvalidFlagError: the value is no text, number or truth, or the name would be read otherwise.
    """
    named = plain(name, "a facet's name")
    if "=" in named:
        raise InvalidFlagError(f"a facet's name holds no =, as {shown(named)} does")
    said = str(value).lower() if isinstance(value, bool) else plain(value, f"the facet {shown(named)}")
    return f"{named}={said}"


def citation(text: str) -> Citation:
    """The source that ``text`` names: ``TEXT <ADDRESS>``, a bare address, or a bare text.

    >>> citation("RFC 9110 <https://www.rfc-editor.org/rfc/rfc9110>").uri
    'https://www.rfc-editor.org/rfc/rfc9110'
    >>> citation("the runbook"), citation("https://a.example/").uri
    (Citation(text='the runbook', uri=None), 'https://a.example/')

    Raises:
        InvalidFlagError: it is empty.
    """
    plain = text.strip()
    words, bracket, address = plain.rpartition("<")
    if bracket and address.endswith(">") and address.startswith(ADDRESSES):
        return Citation(words.strip() or address[:-1], address[:-1])
    if not plain:
        raise InvalidFlagError("a source is a text, an address, or TEXT <ADDRESS>")
    return Citation(plain, plain if plain.startswith(ADDRESSES) else None)


def link(text: str) -> Link:
    """The link that ``text`` writes as ``rel:path``.

    >>> link("caused_by:areas/inbox/outage.html")
    Link(rel=<Rel.CAUSED_BY: 'caused_by'>, target='areas/inbox/outage.html')

    Raises:
        InvalidFlagError: there is no such rel.
        InvalidPathError: no memory can be at the path.
    """
    name, colon, target = text.partition(":")
    if not colon:
        raise InvalidFlagError(
            f"a link is written REL:PATH, not {shown(text)}",
            suggestions=("--link relates_to:areas/inbox/drain-before-deploy.html",),
        )
    return Link(rel(name.strip()), memory_path(target.strip()))


def rel(text: str) -> Rel:
    """The rel that a caller means; ``-`` and ``_`` are the same.

    Raises:
        InvalidFlagError: there is none of that name.
    """
    name = text.replace("-", "_")
    names = [each.value for each in Rel]
    if name not in names:
        raise InvalidFlagError(
            f"a link takes one of {', '.join(names)}; not {shown(text)}",
            suggestions=tuple(f"did you mean {word}?" for word in closest(name, names)),
        )
    return Rel(name)


def _content(arguments: Arguments, name: str) -> str | None:
    text = arguments.text(name)
    return text if text is not None and text.strip() else None


def _distinct(items: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))


def _task_status(arguments: Arguments, kind: MemoryType) -> TaskStatus | None:
    text = arguments.text("status")
    if kind is MemoryType.TASK:
        return TaskStatus(text or TaskStatus.TODO)
    if text is not None:
        raise UnexpectedArgumentError(f"--status is for tasks, and this is {kind.value}", suggestions=("--type task",))
    return None


def _due(arguments: Arguments, kind: MemoryType) -> str | None:
    text = arguments.text("due")
    if text is not None and kind is not MemoryType.TASK:
        raise UnexpectedArgumentError(f"--due is for tasks, and this is {kind.value}", suggestions=("--type task",))
    return text


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None
