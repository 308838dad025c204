"""What is wrong with a file, and what reading one gives."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.memory import Facts

LONGEST_SHOWN = 60


def shown(value: str) -> str:
    r"""``value`` as it may stand in a message: in quotes, escaped to ASCII, at most 60 characters of it.

    >>> shown("é")
    "'\\xe9'"
    """
    return ascii(value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 3]}...")


def shown_name(name: str) -> str:
    r"""A tag's or an attribute's name as it may stand in a message: HTML lets control characters into both.

    >>> shown_name("p"), shown_name("a\x1b[31m")
    ('p', 'a\\x1b[31m')
    """
    return shown(name)[1:-1]


class Violation(Struct, frozen=True):
    """One thing that the format forbids (or, among warnings, advises against).

    Attributes:
        code: stable name of the rule, e.g. ``claim-missing``.
        message: a sentence that names the thing and says what to do.
        line: where, counted from 1, if it is anywhere.
    """

    code: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        return f"{where}{self.message} [{self.code}]"


class Reading(Struct, frozen=True):
    """What one file gave: facts, or violations, never both; warnings either way. All in document order."""

    facts: Facts | None
    violations: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()
