"""Texts told apart by their very words, whatever their case, punctuation and white space."""

from __future__ import annotations

import re

from memhtml.domain.terms import search_text

LONGEST = 32_768
"""Characters of a text up to which it is looked up by its own words; a longer one is a document, not a question."""

# The largest prime that an integer of SQLite holds. A residue is no cryptographic digest, but importing one would cost
# each search a tenth of its start, and a text that collides on purpose gains no more than one with the very words.
_PRIME = 2**63 - 25
_INSTANT_LINE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:]+Z)?")


def digest(text: str) -> int | None:
    """A number that texts of the same words in the same order share; ``None`` for one without words, or too long.

    >>> digest("Thanks! What's new?") == digest(" thanks: WHAT\N{RIGHT SINGLE QUOTATION MARK}s   new"), digest("?!")
    (True, None)
    """
    words = search_text(text) if len(text) <= LONGEST else ""
    if not words:
        return None
    return int.from_bytes(words.encode("utf-8", "replace"), "big") % _PRIME


def digests(title: str, gist: str, body: str) -> tuple[int, ...]:
    """The texts by which a memory is known: its title, its claim and its whole body.

    When something happened stands at the end of a body as a line of its own, which nobody would repeat; it is left
    out. Each number comes once, in that order; a memory without words has none.
    """
    said = "\n".join(line for line in body.split("\n") if not _INSTANT_LINE.fullmatch(line.strip()))
    known = map(digest, (title, gist, said))
    return tuple(dict.fromkeys(number for number in known if number is not None))
