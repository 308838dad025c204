"""Commit messages: one bounded line, and trailers that no title and no value can forge."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

SESSION = "Memhtml-Session"
PROMPT = "Memhtml-Prompt"

LONGEST_SUBJECT = 120
LONGEST_VALUE = 500
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


def message(first_line: str, pairs: Iterable[tuple[str, str]]) -> str:
    r"""The whole message.

    >>> message("memory(write): x", [("Memhtml-Session", "a\nb")])
    'memory(write): x\n\nMemhtml-Session: a b\n'
    """
    lines = [f"{name}: {value}" for name, text in pairs if (value := one_line(text, LONGEST_VALUE))]
    first = one_line(first_line, LONGEST_SUBJECT) or "memory"
    return "\n".join([first, "", *lines, ""]) if lines else f"{first}\n"
