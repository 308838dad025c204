"""An embedder that is asked for each text once: two states of a store hold nearly the same texts and controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.models.embedder import Embedder, Identity, Rows, Space


class Remembering:
    """``embedder``, with every row that it made kept for as long as this is."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._rows: dict[str, NDArray[np.float32]] = {}

    @property
    def space(self) -> Space:
        """The same."""
        return self._embedder.space

    def describe(self) -> Identity:
        """The same."""
        return self._embedder.describe()

    def embed(self, texts: Sequence[str]) -> Rows:
        """The same rows; only of new texts is the embedder asked.

        Raises:
            ModelUnavailableError: it cannot work.
        """
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if new or not texts:
            rows = self._embedder.embed(new)
            if not texts or len(rows) != len(new):
                return rows  # an answer that is none is for the caller to judge
            self._rows.update(zip(new, rows, strict=True))
        return np.stack([self._rows[text] for text in texts])
