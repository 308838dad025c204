"""Commit messages: one bounded line, and trailers that no title and no value can forge."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

SESSION = "Memhtml-Session"
PROMPT = "Memhtml-Prompt"

LONGEST_SUBJECT = 120
LONGEST_VALUE = 500
LONGEST_LINE = 1000
"""Of a trailer that is added to a message: the longest path fits."""
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*): *(.*)")
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Marks that turn the direction of what follows: a log must read as it is stored.
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))


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
    found = [_TRAILER.fullmatch(line) for line in rest[-1].splitlines()] if rest and first else []
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


def message(first_line: str, pairs: Iterable[tuple[str, str]]) -> str:
    r"""The whole message.

    >>> message("memory(write): x", [("Memhtml-Session", "a\nb")])
    'memory(write): x\n\nMemhtml-Session: a b\n'
    """
    lines = [f"{name}: {value}" for name, text in pairs if (value := one_line(text, LONGEST_VALUE))]
    first = one_line(first_line, LONGEST_SUBJECT) or "memory"
    return "\n".join([first, "", *lines, ""]) if lines else f"{first}\n"
