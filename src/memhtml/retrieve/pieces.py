"""The texts of candidates: which piece of a memory fits a question best, what it says, and how it is shown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from memhtml.domain.statements import Statement, read, sentences
from memhtml.domain.stems import stem
from memhtml.domain.terms import Term, search_text
from memhtml.retrieve.asking import Asked

SNIPPET = 700
"""Characters of a snippet at most."""

_READ = 6000  # characters of a memory that are read sentence by sentence; of a longer one only its best piece is
_BEFORE = 120  # characters of a snippet in front of the first word of the query
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:]+Z)?")


class Piece(Struct, frozen=True):
    """The piece of a memory that fits best, and the sentences by which it is judged.

    Attributes:
        text: the piece.
        statements: of the whole memory when it is short, else of the piece; at least one.
        held: which of the query's words the memory holds.
    """

    text: str
    statements: tuple[Statement, ...]
    held: frozenset[Term]


def best_piece(asked: Asked, cut: Sequence[str], number: int | None, around: Iterable[str]) -> Piece:
    """The piece of a memory for a question.

    Args:
        asked: the question.
        cut: the memory's pieces, in order.
        number: which one is nearest, where a vector said so; else the one with most of the query's words.
        around: texts that belong to the memory beside its article: title, tags, entities.
    """
    if number is not None and number < len(cut):
        text = cut[number]
    else:
        text = max(cut, key=lambda piece: _weight(asked, piece)) if len(cut) > 1 else "".join(cut)
    whole = "\n".join(cut)
    judged = whole if len(whole) <= _READ else text[:_READ]
    said = [sentence for sentence in sentences(judged) if not _INSTANT.fullmatch(sentence)]
    return Piece(
        text=text,
        statements=tuple(map(read, said)) or (read(judged),),
        held=held(asked.content, f"{judged}\n{chr(10).join(around)}"),
    )


def held(terms: Iterable[Term], text: str) -> frozenset[Term]:
    """Which of ``terms`` a text holds, stemmed as the index does."""
    tokens = search_text(text).split()
    stems = set(map(stem, tokens))
    return frozenset(
        term
        for term in terms
        if stem(term.text) in stems or (term.prefix and any(token.startswith(term.text) for token in tokens))
    )


def share(asked: Asked, held: frozenset[Term]) -> float:
    """The share of the question's words that are held, by their rarity, 0 to 1; 0.0 for a query without words."""
    whole = math.fsum(asked.rarity.values())
    # Exact, since the order of a set changes from run to run.
    return math.fsum(asked.rarity[term] for term in held) / whole if whole else 0.0


def snippet(asked: Asked, text: str) -> str:
    """At most 700 characters of ``text`` as one line, from a little before the query's first word on.

    Three dots stand where something was left out.
    """
    line = " ".join(text.split())
    if len(line) <= SNIPPET:
        return line
    wanted = {stem(term.text) for term in asked.content}
    places = (match.start() for match in re.finditer(r"\w+", line) if stem(match.group().lower()) in wanted)
    first = next(places, 0)
    start = 0 if first <= _BEFORE else line.rfind(" ", 0, first - _BEFORE) + 1
    start = min(start, len(line) - SNIPPET + 2)
    opening = "…" if start else ""
    room = SNIPPET - len(opening)
    rest = line[start:]
    return opening + (rest if len(rest) <= room else rest[: room - 1] + "…")


def _weight(asked: Asked, piece: str) -> float:
    return sum(asked.rarity[term] for term in held(asked.content, piece))
