"""What is taken of a model's answer: so much, so long, so sure, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from memhtml.sleep.mind import Answer, Heard

One = TypeVar("One")

LONGEST_TITLE = 120
LONGEST_CLAIM = 400
LONGEST_BODY = 2000
LONGEST_QUOTE = 600

SURE = 0.7
"""Confidence from which on a model's finding is looked at."""


_JOINERS = {0x200C: None, 0x200D: None}


class Quote(Struct, frozen=True):
    """A model's evidence: words of the text under a key, as they stand there."""

    key: str
    quote: str


def line(text: str, most: int) -> str | None:
    r"""``text`` on one line; ``None`` when it is blank, longer than ``most`` characters, or holds what no text does.

    >>> line(" Drain \n first. ", 20), line("", 20), line("x" * 21, 20), line("a\0b", 20)
    ('Drain first.', None, None, None)
    """
    said = " ".join(text.split())
    return said if 0 < len(said) <= most and _is_text(said) else None


def prose(text: str, most: int) -> str | None:
    r"""``text`` as paragraphs, each on one line; ``None`` as in `line`.

    >>> prose("One.\n\n\n Two\n lines. ", 40)
    'One.\n\nTwo lines.'
    """
    paragraphs = [said for part in text.split("\n\n") if (said := " ".join(part.split()))]
    said = "\n\n".join(paragraphs)
    return said if paragraphs and len(said) <= most and all(map(_is_text, paragraphs)) else None


def _is_text(said: str) -> bool:
    """Whether it holds nothing but what is seen, and the joiners that some scripts are written with."""
    return said.translate(_JOINERS).isprintable()


def is_sure(confidence: float) -> bool:
    """Whether a confidence is one, and high enough.

    >>> is_sure(0.7), is_sure(0.69), is_sure(1.5), is_sure(float("nan"))
    (True, False, False, False)
    """
    return SURE <= confidence <= 1


def first(found: Sequence[One], most: int) -> Sequence[One]:
    """At most ``most`` of what was found: a model may answer with any number."""
    return found[:most]


def standing(heard: Heard[Answer], quotes: Sequence[Quote], most: int = 40) -> tuple[Quote, ...] | None:
    """The quotes, white space collapsed, each once; ``None`` when one does not stand where it is said to.

    One that is longer than 600 characters stands nowhere; so does one of an answer with more than ``most``.
    """
    if len(quotes) > most:
        return None
    found: dict[Quote, None] = {}
    for one in quotes:
        said = " ".join(one.quote.split())
        if len(said) > LONGEST_QUOTE or not heard.holds(one.key, said):
            return None
        found[Quote(one.key, said)] = None
    return tuple(found)
