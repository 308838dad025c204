"""What a caller should know about an answer that is good in spite of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning: the code of the error that was survived, and a sentence that says what it means here."""

    code: str
    message: str
