"""Prose to the nodes of an article. The caller writes no markup: whatever looks like it is text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct

from memhtml.domain.instants import normalised
from memhtml.domain.memory import Citation, Draft, Facet
from memhtml.page.blocks import one_line
from memhtml.page.facts import LANGUAGE
from memhtml.page.markup import WHITE_SPACE, article_markup
from memhtml.page.nodes import Element, Node, Text

_OPENING = re.compile(r"( {0,3})(`{3,})([^`]*)")
_CLOSING = re.compile(r" {0,3}(`{3,})[ \t]*")
# A sentence ends at a full stop before white space and no lower-case letter, or at one of the full-width stops. Each
# run of stops is looked at once, whatever follows, so that no text takes quadratic time.
# Compiled at first use, which is half a millisecond that a claim of its own does not pay.
_SENTENCE_END = (
    r"""(?<![.!?\u2026])[.!?\u2026]++["'\u201d\u2019)\]]*+(?=\s++[^a-z]|\s*+$)"""
    r"""|[\u3002\uff01\uff1f]++[\u201d\u2019\u300d\u300f\uff09]*+"""
)
_ABBREVIATION = r"(?:^|[\s(])(?:[A-Za-z]|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Nn]o|[Ff]ig|vs|cf|approx)\.$"
_LONGEST_ABBREVIATION = len(" approx.")


class Paragraph(Struct, frozen=True):
    """Lines of prose."""

    text: str


class Fence(Struct, frozen=True):
    """A fenced block: its info string, and its lines as they stand between the fences."""

    info: str
    code: str


Block: TypeAlias = Paragraph | Fence


def article(draft: Draft) -> str:
    r"""The inner markup of the article that the prose of ``draft`` makes.

    >>> from memhtml.domain.vocabulary import MemoryType
    >>> article(Draft(type=MemoryType.SEMANTIC, claim="a < b", body="So says it.\n\nAnd more."))
    '<p><mark>a &lt; b</mark> So says it.</p>\n<p>And more.</p>'
    """
    return article_markup(article_of(draft))


def article_of(draft: Draft) -> tuple[Node, ...]:
    """The nodes of the article: claim, paragraphs and code in their order, facets, event time, citations.

    Fields that are blank or outside their grammar give nothing here; `memhtml.page.compose` refuses them.
    """
    claim, rest = claim_and_rest(draft)
    first = rest[0] if rest and isinstance(rest[0], Paragraph) else None
    opening: list[Node] = [Element("mark", children=(Text(claim),))]
    if first is not None:
        opening.append(Text(f" {first.text}"))
        rest = rest[1:]
    parts = (Element("p", children=tuple(opening)), *map(_block, rest), *extras(draft))
    # A line a block, for whoever reads the source or a diff of it.
    return tuple(node for part in parts for node in (Text("\n"), part))[1:]


def extras(draft: Draft, *, event: bool = True) -> Iterator[Node]:
    """What ``draft`` gives beside the prose, as nodes: facets, event time (if ``event``), citations."""
    if draft.facets:
        yield _facets(draft.facets)
    event_at = normalised(draft.event_at) if event and draft.event_at is not None else None
    if event_at is not None:
        yield _p(Element("time", {"datetime": event_at}, (Text(event_at),)))
    yield from (_p(_citation(citation)) for citation in draft.citations)


def claim_and_rest(draft: Draft) -> tuple[str, tuple[Block, ...]]:
    r"""The claim as one line, and the blocks after it; an empty claim where neither field gives one.

    Without a claim of its own, the first sentence of the first paragraph is it.

    >>> from memhtml.domain.vocabulary import MemoryType
    >>> claim_and_rest(Draft(type=MemoryType.SEMANTIC, body="Drain first. Then deploy.\n\nAlways."))
    ('Drain first.', (Paragraph(text='Then deploy.'), Paragraph(text='Always.')))
    """
    rest = blocks(draft.body or "")
    if draft.claim is not None:
        return collapsed(draft.claim), rest
    if not rest or not isinstance(rest[0], Paragraph):
        return "", rest
    claim, remainder = first_sentence(rest[0].text)
    return collapsed(claim), (*([Paragraph(remainder)] if remainder else []), *rest[1:])


def blocks(body: str) -> tuple[Block, ...]:
    r"""``body`` as paragraphs, parted by blank lines, and closed fences, which also part paragraphs.

    A fence that is never closed is prose.

    >>> blocks("See:\n```Bash\nls\n```\nDone.")
    (Paragraph(text='See:'), Fence(info='Bash', code='ls'), Paragraph(text='Done.'))
    """
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Block] = []
    held: list[str] = []
    closed = _closed_fences(lines)
    position = 0
    while position < len(lines):
        fenced = closed.get(position)
        if fenced is None and lines[position].strip(WHITE_SPACE):
            held.append(lines[position].strip(WHITE_SPACE))
        elif held:
            found.append(Paragraph("\n".join(held)))
            held.clear()
        if fenced is not None:
            position, fence = fenced
            found.append(fence)
        position += 1
    if held:
        found.append(Paragraph("\n".join(held)))
    return tuple(found)


def first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of ``text``, and what comes after it; all of it when no sentence ends inside.

    >>> first_sentence("Dr. Ada said v2.1 works. It does."), first_sentence("no end")
    (('Dr. Ada said v2.1 works.', 'It does.'), ('no end', ''))
    """
    for match in re.finditer(_SENTENCE_END, text):
        before = text[max(0, match.end() - _LONGEST_ABBREVIATION) : match.end()]
        if re.search(_ABBREVIATION, before) is None:
            return text[: match.end()], text[match.end() :].strip(WHITE_SPACE)
    return text, ""


def collapsed(text: str) -> str:
    """``text`` with runs of collapsible white space as one space, and none at its ends; U+00A0 stays."""
    return " ".join(part for part in re.split(r"[ \t\n\f\r]+", text) if part)


def _closed_fences(lines: list[str]) -> dict[int, tuple[int, Fence]]:
    """For each line that opens a fence, the line that closes it, and the block; without those that are never closed."""
    closed: dict[int, tuple[int, Fence]] = {}
    # The shortest run that was looked for in vain: no longer one is closed further down either.
    hopeless = max(map(len, lines)) + 1
    position = 0
    while position < len(lines):
        opening = _OPENING.fullmatch(lines[position])
        if opening is not None and len(opening[2]) < hopeless:
            end = _fence_end(lines, position, len(opening[2]))
            if end is None:
                hopeless = len(opening[2])
            else:
                closed[position] = end, _fence(opening, lines[position + 1 : end])
                position = end
        position += 1
    return closed


def _fence_end(lines: list[str], start: int, run: int) -> int | None:
    """The first line after ``start`` that closes a fence of ``run`` backticks."""
    for position in range(start + 1, len(lines)):
        closing = _CLOSING.fullmatch(lines[position])
        if closing is not None and len(closing[1]) >= run:
            return position
    return None


def _fence(opening: re.Match[str], lines: list[str]) -> Fence:
    return Fence(collapsed(opening[3]), "\n".join(_dedented(line, len(opening[1])) for line in lines))


def _dedented(line: str, width: int) -> str:
    """``line`` without as many spaces as the fence was indented by, if it has them."""
    return line[min(width, len(line) - len(line.lstrip(" "))) :]


def _block(block: Block) -> Element:
    if isinstance(block, Paragraph):
        return _p(Text(block.text))
    # A label that is no language's name is kept in sight.
    labelled = re.fullmatch(LANGUAGE, block.info) is not None
    attributes = {"data-lang": block.info.lower()} if labelled else {}
    pre = Element("pre", children=(Element("code", attributes, (Text(block.code),)),))
    caption = (Element("figcaption", children=(Text(block.info),)),) if block.info and not labelled else ()
    return Element("figure", children=(pre, *caption))


def _facets(facets: Iterable[Facet]) -> Element:
    parts: list[Node] = []
    for name, group in groupby(facets, key=lambda facet: one_line(facet.name)):
        parts.append(Element("dt", children=(Text(name),)))
        parts += (Element("dd", children=(_facet_value(facet),)) for facet in group)
    return Element("dl", children=tuple(parts))


def _facet_value(facet: Facet) -> Node:
    value = Text(one_line(facet.value))
    if facet.number is None:
        return value
    return Element("data", {"value": machine_number(facet.number)}, (value,))


def machine_number(value: float) -> str:
    """``value`` in the fewest digits that read back as it.

    >>> machine_number(120.0), machine_number(0.1), machine_number(1e300)
    ('120', '0.1', '1e+300')
    """
    return repr(value).removesuffix(".0")


def _citation(citation: Citation) -> Element:
    said = one_line(citation.text)
    if citation.uri is None:
        return Element("cite", children=(Text(said),))
    return Element("q", {"cite": citation.uri}, (Text(said or citation.uri),))


def _p(*children: Node) -> Element:
    return Element("p", children=children)
