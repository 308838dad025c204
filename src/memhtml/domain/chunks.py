"""The pieces of an article that an embedder sees one at a time.

No model is asked: tokens are estimated from the shape of words, on the high side, so that the pieces stay the same
whichever model is configured, and an index can be built without one. Calibrated against the WordPiece vocabulary of
`bert-base-uncased` on chat turns, abstracts and source code: a piece that is estimated at the window holds about four
fifths of it, and 99 in 100 hold no more than all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

WINDOW = 256
"""Tokens that the built-in embedder sees at once, its two marks for start and end included."""

_MARKS = 2
_LONGEST_TITLE = 64  # tokens: a longer title would crowd out the text that it introduces

_LETTERS_FIRST = 5
_DIGITS = 2
# One match a token: a word of five letters is one, and each four letters more another.
# Both patterns are compiled at first use: a short text, which is most memories, needs neither.
_TOKEN = rf"(?<![A-Za-z])[A-Za-z]{{1,{_LETTERS_FIRST}}}|[A-Za-z]{{1,4}}|[0-9]{{1,{_DIGITS}}}|[^\sA-Za-z0-9]"
# A sentence ends at its stop with the quotes and brackets that close with it, or where the line does.
_CLOSING = "[\"')\\]\N{RIGHT SINGLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]"
_WIDE_STOP = "[\N{IDEOGRAPHIC FULL STOP}\N{FULLWIDTH EXCLAMATION MARK}\N{FULLWIDTH QUESTION MARK}]"
_WIDE_CLOSING = "[\N{RIGHT CORNER BRACKET}\N{RIGHT WHITE CORNER BRACKET}\N{FULLWIDTH RIGHT PARENTHESIS}]"
_SENTENCE = rf"(?s).+?(?:[.!?…]+{_CLOSING}*(?=\s)\s*|{_WIDE_STOP}+{_WIDE_CLOSING}*\s*|\n\s*|\Z)"


class Chunk(Struct, frozen=True):
    """A piece of a text, from ``start`` up to ``stop``, in characters."""

    start: int
    stop: int


def chunks(title: str, body: str, window: int = WINDOW) -> tuple[Chunk, ...]:
    """``body`` cut into pieces that fit ``window`` tokens together with ``title``.

    What fits is one chunk. Longer text is split at sentence ends and packed from the front, so that text added at the
    end moves no earlier piece; a sentence over the limit is cut between words, a word over it anywhere. The pieces
    follow each other without a gap or an overlap: joined, they are ``body``. Blank text has none.

    >>> chunks("t", "One fact. Another one.", window=7)
    (Chunk(start=0, stop=10), Chunk(start=10, stop=22))
    >>> chunks("t", "  ")
    ()

    Raises:
        ValueError: ``window`` leaves no room for any text.
    """
    room = window - _MARKS
    if room < 1:
        raise ValueError(f"a window of {window} tokens has no room for text")
    if not body.strip():
        return ()
    # No token is shorter than a character, so short texts need no counting.
    if len(title) + len(body) < room:
        return (Chunk(0, len(body)),)
    whole = tokens(body)
    if whole <= room and whole + _title_tokens(title, body) <= room:
        return (Chunk(0, len(body)),)
    return tuple(_packed(body, max(1, room - min(tokens(title), _LONGEST_TITLE, room // 2))))


def embedded_text(title: str, body: str, chunk: Chunk) -> str:
    r"""What is given to the embedder for ``chunk``: its text, under the title unless it begins with that.

    >>> embedded_text("Drain", "Drain first. Then deploy.", Chunk(0, 13))
    'Drain first.'
    >>> embedded_text("Drain", "Drain first. Then deploy.", Chunk(13, 25))
    'Drain\nThen deploy.'
    """
    piece = body[chunk.start : chunk.stop].strip()
    return piece if _begins_with(piece, title) else f"{title.strip()}\n{piece}"


def tokens(text: str) -> int:
    """About how many tokens ``text`` has, rather too many than too few: signs and letters of other scripts one each.

    >>> tokens("Drain connections, v2")
    7
    """
    return len(re.findall(_TOKEN, text))


def _title_tokens(title: str, body: str) -> int:
    return 0 if _begins_with(body, title) else min(tokens(title), _LONGEST_TITLE)


def _begins_with(text: str, title: str) -> bool:
    """Whether ``text`` opens with ``title``, however its case, its spaces and a cut end are written."""
    wanted = " ".join(title.casefold().split()).rstrip(".…!? ")
    return " ".join(text[: 4 * len(title) + 4].casefold().split()).startswith(wanted)


def _packed(text: str, room: int) -> Iterator[Chunk]:
    start = stop = used = 0
    for sentence in re.finditer(_SENTENCE, text):
        cost = tokens(sentence.group())
        if used and used + cost > room:
            yield Chunk(start, stop)
            start, used = stop, 0
        if cost > room:
            for cut in _cuts(text, sentence.start(), sentence.end(), room):
                yield Chunk(start, cut)
                start = cut
            cost = tokens(text[start : sentence.end()])
        stop, used = sentence.end(), used + cost
    if text[start:].strip():
        yield Chunk(start, len(text))


def _cuts(text: str, start: int, stop: int, room: int) -> Iterator[int]:
    """Where a sentence over the limit is cut: in front of the word that would pass it, inside one that does alone."""
    used, word, piece = 0, start, start
    for token in re.compile(_TOKEN).finditer(text, start, stop):
        if text[token.start() - 1 : token.start()].isspace():
            word = token.start()
        if used == room:
            piece = word if tokens(text[piece:word]) else token.start()
            yield piece
            used = tokens(text[piece : token.start()])
        used += 1
