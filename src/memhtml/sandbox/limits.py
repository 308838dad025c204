"""How much a script may use."""

from __future__ import annotations

from msgspec import Struct

MEGABYTE = 1024 * 1024


class Limits(Struct, frozen=True):
    """What one script may use; more of any ends it.

    Attributes:
        seconds: of its own work and of what it calls, together. What is called is not broken off, so that the last
            call may end later; and the interpreter, where it does not see the limit, is ended a second later.
        memory: bytes of the interpreter.
        output: characters that it prints, and as many that it reports: a value counts one beside its text.
    """

    seconds: float = 10.0
    memory: int = 256 * MEGABYTE
    output: int = 1_000_000
