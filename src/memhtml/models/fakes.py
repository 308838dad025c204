"""Two embedders without a model: ordinary implementations, for tests, for the gate, and for trying the rest."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memhtml.domain.errors import ModelUnavailableError
from memhtml.models.embedder import Identity, Space, space_of

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows

HASHED: Final = "fake-words"
FAILING: Final = "fake-failing"


class HashedWords:
    """A bag of words: each word is hashed to one place and one sign, so texts that share words are near.

    A pure function of the text, the same on every machine. Case and order do not matter; a text without a word has
    the vector of the empty word.
    """

    def __init__(self, dimension: int = 256) -> None:
        self._dimension = dimension
        self._space = space_of(HASHED, dimension)

    @property
    def space(self) -> Space:
        """``fake-words@<dimension>``."""
        return self._space

    def describe(self) -> Identity:
        """A fake, and says so."""
        return Identity(space=self._space, origin="fake: hashed words, no model")

    def embed(self, texts: Sequence[str]) -> Rows:
        """One row a text; never fails."""
        import numpy as np  # 0.2 s that only a vector is worth

        rows = np.zeros((len(texts), self._dimension), dtype=np.float64)
        for position, text in enumerate(texts):
            row = rows[position]
            for word in re.findall(r"\w+", text.casefold()) or [""]:
                place, sign = self._place(word)
                row[place] += sign
            if not row.any():  # words that cancel out; a row must have a length
                row[self._place("")[0]] = 1.0
            rows[position] /= math.sqrt(math.fsum(row * row))
        return rows.astype(np.float32)

    def _place(self, word: str) -> tuple[int, float]:
        number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        return (number >> 1) % self._dimension, 1.0 if number & 1 else -1.0


class AlwaysFailing:
    """Has a space, and never makes a vector: the degraded path, as an ordinary embedder."""

    def __init__(self, dimension: int = 256) -> None:
        self._space = space_of(FAILING, dimension)

    @property
    def space(self) -> Space:
        """``fake-failing@<dimension>``."""
        return self._space

    def describe(self) -> Identity:
        """A fake, and says so."""
        return Identity(space=self._space, origin="fake: always fails")

    def embed(self, texts: Sequence[str]) -> Rows:
        """Never returns.

        Raises:
            ModelUnavailableError: always.
        """
        raise ModelUnavailableError(
            f"this embedder always fails; {len(texts)} texts have no vector",
            suggestions=("MEMHTML_EMBED=on uses the built-in model",),
        )
