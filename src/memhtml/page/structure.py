"""Whether a parsed tree is what the source spells: nothing moved, nothing lost, nothing closed by guesswork.

The parser mends broken markup silently, as browsers do. A memory's author means what the source says, so the tags and
the text of the source, in their order, must be the tags and the text of the tree, in theirs. Only what HTML itself lets
an author leave out (an end tag of ``<p>`` or ``<li>``, the tags of ``<head>`` and ``<tbody>``) may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memhtml.page.markup import VOID
from memhtml.page.nodes import Element, Enter, Leave, Node, Text, names, walk
from memhtml.page.violation import Violation

DEEPEST_NESTING = 200
"""Elements inside one another; a parser flattens what lies far deeper."""

_MAY_STAY_OPEN = names(
    "html head body p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rb rt rtc rp"
)
_SPACE = re.compile(r"[ \t\n\f\r]+")


@dataclass(frozen=True, slots=True)
class SourceTag:
    """A tag as the tokenizer met it in the source, ``line`` counted from 1."""

    name: str
    offset: int
    line: int
    closing: bool
    self_closing: bool = False


SourcePiece: TypeAlias = SourceTag | str


def check(text: str, roots: tuple[Node, ...], pieces: Sequence[SourcePiece]) -> list[Violation]:
    """What the tree ``roots`` makes of the source otherwise than it says.

    Args:
        text: the source.
        roots: the children of the parsed document.
        pieces: tags and text of the source, in its order.

    Returns:
        Unclosed elements, stray end tags, start tags without an effect, each by name. When the order of tags and text
        differs beside those, one violation at the first difference.
    """
    tags = [piece for piece in pieces if isinstance(piece, SourceTag)]
    known = set(_tree_offsets(roots))
    self_closed = {tag.offset for tag in tags if tag.self_closing}
    found = [*_unclosed(roots, self_closed), *_lost(tags, known)]
    offsets = {tag.offset for tag in tags}
    in_source = list(
        _merged(piece if isinstance(piece, str) else piece.offset for piece in pieces),
    )
    in_tree = list(_merged(_tree_pieces(text, roots)))
    common = known & offsets
    place = _first_difference(_only(in_source, common), _only(in_tree, common))
    if place is not None:
        line = text.count("\n", 0, place) + 1
        found.append(
            Violation("misplaced", "markup or text that a parser moves elsewhere; put it where it may stand", line)
        )
    return found


def _unclosed(roots: tuple[Node, ...], self_closed: set[int]) -> Iterator[Violation]:
    deepest = 0
    for step in walk(roots):
        if not isinstance(step, Enter):
            continue
        element = step.element
        deepest = max(deepest, step.depth)
        if element.span is None or element.span.close is not None or _may_stay_open(element, self_closed):
            continue
        yield Violation(
            "unclosed", f"<{element.tag}> is never closed where it should be; write </{element.tag}>", element.line
        )
    if deepest > DEEPEST_NESTING:
        yield Violation("nesting", f"elements lie more than {DEEPEST_NESTING} deep; flatten the markup")


def _may_stay_open(element: Element, self_closed: set[int]) -> bool:
    if element.foreign:
        return element.span is not None and element.span.start in self_closed
    return element.tag in VOID or element.tag in _MAY_STAY_OPEN


def _lost(tags: Iterable[SourceTag], known: set[int]) -> Iterator[Violation]:
    for tag in tags:
        if tag.offset in known:
            continue
        if tag.closing:
            yield Violation(
                "stray-end-tag", f"</{tag.name}> closes nothing; take it out or open <{tag.name}>", tag.line
            )
        else:
            yield Violation("lost-tag", f"<{tag.name}> may not stand here and is dropped; take it out", tag.line)


def _tree_offsets(roots: tuple[Node, ...]) -> Iterator[int]:
    return (piece for piece in _tree_pieces("", roots) if isinstance(piece, int))


def _tree_pieces(text: str, roots: tuple[Node, ...]) -> Iterator[int | str]:
    """Offsets of tags, and text, in tree order. What ``<noscript>`` holds is taken from the source, as raw text."""
    silent = 0
    for step in walk(roots):
        if isinstance(step, Text):
            yield "" if silent else step.data
        elif isinstance(step, Enter) and step.element.span is not None:
            silent += _is_noscript(step.element)
            yield step.element.span.start
            if _is_noscript(step.element):
                yield text[step.element.span.inner : step.element.span.close]
        elif isinstance(step, Leave) and step.element.span is not None:
            silent -= _is_noscript(step.element)
            if step.element.span.close is not None:
                yield step.element.span.close


def _is_noscript(element: Element) -> bool:
    return element.tag == "noscript" and not element.foreign


def _merged(pieces: Iterable[int | str]) -> Iterator[int | str]:
    """Neighbouring texts as one, without white space: parsers drop and move it between the tags of the skeleton."""
    held: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            held.append(_SPACE.sub("", piece))
            continue
        if joined := "".join(held):
            yield joined
        held.clear()
        yield piece
    if joined := "".join(held):
        yield joined


def _only(pieces: Iterable[int | str], offsets: set[int]) -> list[int | str]:
    return list(_merged(piece for piece in pieces if isinstance(piece, str) or piece in offsets))


def _first_difference(source: list[int | str], tree: list[int | str]) -> int | None:
    """The offset of the last tag of the source before the sequences part; ``None`` when they never do."""
    place = 0
    for one, other in zip(source, tree, strict=False):
        if one != other:
            return place
        if isinstance(one, int):
            place = one
    return None if len(source) == len(tree) else place
