"""Text to the token ids of ``bert-base-uncased``: what all-MiniLM-L6-v2 was trained on.

Written here rather than taken from the ``tokenizers`` package, which brings fifteen distributions (a hub client and an
HTTP stack among them) for these two tables and one loop; the tests hold it to that package over generated text and
over every code point. Source: Devlin et al., 2018 (WordPiece as released with BERT).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

CLS: Final = 101
SEP: Final = 102
UNKNOWN: Final = 100
LONGEST_WORD: Final = 100
"""Characters; a longer run without a space or punctuation is one unknown word."""

_KEPT_WORDS: Final = 1 << 16
_IDEOGRAPHS: Final = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),  # starts 256 late in the tokenizer that the model was trained with; so it does here
    (0x2F800, 0x2FA1F),
)


class _Cleaned(dict[int, str | None]):
    """First table: control characters go, every space becomes a plain one, ideographs stand alone."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        if character in "\t\n\r":
            self[code] = " "
        elif character == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
            self[code] = None
        elif character.isspace():
            self[code] = " "
        elif any(first <= code <= last for first, last in _IDEOGRAPHS):
            self[code] = f" {character} "
        else:
            self[code] = character
        return self[code]


class _Folded(dict[int, str | None]):
    """Second table, after decomposition: accents go, punctuation stands alone, letters become small.

    One character at a time, so that a capital sigma is the same letter wherever it stands.
    """

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Mn":
            self[code] = None
        elif category.startswith("P") or (character.isascii() and category.startswith("S")):
            self[code] = f" {character} "
        else:
            self[code] = character.lower()
        return self[code]


class WordPiece:
    """Greedy longest-match-first pieces over a vocabulary.

    The tables and the words met are kept, so the second text with a word costs a look-up. Sharing one instance
    between threads is safe: entries are only added, and adding one twice changes nothing.
    """

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self._cleaned = _Cleaned()
        self._folded = _Folded()
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """The ids of ``text`` in order, without the marks for start and end; text without words gives none."""
        spaced = unicodedata.normalize("NFD", text.translate(self._cleaned)).translate(self._folded)
        ids: list[int] = []
        for word in spaced.split(" "):
            if word:
                ids += self._pieces(word)
        return ids

    def _pieces(self, word: str) -> tuple[int, ...]:
        known = self._words.get(word)
        if known is None:
            known = tuple(self._split(word))
            if len(self._words) < _KEPT_WORDS:
                self._words[word] = known
        return known

    def _split(self, word: str) -> Iterator[int]:
        if len(word) > LONGEST_WORD:
            return iter((UNKNOWN,))
        ids: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._vocabulary.get(mark + word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return iter((UNKNOWN,))
        return iter(ids)


@cache
def bert_uncased() -> WordPiece:
    """The tokenizer over the shipped vocabulary, read once a process."""
    lines = files("memhtml.models").joinpath("vocab.txt").read_text(encoding="utf-8").split("\n")
    return WordPiece({piece: number for number, piece in enumerate(lines) if piece})
