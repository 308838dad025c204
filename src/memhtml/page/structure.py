"""Whether a parsed tree is what the source spells: nothing moved, nothing lost, nothing closed by guesswork.

The parser mends broken markup silently, as browsers do. A memory's author means what the source says, so the tags and
the text of the source, in their order, must be the tags and the text of the tree, in theirs. Only what HTML itself lets
an author leave out (an end tag of ``<p>`` or ``<li>``, the tags of ``<head>`` and ``<tbody>``) may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from memhtml.page.markup import VOID, WHITE_SPACE
from memhtml.page.nodes import Element, Leave, Step, Text, names
from memhtml.page.violation import Violation, shown_name

DEEPEST_NESTING = 200
"""Elements inside one another; a parser flattens what lies far deeper."""

_MAY_STAY_OPEN = names(
    "html head body p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rb rt rtc rp"
)
_NO_SPACE = dict.fromkeys(map(ord, WHITE_SPACE))


class SourceTag(Struct, frozen=True):
    """A tag as the tokenizer met it in the source, ``line`` counted from 1."""

    name: str
    offset: int
    line: int
    closing: bool
    self_closing: bool = False


SourcePiece: TypeAlias = SourceTag | str


def check(text: str, steps: Sequence[Step], pieces: Sequence[SourcePiece]) -> list[Violation]:
    """What a tree makes of its source otherwise than it says.

    Args:
        text: the source.
        steps: the walk through the whole tree.
        pieces: tags and text of the source, in its order.

    Returns:
        Unclosed elements, stray end tags, start tags without an effect, each by name. When the order of tags and text
        differs beside those, one violation at the first difference.
    """
    tags = [piece for piece in pieces if isinstance(piece, SourceTag)]
    tree = _tree_pieces(text, steps)
    found = _unclosed(steps, tags)
    in_source = [piece if isinstance(piece, str) else piece.offset for piece in pieces]
    if _merged(in_source) == _merged(tree):
        return found
    known = {piece for piece in tree if isinstance(piece, int)}
    common = known & {tag.offset for tag in tags}
    found += _lost(tags, known)
    place = _first_difference(_merged(_only(in_source, common)), _merged(_only(tree, common)))
    if place is not None:
        message = "a parser moves or drops what stands here or behind; put it where it may stand"
        found.append(Violation("misplaced", message, text.count("\n", 0, place) + 1))
    return found


def _unclosed(steps: Sequence[Step], tags: Sequence[SourceTag]) -> list[Violation]:
    self_closed = {tag.offset for tag in tags if tag.self_closing}
    found: list[Violation] = []
    depth = deepest = 0
    for step in steps:
        if isinstance(step, Leave):
            depth -= 1
        elif isinstance(step, Element):
            depth += 1
            deepest = max(deepest, depth)
            if step.span is not None and step.span.close is None and not _may_stay_open(step, self_closed):
                name = shown_name(step.tag)
                message = f"<{name}> is never closed where it should be; write </{name}>"
                found.append(Violation("unclosed", message, step.line))
    if deepest > DEEPEST_NESTING:
        found.append(Violation("nesting", f"elements lie more than {DEEPEST_NESTING} deep; flatten the markup"))
    return found


def _may_stay_open(element: Element, self_closed: set[int]) -> bool:
    if element.foreign:
        return element.span is not None and element.span.start in self_closed
    return element.tag in VOID or element.tag in _MAY_STAY_OPEN


def _lost(tags: Iterable[SourceTag], known: set[int]) -> Iterator[Violation]:
    for tag in tags:
        name = shown_name(tag.name)
        if tag.offset not in known and tag.closing:
            yield Violation("stray-end-tag", f"</{name}> closes nothing; take it out or open <{name}>", tag.line)
        elif tag.offset not in known:
            yield Violation("lost-tag", f"<{name}> may not stand here and is dropped; take it out", tag.line)


def _tree_pieces(text: str, steps: Sequence[Step]) -> list[int | str]:
    """Offsets of tags, and text, in tree order. What ``<noscript>`` holds is taken from the source, as raw text."""
    pieces: list[int | str] = []
    silent = 0
    for step in steps:
        if isinstance(step, Text):
            pieces.append("" if silent else step.data)
        elif isinstance(step, Element) and step.span is not None:
            pieces.append(step.span.start)
            if _is_noscript(step):
                silent += 1
                pieces.append(text[step.span.inner : step.span.close])
        elif isinstance(step, Leave) and step.element.span is not None:
            silent -= _is_noscript(step.element)
            if step.element.span.close is not None:
                pieces.append(step.element.span.close)
    return pieces


def _is_noscript(element: Element) -> bool:
    return element.tag == "noscript" and not element.foreign


def _merged(pieces: Iterable[int | str]) -> list[int | str]:
    """Tags with the text around each, blank or not, without white space: parsers drop and move it in the skeleton."""
    merged: list[int | str] = []
    held: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            held.append(piece)
            continue
        merged += (_bare(held), piece)
        held.clear()
    return [*merged, _bare(held)]


def _bare(texts: list[str]) -> str:
    """What of ``texts`` is no white space, as one text."""
    return "".join(texts).translate(_NO_SPACE)


def _only(pieces: Iterable[int | str], offsets: set[int]) -> Iterator[int | str]:
    return (piece for piece in pieces if isinstance(piece, str) or piece in offsets)


def _first_difference(source: list[int | str], tree: list[int | str]) -> int | None:
    """The offset of the last tag of the source before the sequences part; ``None`` when they never do."""
    place = 0
    for one, other in zip(source, tree, strict=False):
        if one != other:
            return place
        if isinstance(one, int):
            place = one
    return None if len(source) == len(tree) else place
