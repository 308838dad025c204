"""The one module that knows the HTML parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.page.markup import escape_text, serialise
from memhtml.page.nodes import Comment, Element, Node, Span, Step, Text, elements, walk
from memhtml.page.plain import read_plain
from memhtml.page.structure import SourcePiece, SourceTag, check
from memhtml.page.violation import Violation

if TYPE_CHECKING:
    import turbohtml

# Complaints of the tokenizer about markup of which something is lost without a trace in the tree.
_LOSING_ERRORS = {
    "duplicate-attribute": "an attribute is given twice, and the second is lost; take one out",
    "eof-in-tag": "the file ends inside a tag; finish it",
    "eof-in-comment": "a comment is never closed; write -->",
    "eof-in-cdata": "a CDATA section is never closed; write ]]>",
    "cdata-in-html-content": "a CDATA section hides its text; write the text itself, escaped",
}


class Parsed(Struct, frozen=True):
    """A parsed text.

    Attributes:
        roots: the children of the document.
        steps: the walk through all of it.
        elements: those that it meets.
        folded: what ``<noscript>`` holds as markup; in ``roots`` it is text, as for a reader with scripts.
        problems: where the tree is not what the source spells.
    """

    roots: tuple[Node, ...]
    steps: Sequence[Step]
    elements: Sequence[Element]
    folded: tuple[Node, ...] = ()
    problems: tuple[Violation, ...] = ()


def parse(text: str) -> Parsed:
    r"""The tree of a whole file.

    Args:
        text: newlines as ``\n``, no NUL, no byte order mark (see `memhtml.page.source`).
    """
    plain = read_plain(text)
    if plain is not None:
        steps = walk(plain)
        return Parsed(plain, steps, elements(steps))
    return parse_html(text)


def parse_html(text: str) -> Parsed:
    """The same, always by the HTML parser."""
    import turbohtml  # 126 ms, so only for markup in other hands than ours

    document = turbohtml.parse(text, source_locations=True, allow_declarative_shadow_roots=False)
    folded: list[Node] = []
    roots = _converted(document, folded)
    problems = [
        Violation(error.code, _LOSING_ERRORS[error.code], error.line)
        for error in document.errors
        if error.code in _LOSING_ERRORS
    ]
    steps = walk(roots)
    problems += check(text, steps, list(_pieces(text)))
    return Parsed(roots, steps, elements(steps), tuple(folded), tuple(problems))


def _converted(document: turbohtml.Document, folded: list[Node]) -> tuple[Node, ...]:
    """The children of ``document`` as our nodes, without recursion: files nest as deep as they like."""
    import turbohtml  # already loaded by the caller

    frames: list[tuple[turbohtml.Element | None, Iterator[turbohtml.Node], list[Node]]] = [
        (None, iter(document.children), []),
    ]
    while True:
        owner, waiting, done = frames[-1]
        node = next(waiting, None)
        if node is None:
            frames.pop()
            if not frames:
                return tuple(done)
            if owner is not None:
                frames[-1][2].append(_element(owner, tuple(done), folded))
        elif isinstance(node, turbohtml.Element):
            frames.append((node, iter(node.children), []))
        elif isinstance(node, turbohtml.DocumentFragment):
            # The contents of a <template>: part of the file like anything else.
            frames.append((None, iter(node.children), done))
        elif isinstance(node, (turbohtml.Text, turbohtml.CData)):
            done.append(Text(node.data))
        elif isinstance(node, turbohtml.Comment):
            done.append(Comment(node.data))
        elif isinstance(node, turbohtml.ProcessingInstruction):
            done.append(Comment(f"?{node.target} {node.data}"))


def _element(node: turbohtml.Element, children: tuple[Node, ...], folded: list[Node]) -> Element:
    import turbohtml  # already loaded by the caller

    foreign = node.namespace is not turbohtml.Namespace.HTML
    if node.tag == "noscript" and not foreign and not all(isinstance(child, Text) for child in children):
        folded.extend(children)
        children = (Text(escape_text(serialise(children))),)
    attributes = {name: node.attr(name) or "" for name in node.attrs}
    return Element(node.tag, attributes, children, _span(node), foreign)


def _span(node: turbohtml.Element) -> Span | None:
    location = node.source_location
    if location is None:
        return None
    start, end = location.start_tag, location.end_tag
    return Span(
        line=start.start_line,
        start=start.start_offset,
        inner=start.end_offset,
        close=None if end is None else end.start_offset,
        end=start.end_offset if end is None else end.end_offset,
        attributes={name: (span.start_offset, span.end_offset) for name, span in location.attrs.items()},
    )


def _pieces(text: str) -> Iterator[SourcePiece]:
    """The tags and the text of the source, as the tokenizer alone sees them."""
    import turbohtml  # already loaded by the caller

    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    for token in turbohtml.tokenize(text):
        if token.type is turbohtml.TokenType.TEXT:
            yield token.data or ""
        elif token.type in {turbohtml.TokenType.START_TAG, turbohtml.TokenType.END_TAG}:
            closing = token.type is turbohtml.TokenType.END_TAG
            yield SourceTag(
                token.tag or "", starts[token.line - 1] + token.col, token.line, closing, token.self_closing
            )
