"""Edits of a head that leave every other byte of the file as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

from msgspec import Struct

from memhtml.domain.edges import href, href_target, parse_rel, rel_spelling
from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Link
from memhtml.domain.surrogates import has_surrogate
from memhtml.page.head import HeadElements, head_elements
from memhtml.page.markup import WHITE_SPACE
from memhtml.page.metas import BY_NAME, MetaRule
from memhtml.page.nodes import Element
from memhtml.page.parse import parse
from memhtml.page.render import link_markup, meta_markup
from memhtml.page.source import Source, UndecodableError, decode
from memhtml.page.violation import Violation, shown

_VALUE = re.compile(r"""[ \t\n\f]*=[ \t\n\f]*(?P<value>"[^"]*"|'[^']*'|[^ \t\n\f>]*)""")

# In each spelling of a value, what would end it or begin a reference; the rest as in the files we render.
_QUOTED = {ord("&"): "&amp;", 0xA0: "&nbsp;", ord("\r"): "&#13;"}
_ESCAPES = {
    '"': _QUOTED | {ord('"'): "&quot;"},
    "'": _QUOTED | {ord("'"): "&#39;"},
    "": _QUOTED | {ord(character): f"&#{ord(character)};" for character in " \t\n\f\"'=<>`"},
}


class SetMeta(Struct, frozen=True):
    """A scalar meta gets this content; ``None`` takes it out."""

    name: str
    content: str | None


class AddValue(Struct, frozen=True):
    """A repeatable meta gets one more element, unless one says the same."""

    name: str
    content: str


class DropValue(Struct, frozen=True):
    """Every element of a repeatable meta that says this goes."""

    name: str
    content: str


class AddLink(Struct, frozen=True):
    """The link is added, unless it is there."""

    link: Link


class DropLink(Struct, frozen=True):
    """Every element that says this link goes."""

    link: Link


Edit: TypeAlias = SetMeta | AddValue | DropValue | AddLink | DropLink


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """``data`` after ``edits``, one after the other; the same bytes when none of them says anything new.

    A changed value keeps its quotes. A new scalar goes after the last scalar, a new repeatable after the last
    repeatable, a new link after the last link, each on a line of its own if its neighbour has one; so no line that
    exists moves.

    Raises:
        InvalidMemoryError: the file is no text, a parser would move or lose something of it, or it has no metas of
            memories; or an edit has a name or a content outside the format.
    """
    for edit in edits:
        data = _apply(data, edit)
    return data


def set_meta(data: bytes, name: str, content: str | None) -> bytes:
    """`apply` of one `SetMeta`."""
    return apply(data, (SetMeta(name, content),))


def add_value(data: bytes, name: str, content: str) -> bytes:
    """`apply` of one `AddValue`."""
    return apply(data, (AddValue(name, content),))


def drop_value(data: bytes, name: str, content: str) -> bytes:
    """`apply` of one `DropValue`."""
    return apply(data, (DropValue(name, content),))


def add_link(data: bytes, link: Link) -> bytes:
    """`apply` of one `AddLink`."""
    return apply(data, (AddLink(link),))


def drop_link(data: bytes, link: Link) -> bytes:
    """`apply` of one `DropLink`."""
    return apply(data, (DropLink(link),))


class _Page(Struct, frozen=True):
    """A file that can be edited."""

    source: Source
    plane: HeadElements


def _apply(data: bytes, edit: Edit) -> bytes:
    page = _page(data)
    match edit:
        case SetMeta(name, content):
            return _set(page, _rule(name, repeatable=False), content)
        case AddValue(name, content):
            return _add_value(page, _rule(name, repeatable=True), content)
        case DropValue(name, content):
            return _without(page, _saying(page, _rule(name, repeatable=True), content))
        case AddLink(link):
            return _add_link(page, link)
        case DropLink(link):
            return _without(page, [one for one in page.plane.links if _says(one, link)])
        case _:
            assert_never(edit)


def _page(data: bytes) -> _Page:
    try:
        source = decode(data)
    except UndecodableError as error:
        raise InvalidMemoryError((str(Violation(error.code, error.message, error.line)),)) from error
    parsed = parse(source.text)
    if parsed.problems:
        raise InvalidMemoryError(tuple(map(str, parsed.problems)))
    plane = head_elements(parsed)
    if not plane.metas:
        raise InvalidMemoryError(("the file has no metas of a memory in its <head>; write memhtml-type first",))
    return _Page(source, plane)


def _set(page: _Page, rule: MetaRule, content: str | None) -> bytes:
    there = _named(page, rule.name)
    if content is None:
        return _without(page, there)
    _check(rule, content)
    if not there:
        scalars = [meta for meta in page.plane.metas if not _is_repeatable(meta)]
        return _insert(page, (scalars or page.plane.metas)[-1], meta_markup(rule.name, content))
    return _with_value(page, there[0], content)


def _add_value(page: _Page, rule: MetaRule, content: str) -> bytes:
    _check(rule, content)
    if _saying(page, rule, content):
        return page.source.data
    repeatables = [meta for meta in page.plane.metas if _is_repeatable(meta)]
    return _insert(page, (repeatables or page.plane.metas)[-1], meta_markup(rule.name, content))


def _add_link(page: _Page, link: Link) -> bytes:
    address = href(link.target)
    if href_target(address) != link.target:
        raise InvalidMemoryError((f"{shown(link.target)} is no path from the root of the store",))
    if any(_says(element, link) for element in page.plane.links):
        return page.source.data
    anchor = (page.plane.links or page.plane.metas)[-1]
    return _insert(page, anchor, link_markup(rel_spelling(link.rel), address))


def _with_value(page: _Page, element: Element, content: str) -> bytes:
    """The file with another ``content`` in ``element``, in the quotes that are there."""
    if element.attributes.get("content") == content or element.span is None:
        return page.source.data
    text = page.source.text
    span = element.span.attributes.get("content")
    if span is None:
        # A meta without a content: it gets one right after its name.
        place = element.span.attributes["name"][1]
        return _spliced(page.source, place, place, f' content="{content.translate(_ESCAPES[chr(34)])}"')
    value = _VALUE.fullmatch(text, span[0] + len("content"), span[1])
    if value is None:
        return _spliced(page.source, span[1], span[1], f'="{content.translate(_ESCAPES[chr(34)])}"')
    quote = value["value"][:1] if value["value"][:1] in {'"', "'"} else ""
    return _spliced(page.source, *value.span("value"), quote + content.translate(_ESCAPES[quote]) + quote)


def _insert(page: _Page, anchor: Element, markup: str) -> bytes:
    """The file with ``markup`` right after ``anchor``, parted from it as ``anchor`` is from what is before it."""
    if anchor.span is None:
        return page.source.data
    place = anchor.span.end
    before = page.source.byte_offset(_line_start(page.source.text, anchor.span.start))
    separator = page.source.data[before : page.source.byte_offset(anchor.span.start)]
    offset = page.source.byte_offset(place)
    return page.source.data[:offset] + separator + markup.encode() + page.source.data[offset:]


def _without(page: _Page, gone: Sequence[Element]) -> bytes:
    """The file without these elements and what parts each from what is before it."""
    data = page.source.data
    for element in reversed(gone):
        if element.span is not None:
            start = page.source.byte_offset(_line_start(page.source.text, element.span.start))
            data = data[:start] + data[page.source.byte_offset(element.span.end) :]
    return data


def _line_start(text: str, offset: int) -> int:
    """Where the white space before ``offset`` begins: at its last newline, if it has one."""
    return offset - len(_white_space_before(text, offset))


def _white_space_before(text: str, offset: int) -> str:
    start = offset
    while start and text[start - 1] in WHITE_SPACE:
        start -= 1
    white = text[start:offset]
    return white[white.rfind("\n") :] if "\n" in white else white


def _spliced(source: Source, start: int, end: int, text: str) -> bytes:
    return source.data[: source.byte_offset(start)] + text.encode() + source.data[source.byte_offset(end) :]


def _named(page: _Page, name: str) -> list[Element]:
    return [meta for meta in page.plane.metas if meta.attributes["name"] == name]


def _saying(page: _Page, rule: MetaRule, content: str) -> list[Element]:
    wanted = rule.read(content)
    return [meta for meta in _named(page, rule.name) if rule.read(meta.attributes.get("content", "")) == wanted]


def _is_repeatable(meta: Element) -> bool:
    rule = BY_NAME.get(meta.attributes["name"])
    return rule is not None and rule.repeatable


def _says(element: Element, link: Link) -> bool:
    said = parse_rel(element.attributes["rel"]), href_target(element.attributes.get("href", ""))
    return said == (link.rel, link.target)


def _rule(name: str, *, repeatable: bool) -> MetaRule:
    rule = BY_NAME.get(name)
    if rule is None or rule.repeatable is not repeatable:
        kind = "repeatable" if repeatable else "single"
        raise InvalidMemoryError((f"{shown(name)} is no {kind} meta of memories",))
    return rule


def _check(rule: MetaRule, content: str) -> None:
    if "\x00" in content or has_surrogate(content) or rule.read(content) is None:
        raise InvalidMemoryError((f"{rule.name} cannot say {shown(content)}; write {rule.wanted}",))
