"""Commit messages: one bounded line, a text, and trailers that no title, no text and no value can forge."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

SESSION = "Memhtml-Session"
PROMPT = "Memhtml-Prompt"

LONGEST_SUBJECT = 120
LONGEST_VALUE = 500
LONGEST_LINE = 1000
"""Of a trailer that is added to a message: the longest path fits."""
_TRAILER = r"([A-Za-z0-9][A-Za-z0-9-]*): *(.*)"
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Marks that turn the direction of what follows: a log must read as it is stored.
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))


class Wording(Struct, frozen=True):
    """What a message says above its trailers.

    Attributes:
        subject: the first line.
        paragraphs: of the text between it and the trailers; a line break in one begins a new line of it. Nobody cuts
            them: whoever makes them keeps them short.
    """

    subject: str
    paragraphs: tuple[str, ...] = ()


def one_line(text: str, longest: int) -> str:
    r"""``text`` as one line without control characters, at most ``longest`` characters.

    >>> one_line("Drain\nbefore\tdeploy\x00", 16)
    'Drain before de…'
    """
    printable = "".join(
        " " if unicodedata.category(one) in _UNPRINTABLE else one for one in text if one not in _TURNING
    )
    line = " ".join(printable.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def subject(verb: str, title: str) -> str:
    """The first line of a commit.

    >>> subject("write", "Drain before deploy")
    'memory(write): Drain before deploy'
    """
    return one_line(f"memory({verb}): {title}", LONGEST_SUBJECT)


def trailers(*, session: str | None = None, prompt: str | None = None) -> tuple[tuple[str, str], ...]:
    """The trailers that say where a change came from; what is not known has none."""
    known = ((SESSION, session), (PROMPT, prompt))
    return tuple((name, value) for name, value in known if value)


def trailers_of(text: str) -> tuple[tuple[str, str], ...]:
    r"""The trailers of a whole message, in their order: its last paragraph, if that is nothing but trailers.

    >>> trailers_of("memory(write): x\n\nMemhtml-Session: a\n"), trailers_of("Only: a subject\n")
    ((('Memhtml-Session', 'a'),), ())
    """
    first, *rest = text.rstrip().split("\n\n")
    found = [re.fullmatch(_TRAILER, line) for line in rest[-1].splitlines()] if rest and first else []
    pairs = tuple((match[1], match[2]) for match in found if match is not None)
    return pairs if len(pairs) == len(found) else ()


def with_trailers(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    r"""A whole message with more trailers, after those that it has.

    >>> with_trailers("sleep(dedup): x\n\nMemhtml-Run: a\n", [("Memhtml-Dropped", "b")])
    'sleep(dedup): x\n\nMemhtml-Run: a\nMemhtml-Dropped: b\n'
    """
    lines = "".join(f"{name}: {value}\n" for name, given in pairs if (value := one_line(given, LONGEST_LINE)))
    start = text.rstrip() + "\n"
    return start + lines if not lines or trailers_of(text) else f"{start}\n{lines}"


def message(words: str | Wording, pairs: Iterable[tuple[str, str]]) -> str:
    r"""The whole message.

    Of a text every letter stays, but control characters and those that turn the direction are written as escapes,
    empty lines go, and a line that could be taken for a trailer is indented by a space.

    >>> message("memory(write): x", [("Memhtml-Session", "a\nb")])
    'memory(write): x\n\nMemhtml-Session: a b\n'
    >>> message(Wording("sleep: x", ("a\rb\n\nMemhtml-Run: y",)), [("Memhtml-Run", "z")])
    'sleep: x\n\na\\u000db\n Memhtml-Run: y\n\nMemhtml-Run: z\n'
    """
    wording = words if isinstance(words, Wording) else Wording(words)
    first = one_line(wording.subject, LONGEST_SUBJECT) or "memory"
    lines = [f"{name}: {value}" for name, text in pairs if (value := one_line(text, LONGEST_VALUE))]
    paragraphs = [first, *map(_paragraph, wording.paragraphs), "\n".join(lines)]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _paragraph(text: str) -> str:
    lines = ("".join(map(_shown, line)).strip() for line in text.split("\n"))
    return "\n".join(f" {line}" if re.fullmatch(_TRAILER, line) else line for line in lines if line)


def _shown(one: str) -> str:
    return f"\\u{ord(one):04x}" if one in _TURNING or unicodedata.category(one) in _UNPRINTABLE else one
