"""The machine plane: title, metas and links of a parsed file, with everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from memhtml.domain.edges import REL_PREFIX, href_target, parse_rel, rel_spelling
from memhtml.domain.instants import is_empty_window
from memhtml.domain.memory import Head, Link
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.blocks import one_line
from memhtml.page.metas import BY_NAME, METAS, PREFIX, TASK_STATUS, MetaRule
from memhtml.page.nodes import Element, elements, text, walk
from memhtml.page.parse import Parsed
from memhtml.page.rules import is_visible
from memhtml.page.violation import Violation, shown

_TAGS = frozenset({"title", "meta", "link"})


class HeadElements(Struct, frozen=True):
    """What of a file's elements belongs to the machine plane, each kind in document order.

    Attributes:
        titles: in ``<head>``.
        metas: named ``memhtml-…``, in ``<head>``.
        links: with a rel ``memhtml-…``, in ``<head>``.
        astray: titles, metas and links of these kinds anywhere else.
    """

    titles: tuple[Element, ...]
    metas: tuple[Element, ...]
    links: tuple[Element, ...]
    astray: tuple[Element, ...]


class _Values(Struct):
    """What the metas say so far, by rule, and what was wrong on the way."""

    found: dict[str, list[object]] = field(default_factory=dict[str, list[object]])
    given: set[str] = field(default_factory=set[str])
    violations: list[Violation] = field(default_factory=list[Violation])
    warnings: list[Violation] = field(default_factory=list[Violation])


def head_elements(parsed: Parsed) -> HeadElements:
    """The elements of the machine plane, found by what they are and where they stand."""
    html = (element for element in parsed.roots if isinstance(element, Element) and element.tag == "html")
    heads = [child for one in html for child in one.children if isinstance(child, Element) and child.tag == "head"]
    inside = [child for head in heads for child in head.children if isinstance(child, Element)]
    placed = set(map(id, inside))
    everything = (element for element in (*parsed.elements, *elements(walk(parsed.folded))) if element.tag in _TAGS)
    return HeadElements(
        titles=tuple(element for element in inside if element.tag == "title"),
        metas=tuple(element for element in inside if _is_meta(element)),
        links=tuple(element for element in inside if _is_link(element)),
        astray=tuple(element for element in everything if _is_plane(element) and id(element) not in placed),
    )


def read_title(plane: HeadElements) -> tuple[str, list[Violation]]:
    """The text of the title as one line, empty without one."""
    if not plane.titles:
        return "", [Violation("title-missing", "there is no <title> in <head>; write one")]
    first, *others = plane.titles
    title = one_line(text(walk(first.children)))
    violations = [Violation("title-repeated", "there is a second <title>; keep one", other.line) for other in others]
    if not is_visible(title):
        violations.insert(0, Violation("title-empty", "the <title> is empty; write what the memory says", first.line))
    return title, violations


def read_links(plane: HeadElements) -> tuple[tuple[Link, ...], list[Violation]]:
    """The links in document order, without repeats."""
    links: list[Link] = []
    violations: list[Violation] = []
    for element in plane.links:
        spelling = element.attributes["rel"]
        rel = parse_rel(spelling)
        address = element.attributes.get("href", "")
        target = href_target(address)
        if rel is None:
            message = f"rel={shown(spelling)} is no rel of memories; write one of {' '.join(map(rel_spelling, Rel))}"
            violations.append(Violation("link-rel", message, element.line))
        if target is None:
            message = f"href={shown(address)} is no path from the root; write it like /areas/inbox/a.html"
            violations.append(Violation("link-href", message, element.line))
        if rel is not None and target is not None:
            links.append(Link(rel, target))
    return tuple(dict.fromkeys(links)), violations


def read_metas(plane: HeadElements) -> tuple[Head | None, list[Violation], list[Violation]]:
    """The head, violations, and warnings of what was dropped; no head when a required meta is missing or wrong."""
    values = _Values()
    for element in plane.metas:
        _read_meta(element, values)
    for rule in METAS:
        if rule.required and rule.name not in values.given:
            message = f"there is no {rule.name}; write {rule.wanted}"
            values.violations.append(Violation("meta-missing", message))
    if values.found.get("type"):
        _check_task_status(plane, values)
    head = _head(values)
    if head is not None and is_empty_window(head.valid_from, head.valid_until):
        line = next(meta.line for meta in plane.metas if meta.attributes["name"] == "memhtml-valid-until")
        message = "memhtml-valid-until is not after memhtml-valid-from, so that it never holds; correct one of them"
        values.warnings.append(Violation("validity", message, line))
    return head, values.violations, values.warnings


def astray(plane: HeadElements) -> list[Violation]:
    """What of the machine plane stands where it would not be found."""
    return [
        Violation("outside-head", f"<{element.tag}> of the head stands outside <head>; move it there", element.line)
        for element in plane.astray
    ]


def _read_meta(element: Element, values: _Values) -> None:
    name = element.attributes["name"]
    rule = BY_NAME.get(name)
    if rule is None:
        message = f"{shown(name)} is no meta of memories; take it out or correct its name"
        values.violations.append(Violation("meta-unknown", message, element.line))
        return
    if name in values.given and not rule.repeatable:
        values.violations.append(Violation("meta-repeated", f"{name} is given twice; keep one", element.line))
        return
    values.given.add(name)
    content = element.attributes.get("content", "")
    value = rule.read(content)
    if value is not None:
        values.found.setdefault(rule.field, []).append(value)
    elif rule.required:
        message = f"{name} says {shown(content)}; write {rule.wanted}"
        values.violations.append(Violation("meta-value", message, element.line))
    elif rule is not TASK_STATUS:
        message = f"{name} says {shown(content)} and is dropped; write {rule.wanted}"
        values.warnings.append(Violation("meta-dropped", message, element.line))


def _check_task_status(plane: HeadElements, values: _Values) -> None:
    is_task = values.found["type"] == [MemoryType.TASK]
    said = [element for element in plane.metas if element.attributes["name"] == TASK_STATUS.name]
    line = said[0].line if said else None
    if is_task and not values.found.get(TASK_STATUS.field):
        message = f"a task has no valid {TASK_STATUS.name}; write {TASK_STATUS.wanted}"
        values.violations.append(Violation("task-status", message, line))
    elif said and not is_task:
        message = f"only a task may have {TASK_STATUS.name}; take it out"
        values.violations.append(Violation("task-status", message, line))


def _head(values: _Values) -> Head | None:
    if any(rule.required and not values.found.get(rule.field) for rule in METAS):
        return None
    return Head(**{rule.field: _value(rule, values.found.get(rule.field, [])) for rule in METAS})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - METAS pairs each field with its reader


def _value(rule: MetaRule, found: Iterable[object]) -> object:
    if rule.repeatable:
        return tuple(dict.fromkeys(found))
    return next(iter(found), None)


def _is_plane(element: Element) -> bool:
    return (element.tag == "title" and not element.foreign) or _is_meta(element) or _is_link(element)


def _is_meta(element: Element) -> bool:
    return element.tag == "meta" and element.attributes.get("name", "").strip().lower().startswith(PREFIX)


def _is_link(element: Element) -> bool:
    rels = element.attributes.get("rel", "").lower().split()
    return element.tag == "link" and any(rel.startswith(REL_PREFIX) for rel in rels)
