"""What a caller should know about an answer that is good in spite of it."""

from __future__ import annotations

from msgspec import Struct


class Notice(Struct, frozen=True):
    """A warning: the code of the error that was survived, and a sentence that says what it means here."""

    code: str
    message: str
